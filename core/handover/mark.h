#pragma once

#include "core/base/message.h"
#include "core/base/time.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// A colour of bookmarks, stored by its name.
struct MarkColor {
    std::string_view id; ///< "orange": in files
    std::string_view title; ///< as in menus
    std::uint32_t light; ///< 0xRRGGBB on a light page
    std::uint32_t dark; ///< the same on a dark one
};

/// All of them in the order of menus; the first is the default.
std::span<const MarkColor> markColors();
/// The colour with `id`, or the first.
const MarkColor& markColorOf(std::string_view id);

/// A place that the user marked: a range of time, or a moment (start == end).
struct Mark {
    TimeRange range;
    std::string text; ///< the user's text; may be empty
    std::string color = "orange"; ///< MarkColor::id

    bool isMoment() const { return range.start == range.end; }
    bool operator==(const Mark&) const = default;
};

/// More are not read from a file, and so not made: each bookmark is drawn.
inline constexpr std::size_t mostMarks = 10'000;
inline constexpr std::size_t mostNoteBytes = std::size_t{1} << 20U;

/// The title of `mark` in lists: its text, or its kind without one.
Message titleOf(const Mark& mark);

/// Sorts by start; of those that begin together the longest first, as they are drawn.
void sortMarks(std::vector<Mark>& marks);

} // namespace warpline
