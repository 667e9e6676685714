// Tables that are all alike: calls with a name on a thread. Libraries (cuBLAS, MPI, OpenGL ...), the making
// of CUDA graphs, and the profiler's own overhead.

#include "core/import/event_parts.h"
#include "core/import/library_tables.h"

namespace warpline {

namespace {

class CallPart : public ThreadPart {
public:
    using ThreadPart::ThreadPart;
    void read(const sqlite::Statement& row) { addEvent(row); }
};

/// Reads `table` and appends its events to `all`.
Result<void> appendTable(ImportJob& job, std::string_view table, std::string_view nameColumn,
    std::string_view family, TableBuilder& all, EventKind kind)
{
    if (!job.schema.has(table))
        return {};
    const StringId source = job.trace.pool().intern(table);
    const StringId familyId = job.trace.pool().intern(family);
    const std::array<std::string_view, 4> columns{"start", "end", "globalTid", nameColumn};
    auto parts = scanInParts<CallPart>(
        job, table, columns, [&] { return std::make_unique<CallPart>(kind, job.strings, source, familyId); },
        [&all](CallPart part) -> std::shared_ptr<const EventTable> {
            // Calls of other tables, when there are any, are copied for no part of this one.
            return all.size() > 0 ? nullptr : finish(part.builder);
        });
    if (!parts.ok())
        return parts.error();
    all.append(std::move(joinParts(job, table, parts.value())));
    return {};
}

/// GPU workloads: the device in `gpu`, no stream.
Result<void> appendWorkload(ImportJob& job, const LibraryTable& library, TableBuilder& all)
{
    const StringId source = job.trace.pool().intern(library.table);
    const StringId family = job.trace.pool().intern(library.family);
    const std::array<std::string_view, 5> columns{"start", "end", "globalTid", library.name, "gpu"};
    RowChecks checks;
    const auto rows = scanTable(job, library.table, columns, {}, [&](const sqlite::Statement& row) {
        Ns start = 0;
        Ns end = 0;
        if (!checks.times(row, 1, 2, start, end))
            return;
        TrackKey key;
        key.owner = processOf(static_cast<GlobalId>(row.integer(3)));
        key.device = static_cast<std::int32_t>(row.integer(5, 0) & 0xFF);
        key.family = family;
        key.source = source;
        all.add(all.track(key), start, end, checks.name(job.strings, row, 4), sourceRowOf(row));
    });
    if (!rows.ok())
        return rows.error();
    all.countSourceRows(rows.value());
    checks.logTo(job.log, library.table);
    return {};
}

Result<void> importLibraries(ImportJob& job)
{
    TableBuilder all(EventKind::Library);
    for (const LibraryTable& library : libraryTables()) {
        if (!job.schema.has(library.table))
            continue;
        auto added = library.onGpu
            ? appendWorkload(job, library, all)
            : appendTable(job, library.table, library.name, library.family, all, EventKind::Library);
        if (!added.ok())
            return added;
    }
    job.trace.setTable(finish(all));
    return {};
}

constexpr std::array<std::string_view, 2> graphTables{"CUDA_GRAPH_EVENTS", "CUDA_GRAPH_NODE_EVENTS"};
constexpr std::array<std::string_view, 2> overheadTables{"PROFILER_OVERHEAD", "CUPTI_ACTIVITY_KIND_OVERHEAD"};

Result<void> importTables(ImportJob& job, EventKind kind, std::span<const std::string_view> tables)
{
    TableBuilder all(kind);
    for (const std::string_view table : tables) {
        if (auto added = appendTable(job, table, "nameId", {}, all, kind); !added.ok())
            return added;
    }
    job.trace.setTable(finish(all));
    return {};
}

} // namespace

extern constinit const Importer libraries{.id = "libraries",
    .progressText = "Reading library calls",
    .needs = {}, // any of libraryTables(); skips quickly when there is none
    .run = importLibraries};

extern constinit const Importer graphCreation{.id = "graph-creation",
    .progressText = "Reading CUDA graph creation",
    .needs = graphTables,
    .run = [](ImportJob& job) { return importTables(job, EventKind::GraphEvent, graphTables); }};

extern constinit const Importer overheads{.id = "overhead",
    .progressText = "Reading profiler overhead",
    .needs = overheadTables,
    .run = [](ImportJob& job) { return importTables(job, EventKind::Overhead, overheadTables); }};

} // namespace warpline
