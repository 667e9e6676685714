#include "core/across/mpi_words.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

struct Word {
    std::string_view prefix; ///< of the name behind "MPI_"
    ExchangeKind kind;
};

// The first match decides, so longer prefixes come first. Nonblocking collectives (Iallreduce ...) are not
// listed: a wait ends them, and its request is not recorded.
constexpr std::array mpiWords{
    Word{"Barrier", ExchangeKind::Synchronizing},
    Word{"Allreduce", ExchangeKind::Synchronizing},
    Word{"Allgather", ExchangeKind::Synchronizing},
    Word{"Alltoall", ExchangeKind::Synchronizing},
    Word{"Reduce_scatter", ExchangeKind::Synchronizing},
    Word{"Bcast", ExchangeKind::Rooted},
    Word{"Reduce", ExchangeKind::Rooted},
    Word{"Gather", ExchangeKind::Rooted},
    Word{"Scatter", ExchangeKind::Rooted},
    Word{"Scan", ExchangeKind::Rooted},
    Word{"Exscan", ExchangeKind::Rooted},
    Word{"Sendrecv", ExchangeKind::PointToPoint},
    Word{"Send", ExchangeKind::PointToPoint},
    Word{"Ssend", ExchangeKind::PointToPoint},
    Word{"Rsend", ExchangeKind::PointToPoint},
    Word{"Bsend", ExchangeKind::PointToPoint},
    Word{"Recv", ExchangeKind::PointToPoint},
    Word{"Mrecv", ExchangeKind::PointToPoint},
    Word{"Isend", ExchangeKind::Post},
    Word{"Issend", ExchangeKind::Post},
    Word{"Irsend", ExchangeKind::Post},
    Word{"Ibsend", ExchangeKind::Post},
    Word{"Irecv", ExchangeKind::Post},
    Word{"Imrecv", ExchangeKind::Post},
    Word{"Wait", ExchangeKind::Wait},
};

/// The name after "MPI_"; empty: another library's call.
std::string_view behindPrefix(std::string_view name)
{
    if (name.starts_with("PMPI_"))
        name.remove_prefix(1);
    return name.starts_with("MPI_") ? name.substr(4) : std::string_view();
}

} // namespace

std::optional<ExchangeKind> exchangeOfMpi(std::string_view name)
{
    name = behindPrefix(name);
    if (name.empty() || name.ends_with("_init") || name.starts_with("Reduce_local"))
        return {};
    const auto found
        = std::ranges::find_if(mpiWords, [&](const Word& word) { return name.starts_with(word.prefix); });
    return found != mpiWords.end() ? std::optional(found->kind) : std::nullopt;
}

bool sendsInMpi(std::string_view name)
{
    name = behindPrefix(name);
    return name.find("send") != std::string_view::npos || name.find("Send") != std::string_view::npos;
}

} // namespace warpline
