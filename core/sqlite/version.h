#pragma once

#include <string_view>

namespace warpline::sqlite {

/// The SQLite that this program runs with: "3.40.1".
std::string_view version();

} // namespace warpline::sqlite
