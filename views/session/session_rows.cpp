// What the user does to rows: open, hide, pin, stretch and move them.

#include "views/session/session.h"

#include <algorithm>

namespace warpline {

namespace {

QString keyOfRow(const RowTree& rows, RowId row)
{
    return QString::fromStdString(rows.row(row).key);
}

} // namespace

bool Session::isExpanded(RowId row) const
{
    const auto known = m_expanded.constFind(keyOfRow(rows(), row));
    return known != m_expanded.constEnd() ? *known : rows().row(row).expanded;
}

void Session::setExpanded(RowId row, bool expanded)
{
    if (isExpanded(row) == expanded)
        return;
    m_expanded[keyOfRow(rows(), row)] = expanded;
    emit rowLayoutChanged();
}

void Session::setExpandedBelow(RowId row, bool expanded)
{
    bool changed = false;
    for (const RowId each : rows().subtree(row)) {
        if (isExpanded(each) == expanded)
            continue;
        m_expanded[keyOfRow(rows(), each)] = expanded;
        changed = true;
    }
    if (changed)
        emit rowLayoutChanged();
}

bool Session::isHidden(RowId row) const
{
    return m_hidden.contains(keyOfRow(rows(), row));
}

void Session::setHidden(RowId row, bool hidden)
{
    if (isHidden(row) == hidden)
        return;
    if (hidden)
        m_hidden.insert(keyOfRow(rows(), row));
    else
        m_hidden.remove(keyOfRow(rows(), row));
    emit rowLayoutChanged();
}

void Session::showAllRows()
{
    if (m_hidden.isEmpty())
        return;
    m_hidden.clear();
    emit rowLayoutChanged();
}

bool Session::isPinned(RowId row) const
{
    return m_pinned.contains(keyOfRow(rows(), row));
}

void Session::setPinned(RowId row, bool pinned)
{
    if (isPinned(row) == pinned)
        return;
    if (pinned)
        m_pinned.insert(keyOfRow(rows(), row));
    else
        m_pinned.remove(keyOfRow(rows(), row));
    emit rowLayoutChanged();
}

double Session::rowScale(RowId row) const
{
    return m_scale.value(keyOfRow(rows(), row), 1.0);
}

void Session::setRowScale(RowId row, double scale)
{
    scale = std::clamp(scale, 0.5, 8.0);
    if (scale == rowScale(row))
        return;
    m_scale[keyOfRow(rows(), row)] = scale;
    emit rowLayoutChanged();
}

void Session::moveRow(RowId row, RowId before)
{
    const RowId parent = rows().row(row).parent;
    if (row == before || (before != RowTree::root && rows().row(before).parent != parent))
        return;
    QStringList order;
    for (const RowId child : visibleChildren(parent)) {
        if (child == before)
            order << keyOfRow(rows(), row);
        if (child != row)
            order << keyOfRow(rows(), child);
    }
    if (before == RowTree::root)
        order << keyOfRow(rows(), row);
    m_order[keyOfRow(rows(), parent)] = order;
    emit rowLayoutChanged();
}

std::vector<RowId> Session::visibleChildren(RowId row) const
{
    std::vector<RowId> children;
    for (const RowId child : rows().children(row)) {
        if (!isHidden(child))
            children.push_back(child);
    }
    const QStringList order = m_order.value(keyOfRow(rows(), row));
    if (!order.isEmpty()) {
        const auto place = [&](RowId child) {
            const auto at = order.indexOf(keyOfRow(rows(), child));
            return at < 0 ? order.size() : at;
        };
        std::ranges::stable_sort(children, {}, place);
    }
    return children;
}

void Session::reveal(RowId row)
{
    if (row == RowTree::root)
        return;
    bool changed = false;
    for (RowId at = row; at != RowTree::root; at = rows().row(at).parent) {
        changed |= m_hidden.remove(keyOfRow(rows(), at));
        if (at != row && !isExpanded(at)) {
            m_expanded[keyOfRow(rows(), at)] = true;
            changed = true;
        }
    }
    if (changed)
        emit rowLayoutChanged();
    emit revealed(row);
}

} // namespace warpline
