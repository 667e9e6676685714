#include "core/store/place_names.h"

#include "core/base/message_names.h"
#include "core/base/path_names.h"
#include "core/base/utf8.h"
#include "core/store/gpu_names.h"
#include "core/store/range_words.h"
#include "core/store/trace.h"

#include <optional>

namespace warpline {

namespace {

/// "[523] streams"
Message numbered(std::int64_t id, std::string name)
{
    return {"place.named", "[{id}] {name}", {{"id", Ordinal{id}}, {"name", Name{std::move(name)}}}};
}

} // namespace

Message processLabel(const Trace& trace, GlobalId process)
{
    const Process* const known = trace.process(process);
    std::string name = known ? toUtf8(baseName(trace.text(known->name))) : std::string();
    Message label = name.empty()
        ? Message("place.process", "Process [{pid}]", {{"pid", Ordinal{pidOf(process)}}})
        : numbered(pidOf(process), std::move(name));
    const auto rank = trace.mpiRanks.empty() ? std::nullopt : trace.mpiRank(process);
    return rank ? Message("place.mpi_rank", "{process}, MPI rank {rank}",
               {{"process", std::move(label)}, {"rank", Ordinal{*rank}}})
                : label;
}

Message gpuOfProcess(const Trace& trace, GlobalId process, std::int32_t cuda)
{
    return {"place.gpu_of", "{gpu} of {process}",
        {{"gpu", Name{gpuName(trace, process, cuda)}}, {"process", processLabel(trace, process)}}};
}

Message threadLabel(const Trace& trace, GlobalId thread)
{
    const Thread* const known = trace.thread(thread);
    std::string name = known ? toUtf8(baseName(trace.text(known->name))) : std::string();
    return name.empty() ? Message("place.thread", "Thread [{tid}]", {{"tid", Ordinal{tidOf(thread)}}})
                        : numbered(tidOf(thread), std::move(name));
}

Message streamText(std::int32_t stream, bool isDefault)
{
    return {"place.stream", "{is, select, default {Default stream} other {Stream}} {stream}",
        {{"is", Name{isDefault ? "default" : "other"}}, {"stream", Ordinal{stream}}}};
}

Message streamLabel(const Trace& trace, const Track& track)
{
    if (track.stream < 0)
        return {"place.context", "Whole context"};
    bool isDefault = false;
    std::string name;
    for (const StreamInfo& info : trace.streams) {
        if (pidOf(info.process) != pidOf(track.owner) || info.stream != track.stream
            || (info.context >= 0 && info.context != track.context))
            continue;
        isDefault = isDefault || info.isDefault;
        if (info.name != StringId{})
            name = toUtf8(trace.text(info.name));
    }
    Message label = streamText(track.stream, isDefault);
    return name.empty() ? label
                        : Message("place.named_stream", "{stream} ({name})",
                            {{"stream", std::move(label)}, {"name", Name{std::move(name)}}});
}

Message placeWithin(Message place, Message part)
{
    return part.empty() ? place
                        : Message("place.within", "{place}, {part}",
                            {{"place", std::move(place)}, {"part", std::move(part)}});
}

Message placeOf(const Trace& trace, TrackRef ref)
{
    const Track& track = trace.track(ref);
    const Message family = domainText(trace.text(track.family));
    if (track.stream >= 0 || track.device >= 0)
        return placeWithin(nameMessage(gpuName(trace, track.owner, track.device)),
            track.stream >= 0 ? streamLabel(trace, track) : family);
    if (track.owner == 0)
        return family.empty() ? Message("place.report", "Report") : family;
    return placeWithin(threadLabel(trace, track.owner), family);
}

} // namespace warpline
