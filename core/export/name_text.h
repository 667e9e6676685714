#pragma once

#include "core/export/json_text.h"
#include "core/operators/kernel_work.h"
#include "core/query/duration_histogram.h"
#include "core/query/name_groups.h"
#include "core/table/cells.h"

#include <cstddef>
#include <optional>
#include <string>

namespace warpline {

/// The details of one name.
struct NameReport {
    std::string name; ///< UTF-8
    NamedQuery query;
    TimeRange window; ///< that the events were looked for in
    DurationFigures figures;
    Ns totalOfKind = 0; ///< of all events of the kind that touch the window, whole
    EventIndex middle = noIndex; ///< an event as long as the median, or nearly
    std::uint64_t outliers = 0; ///< events beyond the outlier fence of the statistics
    DurationHistogram histogram;
    std::optional<NameGrouping> grouping;
    std::string field; ///< of NameGrouping::Payload
    std::vector<NameGroup> groups;
    KernelWork work; ///< for kernels whose operators have known work
};

/// Computes all of it. O(n). Throws Stopped.
NameReport nameReport(const Trace& trace, const NamedQuery& query, std::optional<NameGrouping> grouping,
    std::string_view field = {}, const std::stop_token& stop = {});

/// As text for a terminal: a line, the statistics, a histogram, the groups.
std::string nameText(const Trace& trace, const NameReport& report, std::size_t width = 0);
/// As a JSON object, see docs/cli/schema/name.json.
Json nameJson(const Trace& trace, const NameReport& report, std::string_view file);
/// A row each group, or one for all without.
Cells nameCells(const NameReport& report);

} // namespace warpline
