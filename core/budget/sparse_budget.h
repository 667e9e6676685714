#pragma once

#include "core/budget/gpu_budget.h"

#include <cstdint>
#include <vector>

namespace warpline {

/// A Budget that keeps only the parts that took time: of some fifty parts a step has five, and a report of
/// millions of events may have half a million steps.
class SparseBudget {
public:
    SparseBudget() = default;
    explicit SparseBudget(const Budget& budget);

    /// As many as the Budget had that it was made of.
    std::size_t size() const { return m_size; }
    /// The time of `part` (below size()). O(parts that took time).
    Ns operator[](std::size_t part) const;
    void addTo(Budget& sums) const; ///< `sums` has size() parts or more
    Budget whole() const; ///< what it was made of

private:
    struct Part {
        Ns time;
        std::uint32_t part;
    };
    std::vector<Part> m_parts; ///< by part
    std::uint32_t m_size = 0;
};

} // namespace warpline
