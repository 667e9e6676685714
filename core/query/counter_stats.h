#pragma once

#include "core/base/time.h"
#include "core/query/event_text.h"
#include "core/store/counter_table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpline {

class Trace;
struct CounterSeries;
struct EventRef;

/// Statistics of a counter in a window.
struct CounterFigures {
    std::uint32_t counter = 0; ///< index in Trace::counters
    std::uint64_t samples = 0; ///< samples in the window; 0: the value held since the sample before it
    /// GPU metrics: the mean of the samples in the window, which are equidistant. Others: the mean over time,
    /// with each value valid until the next sample.
    double mean = 0;
    float low = 0;
    float high = 0;
};

/// The statistics of `trace.counters[counter]` in [window.start, window.end); nothing before the first sample
/// or after the last one. O(log n + samples inside).
std::optional<CounterFigures> counterFigures(const Trace& trace, std::uint32_t counter, TimeRange window);

/// Those of all counters that have any, in the order of the report; those that stayed zero in the window
/// last.
std::vector<CounterFigures> allCounterFigures(const Trace& trace, TimeRange window);

/// GPU metrics during GPU work `event`, as label and value: "Tensor Active", "36.4% (31% to 39%, 8 samples)".
/// Empty for other events, and without samples during it. Leaves out metrics that stayed zero. Metrics are of
/// the whole GPU and include concurrent work.
std::vector<TextRow> metricsDuring(const Trace& trace, EventRef event);

/// A value of `series` as text with its unit: "58%", "1,980 MHz", "67.1 MB", "24.7 M". `decimals` of
/// percents; without, one below ten and none from there on.
std::string counterValueText(
    const Trace& trace, const CounterSeries& series, double value, std::optional<int> decimals = {});

} // namespace warpline
