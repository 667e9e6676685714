#pragma once

#include <QProxyStyle>

class QStyleOptionSlider;

namespace warpline {

/// The Fusion style with visible edges of text fields and check boxes on a dark panel (Fusion's are darker
/// than the panel), and with scroll bar sliders that stand out (on a light panel Fusion's are nearly white,
/// so that the groove looks like the slider). Tabs keep their full names and scroll. The focused widget has a
/// ring of two pixels.
class VisibleEdges : public QProxyStyle {
public:
    VisibleEdges();

    using QProxyStyle::polish;
    void polish(QWidget* widget) override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
        QStyleHintReturn* returned) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
        const QWidget* widget) const override;

private:
    static void drawFocus(const QStyleOption& option, QPainter& painter);
    void drawScrollBar(const QStyleOptionSlider& bar, QPainter& painter, const QWidget* widget) const;
};

} // namespace warpline
