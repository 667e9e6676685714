// GPU memory by block size: number, lifetimes, and share of the peak. Allocations and releases are joined by
// address; PyTorch's traces have those of its caching allocator, nsys reports those of CUDA.

#include "core/derive/memory_lifetimes.h"
#include "core/stats/grouping.h"
#include "core/stats/stats_table.h"
#include "core/store/gpu_names.h"
#include "core/store/trace.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace warpline::memory_lifetimes {

namespace {

/// Blocks that are one row: (process, device, bytes).
using Key = std::tuple<GlobalId, std::int32_t, std::uint64_t>;

struct Row {
    std::int64_t count = 0;
    std::int64_t released = 0;
    Ns total = 0;
    Ns shortest = 0;
    Ns longest = 0;
    std::int64_t atPeak = 0;
    std::vector<EventRef> events;
};

Key keyOf(const GpuMemoryTable& memory, EventIndex i)
{
    return {processOf(memory.trackOf(i).owner), memory.operation(i).device, memory.bytes[i]};
}

/// When the blocks of each GPU take most, by process and device: the first such time.
std::map<std::pair<GlobalId, std::int32_t>, Ns> peaksOf(
    const GpuMemoryTable& memory, const std::vector<MemoryLifetime>& lifetimes)
{
    struct Change {
        Ns time;
        double bytes;
    };
    std::map<std::pair<GlobalId, std::int32_t>, std::vector<Change>> changes;
    for (const MemoryLifetime& each : lifetimes) {
        const auto [process, device, bytes] = keyOf(memory, each.allocation);
        auto& ofGpu = changes[{process, device}];
        ofGpu.push_back({each.held.start, static_cast<double>(bytes)});
        ofGpu.push_back({each.held.end, -static_cast<double>(bytes)});
    }
    std::map<std::pair<GlobalId, std::int32_t>, Ns> peaks;
    for (auto& [gpu, ofGpu] : changes) {
        std::ranges::sort(
            ofGpu, {}, [](const Change& change) { return std::pair(change.time, change.bytes); });
        double held = 0;
        double most = 0;
        for (const Change& change : ofGpu) {
            held += change.bytes;
            if (held > most) {
                most = held;
                peaks[gpu] = change.time;
            }
        }
    }
    return peaks;
}

std::map<Key, Row> rowsOf(const Trace& trace, const StatsQuery& query)
{
    const GpuMemoryTable& memory = trace.gpuMemory();
    std::vector<MemoryLifetime> lifetimes = memoryLifetimes(trace, query.stop);
    std::erase_if(lifetimes, [&](const MemoryLifetime& each) {
        const auto [process, device, bytes] = keyOf(memory, each.allocation);
        const MemoryKind kind = memory.operation(each.allocation).memory;
        const bool isOfHost = kind == MemoryKind::Pageable || kind == MemoryKind::Pinned;
        return isOfHost || (!query.window.empty() && !query.window.touches(each.held.start, each.held.end))
            || !passesGpu(query.covers, process, device);
    });
    const auto peaks = peaksOf(memory, lifetimes);
    std::map<Key, Row> rows;
    for (const MemoryLifetime& each : stoppableItems(lifetimes, query.stop)) {
        const Key key = keyOf(memory, each.allocation);
        Row& row = rows[key];
        const Ns held = each.held.duration();
        row.shortest = row.count == 0 ? held : std::min(row.shortest, held);
        row.longest = std::max(row.longest, held);
        ++row.count;
        row.released += each.release != noIndex ? 1 : 0;
        row.total += held;
        const auto peak = peaks.find({std::get<0>(key), std::get<1>(key)});
        if (peak != peaks.end() && each.held.contains(peak->second))
            ++row.atPeak;
        if (query.wantEvents)
            row.events.push_back({EventKind::GpuMemory, each.allocation});
    }
    return rows;
}

std::int64_t product(std::uint64_t bytes, std::int64_t count)
{
    const double exact = static_cast<double>(bytes) * static_cast<double>(count);
    constexpr double most = 9.2e18;
    return exact < most ? static_cast<std::int64_t>(bytes) * count : INT64_MAX;
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const std::map<Key, Row> rows = rowsOf(trace, query);
    const auto weightOf = [](const auto& row) {
        const std::uint64_t bytes = std::get<2>(row.first);
        return std::pair(product(bytes, row.second.atPeak), product(bytes, row.second.count));
    };
    Cells cells;
    cells.columns = {{"GPU", Unit::Integer}, {"Size (B)", Unit::Bytes}, {"Blocks", Unit::Count},
        {"Released", Unit::Count}, {"Held Avg (ns)", Unit::NanosecondsReal},
        {"Held Min (ns)", Unit::Nanoseconds}, {"Held Max (ns)", Unit::Nanoseconds}, {"At Peak", Unit::Count},
        {"At Peak (B)", Unit::Bytes}};
    for (const auto* const each : largestFirst(rows, weightOf)) {
        const auto& [process, device, bytes] = each->first;
        const Row& row = each->second;
        cells.addRow({std::int64_t{gpuNumber(trace, process, device)}, product(bytes, 1), row.count,
                         row.released, static_cast<double>(row.total) / static_cast<double>(row.count),
                         row.shortest, row.longest, row.atPeak, product(bytes, row.atPeak)},
            row.events);
    }
    return cells;
}

} // namespace

extern constinit const StatsTable memoryLifetimesTable{.id = "memory_lifetimes",
    .title = "GPU Memory Lifetimes",
    .description
    = "What holds GPU memory? Blocks by size: how long they are held, and how many there are at peak use.",
    .applies = hasAddresses,
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Gpu,
    .shape = TableShape::Breakdown};

} // namespace warpline::memory_lifetimes
