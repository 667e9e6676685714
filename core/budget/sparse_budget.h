#pragma once

#include "core/budget/gpu_budget.h"

#include <cstdint>
#include <vector>

namespace warpline {

/// A Budget that stores only nonzero parts: a step has about five of fifty, and a large report half a million
/// steps.
class SparseBudget {
public:
    SparseBudget() = default;
    explicit SparseBudget(const Budget& budget);

    /// The size of the Budget that it stores.
    std::size_t size() const { return m_size; }
    /// The time of `part` (below size()). O(parts that took time).
    Ns operator[](std::size_t part) const;
    void addTo(Budget& sums) const; ///< `sums` has size() parts or more
    Budget whole() const; ///< the full Budget

private:
    struct Part {
        Ns time;
        std::uint32_t part;
    };
    std::vector<Part> m_parts; ///< by part
    std::uint32_t m_size = 0;
};

} // namespace warpline
