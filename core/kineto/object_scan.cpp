#include "core/kineto/object_scan.h"

#include "core/kineto/json_shape.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

/// The character before `at` that is no space; 0 when there is none.
char before(const char* begin, const char* at)
{
    while (at > begin && isJsonSpace(at[-1]))
        --at;
    return at > begin ? at[-1] : '\0';
}

/// Whether the text at `at` is one of the quoted keys with which an event begins.
bool isEventKey(const char* at, const char* end)
{
    static constexpr std::array<std::string_view, 7> keys{
        "\"ph\"", "\"name\"", "\"cat\"", "\"pid\"", "\"tid\"", "\"ts\"", "\"id\""};
    const std::string_view text(at, static_cast<std::size_t>(end - at));
    return std::ranges::any_of(keys, [&](std::string_view key) { return text.starts_with(key); });
}

/// Whether a newline inside a string shows an unescaped quote before it: the text after it looks like a new
/// line of JSON.
bool breaksString(const char* newline, const char* end)
{
    const char* const at = behindSpace(newline, end);
    return at < end && (*at == '"' || *at == '{' || *at == '}');
}

} // namespace

bool opensEvent(const char* begin, const char* at, const char* end)
{
    const char ahead = before(begin, at);
    return (ahead == ',' || ahead == '[') && isEventKey(behindSpace(at + 1, end), end);
}

Found scanText(std::string_view text, std::size_t from, std::size_t& end)
{
    for (std::size_t i = from + 1; i < text.size(); ++i) {
        if (text[i] == '\\') {
            ++i;
        } else if (text[i] == '"') {
            end = i + 1;
            return Found::Whole;
        }
    }
    return Found::Incomplete;
}

Found scanValue(std::string_view text, std::size_t from, std::size_t& end)
{
    if (text[from] == '"')
        return scanText(text, from, end);
    if (text[from] == '{' || text[from] == '[')
        return scanObject(text, from, end);
    end = text.find_first_of(",}", from);
    return end == std::string_view::npos ? Found::Incomplete : Found::Whole;
}

Found scanObject(std::string_view text, std::size_t from, std::size_t& end)
{
    const char* const begin = text.data();
    const char* const textEnd = begin + text.size();
    const char* const first = begin + from;
    const char* escaped = nullptr; // the character behind a backslash
    bool inString = false;
    std::size_t depth = 0;
    const auto broken = [&](const char* at) {
        end = static_cast<std::size_t>(at - begin);
        return Found::Broken;
    };
    Shape shape(first, textEnd);
    for (const char* at = shape.next(); at != textEnd; at = shape.next()) {
        if (at == escaped)
            continue;
        if (inString) {
            if (*at == '\\') {
                escaped = at + 1;
            } else if (*at == '"') {
                // With quotes and text the wrong way round, the key of the next event seems to be none.
                if (at[-1] == '{' && isEventKey(at, textEnd) && opensEvent(begin, at - 1, textEnd))
                    return broken(at - 1);
                inString = false;
            } else if (*at == '\n' && breaksString(at, textEnd)) {
                return broken(at);
            }
            continue;
        }
        switch (*at) {
        case '"':
            inString = true;
            break;
        case '{':
        case '[':
            // Another event inside this one: the end of this one is missing.
            if (depth > 0 && *at == '{' && before(begin, at) == ','
                && std::string_view(behindSpace(at + 1, textEnd),
                    static_cast<std::size_t>(textEnd - behindSpace(at + 1, textEnd)))
                       .starts_with("\"ph\""))
                return broken(at);
            ++depth;
            break;
        case '}':
        case ']':
            if (--depth == 0) {
                end = static_cast<std::size_t>(at - begin) + 1;
                return Found::Whole;
            }
            break;
        default:
            break;
        }
    }
    return Found::Incomplete;
}

} // namespace warpline
