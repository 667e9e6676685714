#pragma once

#include <string>
#include <string_view>

namespace warpline {

/// What a kernel's name has in common with those of other precisions, tile sizes and architectures: `label`,
/// which has no template arguments (see kernelLabel()), with its numbers as '#': "ampere_sgemm_128x64_tn" ->
/// "ampere_sgemm_#_tn". Types keep theirs: "f16" and "bf16" are not "f32". O(length).
std::string plainKernelName(std::string_view label);

/// A kernel's full name as every recorder writes it: nsys says "(int)4", "(bool)0" and "<unnamed>" where
/// PyTorch's profiler says "4", "false" and "(anonymous namespace)". O(length).
std::string commonKernelName(std::string_view name);

} // namespace warpline
