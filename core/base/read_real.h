#pragma once

#include <charconv>
#include <string_view>

namespace warpline {

/// std::from_chars of a number, also where the standard library has it for integers only (libc++).
std::from_chars_result readReal(std::string_view text, double& value);
std::from_chars_result readReal(std::string_view text, long double& value);

#if !defined(_WIN32)
/// The same by the C library, independent of the locale. readReal() uses it where there is no other way.
std::from_chars_result readRealByC(std::string_view text, double& value);
std::from_chars_result readRealByC(std::string_view text, long double& value);
#endif

} // namespace warpline
