#pragma once

#include "core/base/result.h"
#include "core/base/time.h"

#include <string>
#include <string_view>

namespace warpline {

/// A time as people write it: nanoseconds, or a number with ns, us (or µs), ms or s, with or without a space:
/// "1500", "1.5us", "-3 ms". Error: `text` is no such thing, or is beyond what fits into Ns.
Result<Ns> parseTime(std::string_view text);

/// `ns` with its unit and no more digits than say it, `digits` at most: "1.5 ms", "20 µs". For axes and
/// fields that are edited, where formatDuration()'s fixed number of digits would be in the way.
std::string shortDuration(double ns, int digits);

} // namespace warpline
