#pragma once

#include "core/kernels/kernel_names.h"
#include "core/store/event_table.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace warpline {

class Trace;

/// What NCCL's NVTX ranges say of the exchanges that kernels are: sizes, communicators and peers, where the
/// report was exported with payloads. The one place that reads these ranges: for the findings of a report,
/// its statistics, and what reports say of one another.
class NcclCalls {
public:
    explicit NcclCalls(const Trace& trace);

    /// One operation that a kernel does.
    struct Operation {
        std::string name; ///< "ncclAllReduce", "ncclSend"
        std::string communicator; ///< its id; empty: not recorded
        std::int64_t bytes = -1;
        std::int64_t peer = -1; ///< of a send or receive
        std::int64_t ranks = 0; ///< in the communicator, where PyTorch says it
        std::int64_t sequence = -1; ///< its number in the communicator, where PyTorch says it
    };
    /// What was asked for by the call that launched `kernel`: of a group all of its members. Empty: NCCL left
    /// no range there. O(log n) and the length of the group.
    std::vector<Operation> of(EventIndex kernel) const;
    /// The ranges of these operations, in order of time; of a group without members its own. O(log n) and the
    /// length of the group.
    std::vector<EventIndex> rangesOf(EventIndex kernel) const;
    /// What `range`, of rangesOf(), says of its operation.
    Operation operation(EventIndex range) const;

    /// What `kernel` does. Of one that sends and receives its name does not say for what: NCCL runs an
    /// all-to-all so, and any collective of ranks that are far apart. Nor does RCCL's one kernel for all. The
    /// range around its launch does, NCCL's or PyTorch's.
    KernelCommunication communicationOf(EventIndex kernel) const;

    /// How many ranks take part in `operation`; 0: not recorded.
    std::int64_t ranksOf(const Operation& operation) const;

    /// What NCCL said when a communicator was made.
    struct Communicator {
        std::int64_t ranks = 0;
        std::int64_t rank = -1;
        std::int32_t device = -1; ///< CUDA ordinal; -1: not said
        GlobalId process = 0;
    };
    /// By id, each of those who made it.
    const std::multimap<std::string, Communicator>& communicators() const { return m_communicators; }

private:
    EventIndex rangeAt(GlobalId thread, Ns time) const;
    std::vector<EventIndex> membersOf(GlobalId thread, EventIndex end) const;
    bool isOfNccl(const Track& track) const;
    void readCommunicators(const Track& track);

    const Trace& m_trace;
    std::multimap<GlobalId, std::uint32_t> m_tracks; ///< of NCCL's domain, by thread
    std::multimap<std::string, Communicator> m_communicators;
};

} // namespace warpline
