#pragma once

#include <string>
#include <string_view>

namespace warpline {

/// Text of a report for a page: what HTML gives a meaning is escaped, bytes that are not UTF-8 are replaced.
std::string htmlText(std::string_view bytes);

} // namespace warpline
