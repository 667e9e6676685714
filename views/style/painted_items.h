#pragma once

#include <QAccessible>
#include <QRect>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

class QWidget;

namespace warpline {

/// One thing that a widget paints, as a screen reader reads it.
struct PaintedItem {
    QString name;
    QString description; ///< more of it: "busy for 23% of the view"; may be empty
    QRect rect; ///< in the widget; what lies outside is out of sight
    QAccessible::Role role = QAccessible::ListItem;
    bool isCurrent = false; ///< where the keyboard is, or what is selected
    std::optional<bool> isExpanded = {}; ///< nothing: there is nothing below it
    std::function<void()> press = {}; ///< what a click does; may be null
    std::function<void()> toggle = {}; ///< opens and closes it; may be null
};

/// What widgets are that paint many things by themselves: each of these is a child of the widget to screen
/// readers. Inherited beside QWidget; screen readers ask on the GUI thread.
class PaintedItems {
public:
    PaintedItems();
    virtual ~PaintedItems() = default;
    PaintedItems(const PaintedItems&) = delete;
    PaintedItems& operator=(const PaintedItems&) = delete;

    /// What is on the screen now, in the order in which it is read.
    virtual std::vector<PaintedItem> paintedItems() = 0;
    virtual QAccessible::Role paintedRole() const { return QAccessible::List; } ///< of the widget
    /// What the whole shows: "10 ms to 20 ms of 343 ms"; may be empty.
    virtual QString paintedValue() const { return {}; }
};

/// Tells screen readers that another item of `widget` is the current one.
void tellCurrentItem(QWidget& widget);

} // namespace warpline
