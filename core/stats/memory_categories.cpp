#include "core/stats/memory_categories.h"

#include "core/derive/memory_lifetimes.h"
#include "core/derive/recomputed_work.h"
#include "core/stats/torch_tree.h"
#include "core/store/event_loops.h"
#include "core/store/table_builder.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

namespace {

/// Outermost ranges of one kind on one thread.
class Stretches {
public:
    void add(TimeRange range) { m_ranges.push_back(range); }
    void finish()
    {
        std::ranges::sort(m_ranges, {}, [](TimeRange range) { return std::pair(range.start, -range.end); });
        std::vector<TimeRange> outermost;
        for (const TimeRange& range : m_ranges) {
            if (outermost.empty() || range.start >= outermost.back().end)
                outermost.push_back(range);
        }
        m_ranges = std::move(outermost);
    }
    /// The stretch that holds `time`; an empty range: none.
    TimeRange at(Ns time) const
    {
        const auto after = std::ranges::upper_bound(m_ranges, time, {}, &TimeRange::start);
        return after != m_ranges.begin() && time <= std::prev(after)->end ? *std::prev(after) : TimeRange{};
    }

private:
    std::vector<TimeRange> m_ranges;
};

struct ThreadStretches {
    Stretches nodes; ///< of the backward pass
    Stretches optimizer;
    Stretches operators;
};

class Categories {
public:
    Categories(const Trace& trace, const std::stop_token& stop)
        : m_trace(trace),
          m_recomputed(recomputedStretches(trace, stop))
    {
        const NvtxTable& ranges = trace.nvtx();
        for (const Track& track : ranges.tracks) {
            const bool operators = isOperatorTrack(trace, track);
            if (!operators && !isAnnotationTrack(trace, track))
                continue;
            ThreadStretches& thread = m_threads[track.owner];
            for (const EventIndex i : eventsOf(track, stop)) {
                const std::string_view name = trace.text(ranges.name[i]);
                if (name.starts_with("autograd::engine::evaluate_function"))
                    thread.nodes.add(ranges.range(i));
                else if (name.starts_with("Optimizer.step"))
                    thread.optimizer.add(ranges.range(i));
                else if (operators)
                    thread.operators.add(ranges.range(i));
            }
        }
        for (auto& [owner, thread] : m_threads) {
            thread.nodes.finish();
            thread.optimizer.finish();
            thread.operators.finish();
        }
    }

    MemoryCategory of(const MemoryLifetime& block) const
    {
        const GlobalId thread = threadOfAllocation(m_trace, block.allocation);
        const bool released = block.release != noIndex;
        const auto places = m_threads.find(thread);
        if (places == m_threads.end())
            return released ? MemoryCategory::Temporary : MemoryCategory::Kept;
        const Ns from = block.held.start;
        const Ns to = block.held.end;
        const auto endsIn = [&](TimeRange range) { return released && to <= range.end; };
        if (const TimeRange step = places->second.optimizer.at(from); !step.empty())
            return endsIn(step) ? MemoryCategory::Temporary : MemoryCategory::OptimizerState;
        const TimeRange call = places->second.operators.at(from);
        const bool inBackward = released && isInBackward(block.release, to);
        if (const TimeRange node = places->second.nodes.at(from); !node.empty()) {
            if (!call.empty() && endsIn(call))
                return MemoryCategory::Temporary;
            if (inBackward && isRecomputed(m_recomputed, thread, from))
                return MemoryCategory::Activation;
            if (endsIn(node))
                return MemoryCategory::Temporary;
            return inBackward ? MemoryCategory::AutogradDetail : MemoryCategory::Gradient;
        }
        if (!released)
            return MemoryCategory::Kept;
        return inBackward ? MemoryCategory::Activation : MemoryCategory::Temporary;
    }

private:
    bool isInBackward(EventIndex release, Ns time) const
    {
        const auto thread = m_threads.find(threadOfAllocation(m_trace, release));
        return thread != m_threads.end() && !thread->second.nodes.at(time).empty();
    }

