#include "views/style/visible_edges.h"

#include <QPainter>
#include <QStyleOption>

namespace warpline {

VisibleEdges::VisibleEdges()
    : QProxyStyle("Fusion")
{
}

void VisibleEdges::drawPrimitive(
    PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    constexpr int darkBelow = 128;
    const bool edged = element == PE_FrameLineEdit || element == PE_IndicatorCheckBox;
    if (!edged || option->palette.color(QPalette::Window).lightness() >= darkBelow)
        return;
    const bool focused = element == PE_FrameLineEdit && (option->state & State_HasFocus);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(Qt::NoBrush);
    painter->setPen(focused ? option->palette.color(QPalette::Highlight)
                            : option->palette.color(QPalette::Disabled, QPalette::Text));
    constexpr double corner = 2;
    painter->drawRoundedRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), corner, corner);
    painter->restore();
}

} // namespace warpline
