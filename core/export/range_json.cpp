#include "core/export/range_json.h"

#include "core/base/format.h"
#include "core/base/utf8.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace warpline {

namespace {

using Json = nlohmann::ordered_json;

Json rowJson(const Row& row, const TrackFigures& figures, Ns wall)
{
    return {{"key", row.key}, {"label", row.label}, {"count", figures.count}, {"busy_ns", figures.busy},
        {"share", wall > 0 ? static_cast<double>(figures.busy) / static_cast<double>(wall) : 0.0},
        {"gaps", figures.gaps}, {"longest_gap_ns", figures.longestGap}};
}

Json nameJson(const Trace& trace, const NameFigures& name)
{
    return {{"kind", keyOf(name.kind)}, {"name", toUtf8(trace.text(name.name))}, {"label", name.label},
        {"count", name.count}, {"total_ns", name.total}, {"share", name.share}, {"mean_ns", name.mean},
        {"median_ns", name.median}, {"min_ns", name.min}, {"max_ns", name.max}, {"bytes", name.bytes}};
}

} // namespace

std::string rangeJson(const Trace& trace, const RowTree& rows, std::span<const RowId> rowsAsked, const RangeStats& stats)
{
    const Ns wall = stats.window.duration();
    Json json;
    json["window_ns"] = {stats.window.start, stats.window.end};
    json["wall_ns"] = wall;
    json["events"] = stats.events;
    json["rows"] = Json::array();
    for (std::size_t i = 0; i < rowsAsked.size() && i < stats.rows.size(); ++i)
        json["rows"].push_back(rowJson(rows.row(rowsAsked[i]), stats.rows[i], wall));
    json["devices"] = Json::array();
    for (const DeviceFigures& device : stats.devices)
        json["devices"].push_back({{"pid", pidOf(device.process)}, {"device", device.device}, {"compute_ns", device.compute},
            {"copy_ns", device.copy}, {"overlap_ns", device.overlap}, {"busy_ns", device.busy}, {"idle_ns", device.idle}});
    json["copies"] = Json::array();
    for (const CopyFigures& copy : stats.copies)
        json["copies"].push_back({{"direction", labelOf(copy.kind)}, {"count", copy.count}, {"bytes", copy.bytes},
            {"total_ns", copy.total}, {"bytes_per_second", copy.throughput()}, {"pageable", copy.pageable}});
    json["names"] = Json::array();
    for (const NameFigures& name : stats.names)
        json["names"].push_back(nameJson(trace, name));
    return json.dump(2) + "\n";
}

std::string rangeText(const Trace& trace, const RowTree& rows, std::span<const RowId> rowsAsked, const RangeStats& stats)
{
    const double wall = std::max<double>(1, static_cast<double>(stats.window.duration()));
    std::string text = fmt::format("{} from {} to {}, {} events\n", formatDuration(stats.window.duration()),
        formatTime(stats.window.start), formatTime(stats.window.end), formatCount(stats.events));
    for (const DeviceFigures& device : stats.devices) {
        text += fmt::format("GPU {} of process {}: compute {}, copies {}, both {}, idle {}\n", device.device,
            pidOf(device.process), formatShare(static_cast<double>(device.compute) / wall),
            formatShare(static_cast<double>(device.copy) / wall), formatShare(static_cast<double>(device.overlap) / wall),
            formatShare(static_cast<double>(device.idle) / wall));
    }
    text += fmt::format("\n{:<56}{:>12}{:>10}{:>10}\n", "Row", "Busy", "Share", "Events");
    for (std::size_t i = 0; i < rowsAsked.size() && i < stats.rows.size(); ++i)
        text += fmt::format("{:<56.56}{:>12}{:>10}{:>10}\n", rows.row(rowsAsked[i]).label,
            formatDuration(stats.rows[i].busy), formatShare(static_cast<double>(stats.rows[i].busy) / wall),
            formatCount(stats.rows[i].count));
    text += fmt::format("\n{:<56}{:>10}{:>12}{:>9}{:>12}{:>12}\n", "Name", "Count", "Total", "Share", "Mean", "Median");
    for (const NameFigures& name : stats.names)
        text += fmt::format("{:<56.56}{:>10}{:>12}{:>9}{:>12}{:>12}\n", name.label, formatCount(name.count),
            formatDuration(name.total), formatShare(name.share), formatDuration(static_cast<Ns>(name.mean)),
            formatDuration(static_cast<Ns>(name.median)));
    for (const CopyFigures& copy : stats.copies)
        text += fmt::format("\n{}: {} copies, {}, {}, {} with pageable memory", labelOf(copy.kind), formatCount(copy.count),
            formatBytes(copy.bytes), formatThroughput(copy.throughput()), formatCount(copy.pageable));
    return text + (stats.copies.empty() ? "" : "\n") + (trace.complete ? "" : "(incomplete)\n");
}

} // namespace warpline
