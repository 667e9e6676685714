#pragma once

#include "core/kineto/raw_event.h"

#include <cstdint>
#include <string>

namespace warpline {

/// What PyTorch says of an exchange between ranks, in the words of the NVTX ranges that NCCL makes itself: so
/// that what reads those reads these.
struct CollectiveWords {
    std::string name; ///< "ncclAllReduce"; empty: the event is no exchange
    std::string
        communicator; ///< what tells one from another: the process group's name, the same on all ranks
    std::string payload; ///< JSON with NCCL's own names of fields
    std::int64_t bytes = -1; ///< of the message as NCCL counts them, on one rank; -1: not said
    std::int64_t ranks = 0; ///< in the group; 0: not said
};

/// Reads the arguments of `event`, a record_param_comms.
CollectiveWords collectiveWordsOf(const RawEvent& event);

/// Bytes of one element: of "Float" 4; 0 for types that are not known.
std::int64_t bytesOfType(std::string_view type);

} // namespace warpline
