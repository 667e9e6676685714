#pragma once

#include "core/operators/kernel_work.h"
#include "core/table/cells.h"

#include <vector>

namespace warpline {

/// The columns of allWorkColumns(), for tables of kernels.
std::vector<Column> workColumns();
/// A cell for each of them; empty where it is not known.
void appendWork(std::vector<Cell>& row, const KernelWork& work);

} // namespace warpline
