#pragma once

#include "core/base/platform/platform.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <span>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpline {

/// 64 bits that tell `bytes` from bytes that were changed or cut (XXH3).
std::uint64_t hashOf(std::span<const std::byte> bytes);

/// Every block begins at a multiple of this, so that columns can be read where they lie.
inline constexpr std::size_t archiveAlignment = 8;

/// Writes values one after another, each as a block: its length and hash (8 bytes each), then its bytes. Only
/// for this machine: numbers and records are written as they lie in memory. A failed write shows in ok().
class ArchiveWriter {
public:
    /// Fails as soon as `stop` is requested.
    ArchiveWriter(const std::string& path, std::stop_token stop)
        : m_file(platform::pathOf(path), std::ios::binary | std::ios::trunc),
          m_stop(std::move(stop))
    {
    }

    template <typename T> void operator()(const T& value)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        block(std::as_bytes(std::span(&value, 1)));
    }
    template <typename T> void operator()(const std::vector<T>& column)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        block(std::as_bytes(std::span(column)));
    }
    void operator()(const std::string& text) { block(std::as_bytes(std::span(text))); }

    /// Writes `value` without a block around it: for what has a place of its own.
    template <typename T> void raw(const T& value)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        m_file.write(reinterpret_cast<const char*>(&value), sizeof value);
    }
    /// Where the next block goes.
    std::uint64_t place() { return static_cast<std::uint64_t>(m_file.tellp()); }
    void goTo(std::uint64_t place) { m_file.seekp(static_cast<std::streamoff>(place)); }
    /// Writes out what is buffered. False when anything failed so far.
    bool close();
    bool ok() const { return m_file.good(); }

private:
    void block(std::span<const std::byte> bytes);

    std::ofstream m_file;
    std::stop_token m_stop;
};

/// Whether each of `ids`, ids of names or rows, is one of the first `count`.
template <typename Id> bool areBelow(const std::vector<Id>& ids, std::size_t count)
{
    return std::ranges::all_of(ids, [count](Id id) { return static_cast<std::uint32_t>(id) < count; });
}

/// Reads what ArchiveWriter wrote, in the same order. A block that is cut off, was changed or has another
/// size than asked for makes the reader fail: from then on it reads nothing, and ok() is false.
class ArchiveReader {
public:
    explicit ArchiveReader(std::span<const std::byte> bytes)
        : m_rest(bytes)
    {
    }

    template <typename T> void operator()(T& value)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        const std::span<const std::byte> bytes = block();
        if (!check(bytes.size() == sizeof(T)))
            return;
        if constexpr (std::is_same_v<T, bool>) // a byte may be neither
            value = check(bytes[0] <= std::byte{1}) && bytes[0] == std::byte{1};
        else
            std::memcpy(&value, bytes.data(), sizeof(T));
    }
    template <typename T> void operator()(std::vector<T>& column)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        const std::span<const std::byte> bytes = block();
        if (!check(bytes.size() % sizeof(T) == 0))
            return;
        static_assert(alignof(T) <= archiveAlignment);
        const auto* const first = reinterpret_cast<const T*>(bytes.data());
        column.assign(first, first + bytes.size() / sizeof(T)); // without clearing the room first
    }
    void operator()(std::string& text)
    {
        const std::span<const std::byte> bytes = block();
        text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }

    bool ok() const { return !m_failed; }
    /// Fails the reader when `holds` is false, for checks of what was read. True when it has not failed.
    bool check(bool holds)
    {
        m_failed = m_failed || !holds;
        return !m_failed;
    }

private:
    /// The bytes of the next block; none after a failure.
    std::span<const std::byte> block();

    std::span<const std::byte> m_rest;
    bool m_failed = false;
};

} // namespace warpline
