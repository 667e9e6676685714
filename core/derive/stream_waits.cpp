#include "core/derive/stream_waits.h"

#include "core/derive/kept_answers.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace warpline {

namespace {

/// A stream of a process.
using StreamKey = std::tuple<GlobalId, std::int32_t, std::int32_t, std::int32_t>;

StreamKey keyOf(const Track& track)
{
    return {track.owner, track.device, track.context, track.stream};
}

/// Work of one stream, in the order in which the host asked for it.
struct StreamWork {
    Ns called = 0; ///< start of the call
    TimeRange runs;
    Ns launched = 0; ///< end of the call
    EventRef work;
    bool operator<(const StreamWork& other) const
    {
        return std::tie(called, runs.start, work) < std::tie(other.called, other.runs.start, other.work);
    }
};
using WorkByStream = std::map<StreamKey, std::vector<StreamWork>>;

/// A wait and the record of its event, with their streams.
struct Joined {
    StreamWait wait;
    StreamKey waiting;
    StreamKey recording;
};

/// Whether synchronization `i` is a stream's wait for a recording that is known.
bool isJoinedWait(const Trace& trace, EventIndex i)
{
    constexpr std::uint32_t streamWait = 2; // ENUM_CUPTI_SYNC_TYPE
    const EventTable& waits = trace.table(EventKind::Synchronization);
    return i < waits.attribute.size() && waits.attribute[i] == streamWait
        && recordingIn(trace, {EventKind::Synchronization, i}) != 0;
}

/// The record of each event by process and number.
std::map<std::pair<GlobalId, std::uint32_t>, EventIndex> recordsOf(const Trace& trace)
{
    std::map<std::pair<GlobalId, std::uint32_t>, EventIndex> records;
    const EventTable& table = trace.table(EventKind::CudaEvent);
    for (const Track& track : table.tracks) {
        for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
            if (const std::uint32_t recording = recordingIn(trace, {EventKind::CudaEvent, i}); recording != 0)
                records.try_emplace({track.owner, recording}, i);
        }
    }
    return records;
}

std::vector<Joined> joinedWaits(const Trace& trace)
{
    std::vector<Joined> joined;
    const EventTable& waits = trace.table(EventKind::Synchronization);
    const auto records = recordsOf(trace);
    const EventTable& recordTable = trace.table(EventKind::CudaEvent);
    for (const Track& track : waits.tracks) {
        for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
            if (!isJoinedWait(trace, i))
                continue;
            const auto record
                = records.find({track.owner, recordingIn(trace, {EventKind::Synchronization, i})});
            if (record == records.end())
                continue;
            StreamWait wait;
            wait.wait = i;
            wait.record = record->second;
            joined.push_back({wait, keyOf(track), keyOf(recordTable.trackOf(record->second))});
        }
    }
    return joined;
}

/// The work of the streams in `all`, which has their keys.
void collectWork(const Trace& trace, WorkByStream& all, const std::stop_token& stop)
{
    const EventTable& calls = trace.apiCalls();
    for (const EventKind kind : gpuWorkKinds) {
        const EventTable& table = trace.table(kind);
        for (const Track& track : table.tracks) {
            const auto stream = all.find(keyOf(track));
            if (stream == all.end())
                continue;
            for (const EventIndex i : eventsOf(track, stop)) {
                const EventRef call = trace.apiCallOf({kind, i});
                if (call.valid())
                    stream->second.push_back(
                        {calls.start[call.index], table.range(i), calls.end(call.index), {kind, i}});
            }
        }
    }
    for (auto& [key, work] : all)
        std::sort(work.begin(), work.end());
}

/// When the host asked for `event`: the start of its call, else its own.
Ns calledAt(const Trace& trace, EventRef event)
{
    const EventRef call = trace.apiCallOf(event);
    return trace.range(call.valid() ? call : event).start;
}

/// Sets the work on both sides of `joined`, and how long the consumer was held.
void addSides(const Trace& trace, const WorkByStream& all, Joined& joined)
{
    const auto after = [](const std::vector<StreamWork>& work, Ns time) {
        return std::ranges::upper_bound(work, time, {}, &StreamWork::called);
    };
    StreamWait& wait = joined.wait;
    const std::vector<StreamWork>& before = all.at(joined.recording);
    const auto producer = after(before, calledAt(trace, {EventKind::CudaEvent, wait.record}));
    if (producer != before.begin())
        wait.producer = std::prev(producer)->work;
    const std::vector<StreamWork>& behind = all.at(joined.waiting);
    const auto consumer = after(behind, calledAt(trace, {EventKind::Synchronization, wait.wait}));
    if (consumer == behind.end())
        return;
    wait.consumer = consumer->work;
    if (!wait.producer.valid())
        return;
    Ns free = std::min(consumer->launched, consumer->runs.start);
    if (consumer != behind.begin())
        free = std::max(free, std::prev(consumer)->runs.end);
    const Ns done = std::prev(producer)->runs.end;
    // A producer that ends later than the consumer begins was not waited for: the record is of other work.
    if (done > free && done <= consumer->runs.start)
        wait.held = {free, done};
}

/// Of several waits of one consumer only the one whose producer ends last keeps the time.
void leaveLongest(StreamWaits& waits)
{
    std::map<EventRef, std::size_t> longest; // by consumer
    for (std::size_t i = 0; i < waits.size(); ++i) {
        if (waits[i].held.empty())
            continue;
        const auto [place, added] = longest.try_emplace(waits[i].consumer, i);
        if (added)
            continue;
        StreamWait& other = waits[place->second];
        if (other.held.end >= waits[i].held.end) {
            waits[i].held = {};
        } else {
            other.held = {};
            place->second = i;
        }
    }
}

KeptAnswers<Links, StreamWaits> keptWaits;

} // namespace

std::uint32_t recordingIn(const Trace& trace, EventRef event)
{
    const std::vector<std::uint32_t>& recordings = trace.table(event.kind).callchain;
    return event.index < recordings.size() ? recordings[event.index] : 0;
}

StreamWaits findStreamWaits(const Trace& trace, const std::stop_token& stop)
{
    StreamWaits waits;
    if (!trace.links || !hasStreamWaits(trace))
        return waits;
    std::vector<Joined> joined = joinedWaits(trace);
    WorkByStream work;
    for (const Joined& each : joined) {
        work.try_emplace(each.waiting);
        work.try_emplace(each.recording);
    }
    collectWork(trace, work, stop);
    for (Joined& each : joined) {
        addSides(trace, work, each);
        waits.push_back(each.wait);
    }
    leaveLongest(waits);
    return waits;
}

std::shared_ptr<const StreamWaits> streamWaitsOf(const Trace& trace, const std::stop_token& stop)
{
    if (!trace.links)
        return std::make_shared<const StreamWaits>();
    return keptWaits.of(trace.links, [&] { return findStreamWaits(trace, stop); });
}

std::shared_ptr<const StreamWaits> knownStreamWaits(const Trace& trace)
{
    return trace.links ? keptWaits.known(trace.links) : nullptr;
}

bool hasStreamWaits(const Trace& trace)
{
    const std::size_t waits = trace.table(EventKind::Synchronization).size();
    for (EventIndex i = 0; i < waits; ++i) {
        if (isJoinedWait(trace, i))
            return true;
    }
    return false;
}

const StreamWait* waitBefore(const StreamWaits& waits, EventRef work)
{
    const StreamWait* found = nullptr;
    for (const StreamWait& wait : waits) {
        if (wait.consumer == work && (!found || wait.held.duration() > found->held.duration()))
            found = &wait;
    }
    return found;
}

} // namespace warpline
