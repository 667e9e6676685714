#pragma once

#include "core/overview/overview.h"

#include <string>

namespace warpline {

/// Who computes least of several GPUs, and who most: "Of 4 GPUs in use, rank 2 computes most (81.2% ...)";
/// empty: there is one.
std::string textOfRanks(const RunOverview& overview);

} // namespace warpline
