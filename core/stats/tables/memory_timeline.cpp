// Memory of PyTorch's allocator over time by purpose: the moment of maximum use in each of the requested
// number of equal parts of the recording.

#include "core/stats/memory_categories.h"
#include "core/stats/stats_table.h"
#include "core/store/gpu_names.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>

namespace warpline::memory_timeline {

namespace {

constexpr std::array<TableArgument, 1> arguments{{{"parts", "<number>"}}};
constexpr std::int64_t usualParts = 100;
constexpr std::int64_t maxParts = 100'000;

using Held = std::array<std::int64_t, memoryCategoryCount>;

std::int64_t sumOf(const Held& held)
{
    std::int64_t sum = 0;
    for (const std::int64_t bytes : held)
        sum += bytes;
    return sum;
}

void addMoment(Cells& cells, std::int64_t gpu, Ns time, const Held& held)
{
    std::vector<Cell> row{time, gpu, sumOf(held)};
    for (const std::int64_t bytes : held)
        row.emplace_back(bytes);
    cells.addRow(std::move(row), {});
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    Cells cells;
    cells.columns = {{"Time (ns)", Unit::Nanoseconds}, {"GPU", Unit::Integer}, {"In Use (B)", Unit::Bytes},
        {"Before (B)", Unit::Bytes}, {"Kept (B)", Unit::Bytes}, {"Optimizer State (B)", Unit::Bytes},
        {"Gradients (B)", Unit::Bytes}, {"Activations (B)", Unit::Bytes},
        {"Autograd Detail (B)", Unit::Bytes}, {"Temporaries (B)", Unit::Bytes}};
    if (!hasMemoryCategories(trace))
        return cells;
    const std::int64_t parts
        = std::clamp<std::int64_t>(argumentOf(query.variant, "parts", usualParts), 1, maxParts);
    const TimeRange window = query.window.empty() ? trace.session : query.window;
    for (const auto& [place, changes] : memoryCategories(trace, query.stop)) {
        if (!passesGpu(query.covers, place.first, place.second))
            continue;
        const std::int64_t gpu = gpuNumber(trace, place.first, place.second);
        Held held{};
        Held most{};
        Ns when = window.start;
        std::int64_t part = 0;
        const auto endOf = [&](std::int64_t i) {
            return window.start
                + static_cast<Ns>(static_cast<double>(window.duration()) * static_cast<double>(i + 1)
                    / static_cast<double>(parts));
        };
        const auto finishParts = [&](Ns time) {
            for (; part < parts && endOf(part) <= time; ++part) {
                addMoment(cells, gpu, when, most);
                most = held;
                when = endOf(part);
            }
        };
        for (const CategoryChange& change : changes) {
            if (change.time > window.end)
                break;
            finishParts(change.time);
            held[static_cast<std::size_t>(change.category)] += change.bytes;
            if (change.time <= window.start || sumOf(held) > sumOf(most)) {
                most = held;
                when = std::max(change.time, window.start);
            }
        }
        finishParts(window.end);
    }
    return cells;
}

} // namespace

extern constinit const StatsTable memoryTimeline{.id = "memory_timeline",
    .title = "GPU Memory Timeline by Category",
    .description
    = "What is GPU memory used for over time? Bytes of each category of PyTorch's memory, at the peak of each part of the recording.",
    .arguments = arguments,
    .applies = hasMemoryCategories,
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Gpu,
    .shape = TableShape::Breakdown};

} // namespace warpline::memory_timeline
