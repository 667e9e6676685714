#pragma once

#include "core/stats/key_numbers.h"
#include "core/stats/names.h"

#include <string>
#include <string_view>

namespace warpline {

class Trace;

/// Labels of kernels in tables: the name in the requested naming, with "nvtx-name" after the name of an NVTX
/// range. Equal labels have equal numbers for grouping.
class KernelLabels {
public:
    /// `variant`: see StatsQuery::variant.
    KernelLabels(const Trace& trace, std::string_view variant)
        : m_trace(trace),
          m_variant(parseVariant(variant))
    {
    }

    /// Whether labels depend on the range.
    bool nameRanges() const { return m_variant.nvtxPrefix; }

    /// The number of kernel `kernel` that was launched in `range`, the innermost one; noIndex: in none.
    std::uint32_t numberOf(EventIndex kernel, EventIndex range);
    std::string labelOf(std::uint32_t number) const;
    /// The label as text, for a table that does not group.
    std::string label(EventIndex kernel, EventIndex range) const;

private:
    /// The names of an NVTX range and of a kernel.
    struct Pair {
        StringId range{};
        bool inRange = false;
        StringId kernel{};
        friend bool operator==(const Pair&, const Pair&) = default;
    };
    struct PairHash {
        std::size_t operator()(const Pair& pair) const
        {
            return (raw(pair.range) * 1099511628211ULL + raw(pair.kernel)) * 2 + (pair.inRange ? 1 : 0);
        }
    };
    std::string labelOf(const Pair& pair) const;
    Pair pairOf(EventIndex kernel, EventIndex range) const;

    const Trace& m_trace;
    NameVariant m_variant;
    KeyNumbers<Pair, PairHash> m_pairs; ///< with "nvtx-name"
};

} // namespace warpline
