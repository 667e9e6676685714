#pragma once

#include "core/store/table_builder.h"
#include "core/store/trace.h"
#include "core/store/unified_memory.h"

#include <map>
#include <memory>
#include <string_view>
#include <vector>

namespace warpline::test {

inline constexpr Ns us = 1'000;
inline constexpr Ns ms = 1'000'000;

/// The launch of a kernel of a synthetic program; by default it fills the GPU with whole waves.
struct KernelLook {
    std::int32_t stream = 7;
    std::int32_t blocks = 8 * 132;
    std::int32_t threads = 256;
    std::int32_t sharedMemory = 0;
    std::int32_t device = 0;
    std::int32_t context = 1;
    std::uint64_t graphNode = 0;
    std::uint32_t tid = 1; ///< the thread that launches it
    Ns callTime = 2 * us; ///< how long the launch takes the host
    bool isLaunchRecorded = true; ///< false: it was launched before the recording began
};

/// A copy of a drawn program; by default from pinned memory to the device, at 20 GB/s if it takes 1 us a 20
/// kB.
struct CopyLook {
    std::string_view call = "cudaMemcpyAsync_v3020";
    CopyKind kind = CopyKind::HtoD;
    MemoryKind host = MemoryKind::Pinned;
    std::uint64_t bytes = 1'000'000;
    std::int32_t stream = 7;
};

/// A program drawn event by event, to ask rules about: one process with threads 1, 2 ... on GPUs like an
/// H200.
class DrawnProgram {
public:
    static constexpr GlobalId process = 100ULL << 24U;
    static constexpr GlobalId threadOf(std::uint32_t tid) { return process | tid; }

    DrawnProgram();

    /// An API call without GPU work, with its return value: a CUDA error.
    void call(std::string_view name, TimeRange when, std::uint32_t tid = 1, std::uint32_t returned = 0);
    /// A kernel that runs for `runs`, and the call that launched it at `launched`.
    void kernel(std::string_view name, Ns launched, TimeRange runs, const KernelLook& look = {});
    /// A CUDA graph traced as a whole that runs for `runs`, and its launch.
    void graph(Ns launched, TimeRange runs);
    /// A copy that runs for `runs`, and its call.
    void copy(TimeRange called, TimeRange runs, const CopyLook& look = {});
    /// A memset with its call, both for `runs`.
    void set(std::string_view call, MemoryKind memory, TimeRange runs);
    void range(std::string_view name, TimeRange when, std::string_view domain = {});
    /// A record of an event on `stream`, and a wait of `stream` for it; `recording` joins them, 0: not known.
    void record(std::int32_t stream, Ns called, std::uint32_t recording);
    void streamWait(std::int32_t stream, Ns called, std::uint32_t recording);
    /// The making of a node of a CUDA graph on thread 1; `original` is the node it is a copy of, 0: of none.
    void graphNode(Ns time, std::uint64_t node, std::uint64_t original = 0);
    /// An event of a kind without columns of its own, on a thread: OsRuntime, ThreadState, Sample, Overhead.
    void event(EventKind kind, std::string_view name, TimeRange when, std::uint32_t tid = 1);
    /// A call of a library, "MPI", on a thread.
    void libraryCall(std::string_view family, std::string_view name, TimeRange when, std::uint32_t tid = 1);
    /// Pages of unified memory that migrate because of `cause`. CUPTI assigns them to context 0 and no call.
    void migration(CopyKind kind, TimeRange runs, std::uint64_t bytes, std::uint64_t address,
        std::int32_t cause = causeIsFault);
    /// Page faults of unified memory on the GPU.
    void faults(TimeRange when, std::uint32_t count, std::uint64_t address);
    /// A page fault of unified memory on the CPU.
    void hostFault(Ns time);
    /// A CPU sample of a thread in `function`, called by `caller`.
    void sample(std::string_view function, std::string_view caller, Ns time, std::uint32_t tid = 1);
    /// Memory of the GPU, at an `address` of its own where it is 0; a release is of the last that has
    /// `bytes`.
    void allocation(Ns time, std::uint64_t bytes, bool allocates = true, std::uint64_t address = 0);
    /// Samples of a GPU metric in percent, one every `period` over `when`.
    void metric(std::string_view name, TimeRange when, Ns period, float value);
    ReportInfo& info() { return m_trace->info; }

    std::shared_ptr<const Trace> finish();

private:
    StringId intern(std::string_view text) { return m_pool->intern(text); }
    TableBuilder& builder(EventKind kind);
    void addCall(std::string_view name, TimeRange when, std::uint32_t tid, std::uint32_t correlation,
        std::uint32_t returned = 0);

    std::shared_ptr<StringPool> m_pool = std::make_shared<StringPool>();
    std::shared_ptr<Trace> m_trace = std::make_shared<Trace>();
    std::map<EventKind, TableBuilder> m_builders;
    std::vector<KernelLaunch> m_launches;
    std::vector<CopyAttributes> m_copies;
    std::shared_ptr<Callchains> m_chains = std::make_shared<Callchains>();
    std::vector<NvtxAttributes> m_ranges;
    std::vector<GpuMemoryOperation> m_operations;
    std::map<std::uint64_t, std::vector<std::uint64_t>> m_held; ///< addresses by size
    std::vector<GraphNode> m_graphNodes;
    std::uint32_t m_correlation = 0;
    std::uint32_t m_rows = 0;
};

} // namespace warpline::test
