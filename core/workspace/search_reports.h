#pragma once

#include "core/workspace/workspace.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string_view>
#include <vector>

namespace warpline {

// Search by name in all reports of a workspace, like core/query/search.h in one. Events are ordered by time
// on the workspace's clock, then by report, kind and index. All throw Stopped when `stop` is requested.

/// Where a search went.
struct FoundEvent {
    EventId event; ///< not valid(): nothing matches
    std::uint64_t place = 0; ///< index among the matches, from 1
    std::uint64_t matches = 0; ///< how many there are
};

/// The first event after (`forward`) or before `from` whose name matches `text`, wrapping around. Without
/// `from`, the one nearest to `time` on the workspace's clock in that direction. CPU samples are only
/// searched when nothing else matches. O(events).
FoundEvent findAround(const Workspace& workspace, std::string_view text, EventId from, Ns time, bool forward,
    const std::stop_token& stop = {});

struct CountedMatches {
    std::uint64_t count = 0;
    bool isValid = true; ///< false: `text` is a regular expression with a mistake
};
/// How many events match. O(events).
CountedMatches countMatches(
    const Workspace& workspace, std::string_view text, const std::stop_token& stop = {});

inline constexpr std::size_t maxMatchStarts = std::size_t{1} << 22U;

/// The starts of the events that match `text`, as in findAround(), in all reports of `workspace` and on its
/// clock: ascending and unique. Beyond `most` there is at most one in each of `most` equal parts of the
/// session. O(matches log matches), plus one pass over the events. Throws Stopped when `stop` is requested.
std::vector<Ns> matchStarts(const Workspace& workspace, std::string_view text,
    const std::stop_token& stop = {}, std::size_t most = maxMatchStarts);

} // namespace warpline
