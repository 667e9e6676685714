#include "core/store/python_samples.h"

#include "core/store/nvtx_types.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

bool hasPythonStacks(const Trace& trace)
{
    return trace.pythonChains && !trace.pythonChains->empty();
}

bool lacksPythonStacks(const Trace& trace)
{
    return !hasPythonStacks(trace) && std::ranges::any_of(trace.nvtx().tracks, [&](const Track& track) {
        return track.eventCount > 0 && trace.text(track.family) == pythonSamplesDomain;
    });
}

bool hasPythonFunctions(const Trace& trace)
{
    return std::ranges::any_of(trace.nvtx().tracks, [&](const Track& track) {
        return track.eventCount > 0 && trace.text(track.source) == pythonFunctionSource;
    });
}

} // namespace warpline
