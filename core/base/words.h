#pragma once

#include <string_view>

namespace warpline {

/// True when `text` contains `part`, letters of ASCII without regard to case; `part` is in lower case.
bool containsWord(std::string_view text, std::string_view part);

} // namespace warpline
