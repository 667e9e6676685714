#include "core/filter/text_match.h"

#include "core/base/glob.h"
#include "core/base/letter_case.h"
#include "core/base/words.h"

#include <algorithm>

namespace warpline {

TextMatch::TextMatch(How how, std::string_view wanted)
    : m_how(how),
      m_wanted(foldedCase(wanted)),
      m_isAscii(std::ranges::all_of(wanted, [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
{
    if (how == How::Expression)
        m_expression = std::make_shared<RegularExpression>(wanted);
}

bool TextMatch::isMatch(std::string_view text) const
{
    switch (m_how) {
    case How::Holds:
        return m_isAscii ? containsWord(text, m_wanted) || m_wanted.empty()
                         : foldedCase(text).find(m_wanted) != std::string::npos;
    case How::Glob:
        return m_isAscii ? matchesLoweredGlob(text, m_wanted)
                         : matchesLoweredGlob(foldedCase(text), m_wanted);
    case How::Expression:
        return m_expression->isIn(text.substr(0, longestSearched));
    }
    return false;
}

} // namespace warpline
