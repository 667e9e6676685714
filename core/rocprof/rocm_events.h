#pragma once

#include "core/kineto/event_reader.h"
#include "core/kineto/trace_head.h"
#include "core/store/trace_builder.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace warpline {

class ImportLog;

/// When an event of a recording by AMD's rocprofiler was, and where on the host.
struct RocmEvent {
    std::uint32_t pid = 0;
    std::uint32_t tid = 0; ///< of work on a GPU: who launched it; 0: not known
    Ns start = 0; ///< of the machine's clock
    Ns end = 0;
    std::int64_t correlation = 0; ///< the same for a call and its work; 0: none
    std::int64_t row = 0; ///< in its table
};

/// Where work runs on a GPU.
struct RocmPlace {
    std::int32_t device = -1; ///< HIP's number of the GPU
    std::int32_t stream = -1; ///< HIP's stream, or the hardware queue where the recording has no streams
};

/// A copy: memory is of the host where the device is -1.
struct RocmCopy {
    std::int32_t sourceDevice = -1;
    std::int32_t destinationDevice = -1;
    std::string_view name; ///< "MEMORY_COPY_HOST_TO_DEVICE": decides where neither side is a GPU
    std::uint64_t bytes = 0;
    std::uint64_t graphNode = 0; ///< 0: none
};

/// Builds a trace from recordings of rocprofv3 and ROCm Systems Profiler, for all file formats.
class RocmEvents {
public:
    explicit RocmEvents(StringPool& pool);

    /// The number of process `pid` of `node`, of 24 bits: the pid, or the next free one where that is of
    /// another node.
    std::uint32_t processNumber(const std::string& node, std::uint32_t pid);
    void setProcess(std::uint32_t pid, std::string_view command);
    void setThread(std::uint32_t pid, std::uint32_t tid, std::string_view name);
    void setHost(std::string name) { m_head.hostName = std::move(name); }
    /// A GPU of process `pid`; Device::id is HIP's number.
    void addDevice(std::uint32_t pid, Device device);

    /// `name`: readable or as the compiler mangled it. `launch` needs no names.
    void addKernel(const RocmEvent& event, RocmPlace place, std::string_view name, KernelLaunch launch);
    void addCopy(const RocmEvent& event, std::int32_t stream, const RocmCopy& copy);
    /// A range or an instant of a thread. `category` is rocprofiler's: HIP and HSA become API calls, RCCL,
    /// MPI and similar library calls, all others ranges. `message`: the text of a marker; empty: none.
    void addRegion(
        const RocmEvent& event, std::string_view category, std::string_view name, std::string_view message);
    /// `releases`: of memory that was allocated at the same address. Host memory (device -1) is left out.
    void addAllocation(const RocmEvent& event, std::int32_t device, std::uint64_t address,
        std::uint64_t bytes, bool releases);
    /// A hardware counter that was read around a kernel. Those of kernels that run at the same time add up:
    /// they are counts.
    void addCounter(const RocmEvent& kernel, std::int32_t device, std::string_view counter, double value);
    /// A measured value at `time`, valid until the next one of this name.
    void addReading(std::uint32_t pid, Ns time, const std::string& name, double value);
    /// The recorder, when it is not "rocprofiler".
    void setRecorderName(std::string name) { m_recorder = std::move(name); }
    /// The table or list of the rows to come: problems are counted under its name.
    void setTable(std::string_view table) { m_table = table; }
    /// Rows of a table or list: shown where the report is described. `known`: they were read.
    void countRows(std::string_view table, std::uint64_t rows, bool known);

    std::size_t size() const { return m_events; }
    void fill(TraceBuilder& trace, ImportLog& log);

private:
    /// Of a counter, where a kernel starts or ends.
    struct CounterChange {
        Ns time = 0;
        double value = 0;
        int kernels = 0; ///< 1: one more runs; -1: one less
    };

    bool waits(Ns time, std::function<void()> add);
    void addWaiting();
    void addKernelCounters();
    bool accepts(Ns time);
    bool accepts(RocmEvent& event);
    TrackKey onThread(const RocmEvent& event, std::string_view source);
    TrackKey onDevice(const RocmEvent& event, RocmPlace place, std::string_view source);

    EventReader m_reader;
    TableBuilder m_libraries{EventKind::Library};
    std::map<CounterKey, std::vector<CounterChange>> m_kernelCounters;
    TraceHead m_head;
    NameCache m_names;
    std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> m_numbers; ///< by node and pid
    std::unordered_map<std::uint32_t, std::uint32_t> m_behindTaken; ///< where to look on, by taken number
    std::set<std::int32_t> m_devices; ///< those in m_head
    std::set<std::pair<std::uint32_t, std::int32_t>> m_ordinals; ///< (process, GPU)
    /// Current allocations by process and address: (GPU, bytes).
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::pair<std::int32_t, std::uint64_t>> m_allocated;
    std::vector<SourceTable> m_tables;
    std::string m_table; ///< see setTable()
    std::string m_recorder = "rocprofiler";
    std::size_t m_events = 0;
    Ns m_usualTime = 0; ///< 0: not known yet
    std::vector<std::pair<Ns, std::function<void()>>> m_waiting; ///< until it is
};

/// `number` as HIP's number of a GPU, which is small.
std::int32_t deviceNumber(std::int64_t number);

/// The numbers of a GPU that rocprofiler keeps as a JSON object: compute units, memory, clock. `name` is the
/// product's, or the chip's where that is not known.
Device deviceOfAgent(std::string_view agentJson);

} // namespace warpline
