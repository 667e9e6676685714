#pragma once

#include "core/stats/kernel_labels.h"
#include "core/stats/summary_rows.h"

#include <vector>

namespace warpline {

/// Collects kernels, memory operations and API calls for the summary tables of CUDA activity, with the labels
/// (category, operation) that nsys gives them.
class WorkGroups {
public:
    WorkGroups(const Trace& trace, const StatsQuery& query);

    void addKernels();
    void addMemoryOperations();
    /// One group for each name without its version suffix.
    void addApiCalls();

    /// Rows labelled "Category", "Operation".
    Cells byCategory();
    /// Rows labelled with the operation alone, under `title`; of equal totals those of fewer events first.
    Cells byOperation(std::string countTitle, std::string title);

private:
    enum class Category : std::uint8_t { Kernel, Memory, Api };

    Labels labelsOf(std::uint64_t key) const;
    bool addSummaries(Category category, EventKind kind);
    std::vector<SummaryGroup> finish();

    const Trace& m_trace;
    const StatsQuery& m_query;
    KernelLabels m_labels;
    Groups m_groups;
    std::vector<SummaryGroup> m_known; ///< rows with statistics that other tables share
};

} // namespace warpline
