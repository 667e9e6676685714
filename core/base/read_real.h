#pragma once

#include <charconv>
#include <string_view>

namespace warpline {

/// What std::from_chars says of the number that `text` begins with, also where the standard library reads
/// whole numbers alone (libc++ does).
std::from_chars_result readReal(std::string_view text, double& value);
std::from_chars_result readReal(std::string_view text, long double& value);

#if !defined(_WIN32)
/// The same by means of the C library, whose locale does not matter. readReal() takes it where there is no
/// other way.
std::from_chars_result readRealByC(std::string_view text, double& value);
std::from_chars_result readRealByC(std::string_view text, long double& value);
#endif

} // namespace warpline
