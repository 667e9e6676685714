#include "core/derive/backward_passes.h"

#include "core/store/trace.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace warpline {

BackwardPass backwardPassOf(const Trace& trace, EventIndex range)
{
    BackwardPass pass;
    const NvtxTable& ranges = trace.nvtx();
    if (range >= ranges.correlation.size() || ranges.correlation[range] == 0)
        return pass;
    for (EventIndex i = 0; i < ranges.correlation.size(); ++i) {
        if (ranges.correlation[i] == ranges.correlation[range])
            pass.backward.push_back(i);
    }
    std::ranges::sort(pass.backward, {}, [&](EventIndex i) { return std::pair(ranges.start[i], i); });
    pass.forward = pass.backward.front();
    pass.backward.erase(pass.backward.begin());
    return pass;
}

std::vector<EventIndex> forwardOperators(const Trace& trace)
{
    const NvtxTable& ranges = trace.nvtx();
    std::vector<EventIndex> joined;
    for (EventIndex i = 0; i < ranges.correlation.size(); ++i) {
        if (ranges.correlation[i] != 0)
            joined.push_back(i);
    }
    if (joined.empty())
        return {};
    std::ranges::sort(
        joined, {}, [&](EventIndex i) { return std::tuple(ranges.correlation[i], ranges.start[i], i); });
    std::vector<EventIndex> forward(ranges.size(), noIndex);
    EventIndex first = noIndex;
    for (const EventIndex i : joined) {
        if (first == noIndex || ranges.correlation[i] != ranges.correlation[first])
            first = i;
        else
            forward[i] = first;
    }
    return forward;
}

} // namespace warpline
