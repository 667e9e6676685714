#pragma once

#include "core/base/ids.h"
#include "core/base/saturate.h"
#include "core/base/time.h"
#include "core/store/duration_column.h"
#include "core/store/event_kind.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace warpline {

/// One sequence of events with one context: a stream, a thread, an NVTX domain on a thread.
struct Track {
    GlobalId owner = 0; ///< globalTid for a thread's events, globalPid for a device's; 0: unknown
    std::int32_t device = -1; ///< CUDA ordinal in the owner's process; -1: not on a device
    std::int32_t context = -1;
    std::int32_t stream = -1;
    std::int32_t greenContext = -1; ///< the stream's part of the device; -1 or 0: all of it
    StringId family{}; ///< Nvtx: domain name (empty: default domain); Library: "OpenGL", "cuBLAS" ...
    StringId source{}; ///< the report's table the events were read from
    std::uint32_t firstLane = 0; ///< lanes [firstLane, firstLane + laneCount) of EventTable::lanes
    std::uint32_t laneCount = 0;
    EventIndex firstEvent = 0; ///< events [firstEvent, firstEvent + eventCount), all lanes
    std::uint32_t eventCount = 0;
};

/// Whether the events of `track` are ranges that the profiler recorded on a GPU. PyTorch repeats there the
/// annotations of threads, under the same names: the two are never added.
inline bool isRecordedOnGpu(EventKind kind, const Track& track)
{
    return kind == EventKind::Nvtx && track.device >= 0;
}

/// A run of events of one track that do not overlap, in time order: starts and ends are both sorted. Lane 0
/// holds the outermost events, lane d those nested d deep (or concurrent with d others).
struct Lane {
    EventIndex first = 0;
    std::uint32_t count = 0;
};

/// Free stretches between events.
struct Pauses {
    std::uint64_t count = 0;
    Ns longest = 0;
};

/// Events of one kind, one vector per column. Row i of every column is event i.
///
/// Order of a finished trace: by track, then lane, then start. So each lane is one contiguous run, binary
/// search over `start` is its index, and no other index needs memory. Within a track an event's parent is in
/// the lane above it, starts no later and ends no earlier.
struct EventTable {
    EventKind kind = EventKind::Kernel;
    std::vector<Track> tracks; ///< sorted by firstEvent
    std::vector<Lane> lanes; ///< in the order of their events

    std::vector<Ns> start;
    DurationColumn duration; ///< never negative; 0 is a mark
    std::vector<StringId> name; ///< kernels: the demangled name; see displayName() for the short one
    std::vector<std::uint32_t> sourceRow; ///< rowid in the track's source table; 0: derived

    // Columns that not every kind has: empty where it has not.
    std::vector<std::uint32_t> correlation; ///< correlation id, unique per process; 0 none
    std::vector<std::uint64_t> bytes; ///< Memcpy, Memset, Decompression, GpuMemory, GpuMemoryPool, FileAccess
    std::vector<std::uint32_t> callchain; ///< id in the kind's Callchains; 0 none
    /// Kernel: row of KernelTable::launches. Memcpy: row of MemcpyTable::copies. Memset: memory kind.
    /// Synchronization: sync type (ENUM_CUPTI_SYNC_TYPE). GraphTrace: graph exec id. CudaEvent: event id.
    /// HostFunction: graph id. Decompression: channel. Nvtx: row of NvtxTable::attributes. ThreadState,
    /// Sample: CPU. ApiCall: return value. Library: row of LibraryCallTable::messages. GpuMemory: row of
    /// GpuMemoryTable::operations. PageFault: number of faults. NvtxProjected: the projected Nvtx event.
    /// CpuCore: its ThreadState event. GraphEvent: row of GraphEventTable::nodes.
    std::vector<std::uint32_t> attribute;

