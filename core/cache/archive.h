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

/// 64-bit hash (XXH3) that detects changed or truncated bytes.
std::uint64_t hashOf(std::span<const std::byte> bytes);

/// Every block begins at a multiple of this, so that columns can be read where they lie.
inline constexpr std::size_t archiveAlignment = 8;

/// Writes values in order, each as a block: its length and hash (8 bytes each), then its bytes. For this
/// machine only: numbers and records have the layout of memory. ok() is false after a failed write.
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
    template <typename... T>
    requires(sizeof...(T) > 1) void operator()(const T&... values) { ((*this)(values), ...); }

    /// Writes `value` without a block, for values at a fixed place.
    template <typename T> void raw(const T& value)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        m_file.write(reinterpret_cast<const char*>(&value), sizeof value);
    }
    /// File offset of the next block.
    std::uint64_t place() { return static_cast<std::uint64_t>(m_file.tellp()); }
    void goTo(std::uint64_t place) { m_file.seekp(static_cast<std::streamoff>(place)); }
    /// Flushes the buffer. False when any write failed.
    bool close();
    bool ok() const { return m_file.good(); }

private:
    void block(std::span<const std::byte> bytes);

    std::ofstream m_file;
    std::stop_token m_stop;
};

/// Whether each of `ids`, ids of names or rows, is below `count`.
template <typename Id> bool areBelow(const std::vector<Id>& ids, std::size_t count)
{
    return std::ranges::all_of(ids, [count](Id id) { return static_cast<std::uint32_t>(id) < count; });
}

/// Reads what ArchiveWriter wrote, in the same order. A truncated or changed block, or one of another size,
/// makes the reader fail: it reads nothing more, and ok() is false.
class ArchiveReader {
public:
    /// `name`: of the file that `bytes` are mapped from, whose disk may hang; empty: they are in memory.
    explicit ArchiveReader(std::span<const std::byte> bytes, std::string name = {})
        : m_rest(bytes),
          m_name(std::move(name))
    {
    }

    template <typename T> void operator()(T& value)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        const std::span<const std::byte> bytes = block();
        if (!check(bytes.size() == sizeof(T)))
            return;
        if constexpr (std::is_same_v<T, bool>) // a byte of the file may be neither 0 nor 1
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
    template <typename... T>
    requires(sizeof...(T) > 1) void operator()(T&... values) { ((*this)(values), ...); }

    bool ok() const { return !m_failed; }
    /// Fails the reader when `holds` is false: validates what was read. Returns true when the reader has not
    /// failed.
    bool check(bool holds)
    {
        m_failed = m_failed || !holds;
        return !m_failed;
    }

private:
    /// The bytes of the next block; none after a failure.
    std::span<const std::byte> block();

    std::span<const std::byte> m_rest;
    std::string m_name;
    bool m_failed = false;
};

} // namespace warpline
