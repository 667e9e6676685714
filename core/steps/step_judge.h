#pragma once

#include "core/steps/steps.h"

#include <cstddef>
#include <string>

namespace warpline {

/// Key of a report's steps for KeptAnswers; traces may share links.
struct StepsAsked {
    const Trace* trace = nullptr;
    TimeRange window;
    std::string glob;
    friend bool operator==(const StepsAsked&, const StepsAsked&) = default;
};

/// The steps of a series that its window cuts: at most the first and the last, because steps do not overlap.
/// Their full lengths are unknown.
struct CutSteps {
    std::size_t count = 0; ///< steps of the series
    bool first = false;
    bool last = false;

    bool holds(std::size_t i) const { return (first && i == 0) || (last && i + 1 == count); }
};

/// For `host`, NVTX ranges on the host. None for guessed steps, which consist of the events in the window.
CutSteps cutSteps(const Trace& trace, const StepSeries& host);

/// Steady steps of `host` that lie whole in its window.
std::size_t wholeSteadySteps(const StepSeries& host, const CutSteps& cut);

/// Determines warm-up, medians, groups and typical times of `series` from its `events` and `ranges`, as
/// findSteps() does. The first `warmUps` steps are always warm-up. Those in `cut` count for nothing, and have
/// no typical time.
void judgeSteps(const Trace& trace, StepSeries& series, std::size_t warmUps, const CutSteps& cut = {});

} // namespace warpline
