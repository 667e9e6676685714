#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// The forms of a kernel's name from the longest to the shortest that still tells it from others: whole, but
/// for what it returns and its parameters; without template arguments, but for the functor that it is known
/// by; its short name; that without what kernels are called anyway. Each is shorter than the one before.
/// `label` is what kernelLabel() says. O(length).
std::vector<std::string> kernelNameForms(std::string_view demangled, std::string_view label);

} // namespace warpline
