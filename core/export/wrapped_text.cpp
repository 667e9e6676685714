#include "core/export/wrapped_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace warpline {

namespace {

struct Block {
    std::uint32_t first;
    std::uint32_t last;
};

// Wide blocks by Unicode's EastAsianWidth and general category, as far as names and texts use them.
constexpr std::array<Block, 9> wideBlocks{
    {{0x1100, 0x115F}, {0x2E80, 0xA4CF}, {0xAC00, 0xD7A3}, {0xF900, 0xFAFF}, {0xFE30, 0xFE6F},
        {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD}}};
constexpr std::array<Block, 4> narrowBlocks{
    {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}}};

bool isIn(std::span<const Block> blocks, std::uint32_t code)
{
    return std::ranges::any_of(
        blocks, [code](const Block& block) { return code >= block.first && code <= block.last; });
}

/// The length of the path that `text` begins with, up to a blank or a Chinese mark; 0: it begins with none.
std::size_t pathLength(std::string_view text)
{
    static constexpr std::string_view marks = " ，。、；：？！“”‘’「」『』《》";
    constexpr std::size_t longest = 4096;
    text = text.substr(0, longest);
    std::size_t end = 0;
    while (end < text.size()) {
        const Letter letter = firstLetterOf(text.substr(end));
        if (marks.find(letter.bytes) != marks.npos)
            break;
        end += letter.bytes.size();
    }
    return text.substr(0, end).find('/') != text.npos ? end : 0;
}

/// The first unbreakable part of `text`: up to a blank, or less between Chinese letters that are in no path.
std::string_view wordOf(std::string_view text)
{
    static constexpr std::string_view closing = "，。、；：？！）》」』”’";
    static constexpr std::string_view opening = "（《「『“‘";
    std::size_t end = pathLength(text); // whole for copying
    while (end < text.size() && text[end] != ' ') {
        const Letter letter = firstLetterOf(text.substr(end));
        const Letter next = firstLetterOf(text.substr(end + letter.bytes.size()));
        end += letter.bytes.size();
        const bool isBetweenWide = letter.columns == 2 || next.columns == 2;
        if (isBetweenWide && !next.bytes.empty() && closing.find(next.bytes) == closing.npos
            && opening.find(letter.bytes) == opening.npos)
            break;
    }
    return text.substr(0, end);
}

void appendWrapped(std::string& lines, std::string_view line, std::size_t width, const std::string& next)
{
    std::size_t used = 0;
    while (!line.empty()) {
        const bool isBehindBlank = line.front() == ' ';
        const std::string_view word = wordOf(line.substr(isBehindBlank ? 1 : 0));
        line.remove_prefix(word.size() + (isBehindBlank ? 1 : 0));
        const std::size_t length = columnsOf(word);
        const std::size_t blank = isBehindBlank && used > 0 ? 1 : 0;
        if (used > 0 && used + blank + length > width) {
            lines += next;
            used = 0;
        } else if (blank > 0) {
            lines += ' ';
            ++used;
        }
        lines += word;
        used += length;
    }
}

/// The part of `line` with its first `most` columns.
std::string_view firstColumns(std::string_view line, std::size_t most)
{
    std::size_t end = 0;
    for (std::size_t used = 0; end < line.size();) {
        const Letter letter = firstLetterOf(line.substr(end));
        used += letter.columns;
        if (used > most)
            break;
        end += letter.bytes.size();
    }
    return line.substr(0, end);
}

/// Where `line` ends when `room` of its bytes fit: behind the last word in them, or behind the first word.
std::size_t breakOf(std::string_view line, std::size_t room)
{
    std::size_t end = 0; // of the last word that fits
    for (;;) {
        const std::size_t begin = std::min(line.find_first_not_of(' ', end), line.size());
        const std::size_t next = begin + wordOf(line.substr(begin)).size();
        if (end > 0 && next > room)
            return end;
        end = next;
        if (end >= std::min(room, line.size())) // keep paths and commands whole for copying
            return end;
    }
}

/// See fittedText().
void appendFitted(std::string& lines, std::string_view line, std::size_t width)
{
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t indent = std::min(begin + 2, width / 2);
    std::size_t used = 0; // of the line that is written: its indentation
    while (used + columnsOf(line) > width) {
        const std::size_t end = breakOf(line, firstColumns(line, width - used).size());
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

Letter firstLetterOf(std::string_view text)
{
    if (text.empty())
        return {};
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t size = std::min<std::size_t>(first < 0x80 ? 1
            : first < 0xE0                                      ? 2
            : first < 0xF0                                      ? 3
                                                                : 4,
        text.size());
    std::uint32_t code = size == 1 ? first : first & (0xFFU >> (size + 1));
    for (std::size_t i = 1; i < size; ++i)
        code = code << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU);
    return {text.substr(0, size),
        isIn(wideBlocks, code)         ? std::size_t{2}
            : isIn(narrowBlocks, code) ? 0U
                                       : 1U};
}

std::size_t columnsOf(std::string_view text)
{
    std::size_t columns = 0;
    while (!text.empty()) {
        const Letter letter = firstLetterOf(text);
        columns += letter.columns;
        text.remove_prefix(letter.bytes.size());
    }
    return columns;
}

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
