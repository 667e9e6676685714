#pragma once

#include "core/compare/kernel_match.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

namespace warpline {

/// What tells whether two runs can be compared: machine, recording, ranks, steps, how much of their work is
/// the same. `comparison` has its unit, sides, tables and shares.
std::vector<CompareFact> compareFacts(const CompareRequest& request, const Both<const SideMeasure*>& measures,
    const Both<const SideKernels*>& kernels, const Comparison& comparison);

/// The change of the step from A to B that a replay of each expects without the profiler; nothing: it is
/// about the recorded one, or not known.
std::optional<PlainChange> plainChangeOf(const Both<const SideMeasure*>& measures);

/// What a reader of the verdict must know. `comparison` has its shares, noise and plain change.
std::vector<CompareCaveat> caveatsOf(
    const CompareRequest& request, const Both<const SideMeasure*>& measures, const Comparison& comparison);

/// A fact of two texts: not known where one is empty, else the same or different.
CompareFact factOf(std::string id, Message title, Message a, Message b);
/// A text of the reports; empty where they say nothing.
Message inWordsOfReport(std::string text);
/// Whether both sides have the same ranks, of runs of one size. Sets that lack one cannot be compared.
CompareFact rankFact(const CompareRequest& request);

/// "a, b, c".
std::string joined(const auto& items)
{
    return fmt::format("{}", fmt::join(items, ", "));
}

/// How often B runs the kernels that both have, for each time that A does: the middle of the rows by time; 0:
/// they have none.
double workRatio(const CompareTable& kernels);

/// How much time calls take in B for each ns in A that both make as often and that neither wait nor copy nor
/// allocate: the pace of the host; 0: there are none.
double apiPaceOf(const Comparison& comparison);

/// Whether two steps, or runs, that do `ratio` times the work of one another do the same.
inline bool isSameWork(double ratio)
{
    return ratio > 0.8 && ratio < 1.25;
}

/// Whether the user named the steps, or the range, of each side: that they do the same is the user's word,
/// whatever they are called and launch.
inline bool areStepsDeclared(const CompareRequest& request)
{
    return !request.a.stepGlob.empty() && !request.b.stepGlob.empty();
}
inline bool areRangesDeclared(const CompareRequest& request)
{
    return !request.a.range.empty() && !request.b.range.empty();
}

/// The programs of a side, without how they were called: "train.py (python3)"; empty: the report does not
/// say.
std::string programsOf(const SideMeasure& measure);
/// The models of the GPUs of a side, each once; empty: the report does not say.
std::string modelsOf(const SideMeasure& measure);
/// The GPUs of the first recording: several processes may share one. Which GPU is whose the report says where
/// it has ordinals; else each process is taken to have its own.
std::size_t usedGpus(const SideMeasure& measure);

/// Whether both are of one recording.
bool isSameReport(const Trace& a, const Trace& b);

} // namespace warpline
