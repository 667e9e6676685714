#pragma once

#include <string>
#include <vector>

namespace warpline::cli {

/// The reports (*.sqlite) in the folders of `places`, by name with numbers in order ("rank2" before
/// "rank10"), and what else `places` names, as it is named.
std::vector<std::string> filesAt(const std::vector<std::string>& places);

/// Which of `processes` processes reads each of `files`: the largest first, each to the one that has least.
/// Every process comes to the same answer.
std::vector<int> sharesOf(const std::vector<std::string>& files, int processes);

} // namespace warpline::cli
