#pragma once

#include <functional>
#include <string_view>

namespace warpline {

/// Takes text in pieces, in order. False: no more is wanted, for instance because it cannot be written.
using TextSink = std::function<bool(std::string_view piece)>;

} // namespace warpline
