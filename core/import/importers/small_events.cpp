// Events of which a report has few: unified memory page faults, file accesses, diagnostics.

#include "core/base/saturate.h"
#include "core/import/event_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace warpline::small_events {

namespace {

constexpr std::string_view cpuFaults = "CUDA_UM_CPU_PAGE_FAULT_EVENTS";
constexpr std::string_view gpuFaults = "CUDA_UM_GPU_PAGE_FAULT_EVENTS";
constexpr std::array<std::string_view, 2> faultTables{cpuFaults, gpuFaults};
namespace fault_column {
enum At : int { start = 1, end, process, device, count, address, instruction, counter, file, line };
}

/// The instruction of a row of CUDA_UM_CPU_PAGE_FAULT_EVENTS.
FaultSite siteOf(ImportJob& job, RowChecks& checks, const sqlite::Row& row)
{
    FaultSite site;
    if (!row.isNull(fault_column::instruction))
        site.instruction = checks.name(job.strings, row, fault_column::instruction);
    else if (!row.isNull(fault_column::counter))
        site.instruction = job.trace.pool().intern(
            fmt::format("0x{:X}", static_cast<std::uint64_t>(row.integer(fault_column::counter))));
    if (!row.isNull(fault_column::file))
        site.file = checks.name(job.strings, row, fault_column::file);
    site.line = static_cast<std::int32_t>(row.integer(fault_column::line, -1));
    return site;
}

Result<void> importPageFaults(ImportJob& job)
{
    StringPool& pool = job.trace.pool();
    TableBuilder all(EventKind::PageFault);
    RecordPool<FaultSite> sites;
    for (const std::string_view table : faultTables) {
        const bool onGpu = table == gpuFaults;
        const StringId name = pool.intern(onGpu ? "GPU page faults" : "CPU page fault");
        const StringId source = pool.intern(table);
        constexpr std::array<std::string_view, 10> columns{"start", "end", "globalPid", "deviceId",
            "numberOfPageFaults", "address", "CpuInstruction", "originalFaultPc", "sourceFile", "sourceLine"};
        const auto rows
            = scanEvents(job, table, columns, {fault_column::start, onGpu ? fault_column::end : -1},
                [&](const sqlite::Row& row, TimeRange time, RowChecks& checks) {
                    TrackKey key{.owner = static_cast<GlobalId>(row.integer(fault_column::process)),
                        .device = row.integer32(fault_column::device, -1),
                        .source = source};
                    all.add(all.track(key), time.start, time.end, name, sourceRowOf(row));
                    all.addAttribute(static_cast<std::uint32_t>(
                        std::clamp<std::int64_t>(row.integer(fault_column::count, 1), 0, 0xFFFFFFFF)));
                    all.addAddress(static_cast<std::uint64_t>(row.integer(fault_column::address)));
                    // The column for a call stack is free: faults have none.
                    all.addCallchain(sites.intern(onGpu ? FaultSite{} : siteOf(job, checks, row)));
                });
        if (!rows.ok())
            return rows.error();
        all.countSourceRows(rows.value());
    }
    auto faults = std::make_shared<PageFaultTable>();
    all.finishInto(*faults);
    faults->address = all.takeAddresses();
    faults->sites = std::move(sites.records);
    faults->site = std::exchange(faults->callchain, {});
    job.trace.setTable(std::move(faults));
    return {};
}

constexpr std::string_view fileTable = "OSRT_FILE_ACCESS_EVENTS";
constexpr std::array<std::string_view, 1> fileTables{fileTable};
namespace file_column {
enum At : int { start = 1, end, thread, operation, bytes, file };
}
constexpr std::string_view fileNameTable = "OSRT_FILE_ACCESS_DESCRIPTORS";
constexpr std::array<std::string_view, 1> fileNameTables{fileNameTable};

std::unordered_map<std::int64_t, std::string> filePaths(ImportJob& job)
{
    std::unordered_map<std::int64_t, std::string> paths;
    constexpr std::array<std::string_view, 2> columns{"fileAccessId", "filePath"};
    enum At : int { AtId = 1, AtPath };
    const auto read = scanTable(job, fileNameTable, columns, {},
        [&](const sqlite::Row& row) { paths.emplace(row.integer(AtId), row.text(AtPath)); });
    if (!read.ok())
        job.log.add(fileNameTable, ProblemKind::FileNamesUnreadable);
    return paths;
}

std::string_view accessName(std::int64_t type)
{
    switch (type) { // ENUM_OSRT_FILE_ACCESS_EVENT_TYPE
    case 1:
        return "Open";
    case 2:
        return "Close";
    case 3:
        return "Read";
    case 4:
        return "Write";
    case 6:
        return "Metadata";
    default:
        return "Access";
    }
}

/// Rows have only a tid: finds the process among the known threads.
std::unordered_map<std::int64_t, GlobalId> threadsByTid(const Trace& trace)
{
    std::unordered_map<std::int64_t, GlobalId> threads;
    for (const Thread& thread : trace.threads)
        threads.try_emplace(tidOf(thread.id), thread.id);
    return threads;
}

Result<void> importFileAccesses(ImportJob& job)
{
    StringPool& pool = job.trace.pool();
    const auto paths = filePaths(job);
    const auto threads = threadsByTid(*job.trace.snapshot());
    const StringId source = pool.intern(fileTable);
    constexpr std::array<std::string_view, 6> columns{
        "startedAt", "endedAt", "threadId", "eventType", "bytesProcessed", "fileAccessId"};
    TableBuilder all(EventKind::FileAccess);
    const auto rows = scanEvents(job, fileTable, columns, {file_column::start, file_column::end},
        [&](const sqlite::Row& row, TimeRange time, RowChecks&) {
            std::string name(accessName(row.integer(file_column::operation)));
            if (const auto path = paths.find(row.integer(file_column::file)); path != paths.end())
                name += " " + path->second;
            const std::int64_t tid = row.integer(file_column::thread);
            const auto thread = threads.find(tid);
            TrackKey key{.owner = thread == threads.end() ? static_cast<GlobalId>(tid) : thread->second,
                .source = source};
            all.add(all.track(key), time.start, time.end, pool.intern(name), sourceRowOf(row));
            all.addBytes(naturalOf(row.integer(file_column::bytes)));
        });
    return setTable(job, rows, all);
}

constexpr std::string_view diagnosticTable = "DIAGNOSTIC_EVENT";
constexpr std::array<std::string_view, 1> diagnosticTables{diagnosticTable};

Result<void> importDiagnostics(ImportJob& job)
{
    StringPool& pool = job.trace.pool();
    const StringId source = pool.intern(diagnosticTable);
    constexpr std::array<std::string_view, 4> columns{"timestamp", "severity", "text", "globalPid"};
    enum At : int { AtTime = 1, AtSeverity, AtText };
    TableBuilder all(EventKind::Diagnostic);
    std::vector<DiagnosticLine> lines;
    const auto rows = scanEvents(
        job, diagnosticTable, columns, {AtTime}, [&](const sqlite::Row& row, TimeRange time, RowChecks&) {
            TrackKey key;
            key.source = source;
            const StringId text = pool.intern(row.text(AtText)); // without credentials
            all.add(all.track(key), time.start, time.end, text, sourceRowOf(row));
            all.addAttribute(static_cast<std::uint32_t>(row.integer(AtSeverity)));
            lines.push_back({time.start, row.integer32(AtSeverity), std::string(pool[text])});
        });
    std::ranges::sort(lines, {}, [](const DiagnosticLine& line) {
        return std::tie(line.time, line.severity, line.text); // rows have no order
    });
    job.trace.edit([&](Trace& trace) { trace.info.diagnostics = std::move(lines); });
    return setTable(job, rows, all);
}

} // namespace

extern constinit const Importer pageFaults{.id = "page-faults",
    .progressText = "Reading page faults",
    .needs = faultTables,
    .run = importPageFaults};

extern constinit const Importer fileAccesses{.id = "file-accesses",
    .progressText = "Reading file accesses",
    .needs = fileTables,
    .alsoReads = fileNameTables,
    .run = importFileAccesses};

extern constinit const Importer diagnostics{.id = "diagnostics",
    .progressText = "Reading diagnostics",
    .needs = diagnosticTables,
    .run = importDiagnostics};

} // namespace warpline::small_events
