// warpline-cli help TOPIC: topics common to all commands.

#include "app/cli_help.h"

#include "app/cli_columns.h"
#include "app/cli_command.h"
#include "core/export/analysis_format.h"
#include "core/files/inflater.h"
#include "core/render/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace warpline::cli {

namespace {

/// An output format; those that only analyses have are in allAnalysisFormats().
struct OutputFormat {
    std::string_view name; ///< as --format takes it
    std::string_view meaning;

    Message meaningText() const { return {name, "format_meaning", meaning}; }
};

constexpr std::array helpedFormats{
    OutputFormat{"table", "Aligned text; cut to the width of a terminal, complete elsewhere"},
    OutputFormat{"text", "Text for people"},
    OutputFormat{"json", "One document with an envelope; --schema prints its JSON schema"},
    OutputFormat{"ndjson", "One line per report, each with the same envelope as json"},
    OutputFormat{"csv",
        "Comma-separated values with a header line; names keep their bytes. analyze: one line per report"},
    OutputFormat{"markdown", "A Markdown page or table, for example for a review comment"},
    OutputFormat{"html", "One web page that needs no other file"},
    OutputFormat{"folded", "Stacks separated by semicolons, for flame graphs"},
    OutputFormat{"chrome", "Chrome trace format, for Perfetto"},
};

std::string formatsText()
{
    std::vector<std::vector<std::string>> lines;
    std::vector<OutputFormat> all(helpedFormats.begin(), helpedFormats.end());
    for (const AnalysisFormat* const format : allAnalysisFormats()) {
        if (std::ranges::none_of(
                helpedFormats, [&](const OutputFormat& each) { return each.name == format->name; }))
            all.push_back({format->name, format->meaning});
    }
    for (const OutputFormat& format : all) {
        std::string commands;
        for (const Command* const command : allCommands()) {
            const std::string listed = fmt::format(" {} ", command->formats);
            const std::string_view wanted = format.name == "ndjson" ? "json" : format.name;
            if (listed.find(fmt::format(" {} ", wanted)) != std::string::npos)
                commands += (commands.empty() ? "" : ", ") + std::string(command->name);
        }
        lines.push_back({std::string(format.name), plain(format.meaningText()), commands});
    }
    return textTable({{"--format"}, {"meaning"}, {"commands"}}, lines)
        + fmt::format("\n{}\n{}\n",
            plain(Message("cli.formats_output",
                "-o FILE writes to a file, which appears only when complete; --force replaces an existing one. -: standard output.")),
            plain(Message("cli.formats_input",
                "Reports are exports (SQLite) and traces (JSON), plain or compressed: {packings}. -: standard input. Pipes work, too: {pipe}.",
                {{"packings", Name{readablePackings()}}, {"pipe", Name{"<(ssh host cat report.sqlite)"}}})));
}

std::string exitCodesTopic()
{
    std::vector<std::vector<std::string>> lines;
    for (const ExitCodeWords& words : exitCodes())
        lines.push_back({std::to_string(static_cast<int>(words.code)),
            words.code == ExitCode::GateFailed ? std::string() : std::string(words.key), // not an error
            plain(words.meaningText())});
    return textTable({{"code", Align::Right}, {"in JSON"}, {"meaning"}}, lines)

        + fmt::format(
            "\n{}\n", plain(Message("cli.highest_code", "With several reports, the highest code counts.")));
}

/// The terms one below the other, their meanings in a column.
std::string listed(const std::vector<DocumentedTerm>& terms)
{
    std::size_t width = 0;
    for (const DocumentedTerm& term : terms)
        width = std::max(width, term.name.size());
    std::string text;
    for (const DocumentedTerm& term : terms)
        text += fmt::format("{:<{}}  {}\n", term.name, width, term.meaning);
    return text;
}

std::string environmentTopic()
{
    return listed(environmentVariables());
}

std::string filesTopic()
{
    return listed(files());
}

std::string examplesTopic()
{
    std::string text;
    for (const DocumentedTerm& example : examples())
        text += fmt::format("{}:\n    {}\n", example.meaning, example.name);
    return text;
}

constexpr std::array topics{
    HelpTopic{"exit-codes", exitCodesTopic},
    HelpTopic{"environment", environmentTopic},
    HelpTopic{"formats", formatsText},
    HelpTopic{"files", filesTopic},
    HelpTopic{"examples", examplesTopic},
};

} // namespace

