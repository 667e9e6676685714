#pragma once

#include "core/base/time.h"

namespace warpline {

/// Arithmetic and traffic that a GPU did in some time, as the models of operators count them.
struct WorkSums {
    double flops = 0;
    double bytes = 0; ///< compulsory traffic
    double computeNs = 0; ///< time of the arithmetic at the peaks of its types
    double rooflineNs = 0; ///< time of the work at the roofline
    double knownNs = 0; ///< time of kernels with known FLOPs or bytes
    WorkSums& operator+=(const WorkSums& other)
    {
        flops += other.flops;
        bytes += other.bytes;
        computeNs += other.computeNs;
        rooflineNs += other.rooflineNs;
        knownNs += other.knownNs;
        return *this;
    }
    /// Model FLOPs utilization over `time`, 0..1: of all types, each by its own peak.
    double utilization(Ns time) const { return time > 0 ? computeNs / static_cast<double>(time) : 0; }
};

} // namespace warpline
