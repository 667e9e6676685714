#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// The forms of a kernel's name from the longest to the shortest that still tells it from others: whole, but
/// for what it returns and its parameters; without template arguments, but for the functor that it is known
/// by; its short name; that without what kernels are called anyway. Each is shorter than the one before.
/// `label` is what kernelLabel() says. O(length).
std::vector<std::string> kernelNameForms(std::string_view demangled, std::string_view label);

/// What distinguishes each of `demangled`, different kernels of one label, from the others: as few words and
/// numbers of its name as do so, "elementwise_kernel, float"; empty where the others have all of them.
std::vector<std::string> distinctParts(std::span<const std::string_view> demangled);

} // namespace warpline
