// Every MPI call, by start, with its message. Peer, tag and size are of point-to-point calls, root and the
// two collective sizes of collectives. A call that waits for several requests has one row per request, as in
// the report and in nsys' table.

#include "core/stats/library_groups.h"
#include "core/stats/trace_rows.h"
#include "core/store/trace.h"

#include <array>

namespace warpline::mpi_event_trace {

namespace {

constexpr std::array kinds{EventKind::Library};

std::vector<Column> columns()
{
    return {{"Start (ns)", Unit::Nanoseconds}, {"End (ns)", Unit::Nanoseconds},
        {"Duration (ns)", Unit::Nanoseconds}, {"Event", Unit::Text}, {"Pid", Unit::Integer},
        {"Tid", Unit::Integer}, {"Tag", Unit::Integer}, {"Rank", Unit::Integer}, {"PeerRank", Unit::Integer},
        {"RootRank", Unit::Integer}, {"Size (MB)", Unit::Megabytes}, {"CollSendSize (MB)", Unit::Megabytes},
        {"CollRecvSize (MB)", Unit::Megabytes}};
}

Cell said(std::int64_t fact)
{
    return fact != notSaid ? Cell{fact} : Cell{};
}

Cell saidMegabytes(std::int64_t bytes)
{
    return bytes != notSaid ? Cell{static_cast<double>(bytes) / 1e6} : Cell{};
}

std::vector<Cell> rowOf(const Trace& trace, EventIndex i)
{
    const LibraryCallTable& calls = trace.libraryCalls();
    const Track& track = calls.trackOf(i);
    const bool collective = trace.text(track.source) == mpi_table::collectives;
    static constexpr MessageFacts nothing;
    const MessageFacts* const message = calls.message(i);
    const MessageFacts& facts = message ? *message : nothing;
    const std::optional<std::int64_t> rank = trace.mpiRank(track.owner);
    return {calls.start[i], calls.end(i), calls.duration[i], std::string(trace.text(calls.name[i])),
        integerCell(pidOf(track.owner)), integerCell(tidOf(track.owner)), said(facts.tag),
        rank ? Cell{*rank} : Cell{}, said(facts.peer), said(facts.root),
        collective ? Cell{} : saidMegabytes(facts.bytes), collective ? saidMegabytes(facts.bytes) : Cell{},
        saidMegabytes(facts.bytesReceived)};
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const std::vector<EventRef> calls = eventsByStart(trace, kinds, query);
    const std::vector<bool> isMpi = tracksFrom(trace, mpiSources);
    const LibraryCallTable& library = trace.libraryCalls();
    std::vector<EventRef> rows;
    for (const EventRef call : calls) {
        if (isMpi[library.trackIndexOf(call.index)])
            rows.insert(rows.end(), library.rowsOf(call.index), call);
    }
    return heldRows<EventRef>(
        columns(), std::move(rows), [&trace](EventRef call) { return rowOf(trace, call.index); });
}

} // namespace

extern constinit const StatsTable mpiEventTrace{.id = "mpi_event_trace",
    .title = "MPI Event Trace",
    .description
    = "Which MPI calls does the program make, in order? Every MPI call with its ranks, tag and sizes.",
    .applies = [](const Trace& trace) { return hasLibraryEvents(trace, mpiSources); },
    .fill = fill,
    .group = TableGroup::Other,
    .shape = TableShape::Trace};

} // namespace warpline::mpi_event_trace
