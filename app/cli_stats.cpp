// warpline-cli stats: the statistics tables, under the names and in the formats of nsys stats.

#include "app/cli_arguments.h"
#include "app/cli_columns.h"
#include "app/cli_command.h"
#include "app/cli_documents.h"
#include "app/cli_filter.h"
#include "app/cli_nvtx.h"
#include "app/cli_report.h"
#include "app/cli_usage.h"
#include "core/base/near_names.h"
#include "core/base/parallel.h"
#include "core/base/platform/platform.h"
#include "core/export/json_text.h"
#include "core/export/tables_text.h"
#include "core/render/hip_words.h"
#include "core/render/render.h"
#include "core/stats/fill_tables.h"
#include "core/store/gpu_names.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
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
    std::string output;
    std::size_t jobs = 1;
    bool list = false;
    bool force = false;
    bool noCache = false;
};

/// A table with the user's options.
struct AskedTable {
    const StatsTable* table;
    std::string variant;

    std::string name() const { return std::string(table->id) + (variant.empty() ? "" : ":" + variant); }
};

/// The tables of "NAME[:VARIANT],...".
Result<std::vector<AskedTable>> tablesAskedFor(const std::string& names)
{
    std::vector<AskedTable> asked;
    for (const std::string& name : splitList(names)) {
        const std::size_t colon = name.find(':');
        const StatsTable* const table = findStatsTable(name.substr(0, colon));
        if (!table)
            return Error{"stats.no_table",
                "there is no table '{name}'{near}; 'warpline-cli stats --list' names all",
                {{"name", Name{name}}, {"near", didYouMean(name.substr(0, colon), tableNames())}}};
        const std::string variant = colon == std::string::npos ? std::string() : name.substr(colon + 1);
        if (!takesVariant(*table, variant))
            return Error{"stats.no_variant",
                "{table} has no variant '{variant}'; 'warpline-cli stats --list' names all",
                {{"table", Name{std::string(table->id)}}, {"variant", Name{variant}}}};
        asked.push_back({table, variant});
    }
    return asked;
}

/// The default tables: all summaries, without traces of one line per event.
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
Json tablesJson()
{
    Json tables = Json::array();
    for (const StatsTable* const table : allStatsTables()) {
        Json arguments = Json::array();
        for (const TableArgument& argument : table->arguments)
            arguments.push_back(argument.value.empty() ? std::string(argument.name)
                                                       : fmt::format("{}={}", argument.name, argument.value));
        tables.push_back({{"table", table->id}, {"title", plain(table->titleText())},
            {"description", plain(table->descriptionText())}, {"arguments", std::move(arguments)},
            {"nsys", originWords(*table)}});
    }
    return {{"tables", std::move(tables)}};
}

ExitCode listTables(Answer& answer)
{
    if (answer.isJson())
        return answer.add(tablesJson());
    if (answer.format() != "table")
        answer.refuse({"cli.list_formats", "--list prints a table or json"});
    std::vector<std::vector<std::string>> lines;
    for (const StatsTable* const table : allStatsTables()) {
        const std::string_view origin = originWords(*table);
        lines.push_back({std::string(table->id), argumentsOf(*table),
            plain(Message(origin, "word_text", origin)), plain(table->titleText())});
    }
    return answer.addText(textTable({{"report"}, {"arguments"}, {"nsys"}, {"title"}}, lines));
}

Json headOf(const NamedTable& table)
{
    return {{"file", jsonText(table.file)}, {"table", table.report}, {"title", table.title}};
}

/// Output of tables: all into one answer, or each to a file of its own, with a list of the files as answer.
class TableSink {
public:
    TableSink(Answer& answer, const StatsOptions& options, bool alone)
        : m_answer(answer),
          m_prefix(options.output == "-" ? std::string() : options.output),
          m_force(options.force),
          m_reports(options.files),
          m_alone(alone)
    {
    }

    /// False: stop, because writing failed or the reader is gone.
    bool add(const NamedTable& table)
    {
        m_code = m_prefix.empty() ? addToAnswer(table) : writeFile(table);
        return m_code == ExitCode::Ok;
    }
    ExitCode code() const { return m_code; }

private:
    ExitCode addToAnswer(const NamedTable& table)
    {
        if (m_answer.isJson())
            return m_answer.add(
                headOf(table), [&](const TextSink& sink) { return writeJson(table.cells, sink); });
        const TableFormat format = *tableFormatNamed(m_answer.format());
        const std::string_view between = m_added++ == 0 ? "" : "\n";
        return m_answer.addPieces([&](const TextSink& sink) {
            if (m_alone)
                writeTable(table, format, sink, m_answer.width());
            else if (sink(between))
                writeTableAmongOthers(table, format, sink, m_answer.width());
        });
    }

