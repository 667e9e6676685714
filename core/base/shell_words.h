#pragma once

#include <string>
#include <string_view>

namespace warpline {

/// `word` quoted for a POSIX shell: unchanged, or in single quotes.
std::string shellQuoted(std::string_view word);

} // namespace warpline
