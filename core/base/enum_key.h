#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace warpline {

/// The key of `value` among `keys`, one for each enumerator up to `last`, in their order; of a value beyond
/// them the last one.
template <auto last, std::size_t count>
constexpr std::string_view keyIn(const std::string_view (&keys)[count], decltype(last) value)
{
    static_assert(
        count == static_cast<std::size_t>(last) + 1, "an enumerator has no key, or a key no enumerator");
    return keys[std::min(static_cast<std::size_t>(value), count - 1)];
}

} // namespace warpline
