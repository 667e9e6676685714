#pragma once

#include <string_view>

namespace warpline {

/// How demanglers write an unnamed namespace.
inline constexpr std::string_view anonymousNamespace = "(anonymous namespace)";

/// The function's own name in a demangled name, like nsys' short kernel name: without return type,
/// namespaces, template arguments and parameters. "void at::native::fill<4, float>(float*)" -> "fill". The
/// result is a view into the argument; names that are not C++ stay as they are. O(length).
std::string_view shortNameOf(std::string_view demangled);

} // namespace warpline
