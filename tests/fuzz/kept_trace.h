#pragma once

#include <string_view>

namespace warpline {

/// Reads a kept trace that somebody changed: `edits` are what was written where, 13 bytes each. Hashes are
/// made right again, so that they are no wall; what is then taken for a trace is asked for all that it holds.
void readKept(std::string_view edits);

} // namespace warpline
