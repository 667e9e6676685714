#pragma once

#include <string>
#include <string_view>

namespace warpline {

/// A kernel's name without what differs by precision, tile size and architecture: `label`, which has no
/// template arguments (see kernelLabel()), with '#' for numbers: "ampere_sgemm_128x64_tn" ->
/// "ampere_sgemm_#_tn". Types keep their numbers: "f16" and "bf16" are not "f32". O(length).
std::string plainKernelName(std::string_view label);

/// A kernel's full name in one spelling for all recorders: nsys writes "(int)4", "(bool)0" and "<unnamed>",
/// PyTorch's profiler "4", "false" and "(anonymous namespace)". O(length).
std::string commonKernelName(std::string_view name);

} // namespace warpline
