#pragma once

#include "core/base/time.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace warpline {

/// Times that ascend, at half the memory: 4 bytes each where 64 neighbours lie within four seconds.
class PackedTimes {
public:
    /// Makes room for `times`; what is not used costs address space only.
    void reserve(std::size_t times) { m_offsets.reserve(times); }
    std::size_t size() const { return m_offsets.size(); }
    bool empty() const { return m_offsets.empty(); }
    Ns operator[](std::size_t i) const
    {
        const Block& block = m_blocks[i / blockSize];
        return block.wide == notWide ? block.start + m_offsets[i] : m_wide[block.wide + i % blockSize];
    }
    Ns front() const { return (*this)[0]; }
    Ns back() const { return (*this)[size() - 1]; }
    /// Adds `time`, which is no earlier than the last.
    void push_back(Ns time)
    {
        if (size() % blockSize == 0)
            m_blocks.push_back({time});
        const Block& block = m_blocks.back();
        const std::uint64_t offset
            = static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(block.start);
        if (block.wide == notWide && offset <= std::numeric_limits<std::uint32_t>::max())
            m_offsets.push_back(static_cast<std::uint32_t>(offset));
        else
            addWide(time);
    }
    /// How many are no later than `time`. O(log n).
    std::size_t until(Ns time) const
    {
        const auto next = std::ranges::upper_bound(m_blocks, time, {}, &Block::start);
        if (next == m_blocks.begin())
            return 0;
        const std::size_t first = static_cast<std::size_t>(next - m_blocks.begin() - 1) * blockSize;
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
    static constexpr std::size_t blockSize = 64;
    static constexpr std::size_t notWide = std::numeric_limits<std::size_t>::max();

    /// 64 neighbours.
    struct Block {
        Ns start; ///< the first
        std::size_t wide = notWide; ///< where its times begin in m_wide, if 32 bits are too few for them
    };

    void addWide(Ns time)
    {
        if (m_blocks.back().wide == notWide) {
            const std::size_t begin = m_wide.size();
            for (std::size_t i = (m_blocks.size() - 1) * blockSize; i < size(); ++i)
                m_wide.push_back((*this)[i]);
            m_blocks.back().wide = begin;
        }
        m_offsets.push_back(0);
        m_wide.push_back(time);
    }

    std::vector<Block> m_blocks;
    std::vector<std::uint32_t>
        m_offsets; ///< from the start of their block, ns; those of a wide one say nothing
    std::vector<Ns> m_wide;
};

} // namespace warpline
