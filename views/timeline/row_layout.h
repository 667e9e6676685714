#pragma once

#include "views/session/session.h"
#include "views/timeline/row_lanes.h"

#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace warpline {

class RowFilter;

/// One row as it stands on the screen.
struct PlacedRow {
    RowId row{};
    int depth = 0; ///< in the tree; top rows have 0
    int y = 0; ///< from the top of the unscrolled rows; of the pinned area for pinned rows
    int height = 0;
    bool pinned = false;
    bool hasChildren = false;
    bool open = false; ///< the rows below it are on the screen
};

/// Which rows are on the screen, where, and how high. Rebuilt when the session's layout changes; scrolling
/// only shifts it.
class RowLayout {
public:
    static constexpr int laneHeight = RowLanes::laneHeight;
    static constexpr int headerHeight = 21; ///< see inTextSize()
    static constexpr int curveHeight = 34; ///< the same

    void rebuild(const Session& session);
    /// False between a change of the rows of `session` and rebuild(): its rows may have other numbers, or be
    /// gone.
    bool isOf(const Session& session) const { return m_of.lock() == session.sharedRows(); }
    /// Leaves out rows by `filter`, which must outlive this. nullptr: none.
    void setFilter(const RowFilter* filter) { m_filter = filter; }

    /// The text of the filter; empty: none.
    QString filterText() const;

    const std::vector<PlacedRow>& rows() const { return m_rows; } ///< scrolled rows, from top to bottom
    const std::vector<PlacedRow>& pinned() const { return m_pinned; }
    int pinnedHeight() const { return m_pinnedHeight; }
    int contentHeight() const { return m_contentHeight; } ///< of the scrolled rows

    /// Top edge on the screen of `row`, when the view is scrolled by `offset`.
    int screenY(const PlacedRow& row, int offset) const
    {
        return row.pinned ? row.y : m_pinnedHeight + row.y - offset;
    }
    /// The row under screen position `y`; nullptr when there is none.
    const PlacedRow* rowAt(int y, int offset) const;
    /// The position of `row` among the scrolled rows; nullptr when it is not visible.
    const PlacedRow* find(RowId row) const;
    /// Rows that touch [top, bottom) on the screen: pinned ones first.
    std::vector<const PlacedRow*> between(int top, int bottom, int offset) const;

    static int heightOf(const Session& session, RowId row);

private:
    void place(const Session& session, const std::vector<RowId>& siblings, int depth);

    const RowFilter* m_filter = nullptr;
    std::weak_ptr<const RowTree> m_of;
    std::vector<PlacedRow> m_rows;
    std::vector<PlacedRow> m_pinned;
    int m_pinnedHeight = 0;
    int m_contentHeight = 0;
};

} // namespace warpline
