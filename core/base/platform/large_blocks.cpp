// Columns of millions of events are blocks of many megabytes, each filled once from front to back. A query on
// a long report allocates and frees a hundred of them. The C library returns each to the system at once, and
// the system clears every page again: more than half of the time of analyzing such a report. So large blocks
// that are released are kept for reuse, and new ones have pages of 2 MB on Linux. Windows cannot move pages:
// blocks that are too short go back to the system.
//
// Replaces operator new and delete for large blocks only. Sanitizer builds keep the sanitizer's allocator.

#include "core/base/platform/large_blocks.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WARPLINE_CHECKS_MEMORY
#elif defined(__has_feature) // clang has other names for it
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WARPLINE_CHECKS_MEMORY
#endif
#endif

#if (defined(__linux__) || defined(_WIN32)) && !defined(WARPLINE_CHECKS_MEMORY)

#include "core/base/platform/spare_ranges.h"

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <sys/mman.h>
#endif

#include <cstdlib>
#include <mutex>
#include <new>

namespace warpline::platform {

namespace {

constexpr std::size_t largePage = std::size_t{2} << 20U;
constexpr std::size_t largeBlock = 4 * largePage;

void* placeOf(std::uintptr_t start)
{
    return reinterpret_cast<void*>(start);
}

#if defined(_WIN32)

/// Is ready before anything is initialized, which std::mutex is not here.
class Mutex {
public:
    void lock() { ::AcquireSRWLockExclusive(&m_lock); }
    void unlock() { ::ReleaseSRWLockExclusive(&m_lock); }

private:
    SRWLOCK m_lock = SRWLOCK_INIT;
};

/// A reserved address range. Pages are committed and released inside; neighbouring free ranges are merged.
/// Thread-safe.
class Arena {
public:
    AddressRange take(std::size_t bytes)
    {
        const std::scoped_lock lock(m_mutex);
        if (m_all.bytes == 0)
            reserve();
        std::optional<AddressRange> range = m_empty.take(bytes);
        if (!range && m_used + bytes <= m_all.bytes) {
            range = AddressRange{m_all.start + m_used, bytes};
            m_used += bytes;
        }
        if (!range)
            return {};
        if (::VirtualAlloc(placeOf(range->start), bytes, MEM_COMMIT, PAGE_READWRITE))
            return *range;
        m_empty.add(*range);
        return {};
    }

    void giveBack(AddressRange range)
    {
        ::VirtualFree(placeOf(range.start), range.bytes, MEM_DECOMMIT);
        const std::scoped_lock lock(m_mutex);
        m_empty.add(range); // where there is no room to remember it, only addresses are lost
    }

private:
    /// Reserves address space of four times the machine's memory: more is never in use.
    void reserve()
    {
        MEMORYSTATUSEX memory{};
        memory.dwLength = sizeof memory;
        if (!::GlobalMemoryStatusEx(&memory))
            return;
        const std::size_t bytes = static_cast<std::size_t>(memory.ullTotalPhys) * 4;
        const auto from = reinterpret_cast<std::uintptr_t>(
            ::VirtualAlloc(nullptr, bytes + largePage, MEM_RESERVE, PAGE_READWRITE));
        if (from != 0)
            m_all = {(from + largePage - 1) / largePage * largePage, bytes};
    }