    std::string pathFor(const NamedTable& table) const
    {
        std::string report = table.report;
        std::ranges::replace(report, ':', '_');
        std::error_code ignored;
        const bool folder = fs::is_directory(platform::pathOf(m_prefix), ignored);
        const std::string name = folder ? platform::utf8Of(platform::pathOf(m_prefix)
                                     / platform::pathOf(stemOf(table.file) + "_" + report))
                                        : m_prefix + "_" + report;
        const std::string_view ending
            = m_answer.format() == "ndjson" ? ".ndjson" : fileEndingOf(*tableFormatNamed(m_answer.format()));
        return name + std::string(ending);
    }

    /// Each file is an answer of its own.
    ExitCode writeFile(const NamedTable& table)
    {
        const std::string path = pathFor(table);
        Answer file("stats", {m_answer.format(), path, m_force}, m_reports);
        TableSink one(file, {}, true);
        one.add(table);
        const ExitCode written = file.finish(one.code());
        if (written != ExitCode::Ok)
            return written;
        return m_answer.isJson() ? m_answer.add({{"file", jsonText(table.file)}, {"table", table.report},
                   {"title", table.title}, {"written_to", jsonText(path)}})
                                 : m_answer.addBytes(path + "\n");
    }

    Answer& m_answer;
    std::string m_prefix;
    bool m_force;
    std::vector<std::string> m_reports;
    bool m_alone;
    std::size_t m_added = 0;
    ExitCode m_code = ExitCode::Ok;
};

/// Files of equal names would overwrite each other's tables.
Result<void> checkOutput(const StatsOptions& options)
{
    if (options.output.empty() || options.output == "-")
        return {};
    std::error_code ignored;
    if (options.output.ends_with('/'))
        fs::create_directories(platform::pathOf(options.output), ignored);
    if (options.files.size() == 1)
        return {};
    if (!fs::is_directory(platform::pathOf(options.output), ignored))
        return Error{"stats.needs_folder", "with several reports, --output must be a folder"};
    std::set<std::string> stems;
    for (const std::string& file : options.files) {
        if (!stems.insert(stemOf(file)).second)
            return Error{"stats.same_name",
                "two reports have the name '{name}', so their tables would overwrite each other",
                {{"name", Name{stemOf(file)}}}};
    }
    return {};
}

/// Settings for each report.
struct StatsJob {
    std::vector<AskedTable> tables;
    bool byName = false; ///< the user named the tables: complain about tables without data
    RangeArgument range;
    std::string nvtx;
    bool noCache = false;
};

/// Receives a finished table; false: stop.
using TakeTable = std::function<bool(NamedTable table)>;

/// Makes the tables of `file`, one after another.
ExitCode makeTables(Answer& answer, const StatsJob& job, const std::string& file, const TakeTable& take)
{
    const auto trace = openReport(answer, file, job.noCache);
    requireRange(answer, *trace, job.nvtx, "--nvtx");
    StatsQuery query;
    query.nvtxName = job.nvtx;
    query.window = windowIn(answer, *trace, job.range);
    std::vector<NamedTable> tables;
    std::vector<TableRequest> requests;
    const auto noteNoData = [&](std::string table) {
        answer.note(Message("stats.no_data", "{file} has no data for {table}",
                        {{"file", Name{file}}, {"table", Name{std::move(table)}}}),
            file);
    };
    for (const AskedTable& asked : job.tables) {
        const bool applies = asked.table->applies(*trace);
        if (!applies && job.byName)
            noteNoData(asked.name());
        if (!applies && !job.byName)
            continue;
        query.variant = asked.variant;
        const auto worded = [&](const Message& text) {
            return gpuApiOf(*trace) == GpuApi::Hip ? tableWordsOfHip(plain(text)) : plain(text);
        };
        tables.push_back({file, asked.name(), worded(asked.table->titleText()), {},
            worded(asked.table->descriptionText())});
        requests.push_back({asked.table, query});
    }
    if (requests.empty())
        noteNoData("stats");
    fillTables(*trace, requests, [&](std::size_t i, Cells cells) {
        tables[i].cells = std::move(cells);
        tables[i].cells.keep(trace);
        return take(std::move(tables[i]));
    });
    return ExitCode::Ok;
}

