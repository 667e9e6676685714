#pragma once

#include "views/session/session.h"
#include "views/style/theme.h"

#include <QPainter>

#include <utility>
#include <vector>

namespace warpline {

/// Marks at the labels of rows with events related to the current one: filled where the row shows the event,
/// hollow where it is in a collapsed row below.
class RowLinkMarks {
public:
    static constexpr int width = 16;

    /// Rows with the first of their events.
    void setRows(std::vector<std::pair<RowId, EventId>> rows) { m_rows = std::move(rows); }
    /// The event that the sign of `row` leads to; not valid(): it has none.
    EventId eventOf(RowId row) const;
    /// The place of the mark in the label whose first line is `line`.
    static QRect placeIn(QRect line);
    void paint(QPainter& painter, const Session& session, RowId row, QRect line, const Theme& theme) const;

private:
    std::vector<std::pair<RowId, EventId>> m_rows;
};

} // namespace warpline
