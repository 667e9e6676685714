#pragma once

#include "views/session/session.h"
#include "views/style/theme.h"

#include <QPainter>

#include <utility>
#include <vector>

namespace warpline {

/// The signs at the labels of rows that hold what the current event belongs to: filled where the row shows
/// it, hollow where it lies in a row that is folded below.
class RowLinkMarks {
public:
    static constexpr int width = 16;

    /// Rows with the first of their events.
    void setRows(std::vector<std::pair<RowId, EventId>> rows) { m_rows = std::move(rows); }
    /// The event that the sign of `row` leads to; not valid(): it has none.
    EventId eventOf(RowId row) const;
    /// Where the sign stands in the label whose first line is `line`.
    static QRect placeIn(QRect line);
    void paint(QPainter& painter, const Session& session, RowId row, QRect line, const Theme& theme) const;

private:
    std::vector<std::pair<RowId, EventId>> m_rows;
};

} // namespace warpline
