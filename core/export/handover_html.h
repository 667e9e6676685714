#pragma once

#include "core/findings/rule.h"
#include "core/handover/mark.h"
#include "core/rows/row_tree.h"

#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

class Trace;

/// A time range with a section of its own in the report.
struct HandoverRange {
    std::string title; ///< the user's name for it; empty: only its time
    TimeRange range; ///< on the report's clock, within its session
    bool operator==(const HandoverRange&) const = default;
};

/// What to include of a report in a page for readers without Warpline.
struct HandoverChoice {
    std::string notes; ///< the user's, listed first; may be empty
    std::vector<HandoverRange> ranges; ///< each with a picture and its values; empty: the whole report as one
    std::vector<Mark> marks; ///< listed, and drawn where they touch a range
    std::vector<std::string>
        tables; ///< statistics tables by id; those that the report has no rows for are left out
    bool findings = true;
    std::span<const Threshold> thresholds = {}; ///< of the rules, where the user has others
    std::string stepGlob; ///< the NVTX ranges that are steps; empty: they are found
    /// Rows of the pictures; empty: rowsWorthSeeing().
    std::vector<RowId> rows;
    /// Includes the file with its folder, the machine, and the recording command. Otherwise they are left
    /// out, and names of the host and of home folders are removed from all texts.
    bool machine = false;
};

/// The default tables of a report.
std::vector<std::string> handoverTables();

/// One self-contained HTML page without scripts; light or dark like the reader's desktop. Empty when a stop
/// is requested.
std::string handoverHtml(const Trace& trace, const HandoverChoice& choice, const std::stop_token& stop = {});

} // namespace warpline
