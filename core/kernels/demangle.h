#pragma once

#include <string>
#include <string_view>

namespace warpline {

/// Demangles an Itanium C++ ABI name ("_ZN2at6native..."), in the form of c++filt. Empty: not such a name, or
/// it contains parts that kernels' names do not have (computed expressions). The C++ library's demangler
/// fails on names of more than a thousand letters and on newer types. PyTorch uses it, so the names that its
/// traces keep mangled need this one. O(length of both names), which is bounded.
std::string demangled(std::string_view mangled);

} // namespace warpline
