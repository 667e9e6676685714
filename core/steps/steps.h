#pragma once

#include "core/base/shared_list.h"
#include "core/base/time.h"
#include "core/base/words.h"
#include "core/steps/step_names.h"
#include "core/store/event_kind.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

class Trace;

/// Similar steps: those of one kind and batch size of a model server, or all steps of a program without such
/// names.
struct StepPeers {
    StepWork work; ///< promptTokens is -1: a group holds prompts of every length
    SharedList<std::size_t> steps; ///< indexes into StepSeries::ranges, warm-up left out
    Ns median = 0; ///< of these
};

/// The iterations of a program: NVTX ranges of one thread that repeat under one name up to its digits
/// ("step_0", "step_1", ...), one after another.
struct StepSeries {
    GlobalId thread = 0;
    std::string pattern; ///< "step_#"
    std::string glob; ///< matches their names: "step_*"
    bool isFrames = false; ///< frames of a program that draws, which are no NVTX ranges: see framesOf()
    SharedList<EventRef> events; ///< in order of time; they do not overlap
    SharedList<TimeRange> ranges; ///< theirs, cut to the window
    std::size_t firstSteady = 0; ///< steps before it are far slower than the rest, or inside a range that is
                                 ///< named a warm-up
    Ns median = 0; ///< length of a steady step; of the most frequent kind where there are several
    std::vector<StepPeers> groups; ///< by kind, then batch size; those with steady steps
    /// The typical length of a step's kind: the median of its peers. 0: too few peers.
    SharedList<Ns> typical;
    std::vector<EventRef> prefills; ///< ranges outside of the steps that process a prompt

    bool empty() const { return ranges.empty(); }
    std::size_t size() const { return ranges.size(); }
    std::size_t steady() const { return ranges.size() - firstSteady; }
    TimeRange span() const
    {
        return empty() ? TimeRange{} : TimeRange{ranges.front().start, ranges.back().end};
    }
    /// The step that holds `time`, or else the last that began before it; size() before the first. O(log n).
    std::size_t at(Ns time) const;
};

/// The series of every process that has one, by pid: the common definition of steps for rules, tables and
/// views. Names of steps (step, iteration, then batch, token ...) are preferred, then the outermost, then the
/// longest. Never parts of a step (layers, attention), operators of frameworks or warm-ups; see stepRankOf().
/// `glob` selects ranges by name instead, with or without their domain in front. Throws Stopped when `stop`
/// is requested, as findStepsOfThreads() does.
std::map<std::uint32_t, StepSeries> findSteps(
    const Trace& trace, TimeRange window, const std::string& glob = {}, const std::stop_token& stop = {});

/// The series of every thread that runs the steps which findSteps() finds, by thread.
std::vector<StepSeries> findStepsOfThreads(
    const Trace& trace, TimeRange window, const std::string& glob = {}, const std::stop_token& stop = {});

/// The glob of the steps of the process that spends most time in steps; empty: none.
std::string mainStepGlob(const std::map<std::uint32_t, StepSeries>& steps);

/// `name` with every run of digits replaced by `sign`.
std::string withoutNumbers(std::string_view name, char sign = '#');
/// What shows `name` and others of its pattern, which `shown` stood for so far (empty: none): the name itself
/// while it is alone, else the pattern.
std::string commonName(const std::string& shown, const std::string& name);

} // namespace warpline
