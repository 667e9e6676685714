#include "core/import/payload_types.h"

#include "core/base/code_point.h"
#include "core/base/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace warpline {

namespace {

enum class Reading : std::uint8_t { None, Signed, Unsigned, Real, Address, Character, Half };

struct PlainType {
    std::int64_t type;
    std::uint8_t bytes;
    Reading reading;
};

// Numbers of nvToolsExtPayload.h.
constexpr auto plainTypes = std::to_array<PlainType>({
    {1, 1, Reading::Character}, // char
    {2, 1, Reading::Unsigned}, // unsigned char
    {3, 2, Reading::Signed}, // short
    {4, 2, Reading::Unsigned}, {5, 4, Reading::Signed}, // int
    {6, 4, Reading::Unsigned}, {7, 8, Reading::Signed}, // long
    {8, 8, Reading::Unsigned}, {9, 8, Reading::Signed}, // long long
    {10, 8, Reading::Unsigned}, {11, 1, Reading::Signed}, // int8_t ...
    {12, 1, Reading::Unsigned}, {13, 2, Reading::Signed}, {14, 2, Reading::Unsigned},
    {15, 4, Reading::Signed}, {16, 4, Reading::Unsigned}, {17, 8, Reading::Signed},
    {18, 8, Reading::Unsigned}, {19, 4, Reading::Real}, // float
    {20, 8, Reading::Real}, // double
    {22, 8, Reading::Unsigned}, // size_t
    {payloadAddress, 8, Reading::Address}, {24, 4, Reading::Unsigned}, // wchar_t
    {25, 1, Reading::Character}, // char8_t
    {26, 2, Reading::Unsigned}, {27, 4, Reading::Unsigned}, {32, 1, Reading::Unsigned}, // byte
    {42, 2, Reading::Half}, // 16-bit float
    {43, 4, Reading::Real}, // 32-bit float
    {44, 8, Reading::Real}, // 64-bit float
    {68, 4, Reading::Unsigned}, // category
    {69, 4, Reading::Unsigned}, // colour
    {70, 8, Reading::Unsigned}, // scope
    {71, 4, Reading::Unsigned}, // thread
    {72, 8, Reading::Unsigned}, {73, 4, Reading::Unsigned}, // process
    {74, 8, Reading::Unsigned}, {75, 8, Reading::Address}, // texts of a program that is gone: where they were
    {76, 8, Reading::Address}, {77, 8, Reading::Address}, {78, 8, Reading::Address},
    {80, 8, Reading::Unsigned}, // handle of a registered text
    {100, 1, Reading::Unsigned}, // selector of a union
    {128, 8, Reading::Unsigned}, // timestamp
});

const PlainType* find(std::int64_t type)
{
    const auto* const found = std::ranges::find(plainTypes, type, &PlainType::type);
    return type != 0 && found != plainTypes.end() ? found : nullptr;
}

template <typename Number> Number as(std::string_view bytes)
{
    Number number{};
    std::memcpy(&number, bytes.data(), std::min(sizeof number, bytes.size()));
    return number;
}

/// IEEE 754 binary16.
double halfValue(std::uint16_t bits)
{
    const int exponent = bits >> 10 & 31;
    const double fraction = (bits & 1023) / 1024.0;
    const double magnitude = exponent == 0 ? std::ldexp(fraction, -14)
        : exponent == 31                   ? (fraction == 0 ? HUGE_VAL : NAN)
                                           : std::ldexp(1 + fraction, exponent - 15);
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

template <typename Real> std::string realText(Real value)
{
    if (!std::isfinite(value))
        return std::isnan(value) ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"";
    return fmt::format("{}", value);
}

} // namespace

std::size_t payloadTypeBytes(std::int64_t type)
{
    const PlainType* const known = find(type);
    return known ? known->bytes : 0;
}

std::size_t payloadCharacterBytes(std::int64_t type)
{
    if (isPayloadText(type))
        return type == 78 ? 4 : type == 77 ? 2 : 1;
    const PlainType* const known = find(type);
    return known && known->reading == Reading::Character ? known->bytes : 0;
}

bool isPayloadText(std::int64_t type)
{
    return type >= 75 && type <= 78;
}

std::string payloadString(std::string_view bytes, std::size_t width)
{
    if (width == 1)
        return payloadText(bytes.substr(0, bytes.find('\0')));
    std::string text;
    for (std::size_t i = 0; i + width <= bytes.size(); i += width) {
        std::uint32_t code = 0;
        std::memcpy(&code, bytes.data() + i, width);
        if (code == 0)
            break;
        if (width == 2 && isHighSurrogate(code) && i + 2 * width <= bytes.size()) {
            i += width; // two halves of one character
            code = joinedSurrogates(code, as<std::uint16_t>(bytes.substr(i, width)));
        }
        appendUtf8(code, text);
    }
    return payloadText(text);
}

std::uint64_t payloadInteger(std::string_view bytes)
{
    return as<std::uint64_t>(bytes.substr(0, sizeof(std::uint64_t)));
}

std::string payloadScalar(std::int64_t type, std::string_view bytes)
{
    const PlainType* const known = find(type);
    const std::uint64_t number = payloadInteger(bytes);
    switch (known ? known->reading : Reading::None) {
    case Reading::Signed: {
        const unsigned unused = 64U - 8U * known->bytes;
        return fmt::format("{}", static_cast<std::int64_t>(number << unused) >> unused);
    }
    case Reading::Unsigned:
        return fmt::format("{}", number);
    case Reading::Real:
        return known->bytes == 4 ? realText(as<float>(bytes)) : realText(as<double>(bytes));
    case Reading::Half:
        return realText(halfValue(as<std::uint16_t>(bytes)));
    case Reading::Address:
        return fmt::format("\"0x{:x}\"", number);
    case Reading::Character:
        return payloadString(bytes, known->bytes);
    case Reading::None:
        break;
    }
    return "null";
}

std::string payloadEnum(std::uint64_t number, std::span<const std::pair<std::int64_t, std::string>> values,
    std::span<const std::pair<std::int64_t, std::string>> flags)
{
    for (const auto& [value, name] : values) {
        if (static_cast<std::uint64_t>(value) == number)
            return payloadText(name);
    }
    std::string names;
    std::uint64_t left = number;
    for (const auto& [value, name] : flags) {
        const auto bits = static_cast<std::uint64_t>(value);
        if (bits != 0 && (number & bits) == bits) {
            names += (names.empty() ? "" : "|") + name;
            left &= ~bits;
        }
    }
    return names.empty() || left != 0 ? fmt::format("{}", number) : payloadText(names);
}

std::string payloadText(std::string_view text)
{
    std::string json = "\"";
    for (const char c : toUtf8(text)) {
        if (c == '"' || c == '\\')
            json += '\\';
        if (static_cast<unsigned char>(c) < 0x20)
            json += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
            json += c;
    }
    return json + "\"";
}

} // namespace warpline
