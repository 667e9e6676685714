#pragma once

#include <string>
#include <vector>

namespace warpline::cli {

/// Which of `processes` processes reads each of `files`: the largest first, each to the one that has least.
std::vector<int> sharesOf(const std::vector<std::string>& files, int processes);

} // namespace warpline::cli
