// warpline-cli info: the contents of a report.

#include "app/cli_columns.h"
#include "app/cli_command.h"
#include "app/cli_report.h"
#include "app/cli_usage.h"
#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/export/info_json.h"
#include "core/export/wrapped_text.h"
#include "core/render/render.h"
#include "core/store/machine_facts.h"
#include "core/store/part_of_recording.h"
#include "core/store/problem.h"
#include "core/store/recorder.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace warpline::cli {

namespace {

constexpr std::size_t labelWidth = 16;

struct InfoOptions {
    std::vector<std::string> files;
    std::size_t jobs = 1;
    bool noCache = false;
};

void addFact(std::string& text, const std::string& label, const std::string& value)
{
    if (value.empty())
        return;
    const std::size_t width = columnsOf(label);
    text += label + std::string(std::max(labelWidth, width + 1) - width, ' ') + onOneLine(toUtf8(value))
        + '\n';
}

void addSection(std::string& text, const std::string& title, const std::string& table)
{
    if (!table.empty())
        text += '\n' + title + '\n' + table;
}

std::string factsText(const Trace& trace)
{
    const ReportInfo& info = trace.info;
    std::string text;
    addFact(text, plain(Message("info.file", "File")), info.path + " (" + formatBytes(info.fileBytes) + ")");
    if (const auto part = partOf(info))
        addFact(text, plain(Message("info.part", "It is")), plain(partText(*part)));
    const bool ofNsys = recorderOf(info) == Recorder::NsightSystems;
    addFact(text, plain(Message("info.schema", "Schema")),
        info.schemaVersion.empty() && ofNsys
            ? plain(Message("info.schema_unknown", "unknown (before 2021.5)"))
            : info.schemaVersion);
    if (ofNsys)
        addFact(text, plain(Message("info.recorded_by", "Recorded by")),
            info.captureVersion.empty() ? "" : "nsys " + info.captureVersion);
    addFact(text, plain(Message("info.exported_by", "Exported by")),
        info.exporterVersion.empty() ? "" : "nsys " + info.exporterVersion);
    if (!ofNsys) { // few, and what users want to know first
        for (const auto& [name, value] : info.capture) {
            if (!isOfMachine(name))
                addFact(text, plain(Message(name, "capture_fact", name)), value);
        }
    }
    addFact(text, plain(Message("info.program", "Program")), info.commandLine);
    addFact(text, plain(Message("info.host", "Host")), info.hostName);
    addFact(text, plain(Message("info.system", "System")), info.operatingSystem);
    addFact(text, plain(Message("info.started", "Started (UTC)")), info.startedUtc);
    addFact(text, plain(Message("info.events_from", "Events from")), formatTime(trace.session.start));
    addFact(text, plain(Message("info.events_to", "         to")),
        formatTime(trace.session.end) + " (" + formatDuration(trace.session.duration()) + ")");
    for (const Device& device : trace.devices)
        addFact(text, "GPU " + std::to_string(device.id),
            device.busLocation.empty() ? device.name : device.name + " (" + device.busLocation + ")");
    return text;
}

std::string countsTable(const Trace& trace)
{
    std::vector<std::vector<std::string>> rows;
    for (const auto& [key, count] : rowCounts(trace)) {
        if (count > 0)
            rows.push_back({std::string(key), formatCount(count)});
    }
    return textTable({{"Rows of"}, {"count", Align::Right}}, rows);
}

std::string processesTable(const Trace& trace)
{
    std::vector<std::vector<std::string>> rows;
    for (const OwnerEvents& owner : eventsOfProcesses(trace)) {
        const Process* const process = trace.process(owner.id);
        rows.push_back({std::to_string(pidOf(owner.id)), formatCount(owner.events),
            process ? toUtf8(trace.text(process->name)) : std::string()});
    }
    return textTable({{"pid", Align::Right}, {"events", Align::Right}, {"name"}}, rows);
}

std::string unknownTablesTable(const ReportInfo& info)
{
    std::vector<std::vector<std::string>> rows;
    for (const SourceTable& table : info.tables) {
        if (!table.known)
            rows.push_back({toUtf8(table.name), formatCount(table.rows)});
    }
    return textTable({{"table"}, {"rows", Align::Right}}, rows);
}

std::string readBySqliteTable(const ReportInfo& info)
{
    std::vector<std::vector<std::string>> rows;
    for (const auto& [table, why] : info.readBySqlite)
        rows.push_back({table.empty() ? plain(Message("info.all_tables", "all")) : toUtf8(table), why});
    return textTable({{"table"}, {"because"}}, rows);
}

std::string problemsTable(const ReportInfo& info)
{
    std::vector<std::vector<std::string>> rows;
    for (const Problem& problem : info.problems)
        rows.push_back(
            {formatCount(problem.count), toUtf8(problem.table), toUtf8(plain(messageOf(problem)))});
    return textTable({{"count", Align::Right}, {"table"}, {"what"}}, rows);
}

std::string infoText(const Trace& trace)
{
    std::string text = factsText(trace);
    addSection(text, plain(Message("info.events", "Events")), countsTable(trace));
    addSection(text, plain(Message("info.processes", "Processes with events")), processesTable(trace));
    addSection(text, plain(Message("info.unknown_tables", "Tables that Warpline does not read")),
        unknownTablesTable(trace.info));
    addSection(text, plain(Message("info.sqlite_tables", "Tables read through SQLite")),
        readBySqliteTable(trace.info));
    addSection(text, plain(Message("info.problems", "Problems while reading")), problemsTable(trace.info));
    return text;
}

ExitCode runInfo(Answer& answer, const InfoOptions& options)
{
    return answerForEach(answer, options.files, options.jobs,
        [&](Answer& part, const std::string& file, std::size_t /*place*/) {
            const auto trace = openReport(part, file, options.noCache, !part.isJson());
            return part.isJson() ? part.add(infoJson(*trace)) : part.addText(file, infoText(*trace));
        });
}

std::function<ExitCode(Answer&)> declareInfo(CLI::App& app)
{
    auto options = std::make_shared<InfoOptions>();
    addJobsOption(app, options->jobs);
    addCacheOption(app, options->noCache);
    addMachineOption(app);
    addOption(app, "FILE", options->files,
        {"cli.report_files", "Reports, such as exports made with nsys export --type sqlite"})
        ->required();
    return [options](Answer& answer) { return runInfo(answer, *options); };
}

} // namespace

extern constinit const Command infoCommand{.name = "info",
    .summary = "Show what a report contains: versions, events, processes, GPUs, problems",
    .formats = "text json",
    .declare = declareInfo};

} // namespace warpline::cli
