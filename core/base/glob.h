#pragma once

#include <string_view>

namespace warpline {

/// Whether all of `text` matches `pattern`: * stands for any text, ? for one character (UTF-8).
/// Case-sensitive. O(text * pattern) at worst.
bool matchesGlob(std::string_view text, std::string_view pattern);
/// The same after lowering the ASCII letters of `text`. `pattern` is in lower case, and a backslash makes the
/// character after it literal.
bool matchesLoweredGlob(std::string_view text, std::string_view pattern);

} // namespace warpline
