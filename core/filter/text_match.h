#pragma once

#include "core/base/regular_expression.h"
#include "core/store/event_kind.h"

#include <memory>
#include <string>
#include <string_view>

namespace warpline {

/// What a value of a filter asks of a text, letters of any script without regard to case; in expressions
/// those of ASCII.
class TextMatch {
public:
    enum class How {
        Holds, ///< it is a part of the text
        Glob, ///< it is the text, * standing for any part of it and ? for one letter
        Expression, ///< the regular expression matches a part of it; nothing when it has a mistake
    };
    TextMatch(How how, std::string_view wanted);

    /// O(text). Not for two threads at once.
    bool isMatch(std::string_view text) const;
    /// True when an expression took so long that texts were not searched any more.
    bool isExhausted() const { return m_expression && m_expression->isExhausted(); }

    /// Texts are searched no further than this by an expression.
    static constexpr std::size_t longestSearched = 65'536;

private:
    How m_how;
    std::string m_wanted; ///< in lower case
    bool m_isAscii; ///< then texts need no folding: names are long, and most are
    std::shared_ptr<RegularExpression> m_expression;
};

/// Whether `kind` goes by a key or title that matches, or by a shorter word: "copy", "api", "sample".
bool isKindCalled(EventKind kind, const TextMatch& match);

} // namespace warpline
