#pragma once

#include <string>
#include <string_view>

namespace warpline {

/// `word` as a POSIX shell takes it for one word: as it is, or in single quotes.
std::string shellQuoted(std::string_view word);

} // namespace warpline
