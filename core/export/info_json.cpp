#include "core/export/info_json.h"

#include "core/base/format.h"
#include "core/base/utf8.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <tuple>

namespace warpline {

namespace {

using Json = nlohmann::ordered_json;

Json countsOf(const Trace& trace)
{
    Json counts = Json::object();
    for (const EventKind kind : allEventKinds()) {
        if (kind != EventKind::NvtxProjected)
            counts[std::string(keyOf(kind))] = trace.table(kind).sourceRows;
    }
    counts["gpu_metric_samples"] = trace.info.gpuMetricSamples;
    return counts;
}

/// Processes and threads that own events; reports name every process of the machine.
std::set<GlobalId> owners(const Trace& trace)
{
    std::set<GlobalId> ids;
    for (const EventKind kind : allEventKinds()) {
        for (const Track& track : trace.table(kind).tracks) {
            if (track.owner != 0)
                ids.insert(track.owner);
        }
    }
    return ids;
}

Json processesOf(const Trace& trace, const std::set<GlobalId>& ids)
{
    Json list = Json::array();
    for (const Process& process : trace.processes) {
        const auto own = ids.lower_bound(process.id);
        if (own != ids.end() && processOf(*own) == process.id)
            list.push_back({{"pid", process.pid}, {"name", toUtf8(trace.text(process.name))}});
    }
    return list;
}

Json devicesOf(const Trace& trace)
{
    Json list = Json::array();
    for (const Device& device : trace.devices)
        list.push_back({{"id", device.id}, {"name", toUtf8(device.name)}, {"chip", toUtf8(device.chip)},
            {"bus", toUtf8(device.busLocation)}, {"multiprocessors", device.multiprocessors},
            {"memory_bytes", device.memoryBytes}});
    return list;
}

} // namespace

std::string infoJson(const Trace& trace)
{
    const ReportInfo& info = trace.info;
    const std::set<GlobalId> ids = owners(trace);
    std::set<std::tuple<GlobalId, std::int32_t, std::int32_t, std::int32_t>> streams;
    for (const EventKind kind : {EventKind::Kernel, EventKind::Memcpy, EventKind::Memset, EventKind::GraphTrace}) {
        for (const Track& track : trace.table(kind).tracks)
            streams.emplace(track.owner, track.device, track.context, track.stream);
    }
    Json json;
    json["file"] = toUtf8(info.path);
    json["schema"] = info.schemaVersion.empty() ? Json() : Json(toUtf8(info.schemaVersion));
    json["exporter_version"] = info.exporterVersion.empty() ? Json() : Json(toUtf8(info.exporterVersion));
    json["command"] = toUtf8(info.commandLine);
    json["span_ns"] = {trace.session.start, trace.session.end};
    json["counts"] = countsOf(trace);
    json["processes"] = processesOf(trace, ids);
    json["threads"] = std::ranges::count_if(ids, [](GlobalId id) { return tidOf(id) != 0; });
    json["devices"] = devicesOf(trace);
    json["streams"] = streams.size();
    json["unknown_tables"] = Json::array();
    for (const SourceTable& table : info.tables) {
        if (!table.known)
            json["unknown_tables"].push_back({{"name", toUtf8(table.name)}, {"rows", table.rows}});
    }
    json["problems"] = Json::array();
    for (const Problem& problem : info.problems)
        json["problems"].push_back(
            {{"table", toUtf8(problem.table)}, {"message", problem.message}, {"count", problem.count}});
    return json.dump(2) + "\n";
}

std::string infoText(const Trace& trace)
{
    const ReportInfo& info = trace.info;
    std::string text = fmt::format("{}\n", toUtf8(info.path));
    const auto line = [&](std::string_view label, const std::string& value) {
        if (!value.empty())
            text += fmt::format("  {:<24}{}\n", label, value);
    };
    line("Program", toUtf8(info.commandLine));
    line("Exported by", toUtf8(info.exporterVersion));
    line("Schema", toUtf8(info.schemaVersion));
    line("Span", fmt::format("{} (from {} to {})", formatDuration(trace.session.duration()),
                     formatTime(trace.session.start), formatTime(trace.session.end)));
    for (const Device& device : trace.devices)
        line(fmt::format("GPU {}", device.id), toUtf8(device.name));
    for (const EventKind kind : allEventKinds()) {
        if (kind != EventKind::NvtxProjected && trace.table(kind).sourceRows > 0)
            line(titleOf(kind), formatCount(trace.table(kind).sourceRows));
    }
    if (info.gpuMetricSamples > 0)
        line("GPU metric samples", formatCount(info.gpuMetricSamples));
    for (const SourceTable& table : info.tables) {
        if (!table.known)
            line("Not read", fmt::format("{} ({} rows)", toUtf8(table.name), formatCount(table.rows)));
    }
    for (const Problem& problem : info.problems)
        line("Problem", fmt::format("{}: {} ({})", toUtf8(problem.table), problem.message, formatCount(problem.count)));
    return text;
}

} // namespace warpline
