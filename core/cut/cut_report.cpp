#include "core/cut/cut_report.h"

#include "core/base/platform/platform.h"
#include "core/base/string_pool.h"
#include "core/cut/cut_tables.h"
#include "core/cut/redaction.h"
#include "core/import/import_log.h"
#include "core/import/importer.h"
#include "core/import/known_tables.h"
#include "core/import/nvtx_payloads.h"
#include "core/import/progress.h"
#include "core/import/python_stacks.h"
#include "core/import/snapshots.h"
#include "core/sqlite/table_copier.h"
#include "core/store/part_of_recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

namespace warpline {

namespace {

/// Tables with output and input of programs: emptied when a report is redacted.
bool isWords(std::string_view table)
{
    return table == "ProcessStreams" || table == "ANALYSIS_FILE";
}

/// Records the cut, so that nobody mistakes removed events for idle time.
Result<void> sayPart(sqlite::TableCopier& copy, CutOptions options, sqlite::Database& report,
    const std::vector<CutTable>& tables)
{
    if (options.isWhole)
        return {};
    if (options.session.empty()) {
        const RecordedTimes times = recordedTimes(report, tables);
        options.session = times.session;
        options.gpuWork = times.gpuWork;
        const TimeRange all{times.session.start, times.session.end + 1};
        if (options.window.start <= all.start && options.window.end >= all.end && times.kept.empty())
            return {};
        options.window = options.window.clippedTo(times.kept.empty() ? all : times.kept);
        options.kept = options.window.clippedTo(times.session);
    }
    if (options.session.empty() || options.window.empty())
        return {};
    const TimeRange kept = options.kept.empty() ? options.window : options.kept;
    const std::string table = fmt::format("main.{}", partTable);
    if (auto dropped = copy.run("DROP TABLE IF EXISTS " + table); !dropped.ok()) // of a part of a part
        return dropped;
    if (auto made
        = copy.run(fmt::format("CREATE TABLE {} (keptFrom INTEGER, keptTo INTEGER, wholeFrom INTEGER, "
                               "wholeTo INTEGER, gpuFrom INTEGER, gpuTo INTEGER)",
            table));
        !made.ok())
        return made;
    return copy.run(fmt::format("INSERT INTO {} VALUES ({}, {}, {}, {}, {}, {})", table, kept.start, kept.end,
        options.session.start, options.session.end, options.gpuWork.start, options.gpuWork.end));
}

/// The ids that `payload` names, as a JSON array.
std::string idsIn(const NvtxPayloads& payloads, std::string_view payload)
{
    std::string decoded;
    if (!payload.starts_with('{')) {
        std::int64_t domain = 0;
        const char* const end = payload.data() + payload.size();
        const auto [colon, problem] = std::from_chars(payload.data(), end, domain);
        if (problem != std::errc() || colon == end || *colon != ':')
            return "[]";
        decoded
            = payloads.decode(domain, payload.substr(static_cast<std::size_t>(colon - payload.data()) + 1));
        payload = decoded;
    }
    std::string list;
    for (const std::int64_t id : pythonNameIds(payload))
        list += (list.empty() ? "" : ",") + std::to_string(id);
    return "[" + list + "]";
}

/// The function that finds the strings that Python samples of a report refer to: ids of StringIds inside
/// payloads (JSON or nsys' own format), which no column shows. It returns the ids that a payload names, as a
/// JSON array; the payload is JSON, or the number of its domain, a colon, and the bytes. Reads how the bytes
/// are laid out. Errors: the report cannot be read.
Result<std::function<std::string(std::string_view payload)>> pythonNamesOf(
    const sqlite::ReportFile& file, sqlite::Database& report, const std::stop_token& stop)
{
    auto schema = Schema::probe(report, file.path());
    if (!schema.ok())
        return schema.error();
    // Inputs that the layouts need: no other tables.
    const StringTable strings;
    TraceBuilder trace(std::make_shared<StringPool>());
    ImportLog log;
    Progress progress(0, {});
    Snapshots snapshots(trace, {}, std::chrono::milliseconds(0), 2, 0);
    ImportJob job{
        file, nullptr, report, schema.value(), strings, trace, log, progress, snapshots, stop, 1, {}};
    return std::function([payloads = std::make_shared<const NvtxPayloads>(NvtxPayloads::read(job))](
                             std::string_view payload) { return idsIn(*payloads, payload); });
}

/// Moves the tables that Warpline does not know from `tables` to the end of `leftOut`.
void leaveOutUnknown(std::vector<std::string>& tables, std::vector<std::string>& leftOut)
{
    const auto unknown = std::ranges::stable_partition(tables, isKnownTable);
    leftOut.insert(leftOut.end(), unknown.begin(), unknown.end());
    tables.erase(unknown.begin(), unknown.end());
}

Result<RedactedFacts> fill(sqlite::TableCopier& copy, const sqlite::ReportFile& file,
    sqlite::Database& report, const CutOptions& options, const std::stop_token& stop)
{
    RedactedFacts facts;
    auto all = report.tables();
    if (!all.ok())
        return all.error();
    if (options.redact)
        leaveOutUnknown(all.value(), facts.leftOut);
    auto tables = cutTables(report, all.value(), options.window);
    if (!tables.ok())
        return tables.error();
    auto names = pythonNamesOf(file, report, stop);
    if (!names.ok())
        return names.error();
    copy.addFunction(std::string(pythonNamesFunction), names.take());
    std::size_t copied = 0;
    for (const CutTable& table : tables.value()) {
        if (options.progress)
            options.progress(copied++, tables.value().size());
        const std::string condition = options.redact && isWords(table.name) ? "0" : table.condition;
        if (auto done = copy.copy(table.name, condition); !done.ok())
            return done.error();
    }
    if (options.redact) {
        if (auto done = redact(copy, report, tables.value(), facts); !done.ok())
            return done.error();
    }
    if (auto said = sayPart(copy, options, report, tables.value()); !said.ok())
        return said.error();
    if (auto finished = copy.finish(); !finished.ok())
        return finished.error();
    return facts;
}

} // namespace

Result<RedactedFacts> cutReport(
    const std::string& from, const std::string& to, const CutOptions& options, const std::stop_token& stop)
{
    auto file = sqlite::ReportFile::open(from);
    if (!file.ok())
        return file.error();
    auto report = sqlite::Database::open(file.value());
    if (!report.ok())
        return report.error();
    report.value().limitSteps(std::numeric_limits<std::uint64_t>::max(), stop);
    auto copy = sqlite::TableCopier::create(file.value(), to, stop);
    if (!copy.ok())
        return copy.error();
    auto done = fill(copy.value(), file.value(), report.value(), options, stop);
    if (!done.ok()) {
        {
            const sqlite::TableCopier closed
                = std::move(copy.value()); // Windows removes no file that is open
        }
        std::error_code ignored;
        std::filesystem::remove(platform::pathOf(to), ignored);
    }
    return done;
}

} // namespace warpline
