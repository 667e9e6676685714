#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace warpline {

/// NVTX_PAYLOAD_ENTRY_TYPE_ADDRESS.
inline constexpr std::int64_t payloadAddress = 23;

/// Bytes of a value of `type` (NVTX_PAYLOAD_ENTRY_TYPE_*, nvToolsExtPayload.h; C types as 64-bit Linux has
/// them); 0 for types that are not plain values.
std::size_t payloadTypeBytes(std::int64_t type);
/// Bytes per character of `type`, when lists of it are texts; else 0. Types 75 to 78 are texts themselves:
/// without a length the value is the address of a text.
std::size_t payloadCharacterBytes(std::int64_t type);
bool isPayloadText(std::int64_t type);
/// Characters of `width` bytes each, up to the first that is 0, as JSON.
std::string payloadString(std::string_view bytes, std::size_t width);
/// `bytes`, little-endian, as a number without a sign; the first eight of them.
std::uint64_t payloadInteger(std::string_view bytes);
/// A value of `type` as JSON.
std::string payloadScalar(std::int64_t type, std::string_view bytes);
/// `number` as JSON: the name of the value, the names of its flags joined with "|", or the number.
std::string payloadEnum(std::uint64_t number, std::span<const std::pair<std::int64_t, std::string>> values,
    std::span<const std::pair<std::int64_t, std::string>> flags);
/// `text` as a JSON string, valid UTF-8.
std::string payloadText(std::string_view text);

} // namespace warpline
