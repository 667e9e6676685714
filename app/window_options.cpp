#include "app/window_options.h"

#include "app/program_documents.h"
#include "core/base/version.h"
#include "views/panels/panel.h"

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

QList<QCommandLineOption> allOptions()
{
    return {
        {{"h", "help"}, "Print this."},
        {{"v", "version"}, "Print the version, with the commit and the versions of Qt and SQLite."},
        {"screenshot", "Draw the window into <file> without a display, then quit.", "file"},
        {"size", "Size of the window.", "WIDTHxHEIGHT"},
        {"theme", "dark or light.", "theme"},
        {"range", "Show this range: in ns, or numbers with ns, us, ms or s.", "FROM:TO"},
        {"scale", "Draw everything larger; 2 for dense screens.", "factor"},
        {"panel", "Bring a panel to the front: " + panelIds().join(", ") + '.', "name"},
        {"running", "Open the report in a Warpline that runs already, if there is one."},
        {"fresh", "Begin with the start page instead of what was shown last."},
        {"no-cache", "Neither use nor leave a copy that opens faster the next time."},
        {"completion", "Print what this shell reads to complete options: bash, zsh, fish.", "shell"},
        {"man", "Print the manual page, for man -l."},
    };
}

/// The values that `option` can have, of those that have names.
std::vector<std::string> choicesOf(const QString& option)
{
    std::vector<std::string> choices;
    if (option == "theme")
        choices = {"dark", "light"};
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
    program.summary = "Timeline viewer and analyzer for Nsight Systems reports exported to SQLite.";
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
    program.notes = {"Without a report the window shows what it showed last, else a page that lists the last "
                     "reports. A recorded report "
                     "(.nsys-rep, .qdrep) is exported first, where nsys is on the PATH."};
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
    parser.addPositionalArgument("report", "A file made with nsys export --type sqlite.", "[report]");
    parser.addOptions(allOptions());
}

Result<WindowOptions> windowOptions(const QCommandLineParser& parser)
{
    WindowOptions options;
    const QStringList files = parser.positionalArguments();
    if (files.size() > 1)
        return Error{"more than one file"};
    if (!files.isEmpty())
        options.file = files.front();
    options.screenshot = parser.value("screenshot");
    options.theme = parser.value("theme");
    options.panel = parser.value("panel");
    options.cache = !parser.isSet("no-cache");
    options.running = parser.isSet("running");
    options.fresh = parser.isSet("fresh");
    if (!options.theme.isEmpty() && options.theme != "dark" && options.theme != "light")
        return Error{"--theme takes dark or light"};
    if (!options.panel.isEmpty() && !panelIds().contains(options.panel))
        return Error{QString("there is no panel %1; there are %2")
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
    if (parser.isSet("scale") && !isScale(parser.value("scale")))
        return Error{"--scale takes a number from 0.5 to 4"};
    if (!options.screenshot.isEmpty() && options.file.isEmpty())
        return Error{"--screenshot needs a report"};
    auto document = parseDocument(parser);
    if (!document.ok())
        return document.error();
    options.document = document.take();
    return options;
}

} // namespace warpline
