#pragma once

#include "core/compare/kernel_match.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

namespace warpline {

/// The facts that decide whether two runs are comparable: machine, recording, ranks, steps, share of equal
/// work. Needs the unit, sides, tables and shares of `comparison`.
std::vector<CompareFact> compareFacts(const CompareRequest& request, const Both<const SideMeasure*>& measures,
    const Both<const SideKernels*>& kernels, const Comparison& comparison);

/// The change of the step from A to B that a replay of each expects without the profiler; nothing: it is
/// about the recorded one, or not known.
std::optional<PlainChange> plainChangeOf(const Both<const SideMeasure*>& measures);

/// The caveats of the verdict. Needs the shares, noise and plain change of `comparison`.
std::vector<CompareCaveat> caveatsOf(
    const CompareRequest& request, const Both<const SideMeasure*>& measures, const Comparison& comparison);

/// A fact of two texts: not known where one is empty, else the same or different.
CompareFact factOf(std::string id, Message title, Message a, Message b);
/// Whether one side alone recorded events of `kind`: they are not compared.
bool isOfOneSide(const Both<const SideMeasure*>& measures, EventKind kind);
/// Whether both sides have the same ranks, of runs of one size. Sets that lack one cannot be compared.
CompareFact rankFact(const Both<const SideMeasure*>& measures);

/// "a, b, c".
std::string joined(const auto& items)
{
    return fmt::format("{}", fmt::join(items, ", "));
}

/// Whether NVTX ranges define the steps of a side, instead of a guess.
bool hasNamedSteps(const SideMeasure& measure);
/// How often B runs the common kernels for each run in A: the median of the rows weighted by time; 0: there
/// are none.
double workRatio(const CompareTable& kernels);

/// The time of calls in B for each ns in A, over calls that both make equally often and that neither wait nor
/// copy nor allocate: the pace of the host; 0: there are none.
double apiPaceOf(const Comparison& comparison);

/// Whether a ratio of work between two steps or runs counts as equal.
inline bool isSameWork(double ratio)
{
    return ratio > 0.8 && ratio < 1.25;
}

/// Whether the user named the steps of each side. That declares their work as equal, whatever their names and
/// launches.
inline bool areStepsDeclared(const CompareRequest& request)
{
    return !request.a.stepGlob.empty() && !request.b.stepGlob.empty();
}

/// Whether the user chose a range of each side. They are compared as they are, whatever work they do.
inline bool areRangesChosen(const CompareRequest& request)
{
    return !request.a.range.empty() && !request.b.range.empty();
}

/// The programs of a side without their arguments: "train.py (python3)"; empty: unknown.
std::string programsOf(const SideMeasure& measure);
/// The GPU models of a side, each once; empty: unknown.
std::string modelsOf(const SideMeasure& measure);
/// The number of GPUs of the first recording; several processes may share one. Ordinals identify the GPUs;
/// without them each process counts as having its own.
std::size_t usedGpus(const SideMeasure& measure);

/// Whether both are of one recording: the same report, or parts of it.
bool isSameReport(const Trace& a, const Trace& b);

/// Hints for the sides in `missing`, one sentence each: the option that selects their repeating NVTX ranges
/// as steps, or a range of the recording. O(n) in the ranges. Throws Stopped.
std::vector<Message> missingStepHints(const CompareRequest& request, const Both<const SideMeasure*>& measures,
    const Both<bool>& missing, const std::stop_token& stop = {});

} // namespace warpline
