#pragma once

#include <vector>

namespace warpline {

/// Empties `values` and gives its memory back. An assignment of {} would keep it: it takes the empty list for
/// the new values.
template <typename T> void release(std::vector<T>& values)
{
    std::vector<T>().swap(values);
}

} // namespace warpline
