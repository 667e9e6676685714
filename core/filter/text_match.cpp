#include "core/filter/text_match.h"

#include "core/base/ascii_case.h"
#include "core/base/glob.h"
#include "core/base/words.h"

namespace warpline {

TextMatch::TextMatch(How how, std::string_view wanted)
    : m_how(how),
      m_wanted(lowered(wanted))
{
    if (how == How::Expression)
        m_expression = std::make_shared<RegularExpression>(wanted);
}

bool TextMatch::isMatch(std::string_view text) const
{
    switch (m_how) {
    case How::Holds:
        return containsWord(text, m_wanted) || m_wanted.empty();
    case How::Glob:
        return matchesLoweredGlob(text, m_wanted);
    case How::Expression:
        return m_expression->isIn(text.substr(0, longestSearched));
    }
    return false;
}

} // namespace warpline