    /// Start of rows 0, 64, 128, ...: searches begin here.
    std::vector<Ns> startSamples;
    /// Sum of durations of rows [0, 64 k), for k = 0, 1, ...: makes durationSum() a constant-time question.
    std::vector<Ns> durationPrefix;
    /// Pauses between the events of a lane, for pausesOf(): how many end at rows [0, 64 k), and the longest
    /// that ends at rows [64 k, 64 (k + 1)).
    std::vector<std::uint32_t> pausesBefore;
    std::vector<Ns> longestPause;
    std::uint64_t sourceRows = 0; ///< rows of the report behind this table, those left out included
    std::uint64_t leftOut = 0; ///< events beyond the maximum index; only known until the trace is cached
    std::uint64_t shortened = 0; ///< events that became marks, see maxTotalDuration; the same
    std::uint64_t withoutBytes = 0; ///< events whose bytes were taken away, see maxTotalBytes; the same

    std::size_t size() const { return start.size(); }
    bool empty() const { return start.empty(); }
    Ns end(std::size_t i) const { return range(i).end; }
    TimeRange range(std::size_t i) const
    {
        assert(i < start.size()); // the library's, which release builds have, would cost here
        const Ns begin = start.data()[i];
        return {begin, begin + duration[i]};
    }

    /// Index of the track that holds event i. O(log tracks).
    std::uint32_t trackIndexOf(EventIndex i) const;
    const Track& trackOf(EventIndex i) const { return tracks[trackIndexOf(i)]; }
    /// Index into `lanes` of the lane that holds event i. O(log lanes).
    std::uint32_t laneIndexOf(EventIndex i) const;
    std::span<const Lane> lanesOf(const Track& track) const
    {
        return std::span(lanes).subspan(track.firstLane, track.laneCount);
    }
    /// Nesting depth of event i within its track: 0 is outermost.
    std::uint32_t depthOf(EventIndex i) const { return laneIndexOf(i) - trackOf(i).firstLane; }

    /// First event of `lane` that ends after `t`, or for a mark, lies at or after it; lane end if none.
    EventIndex firstEndingAfter(const Lane& lane, Ns t) const;
    /// First event of `lane` that starts at or after `t`; lane end if none.
    EventIndex firstStartingAt(const Lane& lane, Ns t) const;
    /// The same for each of `times`, which ascend; from the events [first, last) of one lane, last if none.
    /// Less work than one after another.
    void firstStartingAt(
        EventIndex first, EventIndex last, std::span<const Ns> times, std::span<EventIndex> found) const;
    /// Events of `lane` that touch `window` (TimeRange::touches) are the returned [first, last).
    std::pair<EventIndex, EventIndex> touching(const Lane& lane, TimeRange window) const;
    /// Sum of the durations of all events before i, of whichever lane: the difference of two is
    /// durationSum(). O(1).
    Ns durationBefore(EventIndex i) const;
    /// Asks for the memory that durationBefore(i) reads before it is needed.
    void prefetchDurations(EventIndex i) const;
    /// Sum of the durations of events [first, last), whole durations. O(1).
    Ns durationSum(EventIndex first, EventIndex last) const;
    /// The stretches between events [first, last), which are of one lane, that none of them covers. Marks
    /// cover nothing. From the index: one step for every 64 events.
    Pauses pausesOf(EventIndex first, EventIndex last) const;
    /// Time of `window` that `lane` covers: durations clipped to it. O(log n).
    Ns busy(const Lane& lane, TimeRange window) const;

    /// The time that `lane` covers before each of `times`, which ascend, up to a common constant: differences
    /// equal busy(). Resizes `covered`.
    void coveredBefore(const Lane& lane, std::span<const Ns> times, std::vector<Ns>& covered) const;

    /// Builds the columns for blocks of events: startSamples, durationPrefix, pausesBefore, longestPause.
    void indexBlocks();
    /// Bytes held by all columns.
    std::size_t memoryBytes() const;

private:
    /// The first event of [first, last) that is no mark; last when there is none. O(log n).
    EventIndex firstWithLength(EventIndex first, EventIndex last) const;
};

