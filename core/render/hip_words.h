#pragma once

#include <string>
#include <string_view>

namespace warpline {

/// A rule's advice, which is written for CUDA, with HIP's functions, variables and commands:
/// "cudaMallocAsync"
/// -> "hipMallocAsync". Not for names out of a report.
std::string inWordsOfHip(std::string advice);
/// The title or description of a table, which says CUDA, of a report that has HIP.
std::string tableWordsOfHip(std::string_view text);

} // namespace warpline
