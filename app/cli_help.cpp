// warpline-cli help TOPIC: what holds for all commands.

#include "app/cli_help.h"

#include "app/cli_columns.h"
#include "app/cli_command.h"
#include "core/cache/trace_cache.h"
#include "core/export/analysis_format.h"
#include "core/files/inflater.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace warpline::cli {

namespace {

/// A form that answers are written in; those of analyses alone are in allAnalysisFormats().
struct OutputFormat {
    std::string_view name; ///< as --format takes it
    std::string_view meaning;
};

constexpr std::array helpedFormats{
    OutputFormat{"table", "Aligned text; cut to the width of a terminal, whole elsewhere"},
    OutputFormat{"text", "Lines for people"},
    OutputFormat{"json", "One document with an envelope; --schema prints its JSON schema"},
    OutputFormat{"ndjson", "The same envelope on a line of its own for each report"},
    OutputFormat{
        "csv", "Comma-separated values with a header line; names keep their bytes. analyze: a line a report"},
    OutputFormat{"markdown", "A page or a table of Markdown, for a comment in a review"},
    OutputFormat{"html", "One web page that needs nothing beside it"},
    OutputFormat{"folded", "Stacks with semicolons between, for flame graphs"},
    OutputFormat{"chrome", "Chrome's trace format, which Perfetto opens"},
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
        lines.push_back({std::string(format.name), std::string(format.meaning), commands});
    }
    return textTable({{"--format"}, {"meaning"}, {"commands"}}, lines)
        + fmt::format(
            "\n-o FILE writes to a file, which has its name when it is complete; --force replaces one. -: "
            "standard output.\nReports are exports (SQLite) and traces (JSON), plain or packed: {}. -: "
            "standard input. Pipes work, too: <(ssh host cat report.sqlite).\n",
            readablePackings());
}

std::string exitCodesTopic()
{
    std::vector<std::vector<std::string>> lines;
    for (const ExitCodeWords& words : exitCodes())
        lines.push_back({std::to_string(static_cast<int>(words.code)), std::string(words.key),
            std::string(words.meaning)});
    return textTable({{"code", Align::Right}, {"in JSON"}, {"meaning"}}, lines)
        + "\nOf several reports the highest counts.\n";
}

std::string environmentTopic()
{
    const std::string folder = defaultCacheFolder();
    return fmt::format(
        "COLUMNS          Width of tables on a terminal; left out: the terminal's\n"
        "TMPDIR           Where packed exports and pipes are copied to while they are read; left out: /tmp\n"
        "PATH             Where nsys is looked for, which converts .nsys-rep files\n"
        "XDG_CACHE_HOME   Where copies of large reports are kept; left out: ~/.cache. Now: {}\n"
        "XDG_CONFIG_HOME  Where warpline/kernel-classes.txt and warpline/operator-models.txt are looked for; left out: ~/.config\n",
        folder.empty() ? "nowhere" : folder);
}

constexpr std::array topics{
    HelpTopic{"exit-codes", exitCodesTopic},
    HelpTopic{"environment", environmentTopic},
    HelpTopic{"formats", formatsText},
};

} // namespace

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
