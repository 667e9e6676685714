#pragma once

#include "core/base/time.h"
#include "core/handover/mark.h"
#include "core/rows/row_tree.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

class Trace;

/// The content of a timeline picture. Times are on the report's clock.
struct TimelinePicture {
    const Trace& trace;
    const RowTree& rows;
    std::vector<RowId> shown; ///< from top to bottom
    TimeRange range;
    std::span<const Mark> marks = {}; ///< those in the range are drawn
    double width = 1000; ///< pixels of the rows; labels stand left of them
};

/// The default rows for a picture of `range`: rows of the initial tree with events there, the `most` busiest
/// of them, in the tree's order.
std::vector<RowId> rowsWorthSeeing(
    const Trace& trace, const RowTree& rows, TimeRange range, std::size_t most);

/// The timeline as inline SVG: rows as the window draws them, exact busy shares per pixel where slices are
/// thinner, names where there is room, and tooltips on slices wide enough to point at. Colours come from the
/// page, see timelineStyle(), so that it is light or dark like the page.
std::string timelineSvg(const TimelinePicture& picture);

/// The rules that pages with such pictures need, light and dark.
std::string_view timelineStyle();

} // namespace warpline
