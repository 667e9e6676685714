#pragma once

#include "core/store/event_table.h"

#include <map>
#include <string>
#include <vector>

namespace warpline {

/// Finds the NVTX ranges around a single range from the lanes of the table: the result of NvtxNesting for one
/// range, without its memory.
class NvtxAround {
public:
    /// Keeps a reference to `nvtx`.
    explicit NvtxAround(const NvtxTable& nvtx);

    /// The ranges of the thread, of all domains, that contain `range`, outermost first: as many as its level,
    /// the last is its parent. O(lanes of the thread, log n). Thread-safe.
    std::vector<EventIndex> of(EventIndex range) const;

private:
    const NvtxTable& m_nvtx;
    std::map<GlobalId, std::vector<Lane>> m_lanes; ///< by thread
};

/// ":3:17:20": the report's row numbers of the ranges around `range`, outermost first, and its own. `around`
/// is the result of NvtxAround::of(); of overlapping ranges only those that contain each other appear.
std::string rangeStack(const NvtxTable& nvtx, const std::vector<EventIndex>& around, EventIndex range);

} // namespace warpline
