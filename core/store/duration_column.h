#pragma once

#include "core/base/time.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace warpline {

/// Durations in ns at four bytes each. The few of at least 4.29 s are stored separately: their cell holds
/// `escape`, and a map from the row has the real length.
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
    /// Row i becomes the former row order[i]. `order` is a permutation of all rows. `scratch` is a buffer, of
    /// the same size afterwards.
    void permute(std::span<const std::uint32_t> order, std::vector<std::uint32_t>& scratch);
    /// Leaves the first `rows` rows.
    void truncate(std::size_t rows);
    /// Gives back room that was reserved for rows that never came.
    void trim();
    /// True when all are shorter than 4.29 s.
    bool allShort() const { return m_long.empty(); }
    /// Sum over rows [first, last). O(last - first).
    Ns sum(std::size_t first, std::size_t last) const;
    /// Asks for the memory of row i before it is needed.
    void prefetch(std::size_t i) const { __builtin_prefetch(m_short.data() + i); }
    std::size_t bytes() const;

    /// Hands all that the column holds to `archive`, which writes or reads it.
    template <typename Archive> void describe(Archive& archive) const { describeParts(archive, *this); }
    template <typename Archive> void describe(Archive& archive) { describeParts(archive, *this); }

private:
    template <typename Archive, typename Self> static void describeParts(Archive& archive, Self& self)
    {
        constexpr bool reads = !std::is_const_v<Self>;
        std::vector<std::uint64_t> rows;
        std::vector<Ns> lengths;
        if constexpr (!reads) {
            for (const auto& [row, length] : self.m_long) {
                rows.push_back(row);
                lengths.push_back(length);
            }
        }
        archive(self.m_short);
        archive(rows);
        archive(lengths);
        if constexpr (reads) {
            // Each escaped cell needs its true length.
            archive.check(rows.size() == lengths.size()
                && static_cast<std::size_t>(std::ranges::count(self.m_short, escape)) == rows.size());
            for (std::size_t i = 0; archive.ok() && i < rows.size(); ++i) {
                if (archive.check(rows[i] < self.m_short.size() && self.m_short[rows[i]] == escape))
                    archive.check(self.m_long.emplace(rows[i], lengths[i]).second);
            }
        }
    }

    std::vector<std::uint32_t> m_short;
    std::unordered_map<std::size_t, Ns> m_long;
};

} // namespace warpline