    Mutex m_mutex;
    AddressRange m_all;
    std::size_t m_used = 0; ///< of m_all, from its beginning
    SpareRanges m_empty; ///< ranges whose pages were given back
};

constinit Arena arena;

void giveBack(AddressRange range)
{
    arena.giveBack(range);
}

AddressRange freshRange(std::size_t bytes)
{
    return arena.take(bytes);
}

/// `to` already has fresh pages: gives back those of `from`, so that no more are in use than before.
bool movePieces(AddressRange from, std::uintptr_t)
{
    giveBack(from);
    return true;
}

#else

using Mutex = std::mutex;

void giveBack(AddressRange range)
{
    ::munmap(placeOf(range.start), range.bytes);
}

/// Fresh memory of the system that begins with a large page; empty where there is none.
AddressRange freshRange(std::size_t bytes)
{
    void* const place
        = ::mmap(nullptr, bytes + largePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED)
        return {};
    const auto from = reinterpret_cast<std::uintptr_t>(place);
    const AddressRange range{(from + largePage - 1) / largePage * largePage, bytes};
    if (range.start > from)
        giveBack({from, range.start - from});
    if (const std::uintptr_t end = from + bytes + largePage; end > range.end())
        giveBack({range.end(), end - range.end()});
    ::madvise(placeOf(range.start), bytes, MADV_HUGEPAGE); // a hint: it may fail
    return range;
}

/// Moves the pages of `from` to `to`, which holds fresh memory. False where the system refuses: then `to` is
/// fresh again, or, when `lost` is set, unmapped.
bool movePages(AddressRange from, std::uintptr_t to, bool& lost)
{
    if (::mremap(placeOf(from.start), from.bytes, from.bytes, MREMAP_MAYMOVE | MREMAP_FIXED, placeOf(to))
        != MAP_FAILED)
        return true;
    lost = ::mmap(placeOf(to), from.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
               -1, 0)
        == MAP_FAILED;
    return false;
}

/// The same for a range that was joined from several, which move one page at a time; pages that cannot be
/// moved are given back. False: a part of `to` is unmapped.
bool movePieces(AddressRange from, std::uintptr_t to)
{
    bool lost = false;
    if (movePages(from, to, lost))
        return true;
    for (std::size_t done = 0; done < from.bytes && !lost; done += largePage) {
        const AddressRange page{from.start + done, largePage};
        if (!movePages(page, to + done, lost))
            giveBack(page);
    }
    return !lost;
}

#endif

class LargeBlocks {
public:
    /// nullptr: there is no memory, or no room to remember the block.
    void* take(std::size_t bytes)
    {
        const std::size_t whole = (bytes + largePage - 1) / largePage * largePage;
        const std::scoped_lock lock(m_mutex);
        std::optional<AddressRange> block = m_spare.take(whole);
        if (!block)
            block = puzzledTogether(whole);
        if (block->bytes > 0 && !m_live.add(*block)) {
            giveBack(*block);
            return nullptr;
        }
        return placeOf(block->start);
    }

    /// False when `block` is none of these.
    bool release(void* block)
    {
        const auto start = reinterpret_cast<std::uintptr_t>(block);
        if (start % largePage != 0)
            return false;
        const std::scoped_lock lock(m_mutex);
        const std::optional<AddressRange> range = m_live.remove(start);
        if (range && !m_spare.add(*range))
            giveBack(*range);
        return range.has_value();
    }

    void giveBackSpare()
    {
        // The system takes a tenth of a second to unmap a gigabyte, during which no thread gets memory, not
        // even the one that paints. So memory is unmapped in pieces.
        constexpr std::size_t piece = 8 * largePage;
        while (const std::optional<AddressRange> range = takeSpare(piece))
            giveBack(*range);
    }

    std::size_t spare()
    {
        const std::scoped_lock lock(m_mutex);
        return m_spare.bytes();
    }

private:
    std::optional<AddressRange> takeSpare(std::size_t bytes)
    {
        const std::scoped_lock lock(m_mutex);
        return m_spare.takePart(bytes);
    }

    /// Joins pages of shorter spare ranges to one block, with fresh pages only for the rest: spare memory
    /// never raises the peak.
    AddressRange puzzledTogether(std::size_t bytes)
    {
        const AddressRange block = freshRange(bytes);
        for (std::size_t filled = 0; filled < block.bytes;) {
            const std::optional<AddressRange> part = m_spare.takePart(block.bytes - filled);
            if (!part)
                break;
            if (!movePieces(*part, block.start + filled)) {
                giveBack(block);
                return {};
            }
            filled += part->bytes;
        }
        return block;
    }

    Mutex m_mutex;
    SpareRanges m_spare;
    LiveBlocks m_live;
};

// Made before anything asks for memory, and never destroyed: blocks are released until the very end.
constinit LargeBlocks blocks;

void* blockOf(std::size_t bytes) noexcept
{
    if (bytes >= largeBlock && bytes <= ~std::size_t{0} - 2 * largePage) {
        if (void* const block = blocks.take(bytes))
            return block;
    }
    return std::malloc(bytes > 0 ? bytes : 1);
}

} // namespace

void giveBackSpareMemory()
{
    blocks.giveBackSpare();
}

std::size_t spareMemory()
{
    return blocks.spare();
}

} // namespace warpline::platform

void* operator new(std::size_t bytes)
{
    while (true) {
        if (void* const block = warpline::platform::blockOf(bytes))
            return block;
        const std::new_handler handler = std::get_new_handler();
        if (handler == nullptr)
            throw std::bad_alloc();
        handler();
    }
}

void operator delete(void* block) noexcept
{
    if (block != nullptr && !warpline::platform::blocks.release(block))
        std::free(block);
}

void operator delete(void* block, std::size_t) noexcept
{
    operator delete(block);
}

#else

namespace warpline::platform {

void giveBackSpareMemory() { }

std::size_t spareMemory()
{
    return 0;
}

} // namespace warpline::platform

#endif
