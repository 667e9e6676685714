// GPU memory that PyTorch's operators allocate and release: the memory columns of key_averages(). An event
// counts for the open operators of its thread; for the innermost as its own. PyTorch only compares times, so
// that it also counts events for operators of other threads.

#include "core/base/saturate.h"
#include "core/base/stop.h"
#include "core/stats/grouping.h"
#include "core/stats/memory_categories.h"
#include "core/stats/torch_tree.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>
#include <map>

namespace warpline::torch_memory {

namespace {

struct Row {
    std::int64_t calls = 0;
    std::int64_t self = 0;
    std::int64_t total = 0;
    std::int64_t allocated = 0;
    std::int64_t released = 0;
    std::vector<EventRef> events;
};

struct Change {
    Ns time = 0;
    std::int64_t bytes = 0;
    EventIndex event = noIndex;
};

/// Operators and annotations of one thread, by time, with its allocations.
struct ThreadMemory {
    std::vector<EventRef> ranges;
    std::vector<Change> changes;
};

std::map<GlobalId, ThreadMemory> threadsOf(const Trace& trace, const StatsQuery& query)
{
    std::map<GlobalId, ThreadMemory> threads;
    for (const TorchNode& node : torchTree(trace, query.window, query.stop)) {
        if (node.event.kind == EventKind::Nvtx)
            threads[trace.track(trace.trackOf(node.event)).owner].ranges.push_back(node.event);
    }
    const GpuMemoryTable& memory = trace.gpuMemory();
    for (const EventIndex i : everyEvent(memory, query.stop)) {
        if (!query.window.empty() && !query.window.contains(memory.start[i]))
            continue;
        const auto bytes = static_cast<std::int64_t>(memory.bytes[i]);
        threads[threadOfAllocation(trace, i)].changes.push_back(
            {memory.start[i], memory.operation(i).allocates ? bytes : -bytes, i});
    }
    for (auto& [thread, found] : threads) {
        std::ranges::stable_sort(found.changes, {}, &Change::time);
        std::ranges::stable_sort(found.ranges, {},
            [&](EventRef range) { return std::pair(trace.range(range).start, -trace.range(range).end); });
    }
    return threads;
}

void addSelf(Row& row, const Change& change, bool wantEvents)
{
    row.self += change.bytes;
    (change.bytes > 0 ? row.allocated : row.released) += std::abs(change.bytes);
    if (wantEvents)
        row.events.push_back({EventKind::GpuMemory, change.event});
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    Cells cells;
    cells.columns = {{"Calls", Unit::Count}, {"Self GPU Mem (B)", Unit::Bytes}, {"GPU Mem (B)", Unit::Bytes},
        {"Self Allocated (B)", Unit::Bytes}, {"Self Released (B)", Unit::Bytes}, {"Name", Unit::Text}};
    if (!hasOperatorMemory(trace))
        return cells;
    std::map<std::string, Row> rows;
    for (const auto& [thread, memory] : threadsOf(trace, query)) {
        struct Open {
            EventRef range;
            std::int64_t sumBefore = 0;
        };
        std::vector<Open> open;
        std::int64_t sum = 0; // of all changes
        const auto close = [&] {
            Row& row = rows[std::string(trace.name(open.back().range))];
            row.total = saturatingAdd(row.total, saturatingAdd(sum, -open.back().sumBefore));
            open.pop_back();
        };
        std::size_t next = 0;
        const auto closeBefore = [&](Ns time) {
            while (!open.empty() && trace.range(open.back().range).end < time)
                close();
        };
        const auto openUntil = [&](Ns time) {
            for (; next < memory.ranges.size() && trace.range(memory.ranges[next]).start <= time; ++next) {
                closeBefore(trace.range(memory.ranges[next]).start);
                ++rows[std::string(trace.name(memory.ranges[next]))].calls;
                open.push_back({memory.ranges[next], sum});
            }
        };
        for (const Change& change : memory.changes) {
            openUntil(change.time);
            closeBefore(change.time);
            throwIfStopped(query.stop);
            sum = saturatingAdd(sum, change.bytes);
            addSelf(rows[open.empty() ? std::string("[memory]") : std::string(trace.name(open.back().range))],
                change, query.wantEvents);
            if (open.empty()) {
                ++rows["[memory]"].calls;
                rows["[memory]"].total += change.bytes;
            }
        }
        openUntil(std::numeric_limits<Ns>::max());
        while (!open.empty())
            close();
    }
    std::erase_if(rows, [](const auto& row) {
        return row.second.allocated + row.second.released <= 0 && row.second.total == 0;
    });
    for (auto* const each : largestFirst(rows, [](const auto& row) { return row.second.allocated; })) {
        Row& row = each->second;
        cells.addRow({row.calls, row.self, row.total, row.allocated, row.released, each->first},
            std::move(row.events));
    }
    return cells;
}

} // namespace

extern constinit const StatsTable torchMemory{.id = "torch_memory",
    .title = "PyTorch Operators by Memory",
    .description
    = "Which operators allocate GPU memory? Operators by name: bytes allocated minus bytes released, alone and including calls.",
    .applies = hasOperatorMemory,
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Other,
    .shape = TableShape::Breakdown,
    .followsTracks = false};

} // namespace warpline::torch_memory
