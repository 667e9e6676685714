// Why streams idle, and how full their queues are, defined like Holistic Trace Analysis. A stream idles
// between the end of all earlier work and the start of the next piece. It waits for the host if the next
// piece was launched after that end; for the kernel if it was launched before, and the pause is shorter than
// 30 ns, as between any two kernels; otherwise it is other (an event of another stream, a resource). The
// queue of a stream contains launches that have not begun; it is full at 1,024, where the next launch blocks.

#include "core/stats/grouping.h"
#include "core/stats/stats_table.h"
#include "core/stats/trace_rows.h"
#include "core/store/gpu_names.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <tuple>

namespace warpline::stream_idle_sum {

namespace {

constexpr Ns kernelPause = 30;
constexpr std::int64_t fullQueue = 1024;
constexpr std::array<TableArgument, 2> arguments{{{"pause", "<ns>"}, {"full", "<launches>"}}};

/// A piece of work of a stream.
struct Piece {
    TimeRange time;
    Ns launched = 0; ///< when its call began; after its start: not recorded
    EventRef event;
};

struct StreamIdle {
    Ns busy = 0;
    Ns host = 0;
    Ns kernel = 0;
    Ns other = 0;
};

StreamIdle idleOf(const std::vector<Piece>& pieces, Ns pause)
{
    StreamIdle idle;
    Ns end = pieces.front().time.start;
    for (const Piece& piece : pieces) {
        const Ns gap = piece.time.start - end;
        if (gap > 0) {
            const bool isKnown = piece.launched <= piece.time.start;
            (isKnown && piece.launched > end ? idle.host : gap < pause ? idle.kernel : idle.other) += gap;
        }
        idle.busy += std::max<Ns>(0, piece.time.end - std::max(end, piece.time.start));
        end = std::max(end, piece.time.end);
    }
    return idle;
}

struct Queue {
    double mean = 0; ///< over the time from the first launch to the last start
    std::int64_t longest = 0;
    Ns full = 0;
};

Queue queueOf(const std::vector<Piece>& pieces, std::int64_t full)
{
    std::vector<std::pair<Ns, std::int64_t>> changes;
    for (const Piece& piece : pieces) {
        if (piece.launched > piece.time.start)
            continue;
        changes.emplace_back(piece.launched, 1);
        changes.emplace_back(piece.time.start, -1);
    }
    std::ranges::sort(changes);
    Queue queue;
    std::int64_t length = 0;
    double area = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        length += changes[i].second;
        queue.longest = std::max(queue.longest, length);
        const Ns until = i + 1 < changes.size() ? changes[i + 1].first : changes[i].first;
        area += static_cast<double>(length) * static_cast<double>(until - changes[i].first);
        queue.full += length >= full ? until - changes[i].first : 0;
    }
    if (!changes.empty() && changes.back().first > changes.front().first)
        queue.mean = area / static_cast<double>(changes.back().first - changes.front().first);
    return queue;
}

/// Process, device, context, stream.
using StreamOfDevice = std::tuple<GlobalId, std::int32_t, std::int32_t, std::int32_t>;

std::map<StreamOfDevice, std::vector<Piece>> streamsOf(const Trace& trace, const StatsQuery& query)
{
    std::map<StreamOfDevice, std::vector<Piece>> streams;
    for (const EventKind kind : gpuWorkKinds) {
        const EventTable& table = trace.table(kind);
        for (const Track& track : table.tracks) {
            if (track.device < 0 || track.stream < 0)
                continue;
            auto& pieces = streams[{processOf(track.owner), track.device, track.context, track.stream}];
            for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
                if (!isAsked(table, i, query))
                    continue;
                const EventRef call = trace.apiCallOf({kind, i});
                pieces.push_back({table.range(i),
                    call.valid() ? trace.range(call).start : std::numeric_limits<Ns>::max(), {kind, i}});
            }
        }
    }
    for (auto& [stream, pieces] : streams) {
        throwIfStopped(query.stop);
        std::ranges::stable_sort(pieces, {}, [](const Piece& piece) { return piece.time.start; });
    }
    return streams;
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    Cells cells;
    cells.columns = {{"PID", Unit::Integer}, {"GPU", Unit::Integer}, {"Context", Unit::Integer},
        {"Stream", Unit::Integer}, {"Work", Unit::Count}, {"Busy (ns)", Unit::Nanoseconds},
        {"Idle (ns)", Unit::Nanoseconds}, {"Host Wait (ns)", Unit::Nanoseconds},
        {"Kernel Wait (ns)", Unit::Nanoseconds}, {"Other (ns)", Unit::Nanoseconds}, {"Queue Avg", Unit::Real},
        {"Queue Max", Unit::Count}, {"Queue Full (ns)", Unit::Nanoseconds}};
    const Ns pause = argumentOf(query.variant, "pause", kernelPause);
    const std::int64_t full = argumentOf(query.variant, "full", fullQueue);
    for (const auto& [key, pieces] : streamsOf(trace, query)) {
        if (pieces.empty())
            continue;
        const auto& [process, device, context, stream] = key;
        const StreamIdle idle = idleOf(pieces, pause);
        const Queue queue = queueOf(pieces, full);
        std::vector<EventRef> events;
        if (query.wantEvents)
            std::ranges::transform(pieces, std::back_inserter(events), &Piece::event);
        cells.addRow(
            {static_cast<std::int64_t>(pidOf(process)), std::int64_t{gpuNumber(trace, process, device)},
                positiveCell(context), std::int64_t{stream}, static_cast<std::int64_t>(pieces.size()),
                idle.busy, idle.host + idle.kernel + idle.other, idle.host, idle.kernel, idle.other,
                queue.mean, queue.longest, queue.full},
            std::move(events));
    }
    return cells;
}

} // namespace

extern constinit const StatsTable streamIdleSum{.id = "stream_idle_sum",
    .title = "Stream Idle Time and Queue Summary",
    .description
    = "Why do streams idle? Idle time of each stream by waiting for the host, for the next kernel, and other; "
      "launches in its queue, and the time for which the queue is full.",
    .arguments = arguments,
    .applies = [](const Trace& trace) { return !trace.kernels().empty() && trace.links; },
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Gpu};

} // namespace warpline::stream_idle_sum
