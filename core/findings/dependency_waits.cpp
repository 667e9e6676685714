#include "core/findings/dependency_waits.h"

#include "core/derive/stream_waits.h"
#include "core/store/gpu_names.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

std::vector<DependencyWait> dependencyWaits(
    const Trace& trace, GlobalId process, std::int32_t device, TimeRange window)
{
    std::vector<DependencyWait> waits;
    const auto all = streamWaitsOf(trace);
    for (const StreamWait& each : *all) {
        if (!each.held.overlaps(window) || each.held.empty())
            continue;
        const Track& waiting = trace.track(trace.trackOf(each.consumer));
        if (waiting.owner != process || waiting.device != device)
            continue;
        const EventRef producer = each.producer;
        const Track& other = trace.track(trace.trackOf(producer));
        waits.push_back({each.held,
            Message("stream_waits.wait",
                "stream {stream} waits {time} for {work} on stream {other}{elsewhere, select, yes { of {gpu}} other {}}",
                {{"stream", Ordinal{waiting.stream}}, {"time", Duration{each.held.duration()}},
                    {"work", Name{std::string(trace.displayName(producer))}},
                    {"other", Ordinal{other.stream}},
                    {"elsewhere", Name{other.device == device ? "no" : "yes"}},
                    {"gpu", Name{gpuName(trace, other.owner, other.device)}}})});
    }
    std::ranges::stable_sort(waits, {}, [](const DependencyWait& wait) { return wait.held.start; });
    return waits;
}

const DependencyWait* waitIn(const std::vector<DependencyWait>& waits, TimeRange range)
{
    const DependencyWait* best = nullptr;
    Ns most = 0;
    for (const DependencyWait& wait : waits) {
        if (wait.held.start >= range.end)
            break;
        const Ns covered = wait.held.clippedTo(range).duration();
        if (covered > most && covered * 2 >= range.duration()) {
            best = &wait;
            most = covered;
        }
    }
    return best;
}

} // namespace warpline
