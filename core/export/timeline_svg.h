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

/// What a picture of the timeline shows. Times are the report's.
struct TimelinePicture {
    const Trace& trace;
    const RowTree& rows;
    std::vector<RowId> shown; ///< from top to bottom
    TimeRange range;
    std::span<const Mark> marks = {}; ///< those in the range are drawn
    double width = 1000; ///< pixels of the rows; labels stand left of them
};

/// The rows that a picture of `range` shows when nobody chose others: those of the tree as it is first shown
/// that have events there, the busiest of them when there are more than `most`, in the tree's order.
std::vector<RowId> rowsWorthSeeing(
    const Trace& trace, const RowTree& rows, TimeRange range, std::size_t most);

/// The timeline as SVG inside a page: each row as the window draws it, exact busy shares of each pixel where
/// slices are thinner, names where there is room, and a tooltip for what is wide enough to point at. Colours
/// come from the page, see timelineStyle(), so that it is light or dark as the page is.
std::string timelineSvg(const TimelinePicture& picture);

/// The rules that pages with such pictures need, light and dark.
std::string_view timelineStyle();

} // namespace warpline
