#pragma once

#include "core/base/ids.h"
#include "core/rows/row_tree.h"
#include "core/store/track_filter.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace warpline {

class Session;
class Trace;
struct OpenReport;

/// The GPUs and processes that the selected rows are of, in the report that panels are about: with the
/// selected range, what all panels are about.
struct RowScope {
    std::set<GlobalId> processes; ///< empty: no rows are selected, or none with events
    std::set<std::int32_t> gpus; ///< the machine's numbers; empty: rows of the host are among them

    bool isAll() const { return processes.empty(); }
    /// Whether what is about `process` (0: all) and the GPU `gpu` (-1: none in particular) belongs to it.
    bool covers(GlobalId process, std::int32_t gpu) const;
    /// The same for a GPU by its ordinal in `process` of `trace`; -1: none in particular.
    bool coversOrdinal(const Trace& trace, GlobalId process, std::int32_t device) const;
    /// The same for events, as a filter: "device=0"; empty: all.
    std::string filter() const;
    /// The same for tracks of `trace`; empty: all.
    TrackFilter tracks(std::shared_ptr<const Trace> trace) const;
    friend bool operator==(const RowScope&, const RowScope&) = default;
};

/// The threads of the selected rows; empty: none are selected, or they are of GPUs.
std::vector<GlobalId> threadsOfSelection(const Session& session);
/// The same of `rows` of the workspace, as far as they are of the report that panels are about.
std::vector<GlobalId> threadsOfRows(const Session& session, const std::vector<RowId>& rows);

/// That of what is selected now, for the report that panels are about or for another one.
RowScope rowScopeOf(const Session& session);
RowScope rowScopeOf(const Session& session, const OpenReport& report);
/// Whether rows are selected, and none of them is of `report`: nothing of it belongs to what panels are
/// about.
bool leavesOut(const Session& session, const OpenReport& report);

} // namespace warpline
