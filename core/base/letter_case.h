#pragma once

#include <string>
#include <string_view>

namespace warpline {

/// `text` (UTF-8) with capital letters as small ones, of the scripts whose letters have both: Latin with
/// accents, of full width too, Greek, Cyrillic and Armenian. What is compared without regard to case,
/// whatever the locale. Other bytes, also broken ones, stay as they are.
std::string foldedCase(std::string_view text);

} // namespace warpline
