// warpline: the window, or a picture of it without a display.

#include "app/main_window.h"
#include "views/timeline/timeline_pane.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>
#include <QStyleFactory>
#include <QTimer>

#include <cstdio>
#include <cstring>
#include <optional>

using namespace warpline;

namespace {

constexpr int exitUsage = 2;
constexpr int exitUnreadable = 3;

struct Options {
    QString file;
    QString screenshot;
    QSize size{1920, 1080};
    QString theme;
    std::optional<TimeRange> range;
    bool noCache = false;
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
    options.noCache = parser.isSet("no-cache");
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
        if (!parsePair(parser.value("range"), ':', first, second) || second <= first)
            problem = "--range takes FROM:TO in ns";
        options.range = TimeRange{first, second};
    }
    if (!options.screenshot.isEmpty() && options.file.isEmpty())
        problem = "--screenshot needs a report";
    return problem.isEmpty();
}

/// Opens the report, waits until everything is shown, saves the picture, quits.
void takePicture(MainWindow& window, const Options& options)
{
    QObject::connect(&window, &MainWindow::openFailed, &window, [](const QString& message) {
        std::fprintf(stderr, "warpline: %s\n", qPrintable(message));
        QApplication::exit(exitUnreadable);
    });
    QObject::connect(&window, &MainWindow::settled, &window, [&window, options] {
        if (options.range && window.session().shown() != *options.range) {
            window.session().show(*options.range);
            if (!window.isSettled())
                return;
        }
        // One more turn of the event loop: charts lay themselves out late.
        QTimer::singleShot(50, &window, [&window, options] {
            if (!window.isSettled())
                return;
            if (!window.grab().save(options.screenshot)) {
                std::fprintf(stderr, "warpline: %s cannot be written.\n", qPrintable(options.screenshot));
                QApplication::exit(exitUnreadable);
                return;
            }
            QApplication::exit(0);
        });
    });
}

const Theme& themeFor(const Options& options)
{
    QString name = options.theme.isEmpty() ? QSettings().value("theme").toString() : options.theme;
    if (name.isEmpty())
        name = QGuiApplication::palette().color(QPalette::Window).lightness() < 128 ? "dark" : "light";
    return name == "dark" ? Theme::dark() : Theme::light();
}

} // namespace

int main(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i) {
        const bool headless = std::strncmp(argv[i], "--screenshot", 12) == 0
            || std::strcmp(argv[i], "--help") == 0 || std::strcmp(argv[i], "--version") == 0;
        if (headless && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
            qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    QApplication app(argc, argv);
    QApplication::setOrganizationName("warpline");
    QApplication::setApplicationName("warpline");
    QApplication::setApplicationVersion(WARPLINE_VERSION);
    QApplication::setWindowIcon(QIcon(":/icons/warpline.svg"));
    QApplication::setStyle(QStyleFactory::create("Fusion"));

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
        {"range", "Show this range, in ns.", "FROM:TO"},
        {"no-cache", "Read the report itself, never a copy kept from an earlier opening."},
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
    if (picture) // neither read nor change what the user arranged
        QApplication::setApplicationName("warpline-screenshot");
    const Theme& theme = themeFor(options);
    QApplication::setPalette(theme.palette());
    MainWindow window(theme);
    window.setUsesCache(!options.noCache);
    window.resize(options.size.boundedTo(picture ? options.size : QSize(1600, 1000)));
    if (picture)
        takePicture(window, options);
    else if (options.range)
        QObject::connect(
            &window, &MainWindow::settled, &window,
            [&window, range = *options.range] { window.session().show(range); }, Qt::SingleShotConnection);
    window.show();
    if (!options.file.isEmpty())
        window.open(options.file);
    return QApplication::exec();
}
