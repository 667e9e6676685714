#pragma once

#include "core/base/message.h"
#include "core/base/time.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// A colour that marks have, known by its name wherever it is kept.
struct MarkColor {
    std::string_view id; ///< "orange": in files
    std::string_view title; ///< as menus say it
    std::uint32_t light; ///< 0xRRGGBB on a light page
    std::uint32_t dark; ///< the same on a dark one
};

/// All of them in the order of menus; the first is what a mark has until the user chooses.
std::span<const MarkColor> markColors();
/// The one called `id`; the first where there is none of that name.
const MarkColor& markColorOf(std::string_view id);

/// A place that the user marked: a range of time, or a moment (start == end).
struct Mark {
    TimeRange range;
    std::string text; ///< what the user wrote there; may be empty
    std::string color = "orange"; ///< MarkColor::id

    bool isMoment() const { return range.start == range.end; }
    bool operator==(const Mark&) const = default;
};

/// What `mark` is called in lists: its text, or what it is where there is none.
Message titleOf(const Mark& mark);

/// Sorts by start; of those that begin together the longest first, as they are drawn.
void sortMarks(std::vector<Mark>& marks);

} // namespace warpline
