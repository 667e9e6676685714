#pragma once

#include "core/across/rank_summary.h"
#include "core/derive/nccl_calls.h"
#include "core/steps/steps.h"

#include <optional>
#include <stop_token>
#include <string_view>

namespace warpline {

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
