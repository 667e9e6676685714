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

/// How much of `exposed`, the time of copies in which no kernel runs, overlap can save at most. Both
/// directions and the kernels can run at once: what is left is the longest of them, the copies for `needed`.
constexpr Ns hiddenAtMost(Ns exposed, Ns kernels, Ns needed)
{
    return std::clamp(exposed - std::max<Ns>(0, needed - kernels), Ns{0}, exposed);
}

} // namespace warpline
