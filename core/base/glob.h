#pragma once

#include <string_view>

namespace warpline {

/// Whether `text` matches `pattern`, in which * stands for any text and ? for any one letter (UTF-8). The
/// whole of `text` must match; case counts. O(text * pattern) at worst.
bool matchesGlob(std::string_view text, std::string_view pattern);
/// The same with letters of ASCII in `text` taken for small ones; `pattern` is in lower case.
bool matchesLoweredGlob(std::string_view text, std::string_view pattern);

} // namespace warpline
