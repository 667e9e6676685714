#pragma once

#include "core/base/regular_expression.h"
#include "core/store/event_kind.h"

#include <memory>
#include <string>
#include <string_view>

namespace warpline {

/// Matches a text with a filter's value, ignoring case for all scripts; regular expressions for ASCII only.
class TextMatch {
public:
    enum class How {
        Holds, ///< it is a part of the text
        Glob, ///< equality with wildcards: * for any text, ? for one letter; behind a backslash they are
              ///< literal
        Expression, ///< the regular expression matches a part; an invalid one matches nothing
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

/// Whether the key or title of `kind` matches, or an alias: "copy", "api", "sample". With `recordedOnGpu`,
/// see isRecordedOnGpu(), "gpu_annotation" does, too.
bool isKindCalled(EventKind kind, const TextMatch& match, bool recordedOnGpu = false);

} // namespace warpline
