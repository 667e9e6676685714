#pragma once

#include <QFocusFrame>
#include <QPointer>
#include <QProxyStyle>

class QStyleOptionSlider;
class QStyleOptionToolButton;

namespace warpline {

/// The Fusion style with visible edges of text fields and check boxes on a dark panel (Fusion's are darker
/// than the panel), and with scroll bar sliders that stand out (on a light panel Fusion's are nearly white,
/// so that the groove looks like the slider). Tabs keep their full names and scroll. A widget that got the
/// focus by a key has a ring of two pixels. Cells and titles of tables and trees have one margin. A box
/// of choices elides its text. With high
/// contrast, what is checked or selected has the highlight's colours throughout.
class VisibleEdges : public QProxyStyle {
public:
    VisibleEdges();

    using QProxyStyle::polish;
    void polish(QWidget* widget) override;
    void polish(QApplication* application) override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
        QStyleHintReturn* returned) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
        const QWidget* widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
        const QWidget* widget) const override;

private:
    static void drawFocus(const QStyleOption& option, QPainter& painter);
    void drawChecked(const QStyleOptionToolButton& button, QPainter& painter, const QWidget* widget) const;
    void drawExtension(const QStyleOptionToolButton& button, QPainter& painter, const QWidget* widget) const;
    void drawScrollBar(const QStyleOptionSlider& bar, QPainter& painter, const QWidget* widget) const;
    void ringAround(QWidget* focused);

    QPointer<QFocusFrame> m_ring; ///< of texts, tables, fields and tabs; a window that closes takes it along
};

} // namespace warpline
