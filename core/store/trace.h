#pragma once

#include "core/base/string_pool.h"
#include "core/base/time.h"
#include "core/store/callchains.h"
#include "core/store/counter_table.h"
#include "core/store/event_table.h"
#include "core/store/links.h"
#include "core/store/problem.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace warpline {

struct Process {
    GlobalId id = 0; ///< globalPid
    std::uint32_t pid = 0;
    StringId name{}; ///< may be empty: old exports have no process names
};

/// A thread of unknown priority.
inline constexpr std::int32_t noPriority = std::numeric_limits<std::int32_t>::min();

struct Thread {
    GlobalId id = 0; ///< globalTid
    StringId name{};
    std::int32_t priority = noPriority; ///< as the operating system counts it
};

/// A GPU and its limits; 0 where the export lacks them.
struct Device {
    std::int32_t id = -1; ///< index as the report numbers it (TARGET_INFO_GPU.id)
    std::string name;
    std::string chip;
    std::string busLocation;
    std::string uuid;
    std::int64_t memoryBytes = 0;
    std::int64_t memoryBandwidth = 0; ///< bytes per second
    std::int64_t clockRate = 0; ///< Hz
    std::int64_t l2CacheBytes = 0;
    std::int32_t multiprocessors = 0;
    std::int32_t maxWarpsPerSm = 0;
    std::int32_t maxBlocksPerSm = 0;
    std::int32_t maxRegistersPerSm = 0;
    std::int32_t maxSharedPerSm = 0; ///< bytes
    std::int32_t threadsPerWarp = 32;
    std::int32_t computeMajor = 0;
    std::int32_t computeMinor = 0;

    friend bool operator==(const Device&, const Device&) = default;
};

/// CUDA ordinal `cuda` of process `pid` is device `device` of the report (TARGET_INFO_CUDA_DEVICE).
struct DeviceOrdinal {
    std::uint32_t pid = 0;
    std::int32_t cuda = 0;
    std::int32_t device = 0;
    std::uint32_t contexts = 0; ///< CUDA contexts of the process there (TARGET_INFO_CUDA_CONTEXT_INFO)

    std::pair<std::uint32_t, std::int32_t> key() const { return {pid, cuda}; }
};

/// A stream's data from TARGET_INFO_CUDA_STREAM and NVTX.
struct StreamInfo {
    GlobalId process = 0; ///< matched by pid
    std::int32_t context = -1;
    std::int32_t stream = -1;
    std::int32_t flag = 0; ///< ENUM_CUPTI_STREAM_TYPE
    bool isDefault = false; ///< the context's null stream
    StringId name{}; ///< given by NVTX; usually empty
};

/// The rank of an MPI process, by the thread that called MPI_Init (MPI_RANKS).
struct MpiRank {
    GlobalId thread = 0;
    std::int64_t rank = 0;
};

/// An MPI communicator as one rank sees it (MPI_COMMUNICATORS).
struct MpiCommunicator {
    std::int64_t rank = 0; ///< who sees it, as a rank of MPI_COMM_WORLD
    std::int64_t handle = 0; ///< names it in that rank's process only
    std::int64_t parent = 0; ///< the handle it was made from; 0 none
    std::int64_t localRank = 0;
    std::int64_t size = 0; ///< ranks in it
};

/// The output of a process (ProcessStreams).
struct ProgramOutput {
    GlobalId process = 0;
    std::string name; ///< the file it went to: ".../stdout"
    std::string text;
};

/// A stretch of time in which a network device counted waiting: ticks with data to send and no leave to.
struct NetworkWait {
    Ns start = 0;
    Ns end = 0;
    double ticks = 0; ///< how long a tick is depends on the device
    std::uint64_t guid = 0; ///< of the device
    StringId device{}; ///< its name; empty for switches
};

/// One table of the report file.
struct SourceTable {
    std::string name;
    std::uint64_t rows = 0;
    bool known = true; ///< false: Warpline does not read it
};

/// A line of DIAGNOSTIC_EVENT.
struct DiagnosticLine {
    Ns time = 0;
    std::int32_t severity = 0; ///< ENUM_DIAGNOSTIC_SEVERITY_LEVEL: 1 info, 2 warning, 3 error, 4 fatal
    std::string text;
};

/// Facts about the report that are not events.
struct ReportInfo {
    std::string path;
    std::uint64_t fileBytes = 0;
    std::uint64_t fileSample = 0; ///< ReportKey::sample of the file when it was read; 0: unknown
    std::string schemaVersion; ///< "3.20.3"; empty: an export from before 2021.5 carries none
    std::string exporterVersion; ///< nsys that exported
    std::string captureVersion; ///< version of the recording nsys, where it is known
    std::string hostName;
    std::string operatingSystem;
    std::string commandLine; ///< of the profiled program
    std::int64_t startedUtcNs = 0; ///< UTC epoch; 0 unknown
    std::string startedUtc;
    std::vector<std::pair<std::string, std::string>> capture; ///< META_DATA_CAPTURE, in order
    std::vector<std::pair<std::string, std::string>> exported; ///< META_DATA_EXPORT or EXPORT_META_DATA
    std::vector<std::pair<std::string, std::string>> system; ///< TARGET_INFO_SYSTEM_ENV, text only
    std::vector<SourceTable> tables; ///< every table with rows, by name
    /// (table, reason) for tables that SQLite read because their pages could not be read directly; an empty
    /// table means the whole file. The reason is the end of a sentence.
    std::vector<std::pair<std::string, std::string>> readBySqlite;
    std::uint64_t gpuMetricSamples = 0; ///< rows of GPU_METRICS
    std::vector<DiagnosticLine> diagnostics;
    std::vector<ProgramOutput> output; ///< output of the processes, in the order of the report
    std::vector<Problem> problems;
    bool isCut = false; ///< the file is truncated: further events may have been recorded
};

