#pragma once

#include "core/base/ids.h"
#include "core/base/message.h"
#include "core/base/time.h"
#include "core/coverage/intervals.h"
#include "core/store/event_kind.h"

#include <compare>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

class Trace;

// The data of a report that the analysis across ranks needs: small and without the trace, so that a thousand
// fit where one report does. The same code analyzes reports that are open in a window and those that other
// machines have read (see core/across/summary_bytes.h).

/// How it was found which rank a participant is, the surest first.
enum class RankSource : std::uint8_t {
    Payload, ///< from NCCL's payload at the creation of a communicator
    Environment, ///< RANK, OMPI_COMM_WORLD_RANK ... of the recorded program
    MpiRanks, ///< from MPI_Init
    Distributed, ///< from PyTorch's process groups
    Manual, ///< by the user
    FileName, ///< a guess: a number in the name of the file
    Order, ///< a guess: the order in which reports were given, then devices and processes
    Unknown,
};
/// "nccl_payload", "environment", "mpi_ranks", "distributed_info", "manual", "file_name", "order", "unknown".
std::string_view keyOf(RankSource source);
/// For the user: "NCCL's payload", "a number in the file's name (a guess)" ...
Message wordsOf(RankSource source);

/// How an exchange ties the ranks that take part.
enum class ExchangeKind : std::uint8_t {
    Synchronizing, ///< no rank leaves before the last arrives: all-reduce, all-gather, barrier ...
    Rooted, ///< one rank sends or receives all: broadcast, reduce, gather, scatter; the ends do not align
            ///< clocks
    PointToPoint, ///< a send or a receive, or a group of them
    Wait, ///< MPI_Wait and similar calls: wait for earlier posts
    Post, ///< MPI_Isend, MPI_Irecv: begins an exchange and waits for nothing
};

/// Common fields of exchanges, stored once per participant.
struct ExchangeType {
    ExchangeKind kind = ExchangeKind::Synchronizing;
    bool onHost = false; ///< a call of MPI; else a kernel
    std::string operation; ///< "all-reduce", "MPI_Allreduce"
    std::string element; ///< "f32"; empty: unknown
    /// Which ranks exchange: "nccl:6727538562120142276", "mpi:world"; "stream:0" where the report does not
    /// name the communicator.
    std::string group;
    std::int64_t groupSize = 0; ///< ranks in the group; 0: not recorded
    friend auto operator<=>(const ExchangeType&, const ExchangeType&) = default;
};

/// One kernel that communicates, or one call of MPI.
struct Exchange {
    TimeRange range; ///< on the report's clock
    std::uint32_t type = 0; ///< index into ParticipantSummary::types
    std::int64_t bytes = -1; ///< of the message as its library gives it; -1: not recorded
    std::int64_t sequence = -1; ///< its number in the group, where the report records it
    std::int64_t tag = -1; ///< of a message of MPI
    /// For point-to-point: the ranks at the other end, [firstPeer, firstPeer + peers) of
    /// ParticipantSummary::peers.
    std::uint32_t firstPeer = 0;
    std::uint32_t peers = 0;
    std::uint32_t step = noIndex; ///< index into ParticipantSummary::steps; noIndex: in none
    EventRef event;
};

/// One end of a message: a send to `rank`, or a receive from it.
struct ExchangePeer {
    std::int64_t rank = -1;
    bool sends = false;
    friend bool operator==(const ExchangePeer&, const ExchangePeer&) = default;
};

/// Kinds of parts of a step's time.
enum class PartKind : std::uint8_t {
    Range, ///< own time of an NVTX range on the host, without calls that wait
    /// Summed times of kernels that compute. A kernel that overlaps communication is slower, so it counts
    /// with its usual time without overlap.
    Kernels,
    Copies, ///< copies and memsets while nothing computed
    Idle, ///< the GPU idles, by cause
};
std::string_view keyOf(PartKind kind); ///< "nvtx", "kernels", "copies", "idle"

/// A part of the time of steps: each once per participant.
struct StepPart {
    PartKind kind = PartKind::Range;
    /// For a range: its name with '#' for numbers. For idle time: BudgetPart::id, "idle_other_call:HIP" for
    /// calls of HIP. Else "kernels", "copies".
    std::string name;
    friend bool operator==(const StepPart&, const StepPart&) = default;
    friend auto operator<=>(const StepPart&, const StepPart&) = default;
};

/// One step of a participant.
struct StepFacts {
    std::string name; ///< of its NVTX range: "step_3"; of a guess empty
    TimeRange host; ///< its range on the host
    TimeRange time; ///< its range on the GPU; where it has none, `host`
    bool warmUp = false;
    Ns busy = 0; ///< of `time`: GPU work of any kind
    std::vector<Ns> parts; ///< by ParticipantSummary::parts; may be shorter: 0 from there on
};

/// The time of kernels of one name and launch shape that ran while nothing communicated.
struct KernelPace {
    std::string name; ///< short name and shape: "gemm <<<128, 256>>>"
    std::uint64_t count = 0;
    Ns median = 0;
};

/// A rank, or whatever else takes part in exchanges: a process, with its device where it communicates on
/// several.
struct ParticipantSummary {
    GlobalId process = 0;
    std::int32_t device = -1; ///< CUDA ordinal of the process; -1: all that it uses
    std::int64_t rank = -1; ///< -1: not known
    RankSource foundBy = RankSource::Unknown;
    std::int64_t worldSize = 0; ///< ranks of the run, where the report records it
    std::string gpu; ///< "NVIDIA H200 (GPU 1)"; empty: none
    /// Distinguishes the GPU from others of the host: "0000:00:06.0 GPU-5557...". Empty: unknown.
    std::string gpuPlace;
    double clockMHz = 0; ///< median clock of the multiprocessors while busy, where it was sampled; 0: not

    std::vector<ExchangeType> types;
    std::vector<ExchangePeer> peers;
    std::vector<Exchange> exchanges; ///< by start; Post and Wait only of MPI
    std::vector<StepPart> parts;
    std::vector<StepFacts> steps; ///< in order of time; empty: none were found
    std::string stepPattern; ///< "step_#"
    Intervals computing; ///< kernels that do not communicate, while an exchange runs
    Ns computeAlone = 0; ///< the time of such kernels while none does
    Ns communicating = 0; ///< the time of exchanges that wait
    std::vector<KernelPace> kernels; ///< those with most time, at most 64

    /// Whether GPU `ordinal` of process `owner` is its own.
    bool uses(GlobalId owner, std::int32_t ordinal) const
    {
        return process == owner && (device < 0 || device == ordinal);
    }
};

/// The summary of one report.
struct ReportSummary {
    std::string file; ///< as it was given
    std::string error; ///< why it could not be read; empty: it was
    std::string host; ///< empty: unknown
    std::int64_t utcOfZero = 0; ///< UTC at time 0 of the report's clock, at most latestUtcNs; 0: not known
    TimeRange session;
    std::uint64_t identity = 0; ///< equal for copies of one report
    std::uint64_t lostEvents = 0; ///< rows that could not be read
    bool lacksWork = false; ///< see lacksWork()
    bool graphsAsWhole = false; ///< CUDA graphs were traced as a whole: kernels inside are not seen
    std::vector<ParticipantSummary> participants; ///< empty: nothing in it communicates
};

/// Extracts from `trace` what the analysis across ranks needs. `file` names the report and may contain the
/// rank. O(n log n). Throws Stopped when `stop` is requested.
ReportSummary summarize(const Trace& trace, const std::string& file, const std::stop_token& stop = {});

} // namespace warpline
