#pragma once

#include <string_view>

namespace warpline {

/// What demanglers write for a namespace without a name.
inline constexpr std::string_view anonymousNamespace = "(anonymous namespace)";

/// The function's own name in a demangled name, as nsys calls a kernel's short name: without the type that it
/// returns, its namespaces, template arguments and parameters. "void at::native::fill<4, float>(float*)" ->
/// "fill". The answer is a part of the argument; names that are not C++ stay as they are. O(length).
std::string_view shortNameOf(std::string_view demangled);

} // namespace warpline
