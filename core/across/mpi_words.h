#pragma once

#include "core/across/rank_summary.h"

#include <optional>
#include <string_view>

namespace warpline {

/// How call `name` of MPI ("MPI_Allreduce", "PMPI_Wait") ties ranks together; nothing for calls that exchange
/// nothing: MPI_Init, MPI_Comm_rank, MPI_Test ...
std::optional<ExchangeKind> exchangeOfMpi(std::string_view name);

/// True for calls that give data to the other end; of point-to-point calls.
bool sendsInMpi(std::string_view name);

} // namespace warpline
