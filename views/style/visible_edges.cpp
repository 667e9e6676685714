#include "views/style/visible_edges.h"

#include "views/style/painted_items.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QFocusFrame>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QPainter>
#include <QStyleOption>
#include <QTabBar>
#include <QTreeView>

#include <algorithm>

namespace warpline {

namespace {

constexpr int cellMargin = 6; ///< of texts in cells and titles to their sides
constexpr int fusionMargin = 2; ///< of titles
constexpr int treeLineMargins = 5; ///< above and below the text together, as lines of tables have it

bool isAcross(const QStyleOptionHeader* header)
{
    return header && header->orientation == Qt::Horizontal;
}

/// Only Theme's palettes of high contrast have buttons like the panel.
bool isOfHighContrast(const QPalette& palette)
{
    return palette.color(QPalette::Button) == palette.color(QPalette::Window);
}

} // namespace

VisibleEdges::VisibleEdges()
    : QProxyStyle("Fusion")
{
}

void VisibleEdges::polish(QWidget* widget)
{
    QProxyStyle::polish(widget);
    if (auto* const tabs = qobject_cast<QTabBar*>(widget);
        tabs && qobject_cast<QMainWindow*>(tabs->parentWidget())) {
        tabs->setElideMode(Qt::ElideNone); // a main window's cut their names
        tabs->setFocusPolicy(Qt::NoFocus); // they are there, and empty, without tabs; panels have keys
    }
}

void VisibleEdges::polish(QApplication* application)
{
    QProxyStyle::polish(application);
    connect(application, &QApplication::focusChanged, this,
        [this](QWidget*, QWidget* focused) { ringAround(focused); });
}

/// Buttons and painted charts draw the ring themselves, others at most a frame or a cursor.
void VisibleEdges::ringAround(QWidget* focused)
{
    const bool isRinged = focused && focused->window()->testAttribute(Qt::WA_KeyboardFocusChange)
        && (qobject_cast<QAbstractScrollArea*>(focused) || qobject_cast<QLineEdit*>(focused)
            || qobject_cast<QLabel*>(focused) || qobject_cast<QTabBar*>(focused))
        && !dynamic_cast<PaintedItems*>(focused);
    if (isRinged && !m_ring)
        m_ring = new QFocusFrame;
    if (m_ring)
        m_ring->setWidget(isRinged ? focused : nullptr);
}

void VisibleEdges::drawPrimitive(
    PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    if (element == PE_FrameFocusRect) {
        drawFocus(*option, *painter);
        return;
    }
    const auto* const item = qstyleoption_cast<const QStyleOptionViewItem*>(option);
    if (element == PE_IndicatorBranch && item && (item->state & State_Selected)) {
        QStyleOptionViewItem selected = *item; // Fusion's arrow has the colour of the other lines'
        for (const auto role : {QPalette::ButtonText, QPalette::WindowText})
            selected.palette.setColor(role, item->palette.color(QPalette::HighlightedText));
        QProxyStyle::drawPrimitive(element, &selected, painter, widget);
        return;
    }
    const auto* const header = qstyleoption_cast<const QStyleOptionHeader*>(option);
    if (element == PE_IndicatorHeaderArrow && header) {
        // Largest first points down, as all but Qt have it.
        QStyleOptionHeader turned = *header;
        turned.sortIndicator = header->sortIndicator == QStyleOptionHeader::SortUp
            ? QStyleOptionHeader::SortDown
            : QStyleOptionHeader::SortUp;
        QProxyStyle::drawPrimitive(element, &turned, painter, widget);
        return;
    }
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

int VisibleEdges::styleHint(
    StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* returned) const
{
    if (hint == SH_FocusFrame_AboveWidget)
        return 1;
    // Fusion's stock pictures are of another style than all other icons.
    return hint == SH_DialogButtonBox_ButtonsHaveIcons
        ? 0
        : QProxyStyle::styleHint(hint, option, widget, returned);
}

/// A ring of two pixels with a contrast of 3:1 to its surroundings, because Fusion's is dotted and thin.
void VisibleEdges::drawFocus(const QStyleOption& option, QPainter& painter)
{
    painter.save();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(option.palette.color(QPalette::Link), 2));
    painter.drawRect(option.rect.adjusted(1, 1, -1, -1));
    painter.restore();
}

int VisibleEdges::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const
{
    // Of the ring alone, which Qt names only in the option: cells have the same margin next to their texts.
    const QObject* const asking = option && option->styleObject ? option->styleObject : widget;
    const bool isRing = qobject_cast<const QFocusFrame*>(asking)
        && (metric == PM_FocusFrameHMargin || metric == PM_FocusFrameVMargin);
    if (isRing)
        return 0;
    return metric == PM_FocusFrameHMargin ? cellMargin - 1 // cells add the other one
                                          : QProxyStyle::pixelMetric(metric, option, widget);
}

QSize VisibleEdges::sizeFromContents(
    ContentsType type, const QStyleOption* option, const QSize& contents, const QWidget* widget) const
{
    QSize size = QProxyStyle::sizeFromContents(type, option, contents, widget);
    if (type == CT_HeaderSection && isAcross(qstyleoption_cast<const QStyleOptionHeader*>(option)))
        size.rwidth() += 2 * (cellMargin - fusionMargin);
    if (type == CT_ItemViewItem && qobject_cast<const QTreeView*>(widget))
        size.setHeight(std::max(size.height(), option->fontMetrics.height() + treeLineMargins));
    return size;
}

void VisibleEdges::drawControl(
    ControlElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    const auto* const header = qstyleoption_cast<const QStyleOptionHeader*>(option);
    if (element == CE_FocusFrame) {
        drawFocus(*option, *painter);
    } else if (element == CE_HeaderLabel && isAcross(header)) {
        QStyleOptionHeader inner = *header;
        inner.rect.adjust(cellMargin - fusionMargin, 0, fusionMargin - cellMargin, 0);
        QProxyStyle::drawControl(element, &inner, painter, widget);
    } else if (const auto* const box = qstyleoption_cast<const QStyleOptionComboBox*>(option);
               element == CE_ComboBoxLabel && box) {
        QStyleOptionComboBox inner = *box; // Fusion cuts its text without a mark
        constexpr int sides = 2;
        const int icon = box->currentIcon.isNull() ? 0 : box->iconSize.width() + 4;
        inner.currentText = box->fontMetrics.elidedText(box->currentText, Qt::ElideRight,
            subControlRect(CC_ComboBox, box, SC_ComboBoxEditField, widget).width() - sides - icon);
        QProxyStyle::drawControl(element, &inner, painter, widget);
    } else {
        QProxyStyle::drawControl(element, option, painter, widget);
    }
}

void VisibleEdges::drawComplexControl(
    ComplexControl control, const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const
{
    const auto* const bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    const auto* const button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
    if (control == CC_ScrollBar && bar)
        drawScrollBar(*bar, *painter, widget);
    else if (button && widget && widget->objectName() == "qt_toolbar_ext_button")
        drawExtension(*button, *painter, widget);
    else if (button && (button->state & State_On) && isOfHighContrast(button->palette))
        drawChecked(*button, *painter, widget);
    else
        QProxyStyle::drawComplexControl(control, option, painter, widget);
    const bool hasKeyboard = (option->state & State_HasFocus) && (option->state & State_KeyboardFocusChange);
    if (control == CC_ToolButton && hasKeyboard)
        drawFocus(*option, *painter);
}

/// Fusion darkens a checked button, which shows nothing where buttons are as the panel.
void VisibleEdges::drawChecked(
    const QStyleOptionToolButton& button, QPainter& painter, const QWidget* widget) const
{
    QStyleOptionToolButton filled = button;
    filled.palette.setColor(QPalette::Button, button.palette.color(QPalette::Highlight));
    filled.palette.setColor(QPalette::ButtonText, button.palette.color(QPalette::HighlightedText));
    QProxyStyle::drawComplexControl(CC_ToolButton, &filled, &painter, widget);
}

/// The button that holds what has no room in a tool bar: Fusion's picture is dark in every theme.
void VisibleEdges::drawExtension(
    const QStyleOptionToolButton& button, QPainter& painter, const QWidget* widget) const
{
    QStyleOptionToolButton bare = button;
    bare.icon = {};
    QProxyStyle::drawComplexControl(CC_ToolButton, &bare, &painter, widget);
    painter.setPen(button.palette.color(QPalette::ButtonText));
    painter.drawText(button.rect, Qt::AlignCenter | Qt::TextDontClip, QChar(0xbb));
}

void VisibleEdges::drawScrollBar(
    const QStyleOptionSlider& bar, QPainter& painter, const QWidget* widget) const
{
    const bool horizontal = bar.orientation == Qt::Horizontal;
    const bool scrolls = bar.maximum > bar.minimum && (bar.state & State_Enabled);
    painter.fillRect(bar.rect, bar.palette.color(QPalette::Window));
    const auto arrow = [&](SubControl button, PrimitiveElement element) {
        QStyleOption at = bar;
        at.rect = subControlRect(CC_ScrollBar, &bar, button, widget);
        constexpr int size = 8;
        at.rect = QRect(at.rect.center() - QPoint(size / 2 - 1, size / 2 - 1), QSize(size, size));
        at.state.setFlag(State_Enabled, scrolls);
        proxy()->drawPrimitive(element, &at, &painter, widget);
    };
    const bool mirrored = horizontal && bar.direction == Qt::RightToLeft;
    const auto back = mirrored ? PE_IndicatorArrowRight : PE_IndicatorArrowLeft;
    const auto on = mirrored ? PE_IndicatorArrowLeft : PE_IndicatorArrowRight;
    arrow(SC_ScrollBarSubLine, horizontal ? back : PE_IndicatorArrowUp);
    arrow(SC_ScrollBarAddLine, horizontal ? on : PE_IndicatorArrowDown);
    if (!scrolls)
        return;
    const bool held = bar.activeSubControls & SC_ScrollBarSlider;
    QColor color = bar.palette.color(QPalette::WindowText);
    color.setAlphaF(held ? 0.65F : 0.5F);
    const QRectF slider = subControlRect(CC_ScrollBar, &bar, SC_ScrollBarSlider, widget);
    constexpr double edge = 2;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(
        horizontal ? slider.adjusted(0, edge, 0, -edge) : slider.adjusted(edge, 0, -edge, 0), edge, edge);
    painter.restore();
}

} // namespace warpline
