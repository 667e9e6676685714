#pragma once

#include "core/base/time.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace warpline {

/// Times that ascend, at half the memory: 4 bytes each where 64 neighbours lie within four seconds.
class PackedTimes {
public:
    static constexpr std::size_t blockSize = 64;

    /// Makes room for `times`; what is not used costs address space only.
    void reserve(std::size_t times) { m_offsets.reserve(times); }
    /// Gives room back where most of it is not used.
    void trim()
    {
        if (m_offsets.capacity() / 2 > size())
            m_offsets.shrink_to_fit();
    }
    std::size_t size() const { return m_offsets.size(); }
    bool empty() const { return m_offsets.empty(); }
    Ns operator[](std::size_t i) const
    {
        assert(i < m_offsets.size()); // the library's, which release builds have, would cost 2% here
        const std::size_t wide = m_offsets.data()[i - i % blockSize];
        return wide == 0 ? m_starts.data()[i / blockSize] + m_offsets.data()[i]
                         : m_wide[(wide - 1) * blockSize + i % blockSize];
    }
    Ns front() const { return (*this)[0]; }
    Ns back() const { return (*this)[size() - 1]; }
    /// Adds `time`, which is no earlier than the last.
    void push_back(Ns time)
    {
        const std::size_t first = size() - size() % blockSize;
        if (first == size())
            m_starts.push_back(time);
        const std::uint64_t offset
            = static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(m_starts.back());
        if (offset <= std::numeric_limits<std::uint32_t>::max() && (first == size() || m_offsets[first] == 0))
            m_offsets.push_back(static_cast<std::uint32_t>(offset));
        else
            addWide(first, time);
    }
    /// How many are no later than `time`. O(log n).
    std::size_t until(Ns time) const
    {
        const auto next = std::ranges::upper_bound(m_starts, time);
        if (next == m_starts.begin())
            return 0;
        const std::size_t first = static_cast<std::size_t>(next - m_starts.begin() - 1) * blockSize;
        std::size_t count = first + 1;
        std::size_t end = std::min(first + blockSize, size());
        while (count < end) {
            const std::size_t middle = count + (end - count) / 2;
            if ((*this)[middle] <= time)
                count = middle + 1;
            else
                end = middle;
        }
        return count;
    }

private:
    void addWide(std::size_t first, Ns time)
    {
        if (m_offsets[first] == 0) {
            for (std::size_t i = first; i < size(); ++i)
                m_wide.push_back((*this)[i]);
            m_offsets[first] = static_cast<std::uint32_t>((m_wide.size() - 1) / blockSize + 1);
        }
        m_offsets.push_back(0);
        m_wide.push_back(time);
    }

    std::vector<Ns> m_starts; ///< the first time of each block of 64
    /// From the start of their block, ns. The first is 0, unless 32 bits are too few for a block: then it is
    /// where the times of the block are in m_wide, in blocks from 1 on, and the others say nothing.
    std::vector<std::uint32_t> m_offsets;
    std::vector<Ns> m_wide;
};

} // namespace warpline
