#include "core/base/shell_words.h"

#include <algorithm>
#include <cctype>

namespace warpline {

std::string shellQuoted(std::string_view word)
{
#ifdef _WIN32
    constexpr std::string_view signs("_-./:@=,+\\");
#else
    constexpr std::string_view signs("_-./:@=,+%");
#endif
    const auto isPlain = [&](unsigned char c) {
        return std::isalnum(c) != 0 || signs.find(static_cast<char>(c)) != std::string_view::npos;
    };
    if (!word.empty() && std::ranges::all_of(word, isPlain))
        return std::string(word);
#ifdef _WIN32
    return '"' + std::string(word) + '"'; // no name of a file has such a quote
#else
    std::string quoted = "'";
    for (const char c : word)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + '\'';
#endif
}

std::string commandWord(std::string_view word)
{
    const bool isPlain = !word.empty() && word.find_first_of(" \t\n'\"`$;&|<>()*?") == std::string_view::npos;
    return isPlain ? std::string(word) : shellQuoted(word);
}

} // namespace warpline
