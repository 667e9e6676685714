// CUDA event records. Only exports from 2025.5 on carry their time; before, a record has the time of the API
// call that made it.

#include "core/import/event_parts.h"

#include <unordered_map>

namespace warpline::cuda_event_records {

namespace {

constexpr std::string_view table = "CUPTI_ACTIVITY_KIND_CUDA_EVENT";
constexpr std::array<std::string_view, 1> tables{table};
constexpr std::array<std::string_view, 8> columns{
    "timestamp", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "eventId", "eventSyncId"};
enum Column : int { AtTime = 1, AtDevice, AtContext, AtStream, AtCorrelation, AtProcess, AtEvent, AtSync };

/// Start of every API call, by process and correlation id. Made only when events carry no time of their own.
std::unordered_map<std::uint64_t, Ns> callTimes(const Trace& trace)
{
    std::unordered_map<std::uint64_t, Ns> times;
    const EventTable& api = trace.apiCalls();
    for (const Track& track : api.tracks) {
        for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
            if (trace.text(api.name[i]).find("EventRecord") != std::string_view::npos)
                times.emplace(std::uint64_t{pidOf(track.owner)} << 32U | api.correlation[i], api.start[i]);
        }
    }
    return times;
}

Result<void> importEventRecords(ImportJob& job)
{
    const StringId source = job.trace.pool().intern(table);
    const StringId name = job.trace.pool().intern("CUDA event record");
    const GlobalId owner = ownerOfDeviceRows(job, table);
    std::unordered_map<std::uint64_t, Ns> times;
    if (!job.schema.has(table, "timestamp"))
        times = callTimes(*job.trace.snapshot());
    TableBuilder all(EventKind::CudaEvent);
    RowChecks checks;
    std::uint64_t unplaced = 0;
    const auto rows = scanTable(job, table, columns, {}, [&](const sqlite::Row& row) {
        TrackKey key;
        key.device = row.integer32(AtDevice, -1);
        key.context = row.integer32(AtContext, -1);
        key.stream = row.integer32(AtStream, -1);
        key.owner = static_cast<GlobalId>(row.integer(AtProcess, static_cast<std::int64_t>(owner)));
        key.source = source;
        const std::uint32_t correlation = checks.correlation(row, AtCorrelation);
        Ns time = 0;
        Ns end = 0;
        if (!row.isNull(AtTime) && !checks.times(row, AtTime, -1, time, end))
            return;
        if (time == 0) {
            const auto call = times.find(std::uint64_t{pidOf(key.owner)} << 32U | correlation);
            if (call == times.end()) {
                ++unplaced;
                return;
            }
            time = call->second;
        }
        all.add(all.track(key), time, time, name, sourceRowOf(row));
        all.addCorrelation(correlation);
        all.addAttribute(static_cast<std::uint32_t>(row.integer(AtEvent)));
        // The column for a call stack is free: records have none.
        all.addCallchain(recordingOf(row, AtSync));
    });
    checks.logTo(job.log, table);
    job.log.add(table, ProblemKind::EventRecordNotPlaced, unplaced);
    return setTable(job, rows, all);
}

} // namespace

extern constinit const Importer cudaEventRecords{.id = "cuda-event-records",
    .progressText = "Reading CUDA event records",
    .needs = tables,
    .run = importEventRecords};

} // namespace warpline::cuda_event_records
