#pragma once

#include "core/findings/rule.h"

#include <algorithm>
#include <string>

namespace warpline {

/// How fast copies between host and device can be.
struct LinkRate {
    double bytesPerNs = 0; ///< 0: not known
    bool measured = false; ///< the best large pinned copy of the report; false: the typical rate of the link
    std::string name; ///< "PCIe 4.0 x16" when not measured
};

/// The rate of copies of `kind` on the GPU `device` of `process`: the best of pinned copies of at least
/// `least` bytes in the report. Without any, the practical rate of a PCIe x16 link for the GPU's generation
/// (four fifths of the nominal rate: 13 GB/s up to compute capability 7.5, 26 up to 8.9, 52 from 9.0).
LinkRate linkRate(const RuleContext& context, GlobalId process, std::int32_t device, CopyKind kind,
    std::uint64_t least = 1'000'000);

constexpr bool isToDevice(CopyKind kind)
{
    return kind == CopyKind::HtoD || kind == CopyKind::HtoA;
}

/// Arrays are textures.
constexpr bool isBetweenHostAndGpu(CopyKind kind)
{
    return kind == CopyKind::HtoD || kind == CopyKind::DtoH || kind == CopyKind::HtoA
        || kind == CopyKind::AtoH;
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
