// warpline-cli stats: the statistics tables, under the names and in the formats of nsys stats.

#include "app/cli_arguments.h"
#include "app/cli_columns.h"
#include "app/cli_command.h"
#include "app/cli_filter.h"
#include "app/cli_nvtx.h"
#include "app/cli_report.h"
#include "core/base/near_names.h"
#include "core/base/platform/platform.h"
#include "core/export/json_text.h"
#include "core/export/tables_text.h"
#include "core/stats/fill_tables.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <set>

namespace fs = std::filesystem;

namespace warpline::cli {

namespace {

/// "run" for "folder/run.sqlite".
std::string stemOf(const std::string& path)
{
    return platform::utf8Of(platform::pathOf(path).stem());
}

struct StatsOptions {
    std::vector<std::string> files;
    std::string reports;
    std::string range;
    std::string nvtx;
    std::string format = "table";
    std::string output;
    bool list = false;
    bool noCache = false;
};

/// A table as the user asked for it.
struct AskedTable {
    const StatsTable* table;
    std::string variant;

    std::string name() const { return std::string(table->id) + (variant.empty() ? "" : ":" + variant); }
};

std::vector<std::string> tableNames()
{
    std::vector<std::string> names;
    for (const StatsTable* const table : allStatsTables())
        names.emplace_back(table->id);
    return names;
}

/// The tables of "NAME[:VARIANT],...".
Result<std::vector<AskedTable>> tablesAskedFor(const std::string& names)
{
    std::vector<AskedTable> asked;
    for (const std::string& name : splitList(names)) {
        const std::size_t colon = name.find(':');
        const StatsTable* const table = findStatsTable(name.substr(0, colon));
        if (!table)
            return Error{"there is no table '" + name + "'" + didYouMean(name.substr(0, colon), tableNames())
                + "; 'warpline-cli stats --list' names all"};
        const std::string variant = colon == std::string::npos ? std::string() : name.substr(colon + 1);
        if (!takesVariant(*table, variant))
            return Error{std::string(table->id) + " has no variant '" + variant
                + "'; 'warpline-cli stats --list' names all"};
        asked.push_back({table, variant});
    }
    return asked;
}

/// What is shown when no table is named: all summaries, no traces with a line for each event.
std::vector<AskedTable> summaries()
{
    std::vector<AskedTable> tables;
    for (const StatsTable* const table : allStatsTables()) {
        if (table->shape == TableShape::Summary)
            tables.push_back({table, {}});
    }
    return tables;
}

/// ":base :mangled :rows=<limit>"
std::string argumentsOf(const StatsTable& table)
{
    std::string words;
    for (const TableArgument& argument : table.arguments) {
        words += (words.empty() ? ":" : " :") + std::string(argument.name);
        if (!argument.value.empty())
            words += "=" + std::string(argument.value);
    }
    return words;
}

/// How the table stands to nsys' table of that name.
std::string_view originWords(const StatsTable& table)
{
    switch (table.origin) {
    case TableOrigin::Compared:
        return "compared";
    case TableOrigin::Documented:
        return "not compared";
    case TableOrigin::Own:
        break;
    }
    return "none";
}

/// The tables, for scripts.
std::string tablesJson()
{
    Json tables = Json::array();
    for (const StatsTable* const table : allStatsTables()) {
        Json arguments = Json::array();
        for (const TableArgument& argument : table->arguments)
            arguments.push_back(argument.value.empty() ? std::string(argument.name)
                                                       : fmt::format("{}={}", argument.name, argument.value));
        tables.push_back({{"report", table->id}, {"title", table->title}, {"description", table->description},
            {"arguments", std::move(arguments)}, {"nsys", originWords(*table)}});
    }
    return documentOf(tables);
}

ExitCode listTables(const std::string& format)
{
    if (format == "json")
        return print(tablesJson());
    if (format != "table")
        return wrongUsage("stats", "--list prints a table or json");
    std::vector<std::vector<std::string>> lines;
    for (const StatsTable* const table : allStatsTables()) {
        lines.push_back({std::string(table->id), argumentsOf(*table), std::string(originWords(*table)),
            std::string(table->title)});
    }
    return print(textTable({{"report"}, {"arguments"}, {"nsys"}, {"title"}}, lines));
}

/// Where tables go: all to standard output, or each to a file of its own.
class TableSink {
public:
    /// `reports` are read, and never written over.
    TableSink(TableFormat format, std::string prefix, std::vector<std::string> reports, bool alone)
        : m_format(format),
          m_prefix(std::move(prefix)),
          m_reports(std::move(reports)),
          m_alone(alone)
    {
    }

