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

/// The part of `line` with its first `most` characters.
std::string_view firstCharacters(std::string_view line, std::size_t most)
{
    std::size_t end = 0;
    for (std::size_t characters = 0; end < line.size(); ++end) {
        const bool begins = (static_cast<unsigned char>(line[end]) & 0xC0U) != 0x80U;
        if (begins && characters++ == most)
            break;
    }
    return line.substr(0, end);
}

/// See fittedText().
void appendFitted(std::string& lines, std::string_view line, std::size_t width)
{
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t indent = std::min(begin + 2, width / 2);
    std::size_t used = 0; // of the line that is written: its indentation
    while (used + lengthOf(line) > width) {
        const std::string_view room = firstCharacters(line, width - used);
        const std::size_t blank = line[room.size()] == ' ' ? room.size() : room.find_last_of(' ');
        const bool hasWord = blank != std::string_view::npos && room.find_first_not_of(' ') < blank;
        if (hasWord)
            lines += room.substr(0, room.find_last_not_of(' ', blank) + 1);
        const std::size_t end = hasWord ? blank : std::min(line.find(' ', room.size()), line.size());
        if (!hasWord) // a path, or a part of a command: whoever copies it needs all of it
            lines += line.substr(0, end);
        line.remove_prefix(std::min(line.find_first_not_of(' ', end), line.size()));
        if (line.empty())
            return;
        used = indent;
        lines += '\n' + std::string(indent, ' ');
    }
    lines += line;
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

std::string fittedText(std::string_view text, std::size_t width)
{
    std::string lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        appendFitted(lines, text.substr(at, end - at), width);
        lines += end < text.size() ? "\n" : "";
        at = end + 1;
    }
    return lines;
}

} // namespace warpline
