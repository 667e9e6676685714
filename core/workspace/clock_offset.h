#pragma once

#include "core/base/message.h"
#include "core/base/time.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpline {

/// `range` on a clock that is ahead by `by`.
constexpr TimeRange shifted(TimeRange range, Ns by)
{
    return {range.start + by, range.end + by};
}

/// Offsets are no larger, either way, so that sums with the times of a report stay numbers: thirty years.
inline constexpr Ns maxOffset = 1'000'000'000'000'000'000;

constexpr bool isPossibleOffset(Ns offset)
{
    return -maxOffset <= offset && offset <= maxOffset;
}

/// How much later a clock began than another one, by their UTC starts (0: not known, at most latestUtcNs).
/// Nothing: not known, or no two clocks of one run began so far apart.
constexpr std::optional<Ns> laterByUtc(Ns utc, Ns otherUtc)
{
    const bool isKnown = utc != 0 && otherUtc != 0 && isPossibleTime(utc - otherUtc);
    return isKnown ? std::optional(utc - otherUtc) : std::nullopt;
}

/// How the offset of a report's clock was found, the weakest first.
enum class ClockMethod : std::uint8_t {
    Own, ///< not at all: the report counts from its own start, as a single one does
    StartTime, ///< by the UTC time at which its session began
    Matched, ///< by events that end at one instant on all ranks, such as collectives
    Manual, ///< by the user
};

std::string_view keyOf(ClockMethod method); ///< "none", "start_time", "matched", "manual"
/// "its own start", "start time", "matched events", "set by hand": for the user.
Message wordsOf(ClockMethod method);

/// From the clock of a report to that of the workspace: workspace time = trace time + offset. Applied only at
/// the interface to the user (painting, hits, jumps, windows of panels), so that changing it costs a repaint
/// and rewrites no column.
struct ClockOffset {
    Ns offset = 0;
    Ns uncertainty = 0; ///< the true offset is within +- this much; 0 with ClockMethod::Own
    ClockMethod method = ClockMethod::Own;
    Message note; ///< for the user: "12 collectives matched"; may be empty

    /// `range` of the report, on the workspace's clock.
    TimeRange toWorkspace(TimeRange range) const { return shifted(range, offset); }
    Ns toWorkspace(Ns time) const { return time + offset; }
    /// `range` of the workspace, on the report's clock.
    TimeRange toReport(TimeRange range) const { return shifted(range, -offset); }
    Ns toReport(Ns time) const { return time - offset; }

    friend bool operator==(const ClockOffset&, const ClockOffset&) = default;
};

} // namespace warpline
