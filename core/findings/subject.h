#pragma once

#include "core/base/ids.h"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpline {

/// What a finding is about beside its process and its GPU: what distinguishes it from others of its rule.
struct Subject {
    enum class Kind : std::uint8_t {
        Whole, ///< all that the rule looks at
        Part, ///< one of several things that the rule looks for; `name` is the rule's own word
        Cause, ///< of idle time: the word that gpu_idle_cause has for it
        Range, ///< NVTX ranges: their pattern, see StepSeries::pattern
        Steps, ///< steps by name
        Call, ///< a function of an API
        Kernel,
        Function, ///< of the program
        Direction, ///< of copies
    };
    Kind kind = Kind::Whole;
    std::string name; ///< without what changes from run to run; empty for Whole
    std::string thread = {}; ///< of several threads with the same trouble: whose; else empty

    friend bool operator==(const Subject&, const Subject&) = default;
    friend auto operator<=>(const Subject&, const Subject&) = default;
};

/// "range:load", "call:cudaMalloc, thread [524] worker"; empty for the whole.
std::string keyOf(const Subject& subject);

/// Which finding of a report it is: one of a rule has each subject. Nothing of its text is in it.
struct FindingId {
    std::string_view rule;
    GlobalId process = 0;
    std::int32_t device = -1;
    Subject subject;

    friend bool operator==(const FindingId&, const FindingId&) = default;
    friend auto operator<=>(const FindingId&, const FindingId&) = default;
};

} // namespace warpline
