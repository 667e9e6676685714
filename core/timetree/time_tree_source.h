#pragma once

#include "core/base/message.h"
#include "core/store/range_words.h"
#include "core/timetree/time_tree.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace warpline {

/// Which part of a report a time tree is about.
struct TimeTreeQuery {
    TimeRange window; ///< empty: the whole report; events across its edges count with their part inside
    std::vector<GlobalId> threads; ///< empty: all
    std::stop_token stop;

    TimeRange clip(TimeRange range) const { return window.empty() ? range : range.clippedTo(window); }
    bool asks(Ns moment) const { return window.empty() || window.contains(moment); }
    bool asksFor(GlobalId thread) const;
};

enum class TimeTreeUnit : std::uint8_t { Samples, Nanoseconds };

/// A kind of stacks that a report may have.
struct TimeTreeSource {
    std::string_view id; ///< for the command line: "cpu"
    std::string_view title; ///< "CPU samples"; may choose by recorderName(), as the description
    std::string_view description; ///< what is counted, in a sentence
    TimeTreeUnit unit = TimeTreeUnit::Nanoseconds;
    /// Functions include their file, because many files have one of the same name, "forward", "__init__".
    bool namesFiles = false;
    bool (*applies)(const Trace& trace); ///< false: the report has none
    /// For a report without any: data that was recorded but is missing, and how to get it; empty: there is
    /// none.
    std::string_view (*whatIsMissing)(const Trace& trace) = nullptr;
    /// Stacks below a node for each thread. Throws Stopped when a stop is requested.
    TimeTree (*fill)(const Trace& trace, const TimeTreeQuery& query);

    Message titleText(Recorder recorder = Recorder::NsightSystems) const
    {
        return {id, "source_title", title, {{"recorder", recorderName(recorder)}}};
    }
    Message descriptionText(Recorder recorder = Recorder::NsightSystems) const
    {
        return {id, "source_description", description, {{"recorder", recorderName(recorder)}}};
    }
};

/// All sources, in the order they are offered. The list is in time_tree_sources.cpp and nowhere else.
std::span<const TimeTreeSource* const> allTimeTreeSources();
/// nullptr when there is no such source.
const TimeTreeSource* findTimeTreeSource(std::string_view id);

} // namespace warpline
