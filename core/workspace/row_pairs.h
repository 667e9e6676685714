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

/// The rows of `a` and `b` that stand for each other, parents before children, each row at most once. Found
/// level by level: rows are of one kind when their keys are alike without numbers, since process, thread and
/// stream ids differ from run to run. Streams of a GPU are paired by the kernels that they run (the time
/// that both spend in kernels of one name, largest first), other rows by their labels, then by their labels
/// without numbers, then by their places. Rows without a partner are left out. O(kernels + rows). Throws
/// Stopped when `stop` is requested.
std::vector<RowPair> pairRows(const Workspace& a, const Workspace& b, const std::stop_token& stop = {});

/// The keys of rows of `before`, each with that of the row of `after`, another recording of the same, that
/// plays its part: the same key, else the same label, else one that is alike without numbers, where both have
/// as many of these. Looks at no event, so that the recording that was before need not be there any more.
std::map<std::string, std::string> alikeKeys(const RowTree& before, const RowTree& after);

} // namespace warpline
