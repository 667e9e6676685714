#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace warpline {

enum class CounterKind : std::uint8_t {
    GpuMetric, ///< GPU_METRICS: a value holds until the next sample
    GpuMemoryUsage, ///< bytes allocated on a device, from CUDA_GPU_MEMORY_USAGE_EVENTS
    MemoryPool, ///< bytes of a CUDA memory pool, from CUDA_GPU_MEMORY_POOL_EVENTS
    Network, ///< NET_NIC_METRIC, NET_IB_SWITCH_METRIC: counts until the next sample
    VideoMemory, ///< Windows: bytes of GPU_MEMORY_USAGE_EVENTS and similar
    QueueDepth, ///< derived: launches of a stream whose work is not done
    CopyBandwidth, ///< derived: bytes per second of the copies of one direction that run
    StreamsRunning, ///< derived: streams of a process that run work on a GPU
};

/// Samples of one value over time, sorted by time. A value holds from its time to the next sample's.
struct CounterSeries {
    CounterKind kind = CounterKind::GpuMetric;
    StringId name{}; ///< "SMs Active [Throughput %]"
    StringId unit{}; ///< "%", "MHz", "B"; empty: a plain number
    std::int32_t device
        = -1; ///< GPU as `owner` counts, see gpuNumber(); the machine's where there is no owner
    GlobalId owner = 0; ///< process, for memory usage and derived counters; 0: none
    std::int32_t context = -1; ///< QueueDepth: of the stream
    std::int32_t stream = -1; ///< QueueDepth
    std::shared_ptr<const std::vector<Ns>> times; ///< shared by series that were sampled together
    std::vector<float> values; ///< one per time
    float lowest = 0; ///< of all values; set by summarize()
    float highest = 0;
    std::vector<float>
        blockLow; ///< lowest of samples [64 k, 64 k + 64), for k = 0, 1, ...; set by summarize()
    std::vector<float> blockHigh;

    static constexpr std::size_t blockSize = 64;

    std::size_t size() const { return values.size(); }
    /// Sets times and values, which are in the order of their times, and summarizes them.
    void setSamples(std::span<const std::pair<Ns, double>> samples);
    /// Limits `values` to 1e18 (NaN becomes 0), and works out `lowest`, `highest` and the blocks from them.
    /// Called once, when the values are final.
    void summarize();
    /// Lowest and highest of samples [first, last), which are not none. Whole blocks are read from their
    /// summary.
    std::pair<float, float> extremes(std::size_t first, std::size_t last) const;
};

// A program's own counters, without a GPU: counters of traces in Chrome's format, memory on the host. Stored
// like memory usage, but without a device.

inline void makeProgramCounter(CounterSeries& series)
{
    series.kind = CounterKind::GpuMemoryUsage;
    series.device = -1;
}
inline bool isProgramCounter(const CounterSeries& series)
{
    return series.kind == CounterKind::GpuMemoryUsage && series.device < 0;
}

} // namespace warpline
