#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// The forms of a kernel's name from the longest to the shortest that is still distinct: without return type
/// and parameters; without template arguments except for the functor; its short name; that without generic
/// words. Each is shorter than the one before. `label` is the result of kernelLabel(). O(length).
std::vector<std::string> kernelNameForms(std::string_view demangled, std::string_view label);

/// What distinguishes each of `demangled`, different kernels of one label, from the others: as few words and
/// numbers of its name as do so, "elementwise_kernel, float"; empty where the others have all of them.
std::vector<std::string> distinctParts(std::span<const std::string_view> demangled);

} // namespace warpline