struct Dim3 {
    std::int32_t x = 1;
    std::int32_t y = 1;
    std::int32_t z = 1;
    /// x * y * z; a negative side counts as none. At most 2^52, so that sums and small multiples fit, too.
    std::int64_t volume() const
    {
        const auto side = [](std::int32_t length) { return std::int64_t{length > 0 ? length : 0}; };
        return std::min(saturatingProduct(side(x) * side(y), side(z)), std::int64_t{1} << 52U);
    }
    friend bool operator==(const Dim3&, const Dim3&) = default;
};

/// How a kernel was launched. Equal launches share one record.
struct KernelLaunch {
    StringId shortName{};
    StringId mangledName{};
    Dim3 grid;
    Dim3 block;
    std::int32_t registersPerThread = 0;
    std::int32_t staticSharedMemory = 0; ///< bytes per block
    std::int32_t dynamicSharedMemory = 0; ///< bytes per block
    std::int64_t sharedMemoryExecuted = 0; ///< bytes per multiprocessor set by the driver; 0 unknown
    std::int64_t localMemoryPerThread = 0; ///< bytes
    std::uint64_t graphNodeId = 0; ///< 0: not launched by a graph
    friend bool operator==(const KernelLaunch&, const KernelLaunch&) = default;
};

struct KernelTable : EventTable {
    std::vector<KernelLaunch> launches;
    const KernelLaunch& launch(EventIndex i) const { return launches[attribute[i]]; }
};

/// Ids of ENUM_CUDA_MEMCPY_OPER; the same in every version of the export.
enum class CopyKind : std::uint8_t {
    Unknown,
    HtoD,
    DtoH,
    HtoA,
    AtoH,
    AtoA,
    AtoD,
    DtoA,
    DtoD,
    HtoH,
    PtoP,
    UnifiedHtoD,
    UnifiedDtoH,
    UnifiedDtoD
};

/// Ids of ENUM_CUDA_MEM_KIND; the same in every version of the export.
enum class MemoryKind : std::uint8_t {
    Pageable,
    Pinned,
    Device,
    Array,
    Managed,
    DeviceStatic,
    ManagedStatic,
    Unknown
};

/// Nsight's label: "Host-to-Device" ...
std::string_view labelOf(CopyKind kind);
/// "Pageable", "Pinned", "Device" ...
std::string_view labelOf(MemoryKind kind);

/// The kind with the export's id `id`; Unknown when there is none.
constexpr MemoryKind memoryKindOf(std::int64_t id)
{
    return id >= 0 && id <= static_cast<std::int64_t>(MemoryKind::Unknown) ? static_cast<MemoryKind>(id)
                                                                           : MemoryKind::Unknown;
}

/// Direction and memory of a copy. Equal ones share one record.
struct CopyAttributes {
    CopyKind kind = CopyKind::Unknown;
    MemoryKind source = MemoryKind::Unknown;
    MemoryKind destination = MemoryKind::Unknown;
    std::int32_t sourceDevice = -1;
    std::int32_t destinationDevice = -1;
    std::int32_t migrationCause = 0; ///< ENUM_CUDA_UNIF_MEM_MIGRATION; 0 none
    std::uint64_t graphNodeId = 0;
    friend bool operator==(const CopyAttributes&, const CopyAttributes&) = default;
};

struct MemcpyTable : EventTable {
    std::vector<CopyAttributes> copies;
    std::vector<std::uint64_t>
        address; ///< first byte a copy of unified memory moved; empty: none was recorded
    const CopyAttributes& copy(EventIndex i) const { return copies[attribute[i]]; }
};

/// NVTX attributes other than name and time. Equal ones share one record.
struct NvtxAttributes {
    std::uint32_t color = 0; ///< ARGB
    bool hasColor = false;
    std::uint8_t eventType = 59; ///< 59 push/pop, 60 start/end, 34 mark
    std::int32_t category = 0;
    StringId categoryName{};
    StringId payload{}; ///< as text: "42", a JSON object, or "message size=16777216, ..."; empty: none
    std::int64_t payloadBytes = -1; ///< NCCL message size in bytes where the payload carries it; else -1
    GlobalId endThread = 0; ///< where a start/end range ended, when not on the thread it began
    bool open = false; ///< the report has no end for it: it is drawn to the end of the session
    friend bool operator==(const NvtxAttributes&, const NvtxAttributes&) = default;
};

