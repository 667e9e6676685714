#pragma once

#include <string_view>

namespace warpline {

/// This program's version: "0.1.0".
std::string_view programVersion();

} // namespace warpline
