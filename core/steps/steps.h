#pragma once

#include "core/store/trace.h"

#include <cstddef>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

/// The iterations of a program: NVTX ranges of one thread that repeat under one name up to its digits
/// ("step_0", "step_1", ...) and follow one another.
struct StepSeries {
    GlobalId thread = 0;
    std::string pattern; ///< "step_#"
    std::vector<EventRef> events; ///< in order of time; they do not overlap
    std::vector<TimeRange> ranges; ///< theirs, cut to the window
    std::size_t firstSteady = 0; ///< steps before it are far slower than the rest: warm-up
    Ns median = 0; ///< length of a steady step

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

/// The series of every process that has one, by pid. A name that says so (step, iteration, batch, token ...)
/// is preferred, then the longest, then the finer of two that cover the same time. Throws Stopped when `stop`
/// is requested.
std::map<std::uint32_t, StepSeries> findSteps(
    const Trace& trace, TimeRange window, const std::stop_token& stop = {});

/// The upper median; 0 of nothing.
Ns medianOf(std::vector<Ns> lengths);
/// `name` with every run of digits replaced by '#'.
std::string withoutNumbers(std::string_view name);
/// True when `text` contains `part`, letters of ASCII without regard to case; `part` is in lower case.
bool containsWord(std::string_view text, std::string_view part);

} // namespace warpline
