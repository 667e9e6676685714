#pragma once

#include "core/base/time.h"
#include "core/coverage/coverage.h"
#include "core/store/counter_table.h"
#include "core/store/event_table.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace warpline {

/// One place of a lane: a single slice at least a pixel wide, or the exact busy share of a pixel column with
/// several or thinner slices.
struct LodSlice {
    float x0
        = 0; ///< pixels from the left edge of the window; may be negative for a slice that begins before it
    float x1 = 0; ///< x0 < x1
    EventIndex first = noIndex; ///< first event shown
    std::uint32_t count = 0; ///< events that touch this place; 1: this slice alone, with room for its name
    float share = 1; ///< part of [x0, x1) that events cover, 0..1; exact, from prefix sums
    EventIndex longest = noIndex; ///< the event that decides the colour: it covers most of this place
};

/// Fills `out` with the slices of `lane` in `window` on `pixels` pixels: at most about two per pixel, for any
/// number of events. At most one search per pixel: O(pixels log n).
void levelOfDetail(
    const EventTable& table, const Lane& lane, TimeRange window, int pixels, std::vector<LodSlice>& out);

/// The covered share of each of `pixels` columns of `window`, 0..1, exact. `out` is resized.
void busyShare(
    const EventTable& table, const Lane& lane, TimeRange window, int pixels, std::vector<float>& out);
/// The same of the one lane that levelOfDetail() gave `slices` of, without another search; as exact as a
/// float.
void busyShare(std::span<const LodSlice> slices, int pixels, std::vector<float>& out);
void busyShare(const Coverage& coverage, TimeRange window, int pixels, std::vector<float>& out);

/// A counter within one pixel column.
struct CounterColumn {
    float low = 0;
    float high = 0;
    float last = 0; ///< value at the right edge
    bool valid = false; ///< false: before the first sample
};

/// Minimum and maximum of `series` in each of `pixels` columns of `window`. Resizes `out`. O(pixels log n +
/// samples in window / 64) for a summarized series.
void counterColumns(
    const CounterSeries& series, TimeRange window, int pixels, std::vector<CounterColumn>& out);

/// The value of `series` at `t`: that of the last sample at or before it. Nothing before the first.
std::optional<float> valueAt(const CounterSeries& series, Ns t);

} // namespace warpline
