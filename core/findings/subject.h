#pragma once

#include "core/base/ids.h"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpline {

/// The subject of a finding, which distinguishes it from others of its rule, with process and GPU.
struct Subject {
    enum class Kind : std::uint8_t {
        Whole, ///< all that the rule looks at
        Part, ///< one of several patterns of the rule; `name` is the rule's key
        Cause, ///< of idle time: the key of gpu_idle_cause
        Range, ///< NVTX ranges: their pattern, see StepSeries::pattern
        Steps, ///< steps by name
        Call, ///< a function of an API
        Kernel,
        Function, ///< of the program
        Direction, ///< of copies
    };
    Kind kind = Kind::Whole;
    std::string name; ///< without parts that change from run to run; empty for Whole
    std::string thread = {}; ///< the thread, when several have the same problem; else empty

    friend bool operator==(const Subject&, const Subject&) = default;
    friend auto operator<=>(const Subject&, const Subject&) = default;
};

/// "range:load", "call:cudaMalloc, thread [524] worker"; empty for the whole.
std::string keyOf(const Subject& subject);

/// Identifies a finding within a report: a rule has one finding per subject. Independent of its texts.
struct FindingId {
    std::string_view rule;
    GlobalId process = 0;
    std::int32_t device = -1;
    Subject subject;

    friend bool operator==(const FindingId&, const FindingId&) = default;
    friend auto operator<=>(const FindingId&, const FindingId&) = default;
};

} // namespace warpline
