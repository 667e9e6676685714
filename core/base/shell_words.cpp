#include "core/base/shell_words.h"

#include <algorithm>
#include <cctype>

namespace warpline {

std::string shellQuoted(std::string_view word)
{
    const auto isPlain = [](unsigned char c) {
        return std::isalnum(c) != 0
            || std::string_view("_-./:@=,+%").find(static_cast<char>(c)) != std::string_view::npos;
    };
    if (!word.empty() && std::ranges::all_of(word, isPlain))
        return std::string(word);
    std::string quoted = "'";
    for (const char c : word)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + '\'';
}

} // namespace warpline
