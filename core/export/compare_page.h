#pragma once

#include "core/export/compare_text.h"

#include <functional>
#include <string>

namespace warpline {

/// The parts of a comparison's page, in order.
struct ComparePage {
    std::function<void(const std::string&)> verdict;
    std::function<void(const std::string&)> title;
    std::function<void(const std::string&)> text;
    std::function<void(const Cells&)> table;
    std::function<void(const Cells&)> nsysTable; ///< its heads are nsys'
    std::function<void()> picture; ///< writes the picture of the budget
};

/// Hands the parts of the comparison to `page`, the verdict first.
void writeComparePage(const CompareText& text, const ComparePage& page);

/// A waterfall as SVG: from A's step, over the change of each part, to B's. Colours come from the page:
/// var(--less), var(--more), var(--sum), currentColor.
std::string waterfallSvg(const Comparison& comparison);
/// The compared steps of both sides as dots, length over time, with their medians. Empty: no steps.
std::string stepsSvg(const Comparison& comparison);

} // namespace warpline
