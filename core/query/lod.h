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

/// What a lane shows at one place: a single slice at least a pixel wide, or the exact busy share of one pixel
/// column that holds several slices or a thinner one.
struct LodSlice {
    float x0
        = 0; ///< pixels from the left edge of the window; may be negative for a slice that begins before it
    float x1 = 0; ///< x0 < x1
    EventIndex first = noIndex; ///< first event shown
    std::uint32_t count = 0; ///< events that touch this place; 1: this slice alone, with room for its name
    float share = 1; ///< part of [x0, x1) that events cover, 0..1; exact, from prefix sums
    EventIndex longest = noIndex; ///< the event to colour this place by: one that covers most of it
};

/// Fills `out` with what `lane` shows of `window` on `pixels` pixels: at most about two entries a pixel,
/// however many events there are. At most one search a pixel: O(pixels log n).
void levelOfDetail(
    const EventTable& table, const Lane& lane, TimeRange window, int pixels, std::vector<LodSlice>& out);

/// The covered share of each of `pixels` columns of `window`, 0..1, exact. `out` is resized.
void busyShare(
    const EventTable& table, const Lane& lane, TimeRange window, int pixels, std::vector<float>& out);
/// The same of the one lane that levelOfDetail() gave `slices` of, without another search; as exact as a
/// float.
void busyShare(std::span<const LodSlice> slices, int pixels, std::vector<float>& out);
void busyShare(const Coverage& coverage, TimeRange window, int pixels, std::vector<float>& out);

/// What a counter does within one pixel column.
struct CounterColumn {
    float low = 0;
    float high = 0;
    float last = 0; ///< value at the right edge
    bool valid = false; ///< false: before the first sample
};

/// Lowest and highest value of `series` in each of `pixels` columns of `window`. `out` is resized.
/// O(pixels log n + samples in window / 64) for a series that was summarized.
void counterColumns(
    const CounterSeries& series, TimeRange window, int pixels, std::vector<CounterColumn>& out);

/// The value of `series` at `t`: that of the last sample at or before it. Nothing before the first.
std::optional<float> valueAt(const CounterSeries& series, Ns t);

} // namespace warpline
