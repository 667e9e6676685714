#include "app/window_options.h"

#include "app/program_documents.h"
#include "app/theme_choice.h"
#include "core/base/version.h"
#include "core/render/language.h"
#include "views/panels/panel.h"

#include <fmt/format.h>

#include <QCommandLineParser>

#include <utility>

namespace warpline {

namespace {

QStringList panelIds()
{
    QStringList ids;
    for (const PanelKind* const kind : allPanels())
        ids << kind->id;
    return ids;
}

QStringList languageKeys()
{
    QStringList keys;
    for (const Language* const language : allLanguages())
        keys << QString::fromUtf8(language->key.data(), static_cast<qsizetype>(language->key.size()));
    return keys;
}

QList<QCommandLineOption> allOptions()
{
    return {
        {{"h", "help"}, "Print this."},
        {{"v", "version"}, "Print the version, with the commit and the versions of Qt and SQLite."},
        {"screenshot", "Draw the window into <file> without a display, then quit.", "file"},
        {"size", "Size of the window.", "WIDTHxHEIGHT"},
        {"theme", themeNames().join(", ") + ".", "theme"},
        {"language", "Language of the window for this run: " + languageKeys().join(", ") + '.', "language"},
        {"range", "Show this range: FROM:TO in ns, or numbers with ns, us, ms or s.", "FROM:TO"},
        {"compare", "Compare two reports: A, before the change, and B, after it."},
        {"a-range", "Compare only this range of A.", "FROM:TO"},
        {"b-range", "Compare only this range of B.", "FROM:TO"},
        {"scale", "Scale the window; 2 for dense screens.", "factor"},
        {"panel", "Bring a panel to the front: " + panelIds().join(", ") + '.', "name"},
        {"filter", "List and highlight only events that match this filter.", "text"},
        {"steps", "Use the NVTX ranges of this name, with * and ?, as steps.", "name"},
        {"view", "Open this view file instead of the one next to the report.", "file"},
        {"running", "Open the report in a running Warpline, if there is one."},
        {"fresh", "Show the start page instead of the last session."},
        {"no-cache", "Do not use or write the cache."},
        {"completion", "Print what this shell reads to complete options: bash, zsh, fish.", "shell"},
        {"man", "Print the manual page, for man -l."},
    };
}

/// The values that `option` can have, of those that have names.
std::vector<std::string> choicesOf(const QString& option)
{
    std::vector<std::string> choices;
    if (option == "theme")
        for (const QString& name : themeNames())
            choices.push_back(name.toStdString());
    else if (option == "language")
        for (const QString& key : languageKeys())
            choices.push_back(key.toStdString());
    else if (option == "completion")
        choices = completionShells();
    else if (option == "panel") {
        for (const QString& id : panelIds())
            choices.push_back(id.toStdString());
    }
    return choices;
}

DocumentedProgram documented()
{
    DocumentedProgram program;
    program.name = "warpline";
    program.version = programVersion();
    program.summary = "Timeline viewer and analyzer for Nsight Systems exports and PyTorch profiler traces.";
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
        "Without a report, the window restores the last session or shows the start page. Recordings (.nsys-rep, .qdrep) are exported first if nsys is on the PATH.",
        "Several reports, such as one per rank, are shown on one axis. A folder stands for all reports in it, a pattern with * or ? for the files that match."};
    program.exitCodes = {{"0", "The window was closed, or the picture was written"},
        {"2", "Wrong usage: the message names the mistake"},
        {"3", "With --screenshot: a report cannot be read, or the picture cannot be written"}};
    program.variables = {{"LC_ALL, LC_MESSAGES, LANG", "Language of the window, unless it is chosen"},
        {"PATH", "Searched for nsys, which converts .nsys-rep files"},
        {"QT_QPA_PLATFORM", "Platform of Qt; offscreen draws without a display"},
        {"QT_SCALE_FACTOR", "Scale of the window, like --scale"},
        {"XDG_CACHE_HOME", "Parent folder of the cache of large reports; default: ~/.cache"},
        {"XDG_CONFIG_HOME", "Parent folder of the settings; default: ~/.config"}};
    program.files
        = {{"NAME.warpline", "View of a report: bookmarks, notes, rows and thresholds, next to the report"},
            {"~/.config/warpline/warpline.conf", "Settings"},
            {"~/.cache/warpline", "Cache of large reports. You can delete it at any time"}};
    program.examples = {{"warpline report.sqlite", "Open a report"},
        {"warpline 'rank*.sqlite'", "Open the ranks of one run"},
        {"warpline --compare before.sqlite after.sqlite", "Compare two runs"},
        {"warpline --screenshot picture.png --range 1s:1.2s report.sqlite",
            "Draw a range without a display"}};
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
        return Error{"--size takes WIDTHxHEIGHT, such as 1920x1080"};
    return QSize(static_cast<int>(width), static_cast<int>(height));
}

/// What --man or --completion ask for; empty: neither was given.
Result<std::string> parseDocument(const QCommandLineParser& parser)
{
    if (parser.isSet("man"))
        return manualPage(documented());
    if (!parser.isSet("completion"))
        return std::string();
    auto completion = completionFor(parser.value("completion").toStdString(), documented());
    if (!completion)
        return Error{"--completion takes bash, zsh or fish"};
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
        "Nsight Systems exports or PyTorch profiler traces; a folder, a quoted pattern such as 'rank*.sqlite', or a saved report set.",
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
    options.panel = parser.value("panel");
    options.view = parser.value("view");
    options.filter = parser.value("filter");
    options.steps = parser.value("steps");
    options.cache = !parser.isSet("no-cache");
    options.running = parser.isSet("running");
    options.fresh = parser.isSet("fresh");
    if (!options.theme.isEmpty() && !themeNames().contains(options.theme))
        return Error{("--theme takes " + themeNames().join(", ")).toStdString()};
    if (!options.language.isEmpty() && !languageKeys().contains(options.language))
        return Error{("--language takes " + languageKeys().join(", ")).toStdString()};
    if (!options.panel.isEmpty() && !panelIds().contains(options.panel))
        return Error{QString("there is no panel %1; known: %2")
                         .arg(options.panel, panelIds().join(", "))
                         .toStdString()};
    if (parser.isSet("size")) {
        const auto size = parseSize(parser.value("size"));
        if (!size.ok())
            return size.error();
        options.size = size.value();
    }
    if (parser.isSet("range")) {
        const auto range = cli::parseRange(parser.value("range").toStdString());
        if (!range.ok())
            return Error{"--range: " + range.error().message};
        options.range = range.value();
    }
    options.compare = parser.isSet("compare");
    for (const auto& [name, side] : {std::pair("a-range", &options.rangeA), {"b-range", &options.rangeB}}) {
        if (!parser.isSet(name))
            continue;
        const auto range = cli::parseRange(parser.value(name).toStdString());
        if (!range.ok())
            return Error{std::string("--") + name + ": " + range.error().message};
        if (!options.compare)
            return Error{fmt::format("--{} needs --compare", name)};
        *side = range.value();
    }
    const bool isWithinOne = options.files.size() == 1 && options.rangeA && options.rangeB;
    if (options.compare && options.files.size() != 2 && !isWithinOne)
        return Error{"--compare takes two reports, or two sets of ranks: files with commas between, "
                     "folders or quoted patterns; or one report with --a-range and --b-range"};
    if (parser.isSet("scale") && !isScale(parser.value("scale")))
        return Error{"--scale takes a number from 0.5 to 4"};
    if (!options.view.isEmpty() && options.files.isEmpty())
        return Error{"--view needs a report"};
    if (!options.screenshot.isEmpty() && options.files.isEmpty())
        return Error{"--screenshot needs a report"};
    auto document = parseDocument(parser);
    if (!document.ok())
        return document.error();
    options.document = document.take();
    return options;
}

} // namespace warpline