    Result<void> add(const NamedTable& table)
    {
        if (!m_prefix.empty())
            return writeFile(table);
        if (m_alone)
            return writeTo(
                m_output, [&](const TextSink& sink) { return warpline::writeTable(table, m_format, sink); });
        const std::string_view lead = m_written++ == 0 ? beforeTables(m_format) : betweenTables(m_format);
        if (auto written = m_output.write(lead); !written.ok())
            return written;
        return writeTo(
            m_output, [&](const TextSink& sink) { return writeTableAmongOthers(table, m_format, sink); });
    }

    Result<void> finish()
    {
        if (!m_prefix.empty() || m_alone)
            return {};
        return m_output.write(
            std::string(m_written == 0 ? beforeTables(m_format) : "") + std::string(afterTables(m_format)));
    }

private:
    /// Lets `write` write to `output`, which may fail at any piece.
    template <typename Write> static Result<void> writeTo(Output& output, Write write)
    {
        Result<void> result;
        write([&](std::string_view piece) {
            result = output.write(piece);
            return result.ok();
        });
        return result;
    }

    Result<void> writeFile(const NamedTable& table)
    {
        std::string report = table.report;
        std::ranges::replace(report, ':', '_');
        std::error_code ignored;
        const bool folder = fs::is_directory(platform::pathOf(m_prefix), ignored);
        const std::string name = folder ? platform::utf8Of(platform::pathOf(m_prefix)
                                     / platform::pathOf(stemOf(table.file) + "_" + report))
                                        : m_prefix + "_" + report;
        const std::string path = name + std::string(fileEndingOf(m_format));
        if (auto may = Output::mayReplace(path, m_reports); !may.ok())
            return may;
        auto file = Output::create(path);
        if (!file.ok())
            return file.error();
        auto written = writeTo(
            file.value(), [&](const TextSink& sink) { return warpline::writeTable(table, m_format, sink); });
        if (!written.ok())
            return written;
        if (auto closed = file.value().close(); !closed.ok())
            return closed;
        return m_output.write(path + "\n");
    }

