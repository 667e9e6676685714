#pragma once

#include "core/store/event_table.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

class Trace;

/// Which name of a kernel counts; all other events have one.
enum class NameForm : std::uint8_t {
    Full, ///< demangled, with template arguments and parameters
    Short, ///< the function alone: all instances of a template
    Label, ///< the shown label: for templates that run a functor, the functor (Trace::displayName())
};

/// Events of one kind with one name.
struct NamedQuery {
    EventKind kind = EventKind::Kernel;
    std::optional<StringId> name; ///< nothing: any
    NameForm form = NameForm::Full; ///< of kernels: which name is `name`
    /// For NVTX ranges: those that the profiler recorded on a GPU (PyTorch repeats annotations there); false:
    /// those of threads.
    bool recordedOnGpu = false;
    std::string label; ///< with NameForm::Label, instead of `name`: it need not be a string of the report
    TimeRange window; ///< events that touch it, each as a whole; empty: all
    std::string filter; ///< further filter: see FilterExpression; empty: none
    Ns least = 0; ///< durations
    Ns most = std::numeric_limits<Ns>::max();
    friend bool operator==(const NamedQuery&, const NamedQuery&) = default;
};

/// The query for all events with the name of `event`, by its full name or its label.
NamedQuery namedAs(const Trace& trace, EventRef event, NameForm form = NameForm::Full);

/// The events of `query`, in the order of their table. Uses all processors: O(events of the kind); a million
/// take some milliseconds. Throws Stopped when `stop` is requested.
std::vector<EventIndex> eventsOf(
    const Trace& trace, const NamedQuery& query, const std::stop_token& stop = {});

/// The total duration of all events that `query` covers, whatever their name: of its kind, in its window.
/// O(lanes log n).
Ns totalDuration(const Trace& trace, const NamedQuery& query);

/// Statistics of durations.
struct DurationFigures {
    std::uint64_t count = 0;
    Ns total = 0; ///< of whole durations; work at the same time counts for each
    Ns least = 0;
    Ns most = 0;
    double mean = 0; ///< ns, as all below
    /// Sample standard deviation: divides by count - 1, like nsys. 0 for a single event.
    double deviation = 0;
    /// Interpolated between the two nearest ranks: rank share * (count - 1), as NumPy's default does.
    double p25 = 0;
    double median = 0;
    double p75 = 0;
    double p90 = 0;
    double p95 = 0;
    double p99 = 0;
    double p999 = 0;
    EventIndex shortest = noIndex; ///< the first of the shortest in the order given
    EventIndex longest = noIndex;

    /// Durations above are outliers: three times the interquartile range above the upper quartile (Tukey's
    /// outer fence).
    double outlierFence() const { return p75 + 3 * (p75 - p25); }
};

/// How many events take how long.
struct DurationCounts {
    std::vector<std::uint32_t> counts; ///< of each nanosecond, from 0 on
    std::vector<Ns> longer; ///< each of those for which there is no count, ascending
    bool areAll = false; ///< otherwise there are too many of the longer ones, and this holds nothing
};

/// The exact statistics of `events`, with the counts. O(n), on all processors: in one pass where few take
/// longer than 131 us, else in two. Throws Stopped.
DurationFigures durationFigures(const EventTable& table, std::span<const EventIndex> events,
    DurationCounts& counts, const std::stop_token& stop);
/// The same without the counts.
DurationFigures durationFigures(
    const EventTable& table, std::span<const EventIndex> events, const std::stop_token& stop = {});
/// The same of lengths, for few of them. Reorders them; the events stay unknown.
DurationFigures durationFigures(std::span<Ns> durations);

/// The first of `events` with the duration nearest to `duration`; noIndex without events. O(n).
EventIndex nearestTo(const EventTable& table, std::span<const EventIndex> events, double duration,
    const std::stop_token& stop = {});
/// How many of `events` are shorter than `duration`. O(n).
std::uint64_t shorterThan(const EventTable& table, std::span<const EventIndex> events, Ns duration,
    const std::stop_token& stop = {});

} // namespace warpline
