#include "core/across/exchanges.h"

#include "core/base/saturate.h"
#include "core/derive/communication.h"
#include "core/kernels/kernel_names.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace warpline {

namespace {

ExchangeKind kindOf(const KernelCommunication& communication)
{
    if (communication.kind == Communication::PointToPoint)
        return ExchangeKind::PointToPoint;
    const bool rooted = communication.operation == "broadcast" || communication.operation == "reduce"
        || communication.operation == "gather";
    return rooted ? ExchangeKind::Rooted : ExchangeKind::Synchronizing;
}

/// The step that contains `time`; noIndex: none does.
std::uint32_t stepAt(const StepSeries& steps, Ns time)
{
    const std::size_t at = steps.at(time);
    return at < steps.size() && steps.ranges[at].contains(time) ? static_cast<std::uint32_t>(at) : noIndex;
}

/// A group of sends and receives, an all-to-all made of them, or a collective.
void describe(const std::vector<NcclCalls::Operation>& operations, ExchangeType& type, Exchange& exchange,
    std::vector<ExchangePeer>& peers)
{
    std::int64_t bytes = 0;
    bool sized = !operations.empty();
    for (const NcclCalls::Operation& each : operations) {
        sized = sized && each.bytes >= 0;
        bytes = saturatingAdd(bytes, std::max<std::int64_t>(0, each.bytes));
        if (operations.size() == 1)
            exchange.sequence = each.sequence;
        if (!each.communicator.empty())
            type.group = "nccl:" + each.communicator;
        type.groupSize = std::max(type.groupSize, each.ranks);
        if (each.name == "ncclSend" || each.name == "ncclRecv")
            peers.push_back({each.peer, each.name == "ncclSend"});
    }
    exchange.bytes = sized ? bytes : -1;
    if (type.kind != ExchangeKind::PointToPoint || peers.empty())
        return;
    const auto sends = std::ranges::count_if(peers, &ExchangePeer::sends);
    if (sends == static_cast<std::ptrdiff_t>(peers.size()))
        type.operation = "send";
    else if (sends == 0)
        type.operation = "receive";
    constexpr std::size_t most = 4; // a pipeline stage sends to and receives from two neighbours
    if (peers.size() > most) {
        type.kind = ExchangeKind::Synchronizing;
        type.operation = "all-to-all";
    }
}

/// The group of ranks, and its size, of each MPI communicator handle of one process.
struct MpiGroups {
    const Trace& trace;
    std::map<std::int64_t, std::pair<std::string, std::int64_t>> known; ///< by handle

    std::pair<std::string, std::int64_t> of(GlobalId thread, std::int64_t handle)
    {
        const auto found = known.find(handle);
        if (found != known.end())
            return found->second;
        std::int64_t largest = 0;
        const MpiCommunicator* const facts = trace.communicator(thread, handle);
        const auto rank = trace.mpiRank(thread);
        for (const MpiCommunicator& each : trace.communicators)
            largest = std::max(largest, !rank || each.rank == *rank ? each.size : 0);
        std::pair<std::string, std::int64_t> group;
        if (!facts)
            group = {known.empty() ? "mpi:world" : fmt::format("mpi:{}", known.size()), 0};
        else if (facts->size == largest && facts->localRank == facts->rank)
            group = {"mpi:world", facts->size};
        else
            group = {fmt::format("mpi:{} of {}", known.size(), facts->size), facts->size};
        known.emplace(handle, group);
        return group;
    }
};

/// Collects a participant's exchanges, with types and peers stored once.
class ExchangeCollector {
public:
    explicit ExchangeCollector(ParticipantSummary& participant)
        : m_participant(participant)
    {
        for (std::uint32_t i = 0; i < participant.types.size(); ++i)
            m_types.try_emplace(participant.types[i], i);
    }

