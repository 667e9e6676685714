// Counters derived from a GPU's work, below its rows: how many streams run, the bandwidth of copies by
// direction, and below each stream the launches in its queue. A queue of 1024 is full: the launching thread
// then waits. A mostly empty queue means that the host is behind.

#include "core/derive/gpu_counters.h"
#include "core/rows/row_builder.h"
#include "core/rows/row_kind.h"
#include "core/store/trace.h"

#include <fmt/format.h>

namespace warpline::gpu_counter_rows {

namespace {

/// Explains the maximum per pixel, because short copies far apart look like constant copying.
Message hintOf(CounterKind kind)
{
    Message hint = kind == CounterKind::CopyBandwidth
        ? Message("row_help.bandwidth", "Bandwidth of each copy; 0 between copies.")
        : Message("row_help.running", "Number of streams of this GPU that have work at the same time.");
    hint += {"row_help.pixel", "Each pixel shows the maximum of its time. Zoom in to see gaps."};
    return hint;
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
        Row row = counterRow(trace, i,
            rows.row(parent).key + (queue ? "/queue" : "/counter:" + std::string(trace.text(series.name))));
        if (queue)
            row.figure = {
                "row.up_to", "up to {most}", {{"most", Count{static_cast<std::uint64_t>(series.highest)}}}};
        row.hint = hintOf(series.kind);
        if (queue)
            row.hint = series.highest >= fullQueue
                ? Message("row_help.full_queue",
                    "Launches that are not finished. The queue was full, so the launching thread had to wait.")
                : Message("row_help.queue", "Launches that are not finished. The queue is full from 1,024.");
        rows.add(parent, std::move(row));
    }
}

} // namespace

extern constinit const RowKind gpuCounterRows{.build = build};

} // namespace warpline::gpu_counter_rows
