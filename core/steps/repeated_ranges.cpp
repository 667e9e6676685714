#include "core/steps/repeated_ranges.h"

#include "core/steps/step_names.h"
#include "core/store/event_loops.h"
#include "core/store/library_domains.h"
#include "core/store/trace.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace warpline {

std::vector<RepeatedRanges> repeatedRanges(
    const Trace& trace, std::size_t minCount, const std::stop_token& stop)
{
    const NvtxTable& nvtx = trace.nvtx();
    std::map<std::string, RepeatedRanges> patterns;
    std::unordered_map<StringId, RepeatedRanges*> known;
    for (const Track& track : nvtx.tracks) {
        if (track.device >= 0 || isLibraryDomain(trace.text(track.family)))
            continue;
        for (const EventIndex i : eventsOf(track, stop)) {
            if (nvtx.duration[i] <= 0 || nvtx.attributesOf(i).open)
                continue;
            RepeatedRanges*& repeated = known[nvtx.name[i]];
            if (!repeated)
                repeated = &patterns[stepPatternOf(trace.text(nvtx.name[i]))];
            ++repeated->count;
            repeated->total += nvtx.duration[i];
        }
    }
    std::vector<RepeatedRanges> ranked;
    for (auto& [pattern, repeated] : patterns) {
        if (repeated.count < minCount)
            continue;
        repeated.pattern = pattern;
        repeated.glob = globOfPattern(pattern);
        ranked.push_back(std::move(repeated));
    }
    std::ranges::stable_sort(ranked, std::greater{}, &RepeatedRanges::total);
    return ranked;
}

} // namespace warpline
