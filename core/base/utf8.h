#pragma once

#include <string>
#include <string_view>

namespace warpline {

/// `bytes` as valid UTF-8: bytes that are not become U+FFFD, NUL too. Reports hold names in any encoding.
std::string toUtf8(std::string_view bytes);

} // namespace warpline