    TableFormat m_format;
    std::string m_prefix;
    std::vector<std::string> m_reports;
    bool m_alone;
    std::size_t m_written = 0;
    Output m_output;
};

/// Files of equal names would overwrite each other's tables.
Result<void> checkOutput(const StatsOptions& options)
{
    if (options.output.empty())
        return {};
    std::error_code ignored;
    if (options.output.ends_with('/'))
        fs::create_directories(platform::pathOf(options.output), ignored);
    if (options.files.size() == 1)
        return {};
    if (!fs::is_directory(platform::pathOf(options.output), ignored))
        return Error{"with several reports, --output must be a folder"};
    std::set<std::string> stems;
    for (const std::string& file : options.files) {
        if (!stems.insert(stemOf(file)).second)
            return Error{"two reports have the name '" + stemOf(file)
                + "', so their tables would overwrite each other"};
    }
    return {};
}

/// What is asked of every report.
struct StatsJob {
    std::vector<AskedTable> tables;
    bool byName = false; ///< the user named the tables: say which ones a report has no data for
    RangeArgument range;
    bool wholeReport = true;
    std::string nvtx;
    bool noCache = false;
};

ExitCode addTables(const StatsJob& job, const std::string& file, TableSink& sink)
{
    const auto trace = openReport(file, job.noCache);
    if (!trace)
        return ExitCode::UnreadableReport;
    if (!job.nvtx.empty()) {
        if (const std::string problem = noSuchRange(*trace, job.nvtx); !problem.empty())
            return wrongUsage("stats", "--nvtx: " + problem);
    }
    StatsQuery query;
    query.nvtxName = job.nvtx;
    if (!job.wholeReport) {
        const auto window = rangeIn(*trace, job.range);
        if (!window)
            return ExitCode::WrongUsage;
        query.window = *window;
    }
    std::vector<NamedTable> tables;
    std::vector<TableRequest> requests;
    for (const AskedTable& asked : job.tables) {
        const bool applies = asked.table->applies(*trace);
        if (!applies && job.byName)
            complain(file + " has no data for " + asked.name());
        if (!applies && !job.byName)
            continue;
        query.variant = asked.variant;
        tables.push_back(
            {file, asked.name(), std::string(asked.table->title), {}, std::string(asked.table->description)});
        requests.push_back({asked.table, query});
    }
    Result<void> added;
    fillTables(*trace, requests, [&](std::size_t i, Cells cells) {
        tables[i].cells = std::move(cells);
        added = sink.add(tables[i]);
        tables[i].cells = {};
        return added.ok();
    });
    if (!added.ok()) {
        complain(added.error().message);
        return ExitCode::WriteFailed;
    }
    return ExitCode::Ok;
}

ExitCode runStats(const StatsOptions& options)
{
    if (options.list)
        return listTables(options.format);
    if (options.files.empty())
        return wrongUsage("stats", "FILE is required");
    auto named = tablesAskedFor(options.reports);
    if (!named.ok())
        return wrongUsage("stats", named.error().message);
    const auto range = parseRange(options.range.empty() ? ":" : options.range);
    if (!range.ok())
        return wrongUsage("stats", "--range: " + range.error().message);
    if (const auto checked = checkOutput(options); !checked.ok())
        return wrongUsage("stats", checked.error().message);

    StatsJob job{named.take(), true, range.value(), options.range.empty(), options.nvtx, options.noCache};
    if (job.tables.empty()) {
        job.byName = false;
        job.tables = summaries();
    }
    TableSink sink(*tableFormatNamed(options.format), options.output, options.files,
        job.tables.size() == 1 && options.files.size() == 1);
    ExitCode worst = ExitCode::Ok;
    for (const std::string& file : options.files) {
        const ExitCode code = addTables(job, file, sink);
        if (code == ExitCode::WriteFailed)
            return code;
        worst = std::max(worst, code);
    }
    if (worst != ExitCode::Ok && options.files.size() == 1)
        return worst; // nothing was written
    if (const auto finished = sink.finish(); !finished.ok()) {
        complain(finished.error().message);
        return ExitCode::WriteFailed;
    }
    return worst;
}

std::function<ExitCode()> declareStats(CLI::App& app)
{
    auto options = std::make_shared<StatsOptions>();
    app.add_option(
           "--report,-r", options->reports, "These tables, with commas between; all summaries without it")
        ->multi_option_policy(CLI::MultiOptionPolicy::Join)
        ->type_name("NAME[:VARIANT]");
    app.add_option(
           "--range", options->range, "Only this part: FROM:TO in ns, or numbers with ns, us, ms or s")
        ->type_name("FROM:TO");
    app.add_option(
           "--nvtx", options->nvtx, "The NVTX ranges that step tables are about: a name, with * and ?")
        ->type_name("NAME");
    app.add_option("--format", options->format,
           "table, csv, json or markdown. csv of several tables has a line '# name (file)' before each; with "
           "--output each is a file of its own")
        ->check(CLI::IsMember({"table", "csv", "json", "markdown"}))
        ->capture_default_str();
    app.add_option(
           "--output", options->output, "Write each table to a file: into this folder, or PREFIX_report.csv")
        ->type_name("FOLDER|PREFIX");
    app.add_flag("--list", options->list, "List the tables and stop");
    refuseWhereOption(app, "the tables are those of nsys, which are about all events.");
    addCacheOption(app, options->noCache);
    app.add_option("FILE", options->files, "The reports: files made with nsys export --type sqlite");
    return [options] { return runStats(*options); };
}

} // namespace

extern constinit const Command statsCommand{
    .name = "stats", .summary = "Statistics tables, equal to those of nsys stats", .declare = declareStats};

} // namespace warpline::cli
