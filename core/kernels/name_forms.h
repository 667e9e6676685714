#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// The forms of a kernel's name from the longest to the shortest that is still distinct: without return type
/// and parameters; without template arguments except for the functor; its short name; that without generic
/// words. Each is shorter than the one before. `label` is the result of kernelLabel(). O(length).
std::vector<std::string> kernelNameForms(std::string_view demangled, std::string_view label);

} // namespace warpline