    void add(Exchange exchange, const ExchangeType& type, const std::vector<ExchangePeer>& peers)
    {
        auto& types = m_participant.types;
        if (m_lastType >= types.size() || types[m_lastType] != type) {
            const auto [known, isNew] = m_types.try_emplace(type, static_cast<std::uint32_t>(types.size()));
            if (isNew)
                types.push_back(type);
            m_lastType = known->second;
        }
        exchange.type = m_lastType;
        // A group may launch a kernel for each of its members, and each is an exchange with all peers.
        auto& all = m_participant.peers;
        if (peers.size() > all.size() || !std::ranges::equal(peers, std::span(all).last(peers.size())))
            all.insert(all.end(), peers.begin(), peers.end());
        exchange.firstPeer = static_cast<std::uint32_t>(all.size() - peers.size());
        exchange.peers = static_cast<std::uint32_t>(peers.size());
        m_participant.exchanges.push_back(exchange);
    }

private:
    ParticipantSummary& m_participant;
    std::map<ExchangeType, std::uint32_t> m_types; ///< where each is in the participant's list
    std::uint32_t m_lastType = 0;
};

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

/// True for calls that give data to the other end; of point-to-point calls.
bool sendsInMpi(std::string_view name)
{
    name = behindPrefix(name);
    return name.find("send") != std::string_view::npos || name.find("Send") != std::string_view::npos;
}

} // namespace

void addKernelExchanges(const Trace& trace, const NcclCalls& calls, const StepSeries& steps,
    ParticipantSummary& participant, const std::stop_token& stop)
{
    const KernelTable& kernels = trace.kernels();
    const CommunicationKernels communicates(trace);
    ExchangeCollector collector(participant);
    std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> streams; // numbered, by context and stream
    for (const Track& track : kernels.tracks) {
        if (!participant.uses(track.owner, track.device))
            continue;
        for (const EventIndex i : eventsOf(track, stop)) {
            if (!communicates[i])
                continue;
            const std::string_view name = trace.text(kernels.name[i]);
            const KernelCommunication communication = calls.communicationOf(i);
            ExchangeType type;
            type.kind = kindOf(communication);
            type.operation = communication.operation;
            type.element = elementOfCollective(name);
            type.group = fmt::format("stream:{}",
                streams.try_emplace({track.context, track.stream}, streams.size()).first->second);
            Exchange exchange;
            exchange.range = kernels.range(i);
            exchange.event = {EventKind::Kernel, i};
            std::vector<ExchangePeer> peers;
            describe(calls.of(i), type, exchange, peers);
            const auto made = calls.communicators().find(
                type.group.starts_with("nccl:") ? type.group.substr(5) : std::string("?"));
            if (made != calls.communicators().end())
                type.groupSize = made->second.ranks;
            const EventRef call = trace.apiCallOf(exchange.event);
            if (!steps.empty())
                exchange.step
                    = stepAt(steps, call.valid() ? trace.apiCalls().start[call.index] : exchange.range.start);
            collector.add(exchange, type, peers);
        }
    }
}

void addMpiExchanges(
    const Trace& trace, const StepSeries& steps, ParticipantSummary& participant, const std::stop_token& stop)
{
    const LibraryCallTable& table = trace.libraryCalls();
    ExchangeCollector collector(participant);
    MpiGroups groups{trace, {}};
    for (const Track& track : table.tracks) {
        if (processOf(track.owner) != participant.process || trace.text(track.family) != "MPI")
            continue;
        for (const EventIndex i : eventsOf(track, stop)) {
            const std::string_view name = trace.text(table.name[i]);
            const auto kind = exchangeOfMpi(name);
            if (!kind || table.depthOf(i) > 0) // calls inside of calls are the library's own business
                continue;
            ExchangeType type;
            type.kind = *kind;
            type.onHost = true;
            type.operation = name.starts_with('P') ? name.substr(1) : name;
            Exchange exchange;
            exchange.range = table.range(i);
            exchange.event = {EventKind::Library, i};
            std::vector<ExchangePeer> peers;
            if (const MessageFacts* const message = table.message(i)) {
                exchange.bytes = std::max<std::int64_t>(-1, message->bytes);
                exchange.tag = std::max<std::int64_t>(-1, message->tag);
                if (message->communicator != notSaid)
                    std::tie(type.group, type.groupSize) = groups.of(track.owner, message->communicator);
                if (message->peer >= 0)
                    peers.push_back({message->peer, sendsInMpi(name)});
            }
            if (type.group.empty())
                type.group = "mpi:world";
            exchange.step = steps.empty() ? noIndex : stepAt(steps, exchange.range.start);
            collector.add(exchange, type, peers);
        }
    }
}

std::optional<ExchangeKind> exchangeOfMpi(std::string_view name)
{
    name = behindPrefix(name);
    if (name.empty() || name.ends_with("_init") || name.starts_with("Reduce_local"))
        return {};
    const auto found
        = std::ranges::find_if(mpiWords, [&](const Word& word) { return name.starts_with(word.prefix); });
    return found != mpiWords.end() ? std::optional(found->kind) : std::nullopt;
}

} // namespace warpline
