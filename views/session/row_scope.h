#pragma once

#include "core/base/ids.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace warpline {

class Session;

/// The GPUs and processes that the selected rows are of, in the report that panels are about: with the
/// selected range, what all panels are about.
struct RowScope {
    std::set<GlobalId> processes; ///< empty: no rows are selected, or none with events
    std::set<std::int32_t> gpus; ///< the machine's numbers; empty: rows of the host are among them

    bool isAll() const { return processes.empty(); }
    /// Whether what is about `process` (0: all) and the GPU `gpu` (-1: none in particular) belongs to it.
    bool covers(GlobalId process, std::int32_t gpu) const;
    /// The same for events, as a filter: "device=0"; empty: all.
    std::string filter() const;
    friend bool operator==(const RowScope&, const RowScope&) = default;
};

/// The threads of the selected rows; empty: none are selected, or they are of GPUs.
std::vector<GlobalId> threadsOfSelection(const Session& session);

/// That of what is selected now.
RowScope rowScopeOf(const Session& session);

} // namespace warpline
