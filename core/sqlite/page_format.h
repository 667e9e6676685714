#pragma once

// How SQLite lays out pages, cells and records: https://www.sqlite.org/fileformat2.html,
// sections 1.3, 1.6, 2.1.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace warpline::sqlite {

using Byte = unsigned char;

/// Readers may read this many bytes beyond what they check later: buffers have as much padding.
inline constexpr std::size_t pagePadding = 32;

inline constexpr std::size_t fileHeaderBytes = 100;
inline constexpr Byte leafOfTable = 0x0D;
inline constexpr Byte interiorOfTable = 0x05;
inline constexpr std::size_t leafHeaderBytes = 8;
inline constexpr std::size_t interiorHeaderBytes = 12;

/// The most cells that a page can have: each takes four bytes at least, and two for its place. SQLite takes
/// a page with more for damaged.
inline std::uint32_t mostCells(std::uint32_t pageBytes)
{
    return (pageBytes - 8) / 6;
}

inline std::uint32_t bigEndian16(const Byte* at)
{
    return static_cast<std::uint32_t>(at[0]) << 8U | at[1];
}

inline std::uint32_t bigEndian32(const Byte* at)
{
    return bigEndian16(at) << 16U | bigEndian16(at + 2);
}

/// The next eight bytes as a big-endian number.
inline std::uint64_t bigEndian64(const Byte* at)
{
    std::uint64_t value = 0;
    std::memcpy(&value, at, sizeof value);
    if constexpr (std::endian::native == std::endian::little)
        value = __builtin_bswap64(value);
    return value;
}

/// Reads a variable-length number of 1 to 9 bytes into `value`; returns the place after it. May read 9 bytes.
inline const Byte* readVarint(const Byte* at, std::uint64_t& value)
{
    constexpr unsigned more = 0x80;
    constexpr unsigned low = 0x7F;
    constexpr int wholeByte = 8; // the ninth byte gives all of its bits
    if (*at < more) {
        value = *at;
        return at + 1;
    }
    std::uint64_t sum = 0;
    for (int i = 0; i < wholeByte; ++i) {
        sum = sum << 7U | (at[i] & low);
        if (at[i] < more) {
            value = sum;
            return at + i + 1;
        }
    }
    value = sum << 8U | at[wholeByte];
    return at + wholeByte + 1;
}

/// Bytes that a value of `serialType` takes in a record's body.
inline std::uint64_t serialBytes(std::uint64_t serialType)
{
    constexpr std::array<std::uint8_t, 12> numbers{0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};
    return serialType < numbers.size() ? numbers[serialType] : (serialType - numbers.size()) / 2;
}

/// Serial types 10 and 11 are reserved for SQLite and must not be in a file.
inline bool isReserved(std::uint64_t serialType)
{
    return serialType == 10 || serialType == 11;
}

/// How many of a leaf cell's `payload` bytes are on the leaf itself.
inline std::uint64_t localBytes(std::uint64_t payload, std::uint32_t usable)
{
    const std::uint64_t most = usable - 35;
    if (payload <= most)
        return payload;
    const std::uint64_t least = (usable - 12) * 32ULL / 255 - 23;
    const std::uint64_t fitting = least + (payload - least) % (usable - 4);
    return fitting <= most ? fitting : least;
}

} // namespace warpline::sqlite
