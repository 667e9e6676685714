#pragma once

#include "core/base/time.h"
#include "core/workspace/workspace.h"

#include <cstddef>
#include <stop_token>
#include <string_view>
#include <vector>

namespace warpline {

constexpr std::size_t maxMatchStarts = std::size_t{1} << 22U;

/// When the events start that match `text` as findAround() finds them, in all reports of `workspace` and on
/// its clock: ascending, each moment once. Of more than `most` there is one at most in each of `most` equal
/// parts of the session, so that every place of the session is told to within a part. O(matches log
/// matches) and a look at each event. Throws Stopped when `stop` is requested.
std::vector<Ns> matchStarts(const Workspace& workspace, std::string_view text,
    const std::stop_token& stop = {}, std::size_t most = maxMatchStarts);

} // namespace warpline
