#pragma once

#include "core/across/rank_summary.h"
#include "core/derive/nccl_calls.h"
#include "core/steps/steps.h"

#include <cstdint>
#include <optional>
#include <stop_token>
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

/// Adds the kernels that communicate of `participant` (its process, and device unless that is -1). `steps`
/// are those of its process, may be empty. Throws Stopped.
void addKernelExchanges(const Trace& trace, const NcclCalls& calls, const StepSeries& steps,
    ParticipantSummary& participant, const std::stop_token& stop);

/// Adds the calls of MPI of its process. Throws Stopped.
void addMpiExchanges(const Trace& trace, const StepSeries& steps, ParticipantSummary& participant,
    const std::stop_token& stop);

/// How call `name` of MPI ("MPI_Allreduce", "PMPI_Wait") ties ranks together; nothing for calls that exchange
/// nothing: MPI_Init, MPI_Comm_rank, MPI_Test ...
std::optional<ExchangeKind> exchangeOfMpi(std::string_view name);

} // namespace warpline
