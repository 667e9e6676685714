// What follows from the work of a GPU, over time, below the rows of that GPU: how many of its streams run,
// how fast copies of each direction move, and below each stream how many launches queue in it. A queue of
// 1024 is full: the thread that launches then waits. One that is empty most of the time says that the host is
// behind.

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/derive/gpu_counters.h"
#include "core/rows/row_builder.h"
#include "core/rows/row_kind.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <string_view>

namespace warpline {

namespace {

Row curveRow(const Trace& trace, std::uint32_t counter, const std::string& key)
{
    const CounterSeries& series = trace.counters[counter];
    Row row = headerRow(key, toUtf8(trace.text(series.name)));
    row.drawing = Drawing::Steps;
    row.tint = Tint::Counter;
    row.counter = counter;
    return row;
}

/// A curve of short copies far apart looks like one that is full: what a pixel shows must be said.
std::string hintOf(CounterKind kind)
{
    constexpr std::string_view pixel = "Each pixel shows the maximum of its time. Zoom in to see gaps.";
    return kind == CounterKind::CopyBandwidth
        ? fmt::format("Bandwidth of each copy; 0 between copies. {}", pixel)
        : fmt::format("Number of streams of this GPU that have work at the same time. {}", pixel);
}

/// A row that the work of the GPU has made; root: there is none.
RowId rowOfGpu(const RowTree& rows, const CounterSeries& series, const std::string& below = {})
{
    return rows.find(fmt::format("cuda-hw:{}:{}{}", pidOf(series.owner), series.device, below));
}

void build(const Trace& trace, CoverageCache&, RowTree& rows)
{
    for (std::uint32_t i = 0; i < trace.counters.size(); ++i) {
        const CounterSeries& series = trace.counters[i];
        const bool queue = series.kind == CounterKind::QueueDepth;
        if (!queue && series.kind != CounterKind::CopyBandwidth && series.kind != CounterKind::StreamsRunning)
            continue;
        const std::string place
            = queue ? fmt::format("/stream:{}:{}", series.context, series.stream) : std::string();
        const RowId parent = rowOfGpu(rows, series, place);
        if (parent == RowTree::root)
            continue;
        Row row = curveRow(trace, i,
            rows.row(parent).key + (queue ? "/queue" : "/counter:" + std::string(trace.text(series.name))));
        if (queue)
            row.figure = "up to " + formatCount(static_cast<std::uint64_t>(series.highest));
        row.hint = hintOf(series.kind);
        if (queue)
            row.hint = series.highest >= fullQueue
                ? "Launches that are not finished. The queue was full, so the launching thread had to wait."
                : "Launches that are not finished. The queue is full from 1,024.";
        rows.add(parent, std::move(row));
    }
}

} // namespace

extern constinit const RowKind gpuCounterRows{
    .id = "gpu-counters", .title = "Queues and bandwidth", .build = build};

} // namespace warpline
