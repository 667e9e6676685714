#pragma once

#include "core/base/time.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace warpline {

/// Times by place, 0 to size() - 1, of which the first or the last that is late enough is found in O(log n).
class MaxTree {
public:
    static constexpr Ns none = std::numeric_limits<Ns>::min(); ///< a place without a time

    /// Room for `places`, none of which has a time.
    void reset(std::size_t places)
    {
        m_leaves = std::bit_ceil(std::max<std::size_t>(1, places));
        m_latest.assign(m_leaves * 2, none);
    }

    std::size_t size() const { return m_leaves; }

    void set(std::size_t place, Ns time)
    {
        std::size_t node = place + m_leaves;
        m_latest[node] = time;
        while ((node /= 2) > 0)
            m_latest[node] = std::max(m_latest[node * 2], m_latest[node * 2 + 1]);
    }

    /// The first place with a time of `least` or later.
    std::optional<std::size_t> first(Ns least) const
    {
        return find(least, [&](std::size_t left) { return holds(left, least) ? left : left + 1; });
    }
    /// The last of them.
    std::optional<std::size_t> last(Ns least) const
    {
        return find(least, [&](std::size_t left) { return holds(left + 1, least) ? left + 1 : left; });
    }

private:
    bool holds(std::size_t node, Ns least) const { return m_latest[node] != none && m_latest[node] >= least; }

    template <typename Child> std::optional<std::size_t> find(Ns least, Child&& childOf) const
    {
        if (m_leaves == 0 || !holds(1, least))
            return std::nullopt;
        std::size_t node = 1;
        while (node < m_leaves)
            node = childOf(node * 2);
        return node - m_leaves;
    }

    std::size_t m_leaves = 0;
    std::vector<Ns> m_latest; ///< of each node the latest below it; the root is 1
};

} // namespace warpline
