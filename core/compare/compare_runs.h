#pragma once

#include "core/compare/comparison.h"
#include "core/kernels/kernel_classes.h"

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

class Trace;

/// A report of a side.
struct SideReport {
    std::shared_ptr<const Trace> trace; ///< never null, complete
    std::string file; ///< the name that the user knows
};

/// Steps by their numbers, from 0, as the table of steps lists them; half-open.
struct StepSpan {
    std::size_t first = 0;
    std::size_t end = 0;
    bool empty() const { return end <= first; }
};

/// One side of a comparison.
struct SideRequest {
    std::vector<SideReport> reports; ///< one, or the reports of the ranks of one run; at least one
    std::vector<std::vector<SideReport>> repeats; ///< further recordings of the same program
    TimeRange range; ///< on the clock of each report; empty: the whole report
    StepSpan steps; ///< empty: all steady ones. Those that are named count even if they are warm-up
    std::string stepGlob; ///< the NVTX ranges that are steps; empty: they are found, see findGpuSteps()
};

/// Assumed difference between two recordings of one program, as a share of the step, where each side has only
/// one. Warming clocks changed equal steps of one recording by 4.2 %.
inline constexpr double assumedRunNoise = 0.05;

/// A request for a comparison. Both sides may be of one report.
struct CompareRequest {
    SideRequest a;
    SideRequest b;
    double runNoise = assumedRunNoise; ///< 0: clocks are locked, recordings differ by their steps alone
    bool wantEvents = false; ///< fill RowFigures::events: 12 bytes an event
    const KernelClassRules* rules = nullptr; ///< nullptr: those in force

    const SideRequest& operator[](Side side) const { return side == Side::A ? a : b; }
};

/// Compares two runs, without findings. The sides are processed in parallel. O(n log n) in the events of the
/// compared steps; seconds for two reports of a million kernels. Throws Stopped when `stop` is requested.
Comparison compareRuns(const CompareRequest& request, const std::stop_token& stop = {});

/// Adds the findings of both sides to `comparison`, matched by their stable ids, and the one that explains
/// most to its sentence. Runs every rule on every report, which takes longer than the rest. Throws Stopped
/// when `stop` is requested.
void compareFindings(const CompareRequest& request, Comparison& comparison, const std::stop_token& stop = {});

} // namespace warpline
