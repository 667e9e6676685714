#pragma once

#include "core/findings/rule.h"

#include <string>

namespace warpline {

/// How fast copies between host and device can be.
struct LinkRate {
    double bytesPerNs = 0; ///< 0: not known
    bool measured = false; ///< the best large pinned copy of the report, else what the link usually carries
    std::string name; ///< "PCIe 4.0 x16" when not measured
};

/// The rate of copies of `kind` on the GPU `device` of `process`: the best that a pinned copy of `least`
/// bytes or more reaches in the report, or where there is none what a PCIe x16 link of the GPU's generation
/// carries in practice (four fifths of its nominal rate: 13 GB/s to compute capability 7.5, 26 to 8.9, 52
/// from 9.0).
LinkRate linkRate(const RuleContext& context, GlobalId process, std::int32_t device, CopyKind kind,
    std::uint64_t least = 1'000'000);

} // namespace warpline
