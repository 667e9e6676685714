#include "core/analysis/operators.h"

#include "core/base/ascii_case.h"
#include "core/base/stop.h"
#include "core/derive/tracks_of.h"
#include "core/store/event_loops.h"
#include "core/store/library_domains.h"

#include <algorithm>
#include <vector>

namespace warpline {

namespace {

/// Domains in which a framework, or the program on its behalf, records its operators.
bool mayHoldOperators(std::string_view domain)
{
    return isOfFramework(domain) || !isLibraryDomain(domain);
}

} // namespace

bool isOfFramework(std::string_view domain)
{
    return lowered(domain) == "pytorch";
}

bool isCudnnAttention(std::string_view name)
{
    return name.find("cudnn_attention") != std::string_view::npos;
}

TimeByName operatorTimes(
    const Trace& trace, GlobalId thread, const Intervals& parts, const std::stop_token& stop)
{
    TimeByName sums;
    OncePerName isOperator([&](StringId name) { return isFrameworkOperator(trace.text(name)); });
    StopCheck check(stop);
    Intervals left = parts;
    std::vector<const Track*> tracks;
    for (const Track& track : TracksOf(trace, EventKind::Nvtx, thread)) {
        if (track.device < 0 && mayHoldOperators(trace.text(track.family)))
            tracks.push_back(&track);
    }
    // A framework's own domain lies inside the program's ranges.
    std::ranges::stable_partition(
        tracks, [&](const Track* track) { return isOfFramework(trace.text(track->family)); });
    for (const Track* const each : tracks) {
        const Track& track = *each;
        const std::span<const Lane> lanes = trace.nvtx().lanesOf(track);
        for (std::size_t lane = lanes.size(); lane-- > 0 && !left.empty();) {
            std::vector<TimeRange> taken;
            for (const TimeRange& part : left) {
                const auto [first, last] = trace.nvtx().touching(lanes[lane], part);
                for (EventIndex i = first; i < last; ++i) {
                    check.step();
                    const TimeRange piece = trace.nvtx().range(i).clippedTo(part);
                    if (piece.empty())
                        continue;
                    if (isOperator(trace.nvtx().name[i]))
                        sums[trace.nvtx().name[i]] += piece.duration();
                    taken.push_back(piece); // other ranges inside an operator do not count for it
                }
            }
            if (!taken.empty())
                left = difference(
                    left, unionOf(std::move(taken), {left.front().start, left.back().end}, stop));
        }
    }
    return sums;
}

} // namespace warpline
