#pragma once

#include "core/analysis/trace_analysis.h"
#include "core/findings/checklist.h"
#include "core/overview/overview.h"

#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace warpline {

/// The overview of `window` alone, as a program makes it that has no other use for its facts.
inline RunOverview overviewOf(
    const Trace& trace, TimeRange window, std::stop_token stop = {}, const std::string& stepGlob = {})
{
    TraceAnalysis facts(trace, window, std::move(stop), stepGlob);
    return overviewOf(facts);
}

/// The checklist of `window` alone.
inline std::vector<ChecklistAnswer> answerChecklist(const Trace& trace, TimeRange window,
    std::stop_token stop = {}, const std::string& stepGlob = {}, const WaitsByGpu& knownWaits = {},
    const TrackFilter& covers = {})
{
    TraceAnalysis facts(trace, window, std::move(stop), stepGlob);
    return answerChecklist(facts, knownWaits, covers);
}

} // namespace warpline
