#pragma once

#include "core/budget/idle_times.h"
#include "views/session/report_books.h"

#include <memory>

namespace warpline {

/// Why the GPUs of the open reports idle.
class IdleBooks : public ReportBooks {
public:
    explicit IdleBooks(Session& session);

    /// nullptr while it is not known.
    std::shared_ptr<const IdleTimes> find(ReportId report) const;
    /// Why the GPU that `row` shows idles at `time` of its report; nullptr: it is no row of a GPU, or not
    /// known.
    const BudgetPart* at(const Row& row, Ns time) const;
};

/// The GPU of `row`, a row with idle times, see Row::tellsIdle.
GpuOfProcess gpuOf(const Trace& trace, const Row& row);

} // namespace warpline
