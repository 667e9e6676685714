#pragma once

#include "core/across/rank_summary.h"
#include "core/derive/nccl_calls.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// The participants of exchanges: each process with calls of MPI or communication kernels, or each GPU of a
/// process that communicates on several. Ranks come from the report; else, with one participant, from the
/// number in the name of `file`; see RankSource for the order.
std::vector<ParticipantSummary> findParticipants(
    const Trace& trace, const NcclCalls& calls, const std::string& file);

/// The number behind "rank" in the last part of a path: "out/rank3.sqlite", "ddp_rank_12.nsys-rep".
std::optional<std::int64_t> rankInFileName(std::string_view path);

} // namespace warpline
