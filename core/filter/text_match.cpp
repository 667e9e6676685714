#include "core/filter/text_match.h"

#include <algorithm>

namespace warpline {

namespace {

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// As matchesGlob(), without regard to case; `pattern` is in lower case.
bool matchesLoweredGlob(std::string_view text, std::string_view pattern)
{
    std::size_t t = 0;
    std::size_t p = 0;
    std::size_t star = std::string_view::npos; // the last * seen, and how far it reaches
    std::size_t reach = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            reach = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == lower(text[t]))) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++reach;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

} // namespace

TextMatch::TextMatch(How how, std::string_view wanted)
    : m_how(how),
      m_wanted(wanted)
{
    if (how == How::Expression)
        m_expression = std::make_shared<RegularExpression>(wanted);
    std::ranges::transform(m_wanted, m_wanted.begin(), lower);
}

bool TextMatch::isMatch(std::string_view text) const
{
    switch (m_how) {
    case How::Holds:
        return std::search(text.begin(), text.end(), m_wanted.begin(), m_wanted.end(),
                   [](char a, char b) { return lower(a) == b; })
            != text.end()
            || m_wanted.empty();
    case How::Glob:
        return matchesLoweredGlob(text, m_wanted);
    case How::Expression:
        return m_expression->isIn(text.substr(0, longestSearched));
    }
    return false;
}

} // namespace warpline
