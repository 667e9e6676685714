// warpline-cli sql: the user's own questions to an export, in SQL. The file is only read.

#include "app/cli_arguments.h"
#include "app/cli_cells.h"
#include "app/cli_columns.h"
#include "app/cli_command.h"
#include "app/cli_export.h"
#include "app/cli_report.h"
#include "app/cli_stop.h"
#include "app/cli_usage.h"
#include "core/base/near_names.h"
#include "core/base/platform/platform.h"
#include "core/export/json_text.h"
#include "core/files/plain_file.h"
#include "core/load/report_format.h"
#include "core/render/render.h"
#include "core/sql/ready_questions.h"
#include "core/sql/sql_session.h"
#include "core/store/part_of_recording.h"
#include "core/store/trace.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <iostream>
#include <iterator>

namespace warpline::cli {

namespace {

struct SqlOptions {
    std::string file;
    std::string sql;
    std::string question;
    double seconds = 30;
    std::size_t rows = 100'000;
    bool tables = false;
    bool questions = false;
};

ExitCode listQuestions(Answer& answer)
{
    if (answer.isJson()) {
        Json questions = Json::array();
        for (const ReadyQuestion& question : readyQuestions())
            questions.push_back(
                {{"question", question.id}, {"title", plain(question.titleText())}, {"sql", question.sql}});
        return answer.add({{"questions", std::move(questions)}});
    }
    std::vector<std::vector<std::string>> lines;
    for (const ReadyQuestion& question : readyQuestions())
        lines.push_back({std::string(question.id), plain(question.titleText())});
    return answer.addText(textTable({{"question"}, {"what it answers"}}, lines));
}

Json tablesJson(const SqlSession& session)
{
    Json tables = Json::array();
    for (const SqlTable& table : session.tables()) {
        Json columns = Json::array();
        for (const auto& column : table.columns)
            columns.push_back({{"name", jsonText(column.name)}, {"type", jsonText(column.type)}});
        tables.push_back({{"name", jsonText(table.name)}, {"kind", table.isReady ? "view" : "table"},
            {"recorded", table.isRecorded}, {"columns", std::move(columns)}});
    }
    return tables;
}

ExitCode listTables(Answer& answer, const SqlOptions& options, const SqlSession& session)
{
    if (answer.isJson())
        return answer.add({{"file", jsonText(options.file)}, {"tables", tablesJson(session)}});
    std::vector<std::vector<std::string>> lines;
    for (const SqlTable& table : session.tables()) {
        lines.push_back({table.name, table.isReady ? "view" : "table",
            commaList(entryNames(table.columns, [](const auto& column) { return column.name; }))});
    }
    return answer.addText(textTable({{"name"}, {"kind"}, {"columns"}}, lines));
}

/// The statement: that of --question, or SQL, or with "-" standard input.
Result<std::string> statementOf(const SqlOptions& options)
{
    if (!options.question.empty()) {
        const ReadyQuestion* const question = findReadyQuestion(options.question);
        if (!question)
            return Error{"sql.no_query", "there is no query '{name}'{near}; --questions lists them",
                {{"name", Name{options.question}},
                    {"near",
                        didYouMean(options.question, entryNames(readyQuestions(), &ReadyQuestion::id))}}};
        return std::string(question->sql);
    }
    if (options.sql != "-")
        return options.sql;
    return std::string(std::istreambuf_iterator<char>(std::cin), {});
}

/// That the export at `path` is a part of a recording, from the row that `cut` wrote. Empty: it is whole. A
/// file may have a view of that name, which never ends.
Message partNoteOf(SqlSession& session, const std::string& path)
{
    const SqlAnswer row = session.ask(
        fmt::format("SELECT keptFrom, keptTo, wholeFrom, wholeTo, gpuFrom, gpuTo FROM {} LIMIT 1", partTable),
        {.time = std::chrono::seconds(1), .rows = 1}, commandStop());
    if (row.cells.rowCount() == 0)
        return {};
    const auto timeAt = [&](std::size_t column) {
        const Cell cell = row.cells.at(0, column);
        const auto* const time = std::get_if<std::int64_t>(&cell);
        return time ? *time : Ns{0};
    };
    ReportInfo info;
    info.path = path;
    setPart(info, {{timeAt(0), timeAt(1)}, {timeAt(2), timeAt(3)}, {timeAt(4), timeAt(5)}});
    return partNote(info);
}

/// `most` letters a cell of a table for people; 0: all.
ExitCode addRows(Answer& answer, const SqlOptions& options, const SqlAnswer& rows, std::size_t most)
{
    const ExitCode added = addCells(answer, {{"file", jsonText(options.file)}, {"complete", rows.isComplete}},
        rows.cells, most, Heads::OfUser);
    if (rows.isComplete || added != ExitCode::Ok)
        return added;
    return answer.complain({ExitCode::Incomplete, rows.note, options.file,
        Message("sql.incomplete", "The output is incomplete; --rows and --seconds set the limits.")});
}

/// Why the file at `path` cannot be queried: `error`, or that it is a trace, which no unpacking makes a
/// database.
Message openProblem(const std::string& path, const Error& error)
{
    std::error_code ignored;
    if ((!isStream(path) && !std::filesystem::is_regular_file(platform::pathOf(path), ignored))
        || formatOf(path).id.ends_with("sqlite"))
        return error.message;
    return {"sql.other_file", "sql takes SQLite exports of Nsight Systems, and {path} is another file.",
        {{"path", Name{path}}}};
}

ExitCode runSql(Answer& answer, const CLI::App& app, const SqlOptions& options)
{
    const bool lists = options.questions || options.tables;
    if (lists && answer.format() != "table" && !answer.isJson())
        answer.refuse({"sql.list_formats", "--questions and --tables print a table or json"});
    if (options.questions) {
        refuseBeside(answer, app, {"--questions"});
        return listQuestions(answer);
    }
    if (options.tables)
        refuseBeside(answer, app, {"--tables", "FILE"});
    if (options.file.empty())
        answer.refuse(requiredText("FILE"));
    if (!options.tables && options.sql.empty() && options.question.empty())
        answer.refuse({"sql.required",
            "SQL is required; --question NAME runs an example query, --tables lists the tables"});
    if (!options.sql.empty() && !options.question.empty())
        answer.refuse({"sql.twice", "SQL and --question exclude each other"});
    const std::string statement = answer.usable(statementOf(options));
    const auto file = exportOf(options.file, false);
    if (!file.ok())
        return answer.complain({ExitCode::UnreadableReport, file.error().message, options.file});
    auto session = SqlSession::open(file.value());
    if (!session.ok())
        return answer.complain(
            {ExitCode::UnreadableReport, openProblem(file.value(), session.error()), options.file});
    if (Message note = partNoteOf(session.value(), options.file); !note.empty())
        answer.note(std::move(note), options.file);
    if (options.tables)
        return listTables(answer, options, session.value());
    const ReadyQuestion* const question = findReadyQuestion(options.question);
    const std::string missing = question ? missingFor(*question, session.value().tables()) : std::string();
    if (!missing.empty())
        answer.note(Message("sql.missing", "{file} has no {table}, which the query needs",
                        {{"file", Name{options.file}}, {"table", Name{missing}}}),
            options.file);
    constexpr double millisecondsInSecond = 1000;
    const sqlite::QueryLimits limits{
        .time = std::chrono::milliseconds(static_cast<std::int64_t>(options.seconds * millisecondsInSecond)),
        .rows = options.rows};
    const SqlAnswer rows = session.value().ask(statement, limits, commandStop());
    if (!rows.problem.empty())
        return answer.complain({.code = ExitCode::WrongUsage,
            .message = problemText(statement, rows),
            .file = options.file,
            .hasLines = true});
    constexpr std::size_t widest = 120; // of raw texts in the report: environments, stacks
    return addRows(answer, options, rows, question ? widest : 0);
}

std::function<ExitCode(Answer&)> declareSql(CLI::App& app)
{
    auto options = std::make_shared<SqlOptions>();
    addOption(app, "--question", options->question, {"sql.help_question", "Run an example query"}, "NAME");
    addFlag(app, "--questions", options->questions,
        {"sql.help_questions", "List the example queries, then exit"});
    addFlag(app, "--tables", options->tables,
        {"sql.help_tables", "List tables, views and their columns, then exit"});
    constexpr double longest = 86'400;
    addOption(app, "--seconds", options->seconds, {"sql.help_seconds", "Stop the query after this time"})
        ->check(finiteProblem)
        ->check(inRange(0.001, longest))
        ->capture_default_str();
    addOption(app, "--rows", options->rows, {"sql.help_rows", "Maximum rows to print"})
        ->check(positiveNumber())
        ->capture_default_str();
    addOption(app, "FILE", options->file, {"sql.help_file", "Report, made with nsys export --type sqlite"});
    addOption(app, "SQL", options->sql, {"sql.help_sql", "One SELECT statement; -: standard input"});
    return [options, &app](Answer& answer) { return runSql(answer, app, *options); };
}

} // namespace

extern constinit const Command sqlCommand{.name = "sql",
    .summary = "Query an export in SQL; the file is never changed",
    .formats = "table csv json markdown",
    .declare = declareSql};

} // namespace warpline::cli
