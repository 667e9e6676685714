#include "core/findings/first_launches.h"

#include "core/base/stop.h"

#include <algorithm>
#include <unordered_map>

namespace warpline {

namespace {

constexpr Ns slowLaunch = 500'000; ///< a launch takes 5 to 20 us unless something is loaded or full

/// The start of the first kernel, by process and name.
using FirstStarts = std::unordered_map<std::uint64_t, Ns>;

std::uint64_t keyOf(const KernelTable& kernels, GlobalId owner, EventIndex kernel)
{
    return std::uint64_t{pidOf(owner)} << 32U | raw(kernels.name[kernel]);
}

FirstStarts firstStarts(const KernelTable& kernels, const std::stop_token& stop)
{
    FirstStarts first;
    for (const Track& track : kernels.tracks) {
        for (const EventIndex i :
            stoppable<EventIndex>(track.firstEvent, track.firstEvent + track.eventCount, stop)) {
            const auto [place, added] = first.try_emplace(keyOf(kernels, track.owner, i), kernels.start[i]);
            place->second = std::min(place->second, kernels.start[i]);
        }
    }
    return first;
}

} // namespace

std::vector<EventIndex> firstLaunches(const Trace& trace, const CallKinds& kinds, const std::stop_token& stop)
{
    const EventTable& calls = trace.apiCalls();
    std::vector<EventIndex> launches;
    for (const EventIndex i : stoppable<EventIndex>(0, calls.size(), stop)) {
        if (calls.duration[i] >= slowLaunch && kinds[i] == CallKind::Launch)
            launches.push_back(i);
    }
    if (launches.empty())
        return launches;
    const KernelTable& kernels = trace.kernels();
    const FirstStarts first = firstStarts(kernels, stop);
    std::erase_if(launches, [&](EventIndex call) {
        bool isFirst = false;
        trace.visitWork(call, [&](EventRef work) {
            isFirst = isFirst
                || (work.kind == EventKind::Kernel
                    && first.at(keyOf(kernels, kernels.trackOf(work.index).owner, work.index))
                        == kernels.start[work.index]);
        });
        return !isFirst;
    });
    return launches;
}

bool mayMakeContext(std::string_view call)
{
    return callKindOf(call) == CallKind::MakeContext || !call.starts_with("cu") || call.starts_with("cuda");
}

} // namespace warpline
