// Rows of two compared runs: corresponding ones have one order and expand together.

#include "views/session/run_pair.h"

#include <algorithm>
#include <utility>

namespace warpline {

RowId RunPair::partnerOf(Side side, RowId row) const
{
    const std::vector<RowId>& partners = m_partners[side];
    const auto place = raw(row);
    return place < partners.size() ? partners[place] : RowTree::root;
}

void RunPair::setRowPairs(std::vector<RowPair> pairs)
{
    m_rowPairs = std::move(pairs);
    m_partners = {};
    const auto note = [](std::vector<RowId>& partners, RowId row, RowId partner) {
        if (raw(row) >= partners.size())
            partners.resize(raw(row) + 1, RowTree::root);
        partners[raw(row)] = partner;
    };
    for (const RowPair& pair : m_rowPairs) {
        note(m_partners.a, pair.a, pair.b);
        note(m_partners.b, pair.b, pair.a);
    }
}

void RunPair::takeRowPairs(std::vector<RowPair> pairs)
{
    setRowPairs(std::move(pairs));
    orderRows();
    copyRows(Side::A);
}

void RunPair::copyRows(Side from)
{
    if (!m_on || m_copying || m_rowPairs.empty())
        return;
    m_copying = true;
    const Session& own = session(from);
    Session& other = session(from == Side::A ? Side::B : Side::A);
    bool changes = false;
    {
        const QSignalBlocker quiet(&other.rowView()); // one new layout, however many rows there are
        for (const RowPair& pair : m_rowPairs) {
            const RowId row = from == Side::A ? pair.a : pair.b;
            const RowId partner = from == Side::A ? pair.b : pair.a;
            if (other.rowView().isExpanded(partner) == own.rowView().isExpanded(row)
                && other.rowView().isHidden(partner) == own.rowView().isHidden(row)
                && other.rowView().isPinned(partner) == own.rowView().isPinned(row)
                && other.rowView().rowScale(partner) == own.rowView().rowScale(row))
                continue;
            changes = true;
            other.rowView().setExpanded(partner, own.rowView().isExpanded(row));
            other.rowView().setHidden(partner, own.rowView().isHidden(row));
            other.rowView().setPinned(partner, own.rowView().isPinned(row));
            other.rowView().setRowScale(partner, own.rowView().rowScale(row));
        }
    }
    if (changes)
        emit other.rowView().rowLayoutChanged();
    m_copying = false;
}

/// The rows of B stand as their partners in A do; those without one below them.
void RunPair::orderRows()
{
    m_copying = true;
    std::vector<RowId> parents{RowTree::root};
    for (const RowPair& pair : m_rowPairs)
        parents.push_back(pair.a);
    for (const RowId parent : parents) {
        std::vector<RowId> order;
        for (const RowId child : m_a.rowView().visibleChildren(parent)) {
            if (const RowId partner = partnerOf(Side::A, child); partner != RowTree::root)
                order.push_back(partner);
        }
        if (order.empty())
            continue;
        const RowId other = b().rows().row(order.front()).parent;
        for (const RowId child : b().rows().children(other)) {
            if (std::ranges::find(order, child) == order.end())
                order.push_back(child);
        }
        b().rowView().setRowOrder(order);
    }
    m_copying = false;
}

} // namespace warpline
