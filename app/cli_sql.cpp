// warpline-cli sql: the user's own questions to an export, in SQL. The file is only read.

#include "app/cli_columns.h"
#include "app/cli_command.h"
#include "app/cli_export.h"
#include "app/cli_report.h"
#include "app/cli_stop.h"
#include "core/base/near_names.h"
#include "core/export/json_text.h"
#include "core/export/tables_text.h"
#include "core/sql/ready_questions.h"
#include "core/sql/sql_session.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <iterator>

namespace warpline::cli {

namespace {

struct SqlOptions {
    std::string file;
    std::string sql;
    std::string question;
    std::string format = "table";
    double seconds = 30;
    std::size_t rows = 100'000;
    bool tables = false;
    bool questions = false;
};

bool isListFormat(const std::string& format)
{
    return format == "table" || format == "json";
}

ExitCode listQuestions(const std::string& format)
{
    if (format == "json") {
        Json questions = Json::array();
        for (const ReadyQuestion& question : readyQuestions())
            questions.push_back(
                {{"question", question.id}, {"title", question.title}, {"sql", question.sql}});
        return print(documentOf(questions));
    }
    std::vector<std::vector<std::string>> lines;
    for (const ReadyQuestion& question : readyQuestions())
        lines.push_back({std::string(question.id), std::string(question.title)});
    return print(textTable({{"question"}, {"what it answers"}}, lines));
}

std::string tablesJson(const SqlSession& session)
{
    Json tables = Json::array();
    for (const SqlTable& table : session.tables()) {
        Json columns = Json::array();
        for (const auto& column : table.columns)
            columns.push_back({{"name", jsonText(column.name)}, {"type", jsonText(column.type)}});
        tables.push_back({{"name", jsonText(table.name)}, {"kind", table.isReady ? "view" : "table"},
            {"recorded", table.isRecorded}, {"columns", std::move(columns)}});
    }
    return documentOf(tables);
}

ExitCode listTables(const SqlSession& session, const std::string& format)
{
    if (format == "json")
        return print(tablesJson(session));
    std::vector<std::vector<std::string>> lines;
    for (const SqlTable& table : session.tables()) {
        std::string columns;
        for (const auto& column : table.columns)
            columns += (columns.empty() ? "" : ", ") + column.name;
        lines.push_back({table.name, table.isReady ? "view" : "table", columns});
    }
    return print(textTable({{"name"}, {"kind"}, {"columns"}}, lines));
}

/// The statement: --question's, or SQL, or with "-" what comes on standard input.
Result<std::string> statementOf(const SqlOptions& options)
{
    if (!options.question.empty()) {
        const ReadyQuestion* const question = findReadyQuestion(options.question);
        if (!question) {
            std::vector<std::string> names;
            for (const ReadyQuestion& each : readyQuestions())
                names.emplace_back(each.id);
            return Error{"there is no question '" + options.question + "'"
                + didYouMean(options.question, names) + "; --questions lists them"};
        }
        return std::string(question->sql);
    }
    if (options.sql != "-")
        return options.sql;
    return std::string(std::istreambuf_iterator<char>(std::cin), {});
}

/// `most` letters a cell of a table for people; 0: all.
ExitCode printAnswer(const SqlAnswer& answer, TableFormat format, std::size_t most)
{
    Output output;
    Result<void> written;
    const TextSink sink = [&](std::string_view piece) {
        written = output.write(piece);
        return written.ok();
    };
    if (format == TableFormat::Table)
        writeTable(answer.cells, sink, most);
    else
        writeCells(answer.cells, format, sink);
    if (!written.ok()) {
        complain(written.error().message);
        return ExitCode::WriteFailed;
    }
    if (answer.isComplete)
        return ExitCode::Ok;
    complain(answer.note + " The output is incomplete; --rows and --seconds set the limits.");
    return ExitCode::Incomplete;
}

ExitCode runSql(const SqlOptions& options)
{
    if ((options.questions || options.tables) && !isListFormat(options.format))
        return wrongUsage("sql", "--questions and --tables print a table or json");
    if (options.questions)
        return listQuestions(options.format);
    if (options.file.empty())
        return wrongUsage("sql", "FILE is required");
    if (!options.tables && options.sql.empty() && options.question.empty())
        return wrongUsage(
            "sql", "SQL is required; --question NAME asks a ready one, --tables lists what can be asked");
    if (!options.sql.empty() && !options.question.empty())
        return wrongUsage("sql", "SQL and --question exclude each other");
    const auto statement = statementOf(options);
    if (!statement.ok())
        return wrongUsage("sql", statement.error().message);
    const auto file = exportOf(options.file, false);
    if (!file.ok()) {
        complain(file.error().message);
        return ExitCode::UnreadableReport;
    }
    auto session = SqlSession::open(file.value());
    if (!session.ok()) {
        complain(session.error().message);
        return ExitCode::UnreadableReport;
    }
    if (options.tables)
        return listTables(session.value(), options.format);
    const ReadyQuestion* const question = findReadyQuestion(options.question);
    const std::string missing = question ? missingFor(*question, session.value().tables()) : std::string();
    if (!missing.empty())
        complain(fmt::format("{} has no {}, which the question is about", options.file, missing));
    constexpr double millisecondsInSecond = 1000;
    const sqlite::QueryLimits limits{
        .time = std::chrono::milliseconds(static_cast<std::int64_t>(options.seconds * millisecondsInSecond)),
        .rows = options.rows};
    const SqlAnswer answer = session.value().ask(statement.value(), limits, commandStop());
    if (!answer.problem.empty()) {
        complainInFull(problemText(statement.value(), answer));
        return ExitCode::WrongUsage;
    }
    constexpr std::size_t widest = 120; // of what the report itself holds: environments, stacks
    return printAnswer(answer, *tableFormatNamed(options.format), question ? widest : 0);
}

std::function<ExitCode()> declareSql(CLI::App& app)
{
    auto options = std::make_shared<SqlOptions>();
    app.add_option("--format", options->format, "table, csv, json or markdown")
        ->check(CLI::IsMember({"table", "csv", "json", "markdown"}))
        ->capture_default_str();
    app.add_option("--question", options->question, "Ask one of the ready questions instead")
        ->type_name("NAME");
    app.add_flag("--questions", options->questions, "List the ready questions and stop");
    app.add_flag("--tables", options->tables, "List tables, ready views and their columns, and stop");
    constexpr double longest = 86'400;
    app.add_option("--seconds", options->seconds, "Stop the question after this time")
        ->check(CLI::Range(0.001, longest))
        ->capture_default_str();
    app.add_option("--rows", options->rows, "The most rows to print")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("FILE", options->file, "The report: a file made with nsys export --type sqlite");
    app.add_option("SQL", options->sql, "One SELECT; - reads it from standard input");
    return [options] { return runSql(*options); };
}

} // namespace

extern constinit const Command sqlCommand{
    .name = "sql", .summary = "Ask an export in SQL; the file is only read", .declare = declareSql};

} // namespace warpline::cli
