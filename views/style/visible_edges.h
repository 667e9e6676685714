#pragma once

#include <QProxyStyle>

namespace warpline {

/// Fusion, with edges of text fields and check boxes that can be seen on a dark panel: Fusion draws them
/// darker than the panel.
class VisibleEdges : public QProxyStyle {
public:
    VisibleEdges();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget) const override;
};

} // namespace warpline
