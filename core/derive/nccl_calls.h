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

/// Data of NCCL's NVTX ranges about the exchanges of kernels: sizes, communicators and peers, where the
/// report was exported with payloads. All code reads these ranges here: findings, statistics and the analysis
/// across ranks. For one thread.
class NcclCalls {
public:
    explicit NcclCalls(const Trace& trace);

    /// One operation that a kernel does.
    struct Operation {
        std::string name; ///< "ncclAllReduce", "ncclSend"
        std::string communicator; ///< its id; empty: not recorded
        std::int64_t bytes = -1;
        std::int64_t peer = -1; ///< of a send or receive
        std::int64_t ranks = 0; ///< in the communicator, where PyTorch records it
        std::int64_t sequence = -1; ///< its number in the communicator, where PyTorch records it
    };
    /// The operations of the call that launched `kernel`; for a group those of all its members. Empty: NCCL
    /// recorded no range there. Valid until the next call. O(log n), and the length of a group other than the
    /// last.
    const std::vector<Operation>& of(EventIndex kernel) const;
    /// The ranges of these operations, in order of time; of a group without members its own. Of very many the
    /// last. O(log n) and the length of the group.
    std::vector<EventIndex> rangesOf(EventIndex kernel) const;
    /// The operation of `range`, one of rangesOf().
    Operation operation(EventIndex range) const;

    /// The communication of `kernel`. A send-receive kernel's name does not show the operation: NCCL uses it
    /// for all-to-all, and for collectives of distant ranks; RCCL has one kernel for all. The range around
    /// its launch, NCCL's or PyTorch's, shows it.
    KernelCommunication communicationOf(EventIndex kernel) const;

    /// How many ranks take part in `operation`; 0: not recorded.
    std::int64_t ranksOf(const Operation& operation) const;

    /// NCCL's record of the creation of a communicator.
    struct Communicator {
        std::int64_t ranks = 0;
        std::int64_t rank = -1;
        std::int32_t device = -1; ///< CUDA ordinal; -1: unknown
        GlobalId process = 0;
    };
    /// By id, each of those who made it.
    const std::multimap<std::string, Communicator>& communicators() const { return m_communicators; }

private:
    EventIndex rangeAt(GlobalId thread, Ns time) const;
    /// A group of calls, which may launch a kernel for each.
    struct Group {
        EventIndex end = noIndex; ///< its ncclGroupEnd
        std::vector<EventIndex> members;
    };
    const Group& groupOf(GlobalId thread, EventIndex end) const;
    bool isOfNccl(const Track& track) const;
    void readCommunicators(const Track& track);

    const Trace& m_trace;
    std::multimap<GlobalId, std::uint32_t> m_tracks; ///< of NCCL's domain, by thread
    std::multimap<std::string, Communicator> m_communicators;
    mutable Group m_group; ///< the last that was asked for
    mutable std::vector<EventIndex> m_ranges; ///< of m_operations
    mutable std::vector<Operation> m_operations; ///< the last answer of of()
};

} // namespace warpline
