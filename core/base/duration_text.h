#pragma once

#include "core/base/result.h"
#include "core/base/time.h"

#include <string>
#include <string_view>

namespace warpline {

/// Parses a time: nanoseconds, or a number with ns, us (or µs), ms or s, with or without a space: "1500",
/// "1.5us", "-3 ms". Error: `text` is not a time, or does not fit into Ns.
Result<Ns> parseTime(std::string_view text);

/// `ns` with its unit and only as many digits as needed, at most `digits`: "1.5 ms", "20 µs". For axes and
/// input fields, which do not want formatDuration()'s fixed number of digits.
std::string shortDuration(double ns, int digits);

} // namespace warpline
