#pragma once

#include <string>
#include <string_view>

namespace warpline {

/// The readable name of a function whose name the compiler mangled (Itanium C++ ABI, "_ZN2at6native..."), as
/// c++filt writes it. Empty: it is no such name, or holds what kernels' names do not (expressions that are
/// computed). The C++ library's own demangler gives up on names of more than a thousand letters and on types
/// newer than it; PyTorch asks that one, so that what its traces hold mangled is for this one. O(length of
/// both names), which is bounded.
std::string demangled(std::string_view mangled);

} // namespace warpline
