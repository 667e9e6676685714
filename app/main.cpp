// warpline: the window, or a picture of it without a display.

#include "app/cli_arguments.h"
#include "app/icons.h"
#include "app/main_window.h"
#include "app/report_converter.h"
#include "app/theme_choice.h"
#include "app/version_text.h"
#include "views/panels/panel.h"
#include "views/style/visible_edges.h"
#include "views/timeline/timeline_pane.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QScreen>
#include <QTimer>

#include <cstdio>
#include <optional>
#include <string_view>

using namespace warpline;

namespace {

constexpr int exitUsage = 2;
constexpr int exitUnreadable = 3;

struct Options {
    QString file;
    QString screenshot;
    QSize size; ///< empty: as the window was last, or fitting the screen; a picture takes 1920x1080
    QString theme;
    QString panel;
    std::optional<cli::RangeArgument> range;
    bool cache = true;
};

int usageError(const QString& text)
{
    std::fprintf(stderr, "warpline: %s (see warpline --help)\n", qPrintable(text));
    return exitUsage;
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

bool isScale(const QString& text)
{
    bool isNumber = false;
    const double scale = text.toDouble(&isNumber);
    return isNumber && scale >= 0.5 && scale <= 4;
}

QStringList panelIds()
{
    QStringList ids;
    for (const PanelKind* const kind : allPanels())
        ids << kind->id;
    return ids;
}

/// What must be known before QApplication exists: a picture needs no display, and Qt reads its scale from the
/// environment.
void prepareEnvironment(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        const bool headless
            = argument.starts_with("--screenshot") || argument == "--help" || argument == "--version";
        if (headless && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
            qputenv("QT_QPA_PLATFORM", "offscreen");
        QByteArray scale;
        if (argument == "--scale" && i + 1 < argc)
            scale = argv[i + 1];
        else if (argument.starts_with("--scale="))
            scale = argv[i] + std::string_view("--scale=").size();
        if (isScale(scale))
            qputenv("QT_SCALE_FACTOR", scale);
    }
}

/// False with `problem` set when the command line makes no sense.
bool parse(const QCommandLineParser& parser, Options& options, QString& problem)
{
    const QStringList files = parser.positionalArguments();
    if (files.size() > 1)
        problem = "more than one file";
    if (!files.isEmpty())
        options.file = files.front();
    options.screenshot = parser.value("screenshot");
    options.theme = parser.value("theme");
    options.panel = parser.value("panel");
    options.cache = !parser.isSet("no-cache");
    qint64 first = 0;
    qint64 second = 0;
    if (!options.theme.isEmpty() && options.theme != "dark" && options.theme != "light")
        problem = "--theme takes dark or light";
    if (parser.isSet("size")) {
        if (!parsePair(parser.value("size"), 'x', first, second) || first < 320 || second < 240
            || first > 16384 || second > 16384)
            problem = "--size takes WIDTHxHEIGHT, such as 1920x1080";
        options.size = QSize(static_cast<int>(first), static_cast<int>(second));
    }
    if (parser.isSet("range")) {
        const auto range = cli::parseRange(parser.value("range").toStdString());
        if (range.ok())
            options.range = range.value();
        else
            problem = "--range: " + QString::fromStdString(range.error().message);
    }
    if (parser.isSet("scale") && !isScale(parser.value("scale")))
        problem = "--scale takes a number from 0.5 to 4";
    if (!options.screenshot.isEmpty() && options.file.isEmpty())
        problem = "--screenshot needs a report";
    return problem.isEmpty();
}

/// Drops what the offscreen platform says of every window it draws; the rest goes where it went.
void silencePlatform(QtMsgType type, const QMessageLogContext& context, const QString& text)
{
    if (text.contains("does not support propagateSizeHints"))
        return;
    std::fprintf(stderr, "%s\n", qPrintable(qFormatLogMessage(type, context, text)));
}

/// Opens the report, waits until everything is shown, saves the picture, quits.
void takePicture(MainWindow& window, const Options& options)
{
    QObject::connect(&window, &MainWindow::openFailed, &window, [](const QString& message) {
        std::fprintf(stderr, "warpline: %s\n", qPrintable(message));
        QApplication::exit(exitUnreadable);
    });
    QObject::connect(&window, &MainWindow::settled, &window, [&window, options] {
        const TimeRange whole = window.session().trace().session;
        const TimeRange asked = options.range ? options.range->within(whole) : TimeRange{};
        if (options.range && window.session().shown() != asked) {
            window.session().show(asked);
            if (!window.isSettled())
                return;
        }
        // Charts lay themselves out late, and on dense screens one frame takes longer than the time given.
        QTimer::singleShot(50, &window, [&window, options] {
            if (!window.isSettled())
                return;
            for (int turn = 0; turn < 3; ++turn)
                QApplication::processEvents(QEventLoop::ExcludeUserInputEvents);
            if (!window.grab().save(options.screenshot)) {
                std::fprintf(stderr, "warpline: %s cannot be written.\n", qPrintable(options.screenshot));
                QApplication::exit(exitUnreadable);
                return;
            }
            QApplication::exit(0);
        });
    });
}

} // namespace

int main(int argc, char** argv)
{
    prepareEnvironment(argc, argv);
    QApplication app(argc, argv);
    QApplication::setOrganizationName("warpline");
    QApplication::setApplicationName("warpline");
    QApplication::setApplicationVersion(QString::fromStdString(versionText(qVersion())));
    QApplication::setWindowIcon(programIcon());
    QApplication::setStyle(new VisibleEdges);

    QCommandLineParser parser;
    parser.setApplicationDescription(
        "Timeline viewer and analyzer for Nsight Systems reports exported to SQLite.");
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument("report", "A file made with nsys export --type sqlite.", "[report]");
    parser.addOptions({
        {"screenshot", "Draw the window into <file> without a display, then quit.", "file"},
        {"size", "Size of the window.", "WIDTHxHEIGHT"},
        {"theme", "dark or light.", "theme"},
        {"range", "Show this range: in ns, or numbers with ns, us, ms or s.", "FROM:TO"},
        {"scale", "Draw everything larger; 2 for dense screens.", "factor"},
        {"panel", "Bring a panel to the front: " + panelIds().join(", ") + '.', "name"},
        {"no-cache", "Neither use nor leave a copy that opens faster the next time."},
    });
    if (!parser.parse(QApplication::arguments()))
        return usageError(parser.errorText());
    if (parser.isSet("help"))
        parser.showHelp(0);
    if (parser.isSet("version"))
        parser.showVersion();
    Options options;
    QString problem;
    if (!parse(parser, options, problem))
        return usageError(problem);

    const bool picture = !options.screenshot.isEmpty();
    if (picture)
        qInstallMessageHandler(silencePlatform);
    if (picture) // neither read nor change what the user arranged
        QApplication::setApplicationName("warpline-screenshot");
    const Theme& theme = themeNamed(options.theme.isEmpty() ? chosenThemeName() : options.theme);
    QApplication::setPalette(theme.palette());
    MainWindow window(theme);
    if (!options.panel.isEmpty() && !window.showPanel(options.panel))
        return usageError("there is no panel " + options.panel + "; there are " + panelIds().join(", "));
    window.setCacheUsed(options.cache && !picture);
    if (picture)
        window.resize(options.size.isEmpty() ? QSize(1920, 1080) : options.size);
    else if (!options.size.isEmpty())
        window.resize(options.size.boundedTo(window.screen()->availableSize()));
    if (picture)
        takePicture(window, options);
    else if (options.range)
        QObject::connect(
            &window, &MainWindow::settled, &window,
            [&window, range = *options.range] {
                window.session().show(range.within(window.session().trace().session));
            },
            Qt::SingleShotConnection);
    window.show();
    if (!options.file.isEmpty())
        window.open(options.file);
    return QApplication::exec();
}
