#pragma once

#include "core/across/judge_ranks.h"

#include <cstddef>
#include <vector>

namespace warpline::test {

/// A synthetic run of several ranks: in each step a rank works and then meets the others in one collective.
/// The others wait for a rank that works longer.
struct DrawnRun {
    std::size_t ranks = 4;
    std::size_t steps = 10;
    Ns work = 5'000'000; ///< of each rank in each step
    Ns transfer = 100'000; ///< of the collective, once all are there
    std::size_t hosts = 1; ///< rank r is on host r % hosts

    /// How much longer `rank` works in `step`.
    Ns (*extra)(std::size_t rank, std::size_t step) = [](std::size_t, std::size_t) { return Ns{0}; };
    /// How far the clock of the rank's report is ahead of the true one.
    Ns (*clock)(std::size_t rank, Ns time) = [](std::size_t, Ns) { return Ns{0}; };

    /// One report a rank: "rank0.sqlite" ... on "node0" ...
    std::vector<ReportSummary> reports() const;
};

/// Converts all times of `summary` to a clock that reads clock(t) at t.
template <typename Clock> void retime(ReportSummary& summary, Clock clock)
{
    const auto move = [&](TimeRange& range) { range = {clock(range.start), clock(range.end)}; };
    move(summary.session);
    for (ParticipantSummary& each : summary.participants) {
        for (Exchange& exchange : each.exchanges)
            move(exchange.range);
        for (StepFacts& step : each.steps) {
            move(step.host);
            move(step.time);
        }
        for (TimeRange& range : each.computing)
            move(range);
    }
}

} // namespace warpline::test
