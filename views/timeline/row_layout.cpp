#include "views/timeline/row_layout.h"

#include "views/style/text_scale.h"
#include "views/timeline/row_filter.h"

#include <algorithm>
#include <cmath>

namespace warpline {

int RowLayout::heightOf(const Session& session, RowId id)
{
    const Row& row = session.rows().row(id);
    double height = inTextSize(headerHeight);
    switch (row.drawing) {
    case Drawing::Slices:
        height = RowLanes::of(session, row).height();
        break;
    case Drawing::Curve:
    case Drawing::Steps:
        height = inTextSize(curveHeight);
        break;
    case Drawing::Header:
    case Drawing::Summary:
    case Drawing::Marks:
        break;
    }
    return std::max(10, static_cast<int>(std::lround(height * session.rowView().rowScale(id))));
}

QString RowLayout::filterText() const
{
    return m_filter ? m_filter->text().trimmed() : QString();
}

void RowLayout::rebuild(const Session& session)
{
    m_of = session.sharedRows();
    m_rows.clear();
    m_pinned.clear();
    m_contentHeight = 0;
    m_pinnedHeight = 0;
    place(session, session.rowView().visibleChildren(RowTree::root), 0);
    const RowTree& rows = session.rows();
    for (std::uint32_t i = 1; i < rows.size(); ++i) {
        const RowId id{i};
        if (!session.rowView().isPinned(id) || session.rowView().isHidden(id))
            continue;
        m_pinned.push_back({id, 0, m_pinnedHeight, heightOf(session, id), true, false, false});
        m_pinnedHeight += m_pinned.back().height;
    }
}

void RowLayout::place(const Session& session, const std::vector<RowId>& siblings, int depth)
{
    for (const RowId id : siblings) {
        if (m_filter && !m_filter->passes(id))
            continue;
        std::vector<RowId> children = session.rowView().visibleChildren(id);
        std::erase_if(children, [this](RowId child) { return m_filter && !m_filter->passes(child); });
        const bool open
            = !children.empty() && (session.rowView().isExpanded(id) || (m_filter && m_filter->opens(id)));
        m_rows.push_back({id, depth, m_contentHeight, heightOf(session, id), false, !children.empty(), open});
        m_contentHeight += m_rows.back().height;
        if (open)
            place(session, children, depth + 1);
    }
}

const PlacedRow* RowLayout::rowAt(int y, int offset) const
{
    if (y < m_pinnedHeight) {
        for (const PlacedRow& row : m_pinned) {
            if (y >= row.y && y < row.y + row.height)
                return &row;
        }
        return nullptr;
    }
    const int content = y - m_pinnedHeight + offset;
    const auto after = std::ranges::upper_bound(m_rows, content, {}, &PlacedRow::y);
    if (after == m_rows.begin())
        return nullptr;
    const PlacedRow& row = *std::prev(after);
    return content < row.y + row.height ? &row : nullptr;
}

const PlacedRow* RowLayout::find(RowId id) const
{
    const auto found = std::ranges::find(m_rows, id, &PlacedRow::row);
    return found != m_rows.end() ? &*found : nullptr;
}

std::vector<const PlacedRow*> RowLayout::between(int top, int bottom, int offset) const
{
    std::vector<const PlacedRow*> found;
    for (const std::vector<PlacedRow>* const rows : {&m_pinned, &m_rows}) {
        for (const PlacedRow& row : *rows) {
            const int y = screenY(row, offset);
            if (y < bottom && y + row.height > top && (row.pinned || y + row.height > m_pinnedHeight))
                found.push_back(&row);
        }
    }
    return found;
}

} // namespace warpline
