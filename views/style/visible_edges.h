#pragma once

#include <QProxyStyle>

class QStyleOptionSlider;

namespace warpline {

/// Fusion, with edges of text fields and check boxes that can be seen on a dark panel (Fusion draws them
/// darker than the panel), and with sliders of scroll bars that stand out from their groove: on a light panel
/// Fusion's are nearly white, so that the groove is taken for the slider. Tabs keep their whole names where
/// there is no room for all of them, and can be scrolled. What has the keyboard has a ring of two pixels.
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
