#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace warpline::platform {

/// A stretch of addresses.
struct AddressRange {
    std::uintptr_t start = 0;
    std::size_t bytes = 0;

    std::uintptr_t end() const { return start + bytes; }
};

/// Released ranges of memory, sorted by address; neighbours are joined. Allocates no memory, because it works
/// below operator new. Not thread-safe.
class SpareRanges {
public:
    static constexpr std::size_t most = 1024;

    std::size_t bytes() const { return m_bytes; }
    std::size_t count() const { return m_count; }

    /// False when there is no room to remember it: who calls must give it back to the system then.
    bool add(AddressRange range)
    {
        const std::size_t at = placeOf(range.start);
        const bool joinsLast = at > 0 && m_ranges[at - 1].end() == range.start;
        const bool joinsNext = at < m_count && range.end() == m_ranges[at].start;
        if (!joinsLast && !joinsNext && m_count == most)
            return false;
        m_bytes += range.bytes;
        if (joinsLast && joinsNext) {
            m_ranges[at - 1].bytes += range.bytes + m_ranges[at].bytes;
            erase(at);
        } else if (joinsLast) {
            m_ranges[at - 1].bytes += range.bytes;
        } else if (joinsNext) {
            m_ranges[at] = {range.start, range.bytes + m_ranges[at].bytes};
        } else {
            AddressRange* const place = m_ranges.data() + at;
            std::move_backward(place, m_ranges.data() + m_count, m_ranges.data() + m_count + 1);
            *place = range;
            ++m_count;
        }
        return true;
    }

    /// The front of the shortest stretch that has room for `bytes`; nothing when none has.
    std::optional<AddressRange> take(std::size_t bytes)
    {
        std::size_t best = m_count;
        for (std::size_t i = 0; i < m_count; ++i) {
            if (m_ranges[i].bytes >= bytes && (best == m_count || m_ranges[i].bytes < m_ranges[best].bytes))
                best = i;
        }
        if (best == m_count)
            return {};
        return takeFront(best, bytes);
    }

    /// The shortest stretch, or its front where it is longer than `bytes`; nothing when none is left.
    std::optional<AddressRange> takePart(std::size_t bytes)
    {
        if (m_count == 0)
            return {};
        AddressRange* const end = m_ranges.data() + m_count;
        AddressRange* const shortest = std::min_element(m_ranges.data(), end,
            [](const AddressRange& a, const AddressRange& b) { return a.bytes < b.bytes; });
        return takeFront(
            static_cast<std::size_t>(shortest - m_ranges.data()), std::min(bytes, shortest->bytes));
    }

private:
    std::size_t placeOf(std::uintptr_t start) const
    {
        const AddressRange* const end = m_ranges.data() + m_count;
        const AddressRange* const at = std::lower_bound(m_ranges.data(), end, start,
            [](const AddressRange& spare, std::uintptr_t value) { return spare.start < value; });
        return static_cast<std::size_t>(at - m_ranges.data());
    }

    void erase(std::size_t at)
    {
        AddressRange* const place = m_ranges.data() + at;
        std::move(place + 1, m_ranges.data() + m_count, place);
        --m_count;
    }

    AddressRange takeFront(std::size_t at, std::size_t bytes)
    {
        AddressRange& from = m_ranges[at];
        const AddressRange taken{from.start, bytes};
        from = {from.start + bytes, from.bytes - bytes};
        m_bytes -= bytes;
        if (from.bytes == 0)
            erase(at);
        return taken;
    }

    std::array<AddressRange, most> m_ranges{}; ///< by address; the first m_count of them
    std::size_t m_count = 0;
    std::size_t m_bytes = 0;
};

/// The large blocks in use, to distinguish them from the C library's when they are released. Not thread-safe.
class LiveBlocks {
public:
    /// False when there is no room to remember it.
    bool add(AddressRange block)
    {
        if (m_count >= m_blocks.size() / 4 * 3)
            return false;
        std::size_t at = slotOf(block.start);
        while (m_blocks[at].bytes != 0)
            at = next(at);
        m_blocks[at] = block;
        ++m_count;
        return true;
    }

    /// The block that starts at `start`, which is forgotten; nothing when it is none of them.
    std::optional<AddressRange> remove(std::uintptr_t start)
    {
        std::size_t at = slotOf(start);
        while (m_blocks[at].bytes != 0 && m_blocks[at].start != start)
            at = next(at);
        if (m_blocks[at].bytes == 0)
            return {};
        const AddressRange block = m_blocks[at];
        // Entries after it that had been displaced move up.
        std::size_t hole = at;
        for (std::size_t i = next(at); m_blocks[i].bytes != 0; i = next(i)) {
            const std::size_t wanted = slotOf(m_blocks[i].start);
            const bool mayMove = hole <= i ? wanted <= hole || wanted > i : wanted <= hole && wanted > i;
            if (mayMove) {
                m_blocks[hole] = m_blocks[i];
                hole = i;
            }
        }
        m_blocks[hole] = {};
        --m_count;
        return block;
    }

    std::size_t count() const { return m_count; }

private:
    static constexpr std::size_t slotCount = std::size_t{1} << 14U;

    static std::size_t slotOf(std::uintptr_t start)
    {
        return static_cast<std::size_t>((start >> 21U) * 0x9E3779B97F4A7C15U >> 40U) % slotCount;
    }
    static std::size_t next(std::size_t slot) { return (slot + 1) % slotCount; }

    std::array<AddressRange, slotCount> m_blocks{};
    std::size_t m_count = 0;
};

} // namespace warpline::platform