/// The tables of one report, made while others are.
struct MadeTables {
    explicit MadeTables(const Answer& answer)
        : part(answer.part())
    {
    }
    Answer part;
    ExitCode code = ExitCode::Ok;
    std::vector<NamedTable> tables;
};

/// Adds the tables of all reports, `options.jobs` reports at a time; of one at a time each table as it is
/// made.
ExitCode addTables(Answer& answer, const StatsJob& job, const StatsOptions& options, TableSink& sink)
{
    ExitCode worst = ExitCode::Ok;
    for (std::size_t first = 0; first < options.files.size(); first += options.jobs) {
        if (options.jobs == 1) {
            const auto add = [&](const NamedTable& table) { return sink.add(table); };
            worst
                = std::max(worst, codeOf([&] { return makeTables(answer, job, options.files[first], add); }));
        } else {
            const std::size_t count = std::min(options.jobs, options.files.size() - first);
            std::vector<MadeTables> made;
            for (std::size_t i = 0; i < count; ++i)
                made.emplace_back(answer);
            Helpers helpers;
            for (std::size_t i = 0; i < count; ++i) {
                helpers.start([&, i] {
                    const auto keep = [&, i](NamedTable table) {
                        made[i].tables.push_back(std::move(table));
                        return true;
                    };
                    made[i].code = codeOf(
                        [&] { return makeTables(made[i].part, job, options.files[first + i], keep); });
                });
            }
            helpers.join();
            for (MadeTables& each : made) {
                worst = std::max({worst, each.code, answer.take(std::move(each.part))});
                for (const NamedTable& table : each.tables) {
                    if (!sink.add(table))
                        break;
                }
            }
        }
        if (sink.code() == ExitCode::WriteFailed)
            return sink.code();
    }
    return std::max(worst, sink.code());
}

ExitCode runStats(Answer& answer, const CLI::App& app, const StatsOptions& options)
{
    if (options.list) {
        refuseBeside(answer, app, {"--list"});
        return listTables(answer);
    }
    if (options.files.empty())
        answer.refuse(requiredText("FILE"));
    std::vector<AskedTable> named = answer.usable(tablesAskedFor(options.reports));
    const RangeArgument range = rangeOption(answer, options.range);
    answer.usable(checkOutput(options));
    const auto asksForRange = [](const AskedTable& asked) { return asked.table->asksForRange; };
    if (!options.nvtx.empty() && !named.empty() && std::ranges::none_of(named, asksForRange))
        answer.refuse({"stats.no_nvtx",
            "--nvtx does not apply to these tables, only to step tables such as nvtx_step_breakdown"});
    StatsJob job{std::move(named), true, range, options.nvtx, options.noCache};
    if (job.tables.empty()) {
        job.byName = false;
        job.tables = summaries();
    }
    TableSink sink(answer, options, job.tables.size() == 1 && options.files.size() == 1);
    return addTables(answer, job, options, sink);
}

std::function<ExitCode(Answer&)> declareStats(CLI::App& app)
{
    auto options = std::make_shared<StatsOptions>();
    addOption(app, "--report,-r", options->reports,
        {"stats.help_report", "These tables, separated by commas; default: all summaries"}, "NAME[:VARIANT]")
        ->multi_option_policy(CLI::MultiOptionPolicy::Join);
    addOption(app, "--range", options->range,
        {"cli.range_part", "Only this part: FROM:TO in ns, or numbers with ns, us, ms or s"}, "FROM:TO");
    addOption(app, "--nvtx,--steps", options->nvtx,
        {"stats.help_nvtx", "Name of the NVTX ranges for step tables, with * and ?"}, "NAME");
    addOption(app, "-o,--output", options->output,
        {"stats.help_output",
            "Write each table to a file in this folder, or to PREFIX_report.csv; -: standard output"},
        "FOLDER|PREFIX");
    addFlag(app, "--force", options->force, {"stats.help_force", "Replace existing files"});
    addFlag(app, "--list", options->list, {"stats.help_list", "List the tables, then exit"});
    refuseWhereOption(
        app, Message("stats.no_where", "the tables are those of nsys, which cover all events."));
    addJobsOption(app, options->jobs);
    addCacheOption(app, options->noCache);
    addOption(app, "FILE", options->files,
        {"cli.report_files", "Reports, such as exports made with nsys export --type sqlite"});
    return [options, &app](Answer& answer) { return runStats(answer, app, *options); };
}

} // namespace

extern constinit const Command statsCommand{.name = "stats",
    .summary = "Print statistics tables, equal to those of nsys stats",
    .formats = "table csv json markdown",
    .declare = declareStats,
    .writesFiles = true};

} // namespace warpline::cli
