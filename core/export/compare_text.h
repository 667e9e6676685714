#pragma once

#include "core/compare/comparison.h"
#include "core/export/html_text.h"
#include "core/export/json_text.h"
#include "core/table/cells.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// A statistics table of both sides, see compareStatsTable().
struct ComparedStats {
    std::string id;
    std::string title;
    Cells cells;
};

/// The content of a comparison's text.
struct CompareText {
    const Comparison& comparison;
    /// Which of compareSections() it has; empty: all. Verdict and facts are always there.
    std::span<const std::string> sections = {};
    std::span<const ComparedStats> stats = {};
    std::size_t mostRows = 20; ///< of each table; JSON has all
    std::optional<bool> regression = {}; ///< of --fail-on-regression; nothing: not asked
    std::size_t width = 0; ///< of the terminal, for compareTable(); 0: lines may have any length

    bool has(std::string_view section) const;
};

/// "budget", "kernels", "operators", "nvtx", "api", "copies", "collectives", "memory", "steps", "findings".
std::span<const std::string_view> compareSections();

/// As a JSON object, see docs/cli/schema/compare.json. Counts and times are per step; parts that were not
/// requested, or that one side did not record, are null.
Json compareJson(const CompareText& text);
/// The same as a document, see documentOf().
std::string compareDocument(const CompareText& text);
/// The same as tables for a terminal, the verdict first.
std::string compareTable(const CompareText& text);
/// ... as a Markdown page, for a comment in a review.
std::string compareMarkdown(const CompareText& text);
/// ... as one self-contained HTML page, with pictures of the budget and of the steps.
std::string compareHtml(const CompareText& text);

// The parts that the pages share.

/// Hands the parts of the comparison to `page`, the verdict first.
void writeComparePage(const CompareText& text, const TextPage& page);

Cells factCells(const Comparison& comparison);
/// Median, mean and total of the steps that count, and the noise of the first two.
Cells stepFigureCells(const Comparison& comparison);
Cells budgetCells(const Comparison& comparison); ///< the last row is the sum
/// Changed most first, `most` rows. Kernels have columns for their partner, class and way of matching.
Cells rowCells(const CompareTable& table, std::size_t most);
Cells findingCells(const Comparison& comparison); ///< those that changed
/// "Kernel time with a partner: A 100%, B 100% (name and shape 8% and 27% ...)".
Message matchedSentence(const Comparison& comparison);

} // namespace warpline
