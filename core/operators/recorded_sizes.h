#pragma once

#include "core/base/ids.h"
#include "core/operators/operator_call.h"

#include <map>
#include <utility>
#include <vector>

namespace warpline {

class Trace;

/// Sizes of results from NVTX ranges of emit_nvtx(record_shapes=True): an operator's input sizes come with
/// the operator that made each input. Computed on first use.
class RecordedSizes {
public:
    explicit RecordedSizes(const Trace& trace)
        : m_trace(trace)
    {
    }
    /// The size of the first result of the operator of NVTX range `event`, or of the one in or directly
    /// around it that made the same; empty: not known.
    Dims resultOf(EventIndex event);

private:
    void read();
    Dims sizeOf(GlobalId process, EventIndex event) const;

    const Trace& m_trace;
    bool m_read = false;
    std::map<std::pair<GlobalId, std::int64_t>, Dims> m_sizes; ///< by process and number of the operator
};

} // namespace warpline
