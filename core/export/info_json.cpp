#include "core/export/info_json.h"

#include "core/export/analysis_head.h"
#include "core/render/render.h"
#include "core/store/part_of_recording.h"
#include "core/store/problem.h"
#include "core/store/trace.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <tuple>

namespace warpline {

namespace {

template <typename OwnerOf> std::vector<OwnerEvents> eventsBy(const Trace& trace, OwnerOf ownerOf)
{
    std::map<GlobalId, std::uint64_t> counts;
    for (const EventKind kind : allEventKinds()) {
        if (isDerived(kind))
            continue;
        for (const Track& track : trace.table(kind).tracks) {
            if (const GlobalId owner = ownerOf(track); owner != 0)
                counts[owner] += track.eventCount;
        }
    }
    std::vector<OwnerEvents> owners;
    owners.reserve(counts.size());
    for (const auto& [id, events] : counts)
        owners.push_back({id, events});
    return owners;
}

Json countsOf(const Trace& trace)
{
    Json counts = Json::object();
    for (const auto& [key, rows] : rowCounts(trace))
        counts[std::string(key)] = rows;
    return counts;
}

Json processesOf(const Trace& trace)
{
    Json list = Json::array();
    for (const auto& [id, events] : eventsOfProcesses(trace)) {
        const Process* const process = trace.process(id);
        list.push_back(
            {{"pid", pidOf(id)}, {"name", process ? jsonTextOrNull(trace.text(process->name)) : Json()},
                {"global_pid", id}, {"events", events}});
    }
    return list;
}

Json threadsOf(const Trace& trace)
{
    const auto threadOf
        = [](const Track& track) { return tidOf(track.owner) != 0 ? track.owner : GlobalId{0}; };
    Json list = Json::array();
    for (const auto& [id, events] : eventsBy(trace, threadOf)) {
        const Thread* const thread = trace.thread(id);
        list.push_back({{"pid", pidOf(id)}, {"tid", tidOf(id)},
            {"name", thread ? jsonTextOrNull(trace.text(thread->name)) : Json()}, {"global_tid", id},
            {"events", events}});
    }
    return list;
}

Json devicesOf(const Trace& trace)
{
    Json list = Json::array();
    for (const Device& device : trace.devices) {
        list.push_back({{"id", device.id}, {"name", jsonTextOrNull(device.name)},
            {"chip", jsonTextOrNull(device.chip)}, {"bus_location", jsonTextOrNull(device.busLocation)},
            {"uuid", jsonTextOrNull(device.uuid)}, {"memory_bytes", device.memoryBytes},
            {"memory_bandwidth", device.memoryBandwidth}, {"multiprocessors", device.multiprocessors},
            {"compute_capability",
                device.computeMajor > 0
                    ? Json(std::to_string(device.computeMajor) + "." + std::to_string(device.computeMinor))
                    : Json()}});
    }
    return list;
}

const StreamInfo* factsOf(const Trace& trace, GlobalId process, std::int32_t context, std::int32_t stream)
{
    const auto found = std::ranges::find_if(trace.streams, [&](const StreamInfo& info) {
        return pidOf(info.process) == pidOf(process) && info.context == context && info.stream == stream;
    });
    return found != trace.streams.end() ? &*found : nullptr;
}

/// Streams that did something, each once, whatever its kinds of work.
Json streamsOf(const Trace& trace)
{
    std::map<std::tuple<GlobalId, std::int32_t, std::int32_t, std::int32_t>, std::uint64_t> streams;
    for (const EventKind kind : allEventKinds()) {
        if (!runsOnDevice(kind))
            continue;
        for (const Track& track : trace.table(kind).tracks) {
            if (track.stream >= 0)
                streams[{track.owner, track.device, track.context, track.stream}] += track.eventCount;
        }
    }
    Json list = Json::array();
    for (const auto& [key, events] : streams) {
        const auto& [owner, device, context, stream] = key;
        const StreamInfo* const facts = factsOf(trace, owner, context, stream);
        list.push_back({{"pid", pidOf(owner)}, {"device", device}, {"context", context}, {"stream", stream},
            {"name", facts ? jsonTextOrNull(trace.text(facts->name)) : Json()},
            {"default", facts ? Json(facts->isDefault) : Json()}, {"events", events}});
    }
    return list;
}

Json unknownTablesOf(const ReportInfo& info)
{
    Json list = Json::array();
    for (const SourceTable& table : info.tables) {
        if (!table.known)
            list.push_back({{"name", jsonText(table.name)}, {"rows", table.rows}});
    }
    return list;
}

Json readBySqliteOf(const ReportInfo& info)
{
    Json list = Json::array();
    for (const auto& [table, why] : info.readBySqlite)
        list.push_back({{"table", jsonTextOrNull(table)}, {"because", why}});
    return list;
}

Json problemsOf(const ReportInfo& info)
{
    Json list = Json::array();
    for (const Problem& problem : info.problems) {
        list.push_back({{"kind", keyOf(problem.kind)}, {"severity", keyOf(severityOf(problem.kind))},
            {"table", jsonTextOrNull(problem.table)}, {"message", jsonOf(messageOf(problem))},
            {"count", problem.count},
            {"example", jsonTextOrNull(problem.reason.empty() ? problem.example : plain(problem.reason))}});
    }
    return list;
}

Json diagnosticsOf(const ReportInfo& info)
{
    Json list = Json::array();
    for (const DiagnosticLine& line : info.diagnostics)
        list.push_back({{"time_ns", line.time}, {"severity", line.severity}, {"text", jsonText(line.text)}});
    return list;
}

} // namespace

std::vector<std::pair<std::string_view, std::uint64_t>> rowCounts(const Trace& trace)
{
    std::vector<std::pair<std::string_view, std::uint64_t>> counts;
    for (const EventKind kind : allEventKinds()) {
        if (!isDerived(kind))
            counts.emplace_back(keyOf(kind), trace.table(kind).sourceRows);
    }
    counts.emplace_back("gpu_metric_samples", trace.info.gpuMetricSamples);
    return counts;
}

std::vector<OwnerEvents> eventsOfProcesses(const Trace& trace)
{
    return eventsBy(trace, [](const Track& track) { return processOf(track.owner); });
}

Json infoJson(const Trace& trace)
{
    const ReportInfo& info = trace.info;
    Json json;
    json["file"] = jsonText(info.path);
    json["file_bytes"] = info.fileBytes;
    json["export_schema"] = jsonTextOrNull(info.schemaVersion);
    json["nsys_version"] = jsonTextOrNull(info.captureVersion);
    json["exporter_version"] = jsonTextOrNull(info.exporterVersion);
    json["capture_command"] = jsonTextOrNull(info.commandLine);
    json["host"] = jsonTextOrNull(info.hostName);
    json["operating_system"] = jsonTextOrNull(info.operatingSystem);
    json["started_utc"] = jsonTextOrNull(info.startedUtc);
    json["range_ns"] = jsonRange(trace.session);
    const auto part = partOf(info);
    json["part_of_range_ns"] = part ? jsonRange(part->whole) : Json();
    json["counts"] = countsOf(trace);
    json["gpus"] = jsonGpus(trace);
    json["processes"] = processesOf(trace);
    json["threads"] = threadsOf(trace);
    json["devices"] = devicesOf(trace);
    json["streams"] = streamsOf(trace);
    json["unknown_tables"] = unknownTablesOf(info);
    json["read_by_sqlite"] = readBySqliteOf(info);
    json["problems"] = problemsOf(info);
    json["diagnostics"] = diagnosticsOf(info);
    return json;
}

} // namespace warpline
