#pragma once

#include "core/export/compare_text.h"

#include <functional>
#include <string>

namespace warpline {

/// What the pages of a comparison are made of, in order.
struct ComparePage {
    std::function<void(const std::string&)> verdict;
    std::function<void(const std::string&)> title;
    std::function<void(const std::string&)> text;
    std::function<void(const Cells&)> table;
    std::function<void(const Cells&)> nsysTable; ///< its heads are nsys'
    std::function<void()> picture; ///< where the picture of the budget goes
};

/// Hands the parts of the comparison to `page`, the verdict first.
void writeComparePage(const CompareText& text, const ComparePage& page);

/// A waterfall as SVG: from A's step over what each part adds or takes to B's. Colours come from the page:
/// var(--less), var(--more), var(--sum), currentColor.
std::string waterfallSvg(const Comparison& comparison);
/// The judged steps of both sides as dots over time of length, with their medians. Empty: no steps.
std::string stepsSvg(const Comparison& comparison);

} // namespace warpline