    const Trace& m_trace;
    std::vector<RecomputedStretch> m_recomputed;
    std::map<GlobalId, ThreadStretches> m_threads;
};

/// How much was allocated on each GPU before its first event: the curve that PyTorch writes, less that event.
std::int64_t bytesBefore(
    const Trace& trace, GlobalId process, std::int32_t device, const CategoryChange& first)
{
    for (const CounterSeries& series : trace.counters) {
        if (series.owner == process && series.device == device && !series.values.empty()
            && trace.text(series.name) == "Memory in use by PyTorch")
            return std::max<std::int64_t>(0,
                static_cast<std::int64_t>(
                    std::clamp<double>(series.values.front(), 0, static_cast<double>(maxTotalBytes)))
                    - first.bytes);
    }
    return 0;
}

} // namespace

std::string_view labelOf(MemoryCategory category)
{
    static constexpr std::array<std::string_view, memoryCategoryCount> labels{"before the recording", "kept",
        "optimizer state", "gradient", "activation", "autograd detail", "temporary"};
    return labels[static_cast<std::size_t>(category)];
}

GlobalId threadOfAllocation(const Trace& trace, EventIndex event)
{
    const GpuMemoryTable& memory = trace.gpuMemory();
    if (event >= memory.callchain.size() || memory.callchain[event] == 0)
        return 0;
    return processOf(memory.trackOf(event).owner) | memory.callchain[event];
}

bool hasOperatorMemory(const Trace& trace)
{
    const auto& threads = trace.gpuMemory().callchain;
    return std::ranges::any_of(threads, [](std::uint32_t thread) { return thread != 0; })
        && hasTorchOperators(trace);
}

bool hasMemoryCategories(const Trace& trace)
{
    return hasOperatorMemory(trace) && hasAddresses(trace);
}

std::map<std::pair<GlobalId, std::int32_t>, std::vector<CategoryChange>> memoryCategories(
    const Trace& trace, const std::stop_token& stop)
{
    std::map<std::pair<GlobalId, std::int32_t>, std::vector<CategoryChange>> all;
    const GpuMemoryTable& memory = trace.gpuMemory();
    const Categories categories(trace, stop);
    std::vector<bool> joined(memory.size());
    const auto changesOf = [&](EventIndex i) -> std::vector<CategoryChange>& {
        return all[{processOf(memory.trackOf(i).owner), memory.operation(i).device}];
    };
    for (const MemoryLifetime& block : memoryLifetimes(trace, stop)) {
        const MemoryCategory category = categories.of(block);
        const auto bytes = static_cast<std::int64_t>(memory.bytes[block.allocation]);
        auto& changes = changesOf(block.allocation);
        changes.push_back({block.held.start, category, bytes, {EventKind::GpuMemory, block.allocation}});
        if (block.release != noIndex) {
            changes.push_back({block.held.end, category, -bytes, {EventKind::GpuMemory, block.release}});
            joined[block.release] = true;
        }
    }
    for (EventIndex i = 0; i < memory.size(); ++i) { // of memory from before the recording
        if (!memory.operation(i).allocates && !joined[i])
            changesOf(i).push_back({memory.start[i], MemoryCategory::Before,
                -static_cast<std::int64_t>(memory.bytes[i]), {EventKind::GpuMemory, i}});
    }
    for (auto& [gpu, changes] : all) {
        std::ranges::sort(changes, {}, [&](const CategoryChange& change) {
            return std::pair(change.time, memory.sourceRow[change.event.index]);
        });
        const std::int64_t before = bytesBefore(trace, gpu.first, gpu.second, changes.front());
        changes.insert(changes.begin(), {trace.session.start, MemoryCategory::Before, before, {}});
    }
    return all;
}

} // namespace warpline
