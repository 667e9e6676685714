#pragma once

#include <functional>
#include <string_view>

namespace warpline {

/// Takes text in pieces, in order. Returns false to refuse more, for example when it cannot be written.
using TextSink = std::function<bool(std::string_view piece)>;

} // namespace warpline
