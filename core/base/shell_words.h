#pragma once

#include <string>
#include <string_view>

namespace warpline {

/// `word` quoted for a shell of this system: unchanged or in quotes, which are single ones but on Windows.
std::string shellQuoted(std::string_view word);

/// The same for a word of a recorded command, of any system: paths of Windows stay as they are.
std::string commandWord(std::string_view word);

} // namespace warpline
