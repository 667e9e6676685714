#include "core/base/glob.h"

#include "core/base/ascii_case.h"
#include "core/base/utf8.h"

namespace warpline {

namespace {

/// `fold` maps each byte of the text before it is compared with the pattern.
template <bool hasEscapes, typename Fold>
bool matches(std::string_view text, std::string_view pattern, Fold fold)
{
    std::size_t t = 0;
    std::size_t p = 0;
    std::size_t star = std::string_view::npos; // the last * seen, and how far it reaches
    std::size_t reach = 0;
    while (t < text.size()) {
        const std::size_t escape
            = hasEscapes && p + 1 < pattern.size() && pattern[p] == '\\' ? std::size_t{1} : std::size_t{0};
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            reach = t;
        } else if (p < pattern.size() && pattern[p] == '?') {
            ++p;
            do {
                ++t;
            } while (t < text.size() && isWithinLetter(text[t]));
        } else if (p < pattern.size() && pattern[p + escape] == fold(text[t])) {
            p += escape + 1;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++reach;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

} // namespace

bool matchesGlob(std::string_view text, std::string_view pattern)
{
    return matches<false>(text, pattern, [](char c) { return c; });
}

bool matchesLoweredGlob(std::string_view text, std::string_view pattern)
{
    return matches<true>(text, pattern, lowerOf);
}

} // namespace warpline
