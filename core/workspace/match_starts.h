#pragma once

#include "core/base/time.h"
#include "core/workspace/workspace.h"

#include <cstddef>
#include <stop_token>
#include <string_view>
#include <vector>

namespace warpline {

constexpr std::size_t maxMatchStarts = std::size_t{1} << 22U;

/// The starts of the events that match `text`, as in findAround(), in all reports of `workspace` and on its
/// clock: ascending and unique. Beyond `most` there is at most one in each of `most` equal parts of the
/// session. O(matches log matches), plus one pass over the events. Throws Stopped when `stop` is requested.
std::vector<Ns> matchStarts(const Workspace& workspace, std::string_view text,
    const std::stop_token& stop = {}, std::size_t most = maxMatchStarts);

} // namespace warpline
