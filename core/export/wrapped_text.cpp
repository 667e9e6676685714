#include "core/export/wrapped_text.h"

#include <algorithm>

namespace warpline {

namespace {

/// Characters of UTF-8: continuation bytes take no room.
std::size_t lengthOf(std::string_view text)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

void appendWrapped(std::string& lines, std::string_view line, std::size_t width, const std::string& next)
{
    std::size_t used = 0;
    for (std::size_t at = 0; at < line.size();) {
        const std::size_t space = std::min(line.find(' ', at), line.size());
        const std::string_view word = line.substr(at, space - at);
        at = space + 1;
        const std::size_t length = lengthOf(word);
        if (used > 0 && used + 1 + length > width) {
            lines += next;
            used = 0;
        } else if (used > 0) {
            lines += ' ';
            ++used;
        }
        lines += word;
        used += length;
    }
}

} // namespace

std::string wrappedText(std::string_view text, std::size_t width, std::size_t indent)
{
    const std::string next = "\n" + std::string(indent, ' ');
    std::string lines;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        if (at > 0)
            lines += next;
        if (line.starts_with(' '))
            lines += line;
        else
            appendWrapped(lines, line, width, next);
        at = end + 1;
    }
    return lines;
}

} // namespace warpline
