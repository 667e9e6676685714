#include "core/store/place_names.h"

#include "core/base/path_names.h"
#include "core/base/utf8.h"
#include "core/store/gpu_names.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <optional>

namespace warpline {

std::string processLabel(const Trace& trace, GlobalId process)
{
    const Process* const known = trace.process(process);
    const std::string name = known ? toUtf8(baseName(trace.text(known->name))) : std::string();
    const std::string pid = "[" + std::to_string(pidOf(process)) + "]";
    const auto rank = trace.mpiRanks.empty() ? std::nullopt : trace.mpiRank(process);
    const std::string label = name.empty() ? "Process " + pid : pid + " " + name;
    return rank ? fmt::format("{}, MPI rank {}", label, *rank) : label;
}

std::string threadLabel(const Trace& trace, GlobalId thread)
{
    const Thread* const known = trace.thread(thread);
    const std::string name = known ? toUtf8(baseName(trace.text(known->name))) : std::string();
    const std::string tid = "[" + std::to_string(tidOf(thread)) + "]";
    return name.empty() ? "Thread " + tid : tid + " " + name;
}

std::string streamLabel(const Trace& trace, const Track& track)
{
    if (track.stream < 0)
        return "Whole context";
    std::string label = "Stream " + std::to_string(track.stream);
    for (const StreamInfo& info : trace.streams) {
        if (pidOf(info.process) != pidOf(track.owner) || info.stream != track.stream
            || (info.context >= 0 && info.context != track.context))
            continue;
        if (info.isDefault)
            label = "Default stream " + std::to_string(track.stream);
        if (info.name != StringId{})
            label += " (" + toUtf8(trace.text(info.name)) + ")";
    }
    return label;
}

std::string placeOf(const Trace& trace, TrackRef ref)
{
    const Track& track = trace.track(ref);
    const std::string family = toUtf8(trace.text(track.family));
    if (track.stream >= 0)
        return gpuName(trace, track.owner, track.device) + ", " + streamLabel(trace, track);
    if (track.device >= 0)
        return gpuName(trace, track.owner, track.device) + (family.empty() ? "" : ", " + family);
    if (track.owner == 0)
        return family.empty() ? "Report" : family;
    return threadLabel(trace, track.owner) + (family.empty() ? "" : ", " + family);
}

} // namespace warpline