struct NvtxTable : EventTable {
    std::vector<NvtxAttributes> attributes;
    /// Names of the fields that payloads have, each once, in alphabetical order; see payloadFields().
    std::vector<StringId> payloadFields;
    const NvtxAttributes& attributesOf(EventIndex i) const { return attributes[attribute[i]]; }
};

/// A missing value, where every number is valid.
inline constexpr std::int64_t notSaid = std::numeric_limits<std::int64_t>::min();

/// The message of an MPI or UCX call: `notSaid` where the row has no such column or no value. Calls with
/// equal messages share one record; the first record is empty and counts as one row.
struct MessageFacts {
    std::int64_t bytes = notSaid; ///< sent, or received by a receive
    std::int64_t bytesReceived = notSaid; ///< of a collective
    std::int64_t tag = notSaid;
    std::int64_t peer = notSaid; ///< rank (MPI) or worker (UCX) at the other end
    std::int64_t root = notSaid; ///< rank of a collective's root
    std::int64_t communicator = notSaid; ///< its handle in the process: see Trace::communicators
    /// The number of report rows of this call: MPI_Waitall has one per request.
    std::int64_t rows = 1;
    friend bool operator==(const MessageFacts&, const MessageFacts&) = default;
};

struct LibraryCallTable : EventTable {
    std::vector<MessageFacts> messages;
    /// nullptr when call `i` has no message.
    const MessageFacts* message(EventIndex i) const
    {
        const MessageFacts& facts = messages[attribute[i]];
        return facts == MessageFacts{.rows = facts.rows} ? nullptr : &facts;
    }
    /// How many rows of the report are call `i`, at least 1: nsys' tables count them, Warpline counts calls.
    std::uint64_t rowsOf(EventIndex i) const
    {
        return static_cast<std::uint64_t>(std::max<std::int64_t>(1, messages[attribute[i]].rows));
    }
};

/// An allocation or a release on a device.
struct GpuMemoryOperation {
    MemoryKind memory = MemoryKind::Unknown;
    bool allocates = true;
    std::int32_t device = -1;
    friend bool operator==(const GpuMemoryOperation&, const GpuMemoryOperation&) = default;
};

/// The instruction that caused page faults on the CPU. Equal ones share one record.
struct FaultSite {
    StringId instruction{}; ///< the function's name, or the address in hexadecimal
    StringId file{}; ///< of the source; empty: unknown
    std::int32_t line = -1; ///< of the source; -1: not recorded
    friend bool operator==(const FaultSite&, const FaultSite&) = default;
};

/// `attribute` is the number of faults of an event.
struct PageFaultTable : EventTable {
    std::vector<std::uint64_t> address; ///< the byte that was missed
    std::vector<FaultSite> sites;
    std::vector<std::uint32_t> site; ///< of each event: row of `sites`; those of a device share an empty one
};

/// A node of a CUDA graph, as it was made.
struct GraphNode {
    std::uint64_t node = 0; ///< its id, as kernels and copies name it; 0: the event is not about a node
    std::uint64_t original = 0; ///< the node it was copied from, as instantiating a graph does; 0: none
    friend bool operator==(const GraphNode&, const GraphNode&) = default;
};

/// Creation of CUDA graphs. The first record is for events without a node.
struct GraphEventTable : EventTable {
    std::vector<GraphNode> nodes;
    const GraphNode& nodeOf(EventIndex i) const { return nodes[attribute[i]]; }
};

struct GpuMemoryTable : EventTable {
    std::vector<GpuMemoryOperation> operations;
    std::vector<std::uint64_t> address; ///< virtual address of the allocation
    const GpuMemoryOperation& operation(EventIndex i) const { return operations[attribute[i]]; }
};

} // namespace warpline
