// GPU metrics: one curve per metric below its GPU. Metrics that stayed zero are last, in a group of their
// own. Windows' accounting of video memory is listed with them.

#include "core/base/message_names.h"
#include "core/base/utf8.h"
#include "core/rows/counter_help.h"
#include "core/rows/row_builder.h"
#include "core/rows/row_kind.h"
#include "core/store/trace.h"

namespace warpline::gpu_metric_curves {

namespace {

std::string nameOfGpu(const Trace& trace, std::int32_t device)
{
    const Device* const known = trace.device(0, device);
    return "GPU " + std::to_string(device) + (known ? " - " + toUtf8(known->name) : std::string());
}

Row metricRow(const Trace& trace, std::uint32_t index, const std::string& key, Drawing drawing)
{
    Row row = counterRow(trace, index, key + "/" + std::to_string(index), drawing);
    row.hint = linesOf(counterHelp(trace.text(trace.counters[index].name)), std::move(row.hint));
    return row;
}

void build(const Trace& trace, CoverageCache&, RowTree& rows)
{
    for (const CounterKind kind : {CounterKind::GpuMetric, CounterKind::VideoMemory}) {
        std::map<std::int32_t, std::vector<std::uint32_t>> devices;
        for (std::uint32_t i = 0; i < trace.counters.size(); ++i) {
            if (trace.counters[i].kind == kind)
                devices[trace.counters[i].device].push_back(i);
        }
        for (const auto& [device, series] : devices) {
            const bool metrics = kind == CounterKind::GpuMetric;
            const std::string key = (metrics ? "gpu-metrics:" : "video-memory:") + std::to_string(device);
            const RowId top = rows.add(RowTree::root, headerRow(key, nameMessage(nameOfGpu(trace, device))));
            rows.row(top).expanded = true;
            const RowId group = rows.add(top,
                headerRow(key + "/all",
                    metrics ? Message("row.gpu_metrics", "GPU Metrics")
                            : Message("row.video_memory", "Video memory")));
            rows.row(group).expanded = true;
            RowId quiet = RowTree::root;
            for (const std::uint32_t i : series) {
                if (trace.counters[i].highest != 0 || trace.counters[i].lowest != 0) {
                    rows.add(group, metricRow(trace, i, key, metrics ? Drawing::Curve : Drawing::Steps));
                    continue;
                }
                if (quiet == RowTree::root)
                    quiet = rows.add(top, headerRow(key + "/zero", {"row.zero", "Metrics that stayed zero"}));
                rows.add(quiet, metricRow(trace, i, key, Drawing::Curve));
            }
        }
    }
}

} // namespace

extern constinit const RowKind gpuMetricCurves{.build = build};

} // namespace warpline::gpu_metric_curves
