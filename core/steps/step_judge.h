#pragma once

#include "core/steps/steps.h"

#include <cstddef>
#include <string>

namespace warpline {

/// What the steps of a report depend on, for KeptAnswers; traces may share links.
struct StepsAsked {
    const Trace* trace = nullptr;
    TimeRange window;
    std::string glob;
    friend bool operator==(const StepsAsked&, const StepsAsked&) = default;
};

/// Which steps of a series the end of its window cuts: since they do not overlap, the first and the last at
/// most. What is left of them does not tell how long they took.
struct CutSteps {
    std::size_t count = 0; ///< steps of the series
    bool first = false;
    bool last = false;

    bool holds(std::size_t i) const { return (first && i == 0) || (last && i + 1 == count); }
};

/// Of `host`, NVTX ranges on the host. None of guessed steps, which are made of what lies in the window.
CutSteps cutSteps(const Trace& trace, const StepSeries& host);

/// Steady steps of `host` that lie whole in its window.
std::size_t wholeSteadySteps(const StepSeries& host, const CutSteps& cut);

/// Finds warm-up, medians, groups and typical times of `series` from its `events` and `ranges`, as
/// findSteps() does. The first `warmUps` steps are warm-up in any case. Those in `cut` count in nothing, and
/// have no typical time.
void judgeSteps(const Trace& trace, StepSeries& series, std::size_t warmUps, const CutSteps& cut = {});

} // namespace warpline
