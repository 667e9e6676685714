#include "core/base/utf8.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

namespace warpline {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// Length of the valid sequence at the front of `bytes`; 0 when it is not valid (RFC 3629: no surrogates, no
/// overlong forms, nothing beyond U+10FFFF).
std::size_t validLength(std::string_view bytes)
{
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const unsigned char lead = at(0);
    if (lead < 0x80)
        return lead == 0 ? 0 : 1;
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || bytes.size() < length)
        return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((at(i) & 0xC0U) != 0x80)
            return 0;
    }
    const unsigned char second = at(1);
    const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
    const bool surrogate = lead == 0xED && second >= 0xA0;
    const bool tooLarge = lead == 0xF4 && second >= 0x90;
    return overlong || surrogate || tooLarge ? 0 : length;
}

/// The character that the valid `sequence` is.
std::uint32_t codeOf(std::string_view sequence)
{
    const auto lead = static_cast<unsigned char>(sequence.front());
    if (sequence.size() == 1)
        return lead;
    std::uint32_t code = lead & (0x7FU >> sequence.size());
    for (const char tail : sequence.substr(1))
        code = code << 6U | (static_cast<unsigned char>(tail) & 0x3FU);
    return code;
}

/// Marks that break lines, or show text in another order than it has.
bool isLayoutControl(std::uint32_t code)
{
    return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E)
        || (code >= 0x2066 && code <= 0x206F);
}

/// C0, C1 and DEL, also a carriage return: terminals act on them.
bool isControl(std::uint32_t code)
{
    return isLayoutControl(code) || (code < 0x20 && code != '\n' && code != '\t')
        || (code >= 0x7F && code < 0xA0);
}

/// The bytes at the front of `text` that end a line, or move to a column: those of ASCII, and U+0085, U+2028
/// and U+2029.
std::size_t breakLength(std::string_view text)
{
    constexpr std::array<std::string_view, 3> breaks{"\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"};
    for (const std::string_view each : breaks) {
        if (text.starts_with(each))
            return each.size();
    }
    return text.front() >= '\t' && text.front() <= '\r' ? 1 : 0;
}

bool isNoncharacter(std::uint32_t code)
{
    return (code & 0xFFFEU) == 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF);
}

} // namespace

std::string toUtf8(std::string_view bytes)
{
    std::string text;
    text.reserve(bytes.size());
    while (!bytes.empty()) {
        const std::size_t length = validLength(bytes);
        if (length == 0)
            text += replacement;
        else
            text += bytes.substr(0, length);
        bytes.remove_prefix(length == 0 ? 1 : length);
    }
    return text;
}

std::string shownText(std::string_view bytes)
{
    std::string text;
    text.reserve(bytes.size());
    while (!bytes.empty()) {
        const std::size_t length = validLength(bytes);
        const std::string_view character = bytes.substr(0, length == 0 ? 1 : length);
        bytes.remove_prefix(character.size());
        const std::uint32_t code = length == 0 ? 0 : codeOf(character);
        if (length == 0 || isNoncharacter(code))
            text += replacement;
        else if (isControl(code))
            text += fmt::format("\\u{:04x}", code);
        else
            text += character;
    }
    return text;
}

std::string onOneLine(std::string_view text)
{
    std::string line;
    line.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = breakLength(text);
        line += length == 0 ? text.front() : ' ';
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return line;
}

} // namespace warpline
