#pragma once

#include "core/findings/rule.h"

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

} // namespace warpline
