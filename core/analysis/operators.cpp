#include "core/analysis/operators.h"

#include "core/base/ascii_case.h"
#include "core/derive/tracks_of.h"
#include "core/store/library_domains.h"

namespace warpline {

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
    Intervals left = parts;
    for (const bool ofFramework : {true, false}) { // its own domain lies inside the program's ranges
        for (const Track& track : TracksOf(trace, EventKind::Nvtx, thread)) {
            const std::string_view domain = trace.text(track.family);
            if (track.device < 0 && isOfFramework(domain) == ofFramework
                && (ofFramework || !isLibraryDomain(domain)))
                left = addLanes(trace.nvtx(), trace.nvtx().lanesOf(track), left, sums, stop);
        }
    }
    // Other ranges inside an operator do not count for it.
    std::erase_if(sums, [&](const auto& each) { return !isFrameworkOperator(trace.text(each.first)); });
    return sums;
}

} // namespace warpline
