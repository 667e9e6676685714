#pragma once

#include "core/base/time.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace warpline {

/// Durations in ns at four bytes each. The few of 4.29 s and more are kept aside: their cell holds
/// `escape`, and a map from the row gives the true length.
class DurationColumn {
public:
    static constexpr std::uint32_t escape = 0xFFFFFFFFU;

    std::size_t size() const { return m_short.size(); }
    Ns operator[](std::size_t i) const { return m_short[i] != escape ? Ns{m_short[i]} : m_long.at(i); }
    /// `duration` must not be negative.
    void push_back(Ns duration);
    void reserve(std::size_t n) { m_short.reserve(n); }
    /// Appends all of `other`, in order.
    void append(const DurationColumn& other);
    /// Row i becomes what row order[i] was. `order` is a permutation of all rows. `scratch` is room to work
    /// in, and holds as much afterwards.
    void permute(std::span<const std::uint32_t> order, std::vector<std::uint32_t>& scratch);
    /// Gives back room that was reserved for rows that never came.
    void trim();
    /// Sum over rows [first, last). O(last - first).
    Ns sum(std::size_t first, std::size_t last) const;
    /// Asks for the memory of row i before it is needed.
    void prefetch(std::size_t i) const { __builtin_prefetch(m_short.data() + i); }
    std::size_t bytes() const;

private:
    std::vector<std::uint32_t> m_short;
    std::unordered_map<std::size_t, Ns> m_long;
};

} // namespace warpline
