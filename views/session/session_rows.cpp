// What the user does to rows: open, hide, pin, stretch and move them.

#include "views/session/session.h"

#include <algorithm>

namespace warpline {

bool Session::isExpanded(RowId row) const
{
    return m_rowStates[row].expanded.value_or(rows().row(row).expanded);
}

void Session::setExpanded(RowId row, bool expanded)
{
    if (isExpanded(row) == expanded)
        return;
    m_rowStates.setExpanded(row, expanded);
    emit rowLayoutChanged();
}

void Session::setExpandedBelow(RowId row, bool expanded)
{
    bool changed = false;
    for (const RowId each : rows().subtree(row)) {
        if (isExpanded(each) == expanded)
            continue;
        m_rowStates.setExpanded(each, expanded);
        changed = true;
    }
    if (changed)
        emit rowLayoutChanged();
}

bool Session::isHidden(RowId row) const
{
    return m_rowStates[row].hidden;
}

void Session::setHidden(RowId row, bool hidden)
{
    if (isHidden(row) == hidden)
        return;
    m_rowStates.setHidden(row, hidden);
    emit rowLayoutChanged();
}

void Session::showAllRows()
{
    if (!hidesRows())
        return;
    m_rowStates.showAll();
    emit rowLayoutChanged();
}

bool Session::isPinned(RowId row) const
{
    return m_rowStates[row].pinned;
}

void Session::setPinned(RowId row, bool pinned)
{
    if (isPinned(row) == pinned)
        return;
    m_rowStates.setPinned(row, pinned);
    emit rowLayoutChanged();
}

double Session::rowScale(RowId row) const
{
    return m_rowStates[row].scale;
}

void Session::setRowScale(RowId row, double scale)
{
    scale = std::clamp(scale, minScale, maxScale);
    if (scale == rowScale(row))
        return;
    m_rowStates.setScale(row, scale);
    emit rowLayoutChanged();
}

void Session::moveRow(RowId row, RowId before)
{
    const RowId parent = rows().row(row).parent;
    if (row == before || (before != RowTree::root && rows().row(before).parent != parent))
        return;
    std::vector<RowId> order;
    for (const RowId child : visibleChildren(parent)) {
        if (child == before)
            order.push_back(row);
        if (child != row)
            order.push_back(child);
    }
    if (before == RowTree::root)
        order.push_back(row);
    m_rowStates.setOrder(order);
    emit rowLayoutChanged();
}

void Session::setRowOrder(const std::vector<RowId>& siblings)
{
    if (siblings.empty())
        return;
    std::vector<RowId> shown = siblings;
    std::erase_if(shown, [this](RowId row) { return isHidden(row); });
    if (visibleChildren(rows().row(siblings.front()).parent) == shown)
        return;
    m_rowStates.setOrder(siblings);
    emit rowLayoutChanged();
}

std::vector<RowId> Session::visibleChildren(RowId row) const
{
    std::vector<RowId> children;
    for (const RowId child : rows().children(row)) {
        if (!isHidden(child))
            children.push_back(child);
    }
    std::ranges::stable_sort(children, {}, [&](RowId child) { return m_rowStates[child].place; });
    return children;
}

void Session::setRowStates(const RowStates::ByKey& states)
{
    m_rowStates.reset(rows());
    m_rowStates.add(states, rows());
    emit rowLayoutChanged();
}

void Session::reveal(RowId row)
{
    if (row == RowTree::root)
        return;
    bool changed = false;
    for (RowId at = row; at != RowTree::root; at = rows().row(at).parent) {
        if (isHidden(at)) {
            m_rowStates.setHidden(at, false);
            changed = true;
        }
        if (at != row && !isExpanded(at)) {
            m_rowStates.setExpanded(at, true);
            changed = true;
        }
    }
    if (changed)
        emit rowLayoutChanged();
    emit revealed(row);
}

} // namespace warpline
