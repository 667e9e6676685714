#include "core/store/callchains.h"

#include <algorithm>

namespace warpline {

std::span<const StackFrame> Callchains::stack(std::uint32_t chain) const
{
    const auto found = std::lower_bound(id.begin(), id.end(), chain);
    if (found == id.end() || *found != chain)
        return {};
    const auto row = static_cast<std::size_t>(found - id.begin());
    return std::span(frames).subspan(firstFrame[row], firstFrame[row + 1] - firstFrame[row]);
}

} // namespace warpline
