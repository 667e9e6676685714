#include "core/across/participants.h"

#include "core/across/exchanges.h"
#include "core/base/path_names.h"
#include "core/base/words.h"
#include "core/derive/communication.h"
#include "core/store/recorder.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>

namespace warpline {

namespace {

/// The variables that launchers set, in the order in which they are believed: torchrun, Open MPI, MPICH and
/// its kin, Slurm.
constexpr std::array<std::string_view, 4> rankVariables{
    "RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"};
constexpr std::array<std::string_view, 4> sizeVariables{
    "WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"};

std::optional<std::int64_t> numberAt(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0)
        return {};
    return number;
}

std::map<GlobalId, std::set<std::int32_t>> communicatingDevices(const Trace& trace)
{
    std::map<GlobalId, std::set<std::int32_t>> devices;
    const KernelTable& kernels = trace.kernels();
    const CommunicationKernels communicates(trace);
    for (const Track& track : kernels.tracks) {
        for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
            if (communicates[i]) {
                devices[track.owner].insert(track.device);
                break;
            }
        }
    }
    return devices;
}

std::set<GlobalId> processesWithMpi(const Trace& trace)
{
    std::set<GlobalId> processes;
    const LibraryCallTable& calls = trace.libraryCalls();
    for (const Track& track : calls.tracks) {
        if (trace.text(track.family) != "MPI")
            continue;
        for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
            if (exchangeOfMpi(trace.text(calls.name[i]))) {
                processes.insert(processOf(track.owner));
                break;
            }
        }
    }
    return processes;
}

/// Takes rank and world size from the NCCL payload of the participant's largest communicator.
void askPayloads(const NcclCalls& calls, ParticipantSummary& participant)
{
    for (const auto& [id, made] : calls.communicators()) {
        const bool own = made.process == participant.process && made.rank >= 0
            && (participant.device < 0 || made.device < 0 || made.device == participant.device);
        if (!own || made.ranks <= participant.worldSize)
            continue;
        participant.rank = made.rank;
        participant.worldSize = made.ranks;
        participant.foundBy = RankSource::Payload;
    }
}

/// The value of environment variable `name` of the recorded program, when it is a number.
std::optional<std::int64_t> environmentNumber(const Trace& trace, std::string_view name)
{
    for (const auto* const list : {&trace.info.capture, &trace.info.system}) {
        for (const auto& [key, value] : *list) {
            if (!containsWord(key, "environment"))
                continue;
            // One assignment, or all of them in one text.
            for (std::size_t at = value.find(name); at != std::string::npos; at = value.find(name, at + 1)) {
                const std::size_t sign = at + name.size();
                const bool begins = at == 0 || value[at - 1] == '\n' || value[at - 1] == ';'
                    || value[at - 1] == ' ' || value[at - 1] == '\0' || value[at - 1] == '"';
                if (begins && sign < value.size() && value[sign] == '=')
                    return numberAt(std::string_view(value).substr(sign + 1));
            }
        }
    }
    return {};
}

void askEnvironment(const Trace& trace, ParticipantSummary& participant)
{
    for (std::size_t i = 0; i < rankVariables.size(); ++i) {
        const auto rank = environmentNumber(trace, rankVariables[i]);
        if (!rank)
            continue;
        participant.rank = *rank;
        participant.foundBy = RankSource::Environment;
        participant.worldSize = environmentNumber(trace, sizeVariables[i]).value_or(0);
        return;
    }
}

void askMpi(const Trace& trace, ParticipantSummary& participant)
{
    const auto rank = trace.mpiRank(participant.process);
    if (!rank)
        return;
    participant.rank = *rank;
    participant.foundBy = RankSource::MpiRanks;
    for (const MpiCommunicator& each : trace.communicators)
        participant.worldSize = std::max(participant.worldSize, each.rank == *rank ? each.size : 0);
}

/// Takes rank and world size from the process groups that PyTorch's profiler wrote.
void askProfiler(const Trace& trace, ParticipantSummary& participant)
{
    const ReportRank said = warpline::rankOf(trace.info);
    if (said.rank < 0)
        return;
    participant.rank = said.rank;
    participant.worldSize = std::max<std::int64_t>(0, said.ranks);
    participant.foundBy = RankSource::Distributed;
}

/// Drops ranks that several participants claim.
void dropSharedRanks(std::vector<ParticipantSummary>& participants)
{
    std::map<std::int64_t, int> claims;
    for (const ParticipantSummary& each : participants)
        ++claims[each.rank];
    for (ParticipantSummary& each : participants) {
        if (each.rank < 0 || claims[each.rank] < 2)
            continue;
        each.rank = -1;
        each.foundBy = RankSource::Unknown;
    }
}

} // namespace

std::optional<std::int64_t> rankInFileName(std::string_view path)
{
    const std::string_view name = baseName(path);
    constexpr std::string_view word = "rank";
    std::optional<std::int64_t> found;
    for (std::size_t i = 0; i + word.size() < name.size(); ++i) {
        if (!containsWord(name.substr(i, word.size()), word))
            continue;
        std::size_t digits = i + word.size();
        while (digits < name.size() && (name[digits] == '_' || name[digits] == '-' || name[digits] == '.'))
            ++digits;
        if (const auto number = numberAt(name.substr(digits)))
            found = number;
    }
    return found;
}

std::vector<ParticipantSummary> findParticipants(
    const Trace& trace, const NcclCalls& calls, const std::string& file)
{
    std::vector<ParticipantSummary> participants;
    const auto add = [&](GlobalId process, std::int32_t device) {
        ParticipantSummary participant;
        participant.process = process;
        participant.device = device;
        participants.push_back(std::move(participant));
    };
    const auto devices = communicatingDevices(trace);
    for (const auto& [process, ofProcess] : devices) {
        for (const std::int32_t device : ofProcess)
            add(process, ofProcess.size() > 1 ? device : -1);
    }
    for (const GlobalId process : processesWithMpi(trace)) {
        if (!devices.contains(process))
            add(process, -1);
    }
    for (ParticipantSummary& each : participants) {
        if (participants.size() == 1)
            askProfiler(trace, each); // PyTorch's trace repeats the rank by communicator, as NCCL does
        if (each.rank < 0)
            askPayloads(calls, each);
        if (each.rank < 0 && participants.size() == 1)
            askEnvironment(trace, each);
        if (each.rank < 0)
            askMpi(trace, each);
        if (const auto guess = rankInFileName(file); each.rank < 0 && participants.size() == 1 && guess) {
            each.rank = *guess;
            each.foundBy = RankSource::FileName;
        }
    }
    dropSharedRanks(participants);
    return participants;
}

} // namespace warpline
