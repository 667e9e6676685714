#include "core/export/range_json.h"

#include "core/base/share.h"
#include "core/budget/gpu_budget.h"
#include "core/coverage/coverage.h"
#include "core/export/json_text.h"
#include "core/operators/range_work.h"
#include "core/render/render.h"
#include "core/rows/row_tree.h"
#include "core/store/gpu_names.h"
#include "core/store/trace.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace warpline {

namespace {

/// The events of each kind with any in the window, in the order of the kinds. O(n log lanes) for each.
Json kindsOf(const Trace& trace, const RangeStats& stats)
{
    struct Figures {
        std::uint64_t count = 0; ///< events that touch the window
        Ns total = 0; ///< sum of durations clipped to the window: concurrent work counts twice
    };
    std::map<std::pair<EventKind, bool>, Figures> kinds; // by recordedOnGpu
    for (const NameFigures& name : stats.names) {
        Figures& figures = kinds[{name.kind, name.recordedOnGpu}];
        figures.count += name.count;
        figures.total += name.total;
    }
    Json json = Json::object();
    for (const auto& [key, figures] : kinds) {
        const auto& [kind, onGpu] = key;
        std::vector<TrackRef> tracks;
        for (std::uint32_t i = 0; i < trace.table(kind).tracks.size(); ++i) {
            if (isRecordedOnGpu(kind, trace.table(kind).tracks[i]) == onGpu)
                tracks.push_back({kind, i});
        }
        json[kindKeyOf(kind, onGpu)] = {{"count", figures.count}, {"total_ns", figures.total},
            {"busy_ns", coverageOf(trace, tracks).busy(stats.window)}};
    }
    return json;
}

Json rowsOf(const RowTree& rows, std::span<const RowId> asked, const RangeStats& stats)
{
    Json list = Json::array();
    for (std::size_t i = 0; i < asked.size() && i < stats.rows.size(); ++i) {
        const TrackFigures& figures = stats.rows[i];
        if (figures.count == 0)
            continue;
        Json path = Json::array();
        for (const std::string& label : labelPath(rows, asked[i]))
            path.push_back(jsonText(label));
        list.push_back(
            {{"key", jsonText(rows.row(asked[i]).key)}, {"label", jsonText(plain(rows.row(asked[i]).label))},
                {"path", std::move(path)}, {"count", figures.count}, {"busy_ns", figures.busy},
                {"share", shareOf(figures.busy, stats.window.duration())}, {"gaps", figures.gaps},
                {"longest_gap_ns", figures.longestGap}});
    }
    return list;
}

Json devicesOf(const Trace& trace, const RangeStats& stats)
{
    const std::vector<RangeWork> works = rangeWork(trace, stats.window);
    Json list = Json::array();
    for (const DeviceFigures& device : stats.devices) {
        list.push_back({{"pid", pidOf(device.process)}, {"device", device.number},
            {"cuda_device", device.device}, {"compute_ns", device.compute}, {"stalled_ns", device.stalled},
            {"communication_ns", device.communication}, {"copy_ns", device.copy},
            {"copy_only_ns", device.copyOnly}, {"overlap_ns", device.overlap}, {"busy_ns", device.busy},
            {"idle_ns", device.idle}});
        const auto work = std::ranges::find_if(works, [&](const RangeWork& each) {
            return each.process == device.process && each.device == device.device;
        });
        const bool isKnown = work != works.end(); // else no operators with shapes
        const bool hasPeaks = isKnown && work->hasPeaks;
        list.back()["flops"] = isKnown ? Json(work->sums.flops) : Json();
        list.back()["bytes"] = isKnown ? Json(work->sums.bytes) : Json();
        list.back()["mfu"] = hasPeaks ? Json(work->utilization()) : Json();
        list.back()["memory_share"] = hasPeaks ? Json(work->memoryShare) : Json();
    }
    return list;
}

/// Where each GPU's time went: parts that are disjoint and add up to the range.
Json budgetsOf(const Trace& trace, TimeRange window)
{
    const GpuBudgets budgets(trace);
    Json list = Json::array();
    for (const GpuBudget& gpu : budgets.gpus()) {
        const Budget budget = gpu.within(window);
        Json parts = Json::object();
        for (std::size_t part = 0; part < budget.size(); ++part) {
            if (budget[part] != 0)
                parts[budgets.parts()[part].id] = budget[part];
        }
        list.push_back({{"pid", pidOf(gpu.process)}, {"device", gpuNumber(trace, gpu.process, gpu.device)},
            {"budget", std::move(parts)}});
    }
    return list;
}

Json copiesOf(const RangeStats& stats)
{
    Json list = Json::array();
    for (const CopyFigures& copies : stats.copies) {
        list.push_back({{"direction", labelOf(copies.kind)}, {"count", copies.count}, {"bytes", copies.bytes},
            {"total_ns", copies.total}, {"whole_ns", copies.whole}, {"bytes_per_second", copies.throughput()},
            {"pageable", copies.pageable}});
    }
    return list;
}

Json countersOf(const Trace& trace, const RangeStats& stats)
{
    Json list = Json::array();
    for (const CounterFigures& figures : stats.counters) {
        const CounterSeries& series = trace.counters[figures.counter];
        list.push_back(
            {{"name", jsonText(trace.text(series.name))}, {"unit", jsonText(trace.text(series.unit))},
                {"device", gpuNumber(trace, series.owner, series.device)}, {"pid", pidOf(series.owner)},
                {"mean", figures.mean}, {"min", figures.low}, {"max", figures.high},
                {"samples", figures.samples}});
    }
    return list;
}

Json namesOf(const Trace& trace, const RangeStats& stats)
{
    Json list = Json::array();
    for (const NameFigures& name : stats.names) {
        list.push_back({{"kind", kindKeyOf(name.kind, name.recordedOnGpu)},
            {"name", jsonText(trace.text(name.name))}, {"label", jsonText(name.label)}, {"count", name.count},
            {"total_ns", name.total}, {"share", name.share}, {"mean_ns", jsonNs(name.mean)},
            {"median_ns", jsonNs(name.median)}, {"min_ns", name.min}, {"max_ns", name.max},
            {"bytes", name.bytes}, {"longest_range_ns", jsonRange(trace.range(name.longest))}});
    }
    return list;
}

} // namespace

std::vector<RowId> rowsWithEvents(const RowTree& rows)
{
    std::vector<RowId> found = rows.subtree(RowTree::root);
    std::erase_if(found, [&](RowId id) { return rows.row(id).tracks.empty(); });
    return found;
}

std::vector<std::string> labelPath(const RowTree& rows, RowId row)
{
    std::vector<std::string> path;
    for (RowId id = row; id != RowTree::root; id = rows.row(id).parent)
        path.push_back(plain(rows.row(id).label));
    std::ranges::reverse(path);
    return path;
}

Json rangeJson(
    const Trace& trace, const RowTree& rows, std::span<const RowId> rowsAsked, const RangeStats& stats)
{
    Json json;
    json["file"] = jsonText(trace.info.path);
    json["range_ns"] = jsonRange(stats.window);
    json["duration_ns"] = stats.window.duration();
    json["events"] = stats.events;
    json["kinds"] = kindsOf(trace, stats);
    json["rows"] = rowsOf(rows, rowsAsked, stats);
    json["devices"] = devicesOf(trace, stats);
    json["budgets"] = budgetsOf(trace, stats.window);
    json["copies"] = copiesOf(stats);
    json["counters"] = countersOf(trace, stats);
    json["names"] = namesOf(trace, stats);
    return json;
}

} // namespace warpline
