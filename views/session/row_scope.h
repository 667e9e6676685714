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

/// The GPUs and processes of the selected rows, in the panels' report: with the selected range, the scope of
/// all panels.
struct RowScope {
    std::set<GlobalId> processes; ///< empty: no rows are selected, or none with events
    std::set<std::int32_t> gpus; ///< the machine's numbers; empty: rows of the host are among them

    bool isAll() const { return processes.empty(); }
    /// Whether data of `process` (0: all) and the GPU `gpu` (-1: none in particular) is in the scope.
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
/// The same for `rows` of the workspace, as far as they belong to the panels' report.
std::vector<GlobalId> threadsOfRows(const Session& session, const std::vector<RowId>& rows);

/// The scope of the current selection, for the panels' report or another one.
RowScope rowScopeOf(const Session& session);
RowScope rowScopeOf(const Session& session, const OpenReport& report);
/// Whether rows are selected, but none of `report`: then none of it is in the scope.
bool leavesOut(const Session& session, const OpenReport& report);

} // namespace warpline
