#pragma once

#include "core/workspace/workspace.h"

#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

/// A row of one run and the row of another run that plays its part.
struct RowPair {
    RowId a{};
    RowId b{};
    friend bool operator==(RowPair, RowPair) = default;
};

/// Corresponding rows of `a` and `b`, parents before children, each row at most once. Found level by level:
/// rows must have equal keys up to numbers, because process, thread and stream ids differ between runs.
/// Streams of a GPU are paired by their kernels (the largest common time in kernels of one name), other rows
/// by labels, then by labels without numbers, then by place. Leaves out rows without a partner. O(kernels +
/// rows). Throws Stopped when `stop` is requested.
std::vector<RowPair> pairRows(const Workspace& a, const Workspace& b, const std::stop_token& stop = {});

/// Maps keys of rows of `before` to keys of corresponding rows of `after`, another recording of the same
/// program: by key, else by label, else by either without numbers, where both have equally many of these.
/// Uses no events, so that the earlier recording need not exist any more.
std::map<std::string, std::string> alikeKeys(const RowTree& before, const RowTree& after);

/// The rows of all reports that correspond to `row`, including itself, in the order of the reports: found
/// level by level, by keys without numbers (process, thread and stream ids differ between ranks) and by the
/// place among siblings of such a key. Reports without such a row are skipped; a heading's are the headings.
/// Empty for the root, and for rows of all reports.
std::vector<RowId> sameRows(const Workspace& workspace, RowId row);

} // namespace warpline
