#pragma once

#include <string_view>

namespace warpline {

/// The first letters of access tokens.
inline constexpr std::string_view accessTokenLetters("Aeghnsx");

/// The access token of a known service that begins at `at`: "hf_..."; empty: none.
std::string_view accessTokenAt(std::string_view text, std::size_t at);

} // namespace warpline