std::vector<DocumentedTerm> exitStatus()
{
    std::vector<DocumentedTerm> terms;
    for (const ExitCodeWords& words : exitCodes())
        terms.push_back({std::to_string(static_cast<int>(words.code)), plain(words.meaningText())});
    return terms;
}

std::vector<DocumentedTerm> environmentVariables()
{
    return {
        {"COLUMNS",
            plain(Message("help.columns", "Width of tables on a terminal; default: that of the terminal"))},
        {"LC_ALL, LC_MESSAGES, LANG",
            plain(Message("help.locale", "Language of the texts, such as zh_CN.UTF-8; see --language"))},
        {"TMPDIR",
            plain(Message("help.tmpdir",
                "Folder for copies of compressed exports and pipes while they are read; default: /tmp"))},
        {"WARPLINE_MEMORY",
            plain(
                Message("help.memory", "Memory that a report may take, such as 12G; default: what is free"))},
        {"PATH", plain(Message("help.path", "Searched for nsys, which converts .nsys-rep files"))},
        {"XDG_CACHE_HOME",
            plain(Message("help.cache_home", "Parent folder of the cache; default: ~/.cache"))},
        {"XDG_CONFIG_HOME",
            plain(Message(
                "help.config_home", "Parent folder of the configuration files; default: ~/.config"))}};
}

std::vector<DocumentedTerm> files()
{
    return {{"NAME.warpline",
                plain(Message("help.view_file",
                    "View of a report: bookmarks, notes, rows and thresholds, next to the report"))},
        {"~/.config/warpline/kernel-classes.txt",
            plain(
                Message("help.classes_file", "Rules for kernel classes, which override the built-in ones"))},
        {"~/.config/warpline/operator-models.txt",
            plain(Message(
                "help.models_file", "FLOPs and bytes of more operators, which override the built-in ones"))},
        {"~/.cache/warpline",
            plain(Message("help.cache",
                "Cache: exports of recordings, reports of 10 million events or more, and measurements of history. You can delete it at any time"))}};
}

std::vector<DocumentedTerm> examples()
{
    return {{"warpline-cli report.sqlite",
                plain(Message("help.example_analyze", "Find what is slow, why, and what to do"))},
        {"warpline-cli analyze --explain report.sqlite",
            plain(Message("help.example_explain", "Explain each finding"))},
        {"warpline-cli analyze --fail-on high report.sqlite",
            plain(Message("help.example_gate", "Fail a CI job on severe findings"))},
        {"warpline-cli compare before.sqlite after.sqlite",
            plain(Message("help.example_compare", "Compare two runs"))},
        {"warpline-cli ranks 'rank*.sqlite'", plain(Message("help.example_ranks", "Find the late rank"))},
        {"warpline-cli steps --summary report.sqlite",
            plain(Message("help.example_steps", "Summarize where the time of a step goes"))},
        {"warpline-cli stats --report cuda_gpu_kern_sum report.sqlite",
            plain(Message("help.example_stats", "Print a table of nsys stats"))},
        {"warpline-cli events --where 'kind=kernel dur>100us' report.sqlite",
            plain(Message("help.example_events", "List the long kernels"))},
        {"warpline-cli sql report.sqlite 'SELECT name, count(*) FROM kernels GROUP BY name'",
            plain(Message("help.example_sql", "Query a report in SQL"))},
        {"warpline-cli report report.sqlite -o page.html",
            plain(Message("help.example_report", "Write a page for readers without Warpline"))}};
}

std::span<const HelpTopic> helpTopics()
{
    return topics;
}

const HelpTopic* findHelpTopic(std::string_view name)
{
    const auto* const found = std::ranges::find(topics, name, &HelpTopic::name);
    return found != topics.end() ? found : nullptr;
}

} // namespace warpline::cli
