#include "core/query/library_waits.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

/// Calls after "MPI_" that wait (MPI 4.1: blocking procedures). MPI_I... starts and returns.
constexpr std::array<std::string_view, 22> waitingMpi{"Wait", "Barrier", "Recv", "Mrecv", "Probe", "Mprobe",
    "Send", "Ssend", "Rsend", "Bsend", "Allreduce", "Reduce", "Bcast", "Gather", "Allgather", "Scatter",
    "Alltoall", "Scan", "Exscan", "Neighbor_", "Win_fence", "Win_wait"};
/// Parts of names of other libraries' calls that wait, as nsys writes them.
constexpr std::array<std::string_view, 6> waitingOthers{
    "Barrier", "Waiting", "Taskwait", "Taskgroup", "_barrier", "_wait"};

} // namespace

bool waitsForOthers(std::string_view name)
{
    if (name.starts_with("PMPI_"))
        name.remove_prefix(1);
    if (name.starts_with("MPI_")) {
        name.remove_prefix(4);
        const auto begins = [&](std::string_view word) { return name.starts_with(word); };
        // Handles that are made once and started later.
        const bool prepares = name.ends_with("_init") || name.starts_with("Reduce_local");
        return !prepares && std::ranges::any_of(waitingMpi, begins);
    }
    return std::ranges::any_of(
        waitingOthers, [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

} // namespace warpline
