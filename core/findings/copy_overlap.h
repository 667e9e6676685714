#pragma once

#include "core/base/time.h"
#include "core/store/event_table.h"

#include <algorithm>

namespace warpline {

constexpr bool isToDevice(CopyKind kind)
{
    return kind == CopyKind::HtoD || kind == CopyKind::HtoA;
}

/// Time of copies between host and device in each direction: the link carries both at once.
struct CopyDirections {
    Ns toDevice = 0;
    Ns toHost = 0;

    void add(CopyKind kind, Ns time) { (isToDevice(kind) ? toDevice : toHost) += time; }
    Ns sum() const { return toDevice + toHost; }
    Ns longest() const { return std::max(toDevice, toHost); }
};

/// The upper bound of saving by overlap of `exposed`, the time of copies without kernels. Both directions and
/// kernels can overlap: the longest of them remains, the copies with `needed`.
constexpr Ns hiddenAtMost(Ns exposed, Ns kernels, Ns needed)
{
    return std::clamp(exposed - std::max<Ns>(0, needed - kernels), Ns{0}, exposed);
}

} // namespace warpline
