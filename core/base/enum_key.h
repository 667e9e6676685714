#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace warpline {

/// The key of `value` among `keys`, which are in the order of the enumerators; of a value beyond them the
/// last one.
template <typename Enum, std::size_t count>
constexpr std::string_view keyIn(const std::string_view (&keys)[count], Enum value)
{
    return keys[std::min(static_cast<std::size_t>(value), count - 1)];
}

} // namespace warpline
