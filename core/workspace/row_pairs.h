#pragma once

#include "core/workspace/workspace.h"

#include <stop_token>
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

} // namespace warpline
