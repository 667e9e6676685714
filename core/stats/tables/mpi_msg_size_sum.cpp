// Sizes of MPI messages in bytes, by function: of point-to-point calls, and sent and received by collectives.
// Largest volume first, ties by source and name.

#include "core/stats/grouping.h"
#include "core/stats/library_groups.h"
#include "core/stats/summary_rows.h"
#include "core/store/trace.h"

#include <array>

namespace warpline::mpi_msg_size_sum {

namespace {

constexpr std::array<const char*, 3> sourceNames{"p2p", "coll_send", "coll_recv"};
enum Source : std::uint64_t { PointToPoint, Sent, Received };

Groups sizesOf(const Trace& trace, const StatsQuery& query)
{
    const LibraryCallTable& calls = trace.libraryCalls();
    Groups groups(query);
    forEachEvent(calls, query, [&](EventIndex i) {
        const MessageFacts* const facts = calls.message(i);
        const std::string_view table = trace.text(calls.trackOf(i).source);
        if (!facts || (table != mpi_table::collectives && table != mpi_table::pointToPoint))
            return;
        const auto add = [&](Source source, std::int64_t bytes) {
            if (bytes != notSaid)
                groups.add(source << 32U | raw(calls.name[i]), bytes, {EventKind::Library, i});
        };
        add(table == mpi_table::pointToPoint ? PointToPoint : Sent, facts->bytes);
        if (table == mpi_table::collectives)
            add(Received, facts->bytesReceived);
    });
    groups.finish();
    return groups;
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    Groups groups = sizesOf(trace, query);
    Cells cells;
    cells.columns = {{"Total Message Volume", Unit::Count}, {"Instances", Unit::Count}, {"Avg", Unit::Real},
        {"Med", Unit::Real}, {"Min", Unit::Count}, {"Max", Unit::Count}, {"StdDev", Unit::Real},
        {"Source", Unit::Text}, {"Name", Unit::Text}};
    const auto labelsOf = [&](std::uint64_t key) {
        return Labels{
            sourceNames[key >> 32U], std::string(trace.text(static_cast<StringId>(key & 0xFFFFFFFFU)))};
    };
    std::vector<SummaryGroup> summaries = summariesOf(groups);
    for (const SummaryGroup* const group : inOrder(summaries, {}, labelsOf)) {
        std::vector<Cell> row{group->durations.total, static_cast<std::int64_t>(group->durations.count)};
        addSpreadCells(row, group->durations);
        row.insert(row.end(), group->labels.begin(), group->labels.end());
        cells.addRow(std::move(row), group->events);
    }
    return cells;
}

bool hasSizes(const Trace& trace)
{
    static constexpr std::array withSizes{
        LibrarySource{mpi_table::collectives, {}}, LibrarySource{mpi_table::pointToPoint, {}}};
    return hasLibraryEvents(trace, withSizes);
}

} // namespace

extern constinit const StatsTable mpiMsgSizeSum{.id = "mpi_msg_size_sum",
    .title = "MPI Message Size Summary",
    .description = "How large are the messages? Sizes of MPI messages by function.",
    .applies = hasSizes,
    .fill = fill,
    .group = TableGroup::Other};

} // namespace warpline::mpi_msg_size_sum