class Trace;
/// The event that the derived `event` repeats.
EventRef madeFrom(const Trace& trace, EventRef event);

/// All data of one report. Built once, then read-only: threads share it as std::shared_ptr<const Trace>
/// without locks. While a report loads, successive traces share complete tables.
class Trace {
public:
    TimeRange session; ///< from the first to the last event or GPU metric sample; diagnostics do not count
    std::shared_ptr<const StringPool> pool = std::make_shared<StringPool>();
    std::array<std::shared_ptr<const EventTable>, eventKindCount> tables; ///< never null: see Trace()
    std::vector<CounterSeries> counters;
    std::vector<Process> processes; ///< sorted by id; only those that own events or are named
    std::vector<Thread> threads; ///< sorted by id
    std::vector<Device> devices; ///< sorted by id
    std::vector<DeviceOrdinal> ordinals; ///< sorted by key; of equal keys the last one counts
    std::vector<StreamInfo> streams;
    std::vector<MpiRank> mpiRanks; ///< sorted by thread
    std::vector<MpiCommunicator> communicators;
    std::vector<NetworkWait> networkWaits; ///< sorted by start
    std::shared_ptr<const Callchains> samplingChains;
    std::shared_ptr<const Callchains> cudaChains;
    std::shared_ptr<const Callchains> osRuntimeChains;
    std::shared_ptr<const Callchains> pythonChains; ///< of NVTX marks that are samples of Python
    std::shared_ptr<const Links> links; ///< null until all tables are read
    ReportInfo info;
    bool complete = false; ///< false: a snapshot of a report that still loads

    Trace();

    const EventTable& table(EventKind kind) const { return *tables[indexOf(kind)]; }
    const KernelTable& kernels() const { return static_cast<const KernelTable&>(table(EventKind::Kernel)); }
    const MemcpyTable& memcpys() const { return static_cast<const MemcpyTable&>(table(EventKind::Memcpy)); }
    const NvtxTable& nvtx() const { return static_cast<const NvtxTable&>(table(EventKind::Nvtx)); }
    const LibraryCallTable& libraryCalls() const
    {
        return static_cast<const LibraryCallTable&>(table(EventKind::Library));
    }
    const GpuMemoryTable& gpuMemory() const
    {
        return static_cast<const GpuMemoryTable&>(table(EventKind::GpuMemory));
    }
    const GraphEventTable& graphEvents() const
    {
        return static_cast<const GraphEventTable&>(table(EventKind::GraphEvent));
    }
    const PageFaultTable& pageFaults() const
    {
        return static_cast<const PageFaultTable&>(table(EventKind::PageFault));
    }
    const EventTable& apiCalls() const { return table(EventKind::ApiCall); }

    std::string_view text(StringId id) const { return (*pool)[id]; }
    TimeRange range(EventRef event) const { return table(event.kind).range(event.index); }
    const Track& track(TrackRef ref) const { return table(ref.kind).tracks[ref.track]; }
    TrackRef trackOf(EventRef event) const
    {
        return {event.kind, table(event.kind).trackIndexOf(event.index)};
    }
    /// The name as stored: kernels demangled with templates and arguments.
    std::string_view name(EventRef event) const { return text(table(event.kind).name[event.index]); }
    /// The name to show in little room: kernels by their short name.
    std::string_view displayName(EventRef event) const;

    /// The API call that started `event`; not valid() when unknown, or `event` is no device work.
    EventRef apiCallOf(EventRef event) const;
    /// The device work of API call `call`, unordered.
    std::vector<EventRef> workOf(EventRef call) const;
    /// Calls visit(EventRef) for each piece of device work that API call `call` started: workOf() without a
    /// vector, for passes over all calls.
    template <typename Visit> void visitWork(EventIndex call, Visit&& visit) const
    {
        if (!links || call >= links->firstWork.size() || links->firstWork[call] == noIndex)
            return;
        visit(Links::unpack(links->firstWork[call]));
        const std::pair<EventIndex, std::uint32_t> first{call, 0};
        for (auto it = std::ranges::lower_bound(links->moreWork, first);
             it != links->moreWork.end() && it->first == call; ++it)
            visit(Links::unpack(it->second));
    }
    /// Number of recorded events of every kind but derived ones.
    std::uint64_t eventCount() const;
    /// The call stack of `event`, innermost first; empty when there is none.
    std::span<const StackFrame> stackOf(EventRef event) const;

    /// nullptr when the report does not name it.
    const Process* process(GlobalId id) const;
    const Thread* thread(GlobalId id) const;
    /// The MPI rank of the process of `id`; nothing when the report has none for it, or several.
    std::optional<std::int64_t> mpiRank(GlobalId id) const;
    /// Whether the report has MPI ranks that differ.
    bool holdsSeveralRanks() const;
    /// The communicator of `handle` in the process of `id`; nullptr when it is unknown.
    const MpiCommunicator* communicator(GlobalId id, std::int64_t handle) const;
    /// The GPU behind CUDA ordinal `cuda` of process `owner`; nullptr when the report has no such GPU.
    const Device* device(GlobalId owner, std::int32_t cuda) const;
};

} // namespace warpline
