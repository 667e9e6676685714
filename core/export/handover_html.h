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

/// A stretch of time that a report shows apart.
struct HandoverRange {
    std::string title; ///< what the user calls it; empty: only its time
    TimeRange range; ///< on the report's clock, within its session
    bool operator==(const HandoverRange&) const = default;
};

/// What is handed on of a report, to be read without Warpline.
struct HandoverChoice {
    std::string notes; ///< the user's, said first; may be empty
    std::vector<HandoverRange>
        ranges; ///< each with a picture and its figures; empty: the whole report as one
    std::vector<Mark> marks; ///< listed, and drawn where they touch a range
    std::vector<std::string>
        tables; ///< statistics tables by id; those that the report has no rows for are left out
    bool findings = true;
    std::span<const Threshold> thresholds = {}; ///< of the rules, where the user has others
    std::string stepGlob; ///< the NVTX ranges that are steps; empty: they are found
    /// Rows of the pictures; empty: rowsWorthSeeing().
    std::vector<RowId> rows;
    /// Names the file with its folder, the machine, and the command line that recorded it. Without it they
    /// are left out, names of the host and of home folders too, wherever a text has them.
    bool machine = false;
};

/// The tables that a report has when nobody chose others.
std::vector<std::string> handoverTables();

/// One page of HTML that needs nothing beside it and runs no scripts; light or dark as the reader's desktop
/// is. Empty when a stop is requested.
std::string handoverHtml(const Trace& trace, const HandoverChoice& choice, const std::stop_token& stop = {});

} // namespace warpline
