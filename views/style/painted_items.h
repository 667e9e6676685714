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
    QString description; ///< details: "busy for 23% of the view"; may be empty
    QRect rect; ///< in widget coordinates; outside means out of view
    QAccessible::Role role = QAccessible::ListItem;
    bool isCurrent = false; ///< focused or selected
    std::optional<bool> isExpanded = {}; ///< nothing: there is nothing below it
    std::function<void()> press = {}; ///< the action of a click; may be null
    std::function<void()> toggle = {}; ///< opens and closes it; may be null
};

/// Interface of widgets that paint many items themselves: each is a child of the widget for screen readers.
/// Inherited next to QWidget; screen readers call it on the GUI thread.
class PaintedItems {
public:
    PaintedItems();
    virtual ~PaintedItems() = default;
    PaintedItems(const PaintedItems&) = delete;
    PaintedItems& operator=(const PaintedItems&) = delete;

    /// The visible items in reading order.
    virtual std::vector<PaintedItem> paintedItems() = 0;
    virtual QAccessible::Role paintedRole() const { return QAccessible::List; } ///< of the widget
    /// A description of the whole: "10 ms to 20 ms of 343 ms"; may be empty.
    virtual QString paintedValue() const { return {}; }
};

/// Notifies screen readers that another item of `widget` is current.
void tellCurrentItem(QWidget& widget);

} // namespace warpline
