#pragma once

#include "core/base/time.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace warpline {

/// The parts of a DurationColumn, for access to its cells.
struct DurationParts {
    std::vector<std::uint32_t> cells; ///< DurationColumn::escape: the length is below
    std::vector<std::uint64_t> rows; ///< of those that are long, in any order
    std::vector<Ns> lengths; ///< of each of `rows`
};

/// Durations in ns at four bytes each. The few of at least 4.29 s are stored separately: their cell holds
/// `escape`, and a map from the row has the real length.
class DurationColumn {
public:
    static constexpr std::uint32_t escape = 0xFFFFFFFFU;

    DurationColumn() = default;
    /// Each cell that is `escape` has its length. The cells are not copied.
    explicit DurationColumn(DurationParts parts);
    /// Leaves the column empty. The cells are not copied.
    DurationParts take();

    std::size_t size() const { return m_short.size(); }
    Ns operator[](std::size_t i) const
    {
        assert(i < m_short.size()); // the library's, which release builds have, would cost here
        const std::uint32_t cell = m_short.data()[i];
        return cell != escape ? Ns{cell} : m_long.at(i);
    }
    /// `duration` must not be negative.
    void push_back(Ns duration);
    /// True when all are shorter than 4.29 s.
    bool allShort() const { return m_long.empty(); }
    /// Sum over rows [first, last). O(last - first).
    Ns sum(std::size_t first, std::size_t last) const;
    /// Asks for the memory of row i before it is needed.
    void prefetch(std::size_t i) const { __builtin_prefetch(m_short.data() + i); }
    std::size_t bytes() const;

    /// Hands all that the column holds to `archive`, which writes it.
    template <typename Archive> void describe(Archive& archive) const
    {
        const DurationParts parts = longParts();
        archive(m_short);
        archive(parts.rows);
        archive(parts.lengths);
    }
    /// Reads the same; checks that each escaped cell has its true length.
    template <typename Archive> void describe(Archive& archive)
    {
        DurationParts parts;
        archive(parts.cells);
        archive(parts.rows);
        archive(parts.lengths);
        const auto isEscaped
            = [&](std::uint64_t row) { return row < parts.cells.size() && parts.cells[row] == escape; };
        const auto escaped = static_cast<std::size_t>(std::ranges::count(parts.cells, escape));
        archive.check(parts.rows.size() == escaped && parts.lengths.size() == escaped
            && std::ranges::all_of(parts.rows, isEscaped));
        if (!archive.ok())
            return;
        *this = DurationColumn(std::move(parts));
        archive.check(m_long.size() == escaped);
    }

private:
    /// The parts without the cells.
    DurationParts longParts() const;

    std::vector<std::uint32_t> m_short;
    std::unordered_map<std::size_t, Ns> m_long;
};

} // namespace warpline
