#pragma once

#include "core/analysis/trace_analysis.h"
#include "core/base/message.h"
#include "core/findings/idle_parts.h"

#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// The recorded communication libraries, such as "MPI", to replace the three of the general text. O(tracks).
Message recordedCommunication(const Trace& trace);
/// The library of communication calls on `thread`: "MPI".
std::string_view communicationOf(const Trace& trace, GlobalId thread);

/// The thread's places during the time of a cause: MPI calls, or the program's own NVTX ranges.
struct HostPlaces {
    std::vector<Message> calls; ///< with their times: "Allreduce 130 ms"; only of communication
    std::vector<Message> ranges; ///< "assemble 190 ms"
    std::vector<Message> operators; ///< "aten::mm 185 ms": where they hold most of own code
    std::string operatorName; ///< the one, where `operators` names but one
    bool inCudnnAttention = false; ///< most of that is cuDNN's attention
};

HostPlaces whereHostWas(
    const RuleContext& context, const GpuFacts& gpu, IdleCause doing, const IdleParts& cause);

/// True when each of the gaps that matter holds the same range of the program: three rounds of a loop have
/// but two gaps between them.
bool comesBack(const RuleContext& context, const GpuFacts& gpu, const IdleParts& cause);

} // namespace warpline
