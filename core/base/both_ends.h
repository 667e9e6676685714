#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// `text`, or, when it is longer than `most` bytes of UTF-8 (at least 4), its two ends with an ellipsis
/// between them: the end of a name distinguishes variants. No character is cut.
std::string bothEnds(std::string_view text, std::size_t most);

/// Bytes of a report's text that are shown, more than compilers' names have. A widget or a browser takes a
/// second to lay out a megabyte.
constexpr std::size_t longestShown = 4096;

/// Puts `outer` before `path`, if that is not longer than longestShown bytes then; otherwise an ellipsis,
/// and false: there is no more room.
bool putBefore(std::string& path, std::string_view outer, std::string_view separator);

/// "outer/inner" of names from the innermost to the outermost, at most longestShown bytes: outer names that
/// find no room give way to an ellipsis.
class NestedNames {
public:
    /// False: there is no more room.
    bool add(std::string_view outer);
    std::string text() const;

private:
    std::vector<std::string_view> m_names;
    std::size_t m_bytes = 0;
    bool m_isCut = false;
};

} // namespace warpline
