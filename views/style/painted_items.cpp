#include "views/style/painted_items.h"

#include <QAccessibleWidget>
#include <QElapsedTimer>
#include <QWidget>

#include <algorithm>

namespace warpline {

namespace {

class PaintedView;

/// One item. It may outlive its content: when there are fewer items it is not valid.
class PaintedChild : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    PaintedChild(PaintedView& view, std::size_t index)
        : m_view(view),
          m_index(index)
    {
    }

    std::size_t index() const { return m_index; }
    bool isValid() const override { return item() != nullptr; }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return parent() ? parent()->window() : nullptr; }
    QAccessibleInterface* parent() const override;
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QString text(QAccessible::Text text) const override;
    void setText(QAccessible::Text, const QString&) override { }
    QRect rect() const override;
    QAccessible::Role role() const override { return item() ? item()->role : QAccessible::NoRole; }
    QAccessible::State state() const override;
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this)
                                                    : nullptr;
    }
    QStringList actionNames() const override;
    void doAction(const QString& action) override;
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    const PaintedItem* item() const;

    PaintedView& m_view;
    std::size_t m_index;
    mutable QString m_told; ///< the last name that was asked for; null: none was
};

class PaintedView : public QAccessibleWidget {
public:
    PaintedView(QWidget* widget, PaintedItems& items)
        : QAccessibleWidget(widget, items.paintedRole()),
          m_shown(items)
    {
    }
    ~PaintedView() override
    {
        for (const QAccessible::Id id : m_children)
            QAccessible::deleteAccessibleInterface(id);
    }

    /// nullptr: there are fewer.
    const PaintedItem* item(std::size_t index) const
    {
        constexpr qint64 oldMs = 100; // one walk over all items asks once
        if (!m_age.isValid() || m_age.elapsed() > oldMs)
            refresh();
        return index < m_items.size() ? &m_items[index] : nullptr;
    }

    int childCount() const override
    {
        refresh();
        return static_cast<int>(m_items.size());
    }
    QAccessibleInterface* child(int index) const override
    {
        if (index < 0 || !item(static_cast<std::size_t>(index)))
            return nullptr;
        while (m_children.size() <= static_cast<std::size_t>(index))
            m_children.push_back(QAccessible::registerAccessibleInterface(
                new PaintedChild(const_cast<PaintedView&>(*this), m_children.size())));
        return QAccessible::accessibleInterface(m_children[static_cast<std::size_t>(index)]);
    }
    int indexOfChild(const QAccessibleInterface* child) const override
    {
        for (std::size_t i = 0; i < m_children.size(); ++i) {
            if (QAccessible::accessibleInterface(m_children[i]) == child)
                return static_cast<int>(i);
        }
        return -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override
    {
        const QPoint at = widget()->mapFromGlobal(QPoint(x, y));
        refresh();
        for (std::size_t i = m_items.size(); i > 0; --i) { // the last lies on top
            if (m_items[i - 1].rect.contains(at))
                return child(static_cast<int>(i - 1));
        }
        return nullptr;
    }
    QAccessibleInterface* focusChild() const override
    {
        const int current = widget()->hasFocus() ? currentIndex() : -1;
        return current < 0 ? QAccessibleWidget::focusChild() : child(current);
    }
    int currentIndex() const
    {
        refresh();
        const auto found = std::ranges::find_if(m_items, &PaintedItem::isCurrent);
        return found == m_items.end() ? -1 : static_cast<int>(found - m_items.begin());
    }
    QString text(QAccessible::Text which) const override
    {
        return which == QAccessible::Value ? m_shown.paintedValue() : QAccessibleWidget::text(which);
    }
    QWidget* widget() const { return static_cast<QWidget*>(object()); }
    /// What known items lead to may be gone.
    void refresh() const
    {
        m_items = m_shown.paintedItems();
        m_age.start();
    }

private:
    PaintedItems& m_shown;
    mutable std::vector<PaintedItem> m_items;
    mutable std::vector<QAccessible::Id> m_children; ///< of items, made on first use
    mutable QElapsedTimer m_age; ///< of the items
};

const PaintedItem* PaintedChild::item() const
{
    return m_view.isValid() ? m_view.item(m_index) : nullptr;
}

QAccessibleInterface* PaintedChild::parent() const
{
    return &m_view;
}

QString PaintedChild::text(QAccessible::Text text) const
{
    const PaintedItem* const shown = item();
    if (text == QAccessible::Name)
        m_told = shown ? shown->name : QString("");
    return !shown                          ? QString()
        : text == QAccessible::Name        ? shown->name
        : text == QAccessible::Description ? shown->description
                                           : QString();
}

QRect PaintedChild::rect() const
{
    const PaintedItem* const shown = item();
    return shown ? QRect(m_view.widget()->mapToGlobal(shown->rect.topLeft()), shown->rect.size()) : QRect();
}

QAccessible::State PaintedChild::state() const
{
    QAccessible::State state;
    const PaintedItem* const shown = item();
    if (!shown) {
        state.invalid = true;
        return state;
    }
    state.focusable = state.selectable = true;
    state.selected = shown->isCurrent;
    state.focused = shown->isCurrent && m_view.widget()->hasFocus();
    state.expandable = shown->isExpanded.has_value();
    state.expanded = shown->isExpanded.value_or(false);
    state.collapsed = shown->isExpanded.has_value() && !*shown->isExpanded;
    state.offscreen = !shown->rect.intersects(m_view.widget()->rect());
    state.invisible = !m_view.widget()->isVisible();
    return state;
}

QStringList PaintedChild::actionNames() const
{
    QStringList names;
    const PaintedItem* const shown = item();
    if (shown && shown->press)
        names << pressAction();
    if (shown && shown->toggle)
        names << toggleAction();
    return names;
}

void PaintedChild::doAction(const QString& action)
{
    if (m_view.isValid())
        m_view.refresh();
    const PaintedItem* const shown = item();
    const bool isMeant = shown && (m_told.isNull() || m_told == shown->name); // not another in its place
    const auto run = !isMeant      ? std::function<void()>()
        : action == pressAction()  ? shown->press
        : action == toggleAction() ? shown->toggle
                                   : std::function<void()>();
    if (run)
        run();
}

QAccessibleInterface* interfaceOf(const QString&, QObject* object)
{
    auto* const widget = qobject_cast<QWidget*>(object);
    auto* const items = widget ? dynamic_cast<PaintedItems*>(widget) : nullptr;
    return items ? new PaintedView(widget, *items) : nullptr;
}

} // namespace

PaintedItems::PaintedItems()
{
    static const bool known = [] {
        QAccessible::installFactory(interfaceOf);
        return true;
    }();
    (void)known;
}

void tellCurrentItem(QWidget& widget)
{
    if (!QAccessible::isActive())
        return;
    const auto* const view = dynamic_cast<PaintedView*>(QAccessible::queryAccessibleInterface(&widget));
    const int current = view ? view->currentIndex() : -1;
    if (current < 0)
        return;
    QAccessibleEvent focus(&widget, QAccessible::Focus);
    focus.setChild(current);
    QAccessible::updateAccessibility(&focus);
}

} // namespace warpline
