#pragma once

#include <string>
#include <string_view>

namespace warpline {

/// `text` (UTF-8) in lower case, for comparing without case in any locale. Covers Latin (with accents, also
/// full width), Greek, Cyrillic and Armenian. Other bytes, also invalid ones, stay as they are.
std::string foldedCase(std::string_view text);

} // namespace warpline
