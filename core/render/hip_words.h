#pragma once

#include "core/store/gpu_names.h"

#include <string>
#include <string_view>

namespace warpline {

/// A rule's advice, which is written for CUDA, with HIP's functions, variables and commands:
/// "cudaMallocAsync"
/// -> "hipMallocAsync". Not for names out of a report.
std::string inWordsOfHip(std::string advice);
/// The title or description of a table, which says CUDA, for a report of `api`.
std::string tableWords(std::string_view text, GpuApi api);

} // namespace warpline
