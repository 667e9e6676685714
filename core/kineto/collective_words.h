#pragma once

#include "core/kineto/raw_event.h"

#include <cstdint>
#include <string>

namespace warpline {

/// PyTorch's data about an exchange between ranks, in the format of NCCL's own NVTX ranges, so that the same
/// code reads both.
struct CollectiveWords {
    std::string name; ///< "ncclAllReduce"; empty: the event is no exchange
    std::string communicator; ///< the process group's name, which is equal on all ranks
    std::string payload; ///< JSON with NCCL's own names of fields
    std::int64_t bytes = -1; ///< message bytes of one rank, as NCCL counts them; -1: unknown
    std::int64_t ranks = 0; ///< in the group; 0: unknown
};

/// Reads the arguments of `event`, a record_param_comms.
CollectiveWords collectiveWordsOf(const RawEvent& event);

/// Bytes of one element: of "Float" 4; 0 for types that are not known.
std::int64_t bytesOfType(std::string_view type);

} // namespace warpline
