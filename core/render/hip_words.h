#pragma once

#include <string>

namespace warpline {

/// A rule's advice, which is written for CUDA, with HIP's functions, variables and commands:
/// "cudaMallocAsync"
/// -> "hipMallocAsync". Not for names out of a report.
std::string inWordsOfHip(std::string advice);

} // namespace warpline
