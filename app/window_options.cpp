#include "app/window_options.h"

#include "app/program_documents.h"
#include "app/theme_choice.h"
#include "core/base/version.h"
#include "core/render/language.h"
#include "core/render/render.h"
#include "views/panels/panel.h"
#include "views/style/rich_text.h"

#include <QCommandLineParser>
#include <QFileInfo>

#include <utility>

namespace warpline {

namespace {

QStringList panelIds()
{
    QStringList ids;
    for (const PanelKind* const kind : allPanels()) {
        ids << kind->id;
        if (*kind->part)
            ids << kind->part;
    }
    return ids;
}

QStringList languageKeys()
{
    QStringList keys;
    for (const Language* const language : allLanguages())
        keys << QString::fromUtf8(language->key.data(), static_cast<qsizetype>(language->key.size()));
    return keys;
}

Name joined(const QStringList& known)
{
    return {known.join(", ").toStdString()};
}

QList<QCommandLineOption> allOptions()
{
    return {
        {{"h", "help"}, plainTextOf({"window.help", "Print this."})},
        {{"v", "version"},
            plainTextOf({"window.help_version",
                "Print the version, with the commit and the versions of Qt and SQLite."})},
        {"screenshot",
            plainTextOf(
                {"window.help_screenshot", "Draw the window into <file> without a display, then quit."}),
            "file"},
        {"size", plainTextOf({"window.help_size", "Size of the window."}), "WIDTHxHEIGHT"},
        {"theme", themeNames().join(", ") + ".", "theme"},
        {"language",
            plainTextOf({"window.help_language", "Language of the window for this run: {known}.",
                {{"known", joined(languageKeys())}}}),
            "language"},
        {"range",
            plainTextOf(
                {"window.help_range", "Show this range: FROM:TO in ns, or numbers with ns, us, ms or s."}),
            "FROM:TO"},
        {"compare",
            plainTextOf(
                {"window.help_compare", "Compare two reports: A, before the change, and B, after it."})},
        {"a-range", plainTextOf({"window.help_a_range", "Compare only this range of A."}), "FROM:TO"},
        {"b-range", plainTextOf({"window.help_b_range", "Compare only this range of B."}), "FROM:TO"},
        {"scale", plainTextOf({"window.help_scale", "Scale the window; 2 for dense screens."}), "factor"},
        {"panel",
            plainTextOf({"window.help_panel", "Bring a panel to the front: {known}.",
                {{"known", joined(panelIds())}}}),
            "name"},
        {"filter",
            plainTextOf({"window.help_filter", "List and highlight only events that match this filter."}),
            "text"},
        {"steps",
            plainTextOf({"window.help_steps", "Use the NVTX ranges of this name, with * and ?, as steps."}),
            "name"},
        {"view",
            plainTextOf({"window.help_view", "Open this view file instead of the one next to the report."}),
            "file"},
        {"running",
            plainTextOf({"window.help_running", "Open the report in a running Warpline, if there is one."})},
        {"fresh", plainTextOf({"window.help_fresh", "Show the start page instead of the last session."})},
        {"no-cache",
            plainTextOf({"window.help_no_cache",
                "Read the report itself, and keep no copy of it. A recording is exported again."})},
        {"completion",
            plainTextOf({"window.help_completion",
                "Print what this shell reads to complete options: bash, zsh, fish."}),
            "shell"},
        {"man", plainTextOf({"window.help_man", "Print the manual page, for man -l."})},
    };
}

/// The values that `option` can have, of those that have names.
std::vector<std::string> choicesOf(const QString& option)
{
    if (option == "completion")
        return completionShells();
    std::vector<std::string> choices;
    for (const QString& name : option == "theme" ? themeNames()
            : option == "language"               ? languageKeys()
            : option == "panel"                  ? panelIds()
                                                 : QStringList())
        choices.push_back(name.toStdString());
    return choices;
}

DocumentedProgram documented()
{
    DocumentedProgram program;
    program.name = "warpline";
    program.version = programVersion();
    program.summary = plain({"window.program",
        "Timeline viewer and analyzer for Nsight Systems exports and PyTorch profiler traces."});
    for (const QCommandLineOption& option : allOptions()) {
        DocumentedOption made;
        for (const QString& name : option.names())
            made.names.push_back((name.size() == 1 ? "-" : "--") + name.toStdString());
        made.value = option.valueName().toStdString();
        made.choices = choicesOf(option.names().back());
        made.takesFile = option.valueName() == "file";
        made.description = option.description().toStdString();
        program.options.push_back(std::move(made));
    }
    program.operands = {{.name = "report", .isSeveral = true, .isReport = true}};
    program.notes = {
        plain({"window.note_session",
            "Without a report, the window restores the last session or shows the start page. Recordings (.nsys-rep, .qdrep) are exported first if nsys is on the PATH."}),
        plain({"window.note_several",
            "Several reports, such as one per rank, are shown on one axis. A folder stands for all reports in it, a pattern with * or ? for the files that match."})};
    program.exitCodes = {
        {"0", plain({"window.exit_ok", "The window was closed, or the picture was written"})},
        {"2", plain({"window.exit_usage", "Wrong usage: the message names the mistake"})},
        {"3",
            plain({"window.exit_unreadable",
                "Memory ran out; with --screenshot: a report cannot be read, or the picture cannot be written"})},
        {"4", plain(Message("write_failed", "exit_meaning", "The output cannot be written"))}};
    program.variables
        = {{"LC_ALL, LC_MESSAGES, LANG",
               plain({"window.variable_language", "Language of the window, unless it is chosen"})},
            {"PATH", plain({"window.variable_path", "Searched for nsys, which converts .nsys-rep files"})},
            {"QT_QPA_PLATFORM",
                plain({"window.variable_platform", "Platform of Qt; offscreen draws without a display"})},
            {"QT_SCALE_FACTOR", plain({"window.variable_scale", "Scale of the window, like --scale"})},
            {"WARPLINE_MEMORY",
                plain({"help.memory", "Memory that a report may take, such as 12G; default: what is free"})},
            {"XDG_CACHE_HOME", plain({"help.cache_home", "Parent folder of the cache; default: ~/.cache"})},
            {"XDG_CONFIG_HOME",
                plain({"window.variable_config", "Parent folder of the settings; default: ~/.config"})}};
    program.files = {{"NAME.warpline",
                         plain({"window.file_view",
                             "View of a report: bookmarks, notes, rows and thresholds, next to the report"})},
        {"~/.config/warpline/warpline.conf", plain({"window.file_settings", "Settings"})},
        {"~/.cache/warpline",
            plain({"help.cache",
                "Cache: exports of recordings, reports of 10 million events or more, and measurements of history. You can delete it at any time"})}};
    program.examples = {{"warpline report.sqlite", plain({"window.example_open", "Open a report"})},
        {"warpline 'rank*.sqlite'", plain({"window.example_ranks", "Open the ranks of one run"})},
        {"warpline --compare before.sqlite after.sqlite",
            plain({"window.example_compare", "Compare two runs"})},
        {"warpline --screenshot picture.png --range 1s:1.2s report.sqlite",
            plain({"window.example_picture", "Draw a range without a display"})}};
    program.seeAlso = "warpline-cli";
    return program;
}

bool parsePair(const QString& text, QChar separator, qint64& first, qint64& second)
{
    const QStringList parts = text.split(separator);
    bool firstOk = false;
    bool secondOk = false;
    if (parts.size() != 2)
        return false;
    first = parts[0].toLongLong(&firstOk);
    second = parts[1].toLongLong(&secondOk);
    return firstOk && secondOk;
}

Result<QSize> parseSize(const QString& text)
{
    qint64 width = 0;
    qint64 height = 0;
    if (!parsePair(text, 'x', width, height) || width < 320 || height < 240 || width > 16384
        || height > 16384)
        return Error{"window.size", "--size takes WIDTHxHEIGHT, such as 1920x1080"};
    return QSize(static_cast<int>(width), static_cast<int>(height));
}

Error takes(const char* option, const QStringList& known)
{
    return {"window.takes", "{option} takes {known}", {{"option", Name{option}}, {"known", joined(known)}}};
}

/// The text for --man or --completion; empty: neither was given.
Result<std::string> parseDocument(const QCommandLineParser& parser)
{
    if (parser.isSet("man"))
        return manualPage(documented());
    if (!parser.isSet("completion"))
        return std::string();
    auto completion = completionFor(parser.value("completion").toStdString(), documented());
    if (!completion)
        return Error{"window.completion", "--completion takes bash, zsh or fish"};
    return *std::move(completion);
}

} // namespace

bool isScale(const QString& text)
{
    bool isNumber = false;
    const double scale = text.toDouble(&isNumber);
    return isNumber && scale >= 0.5 && scale <= 4;
}

void describe(QCommandLineParser& parser)
{
    parser.setApplicationDescription(QString::fromStdString(documented().summary));
    parser.addPositionalArgument("report",
        plainTextOf({"window.help_report",
            "Nsight Systems exports or PyTorch profiler traces; a folder, a quoted pattern such as 'rank*.sqlite', or a saved report set."}),
        "[report...]");
    parser.addOptions(allOptions());
}

Result<WindowOptions> windowOptions(const QCommandLineParser& parser)
{
    WindowOptions options;
    options.files = parser.positionalArguments();
    options.screenshot = parser.value("screenshot");
    options.theme = parser.value("theme");
    options.language = parser.value("language");
    options.panel = parser.value("panel").toLower(); // titles of panels begin with a capital
    if (!parser.value("view").isEmpty())
        options.view = QFileInfo(parser.value("view")).absoluteFilePath();
    options.filter = parser.value("filter");
    options.steps = parser.value("steps");
    options.cache = !parser.isSet("no-cache");
    options.running = parser.isSet("running");
    options.fresh = parser.isSet("fresh");
    if (!options.theme.isEmpty() && !themeNames().contains(options.theme))
        return takes("--theme", themeNames());
    if (!options.language.isEmpty() && !languageKeys().contains(options.language))
        return takes("--language", languageKeys());
    if (!options.panel.isEmpty() && !findPanel(options.panel))
        return Error{"window.no_panel", "there is no panel {panel}; known: {known}",
            {{"panel", Name{options.panel.toStdString()}}, {"known", joined(panelIds())}}};
    if (parser.isSet("size")) {
        const auto size = parseSize(parser.value("size"));
        if (!size.ok())
            return size.error();
        options.size = size.value();
    }
    if (parser.isSet("range")) {
        const auto range = cli::parseRange(parser.value("range").toStdString());
        if (!range.ok())
            return Error{cli::ofOption("--range", range.error().message)};
        options.range = range.value();
    }
    options.compare = parser.isSet("compare");
    for (const auto& [name, side] : {std::pair("a-range", &options.rangeA), {"b-range", &options.rangeB}}) {
        if (!parser.isSet(name))
            continue;
        const auto range = cli::parseRange(parser.value(name).toStdString());
        if (!range.ok())
            return Error{cli::ofOption(std::string("--") + name, range.error().message)};
        if (!options.compare)
            return Error{"window.needs_compare", "--{option} needs --compare", {{"option", Name{name}}}};
        *side = range.value();
    }
    const bool isWithinOne = options.files.size() == 1 && options.rangeA && options.rangeB;
    if (options.compare && options.files.size() != 2 && !isWithinOne)
        return Error{"window.compare",
            "--compare takes two reports, or two sets of ranks: files with commas between, folders or quoted patterns; or one report with --a-range and --b-range"};
    if (parser.isSet("scale") && !isScale(parser.value("scale")))
        return Error{"window.scale", "--scale takes a number from 0.5 to 4"};
    if (!options.view.isEmpty() && options.files.isEmpty())
        return Error{"window.needs_report", "{option} needs a report", {{"option", Name{"--view"}}}};
    if (!options.screenshot.isEmpty() && options.files.isEmpty())
        return Error{"window.needs_report", "{option} needs a report", {{"option", Name{"--screenshot"}}}};
    auto document = parseDocument(parser);
    if (!document.ok())
        return document.error();
    options.document = document.take();
    return options;
}

} // namespace warpline
