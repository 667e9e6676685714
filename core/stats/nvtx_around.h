#pragma once

#include "core/store/event_table.h"

#include <map>
#include <string>
#include <vector>

namespace warpline {

/// The NVTX ranges around single ranges, found from the lanes of the table each time they are asked for: what
/// NvtxNesting says of all ranges at once, with nothing held for any of them.
class NvtxAround {
public:
    /// Keeps a reference to `nvtx`.
    explicit NvtxAround(const NvtxTable& nvtx);

    /// The ranges of the thread, all domains together, that hold `range` whole, outermost first: as many as
    /// its level, the last its parent. O(lanes of the thread, log n). Safe to call from several threads.
    std::vector<EventIndex> of(EventIndex range) const;

private:
    const NvtxTable& m_nvtx;
    std::map<GlobalId, std::vector<Lane>> m_lanes; ///< by thread
};

/// ":3:17:20": the report's row numbers of the ranges around `range`, outermost first, and its own. `around`
/// is what NvtxAround::of() says; of ranges that cross only those are named that hold one another.
std::string rangeStack(const NvtxTable& nvtx, const std::vector<EventIndex>& around, EventIndex range);

} // namespace warpline
