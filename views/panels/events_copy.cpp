#include "views/panels/events_copy.h"

#include "views/models/events_text.h"

#include <algorithm>

namespace warpline {

RowStretches stretchesOf(QItemSelection selection, std::size_t most)
{
    RowStretches rows;
    std::size_t count = 0;
    std::ranges::sort(selection, {}, &QItemSelectionRange::top);
    for (const QItemSelectionRange& range : selection) {
        const auto first = static_cast<std::size_t>(range.top());
        const auto size = std::min(static_cast<std::size_t>(range.height()), most - count);
        rows.emplace_back(first, first + size);
        count += size;
    }
    return rows;
}

std::size_t rowsIn(const RowStretches& rows)
{
    std::size_t count = 0;
    for (const auto& [first, end] : rows)
        count += end - first;
    return count;
}

QString textOfRows(const EventsOfReports& events, const std::vector<std::string>& labels,
    const RowStretches& rows, const std::stop_token& stop)
{
    QByteArray text = eventTitles(events, '\t');
    for (const auto& [first, end] : rows) {
        for (std::size_t row = first; row < end && !stop.stop_requested(); ++row)
            text += eventLine(events, labels, row, '\t');
    }
    return QString::fromUtf8(text);
}

} // namespace warpline
