// warpline: the window, or a picture of it without a display.

#include "app/desktop_session.h"
#include "app/icons.h"
#include "app/kept_settings.h"
#include "app/language_choice.h"
#include "app/main_window.h"
#include "app/motion_choice.h"
#include "app/panel_docks.h"
#include "app/report_converter.h"
#include "app/text_size.h"
#include "app/theme_choice.h"
#include "app/version_text.h"
#include "app/view_command.h"
#include "app/window_options.h"
#include "app/window_place.h"
#include "core/base/file_wait.h"
#include "core/base/job_runner.h"
#include "core/base/platform/platform.h"
#include "core/render/render.h"
#include "views/models/written_files.h"
#include "views/session/run_pair.h"
#include "views/style/rich_text.h"
#include "views/style/visible_edges.h"
#include "views/timeline/timeline_pane.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QFont>
#include <QScreen>
#include <QSettings>
#include <QStandardPaths>
#include <QTimer>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

using namespace warpline;

namespace {

constexpr int exitUsage = 2;
constexpr int exitUnreadable = 3;
constexpr int exitUnwritten = 4;

int usageError(const QString& text)
{
    std::fprintf(stderr, "warpline: %s\n",
        plain({"window.usage", "{problem} (see warpline --help)", {{"problem", Name{text.toStdString()}}}})
            .c_str());
    return exitUsage;
}

/// Prints `text`, and says when that fails; the exit code.
int printed(const std::string& text)
{
    if (platform::writeAll(platform::standardOutput, text))
        return 0;
    const std::string reason = std::strerror(errno);
    std::fprintf(stderr, "warpline: %s\n",
        plain({"cli.cannot_write", "cannot write {path}: {reason}.",
                  {{"path", Name{plain({"cli.standard_output", "standard output"})}},
                      {"reason", Name{reason}}}})
            .c_str());
    return exitUnwritten;
}

/// The portable archive contains fonts, and a file that lists their folder and the system's, because a
/// minimal system has none.
void usePortableFonts(const char* program)
{
    const QFileInfo file(QString::fromLocal8Bit(program));
    const QFileInfo self(QStringLiteral("/proc/self/exe"));
    const QString folder = (self.exists() ? QFileInfo(self.canonicalFilePath()) : file).path();
    const QString fonts = QFileInfo(folder + "/../etc/fonts.conf").canonicalFilePath();
    if (!fonts.isEmpty() && qEnvironmentVariableIsEmpty("FONTCONFIG_FILE"))
        qputenv("FONTCONFIG_FILE", fonts.toLocal8Bit());
}

const std::string& memoryText()
{
    static const std::string text = "warpline: "
        + plain({"window.no_memory",
            "Not enough memory, or no more threads. Close other reports and programs, or raise the limits of the shell (ulimit -v, ulimit -u)."})
        + "\n";
    return text;
}

/// Qt and its libraries do not survive that: they crash, or wait for ever for a thread.
[[noreturn]] void endForMemory()
{
    platform::writeAll(platform::standardError, memoryText());
    platform::endNow(exitUnreadable);
}

std::terminate_handler usualEnd = nullptr;

/// Exceptions that nobody handles, of any thread and of Qt's events.
void endForException()
{
    try {
        if (std::current_exception())
            std::rethrow_exception(std::current_exception());
    } catch (const std::bad_alloc&) {
        endForMemory();
    } catch (const std::system_error& error) {
        if (error.code() == std::errc::resource_unavailable_try_again) // no thread
            endForMemory();
    } catch (...) {
    }
    usualEnd();
}

/// From here on the program ends with a message where its memory ends. `drawing`: now, when it has too little
/// for a window or a picture.
void expectLittleMemory(bool drawing)
{
    constexpr std::uint64_t least = 1ULL << 30; // Qt, its fonts and threads map most of it, and use a tenth
    memoryText(); // needs memory itself
    usualEnd = std::set_terminate(endForException);
    if (drawing && platform::freeAddresses() < least)
        endForMemory();
}

void setIfUnset(const char* name, const QByteArray& value)
{
    if (qEnvironmentVariableIsEmpty(name))
        qputenv(name, value);
}

/// Forwards messages of Qt; one is the last that Qt would do.
void tellOfQt(QtMsgType type, const QMessageLogContext& context, const QString& text)
{
    if (text.startsWith("QThread::start: ")) // what it draws with this thread would be waited for without end
        endForMemory();
    std::fprintf(stderr, "%s\n", qPrintable(qFormatLogMessage(type, context, text)));
}

/// Drops messages of Qt about what pictures do not use: sizes of windows, and a folder for sockets. Forwards
/// others.
void silencePlatform(QtMsgType type, const QMessageLogContext& context, const QString& text)
{
    if (text.contains("does not support propagateSizeHints") || text.startsWith("QStandardPaths: "))
        return;
    tellOfQt(type, context, text);
}

/// Whether `argument` asks for a text instead of a window.
bool wantsText(std::string_view argument)
{
    return argument == "--help" || argument == "-h" || argument == "--version" || argument == "-v"
        || argument == "--man" || argument.starts_with("--completion");
}

/// Settings that must be made before QApplication exists: a picture needs no display, and Qt reads its scale
/// from the environment.
void prepareEnvironment(int argc, char** argv)
{
    platform::joinTerminal();
    usePortableFonts(argv[0]);
    qInstallMessageHandler(tellOfQt);
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument.starts_with("--screenshot") || wantsText(argument)) {
            setIfUnset("QT_QPA_PLATFORM", "offscreen");
            qInstallMessageHandler(silencePlatform);
        }
        QByteArray scale;
        if (argument == "--scale" && i + 1 < argc)
            scale = argv[i + 1];
        else if (argument.starts_with("--scale="))
            scale = argv[i] + std::string_view("--scale=").size();
        if (isScale(scale))
            qputenv("QT_SCALE_FACTOR", scale);
    }
#ifdef Q_OS_WIN
    setIfUnset("QT_QPA_PLATFORM", "windows:darkmode=2"); // the palette follows a dark desktop
    setIfUnset("QT_QPA_FONTDIR", qgetenv("WINDIR") + "\\Fonts"); // pictures have no fonts else
#endif
}

/// Detects a missing display, for which Qt would end the program with its own message.
bool hasDisplay()
{
#ifdef Q_OS_LINUX
    return !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") || !qEnvironmentVariableIsEmpty("DISPLAY")
        || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") || qgetenv("XDG_SESSION_TYPE") == "wayland";
#else
    return true;
#endif
}

/// Pictures have the font of the desktop: without a display Qt takes the first that it finds on Windows.
void useDesktopFont()
{
    const std::string family = platform::desktopFont();
    if (family.empty() || QGuiApplication::platformName() != "offscreen")
        return;
    QFont font = QApplication::font();
    font.setFamily(QString::fromStdString(family));
    QApplication::setFont(font);
}

void tellSilence(const SlowestFile& slowest)
{
    std::fprintf(stderr, "warpline: %s\n",
        plain({"window.disk_silent", "The disk has not answered for {seconds} s: {path}.",
                  {{"seconds", Ordinal{slowest.seconds()}}, {"path", Name{slowest.path}}}})
            .c_str());
}

/// Says so when the disk of the settings does not answer: without them there is no window that could.
class StartWatch {
public:
    StartWatch()
        : m_thread([](const std::stop_token& ends) {
              std::mutex own;
              std::condition_variable_any never;
              std::unique_lock lock(own);
              bool isTold = false;
              const auto isOver = [&] { return ends.stop_requested(); };
              while (!never.wait_for(lock, ends, std::chrono::seconds(1), isOver)) {
                  if (!std::exchange(isTold, isTold || slowestFile().isSilent()) && isTold)
                      std::fprintf(stderr, "warpline: %s\n",
                          plain({"window.slow_start",
                                    "Starting takes long. The folder of the settings may not answer: {path}.",
                                    {{"path", Name{slowestFile().path}}}})
                              .c_str());
              }
          })
    {
    }

private:
    FileWait m_wait{QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation).toStdString()};
    std::jthread m_thread;
};

/// Nobody sees that a picture is not made: it ends where the disk hangs.
void endWhenSilent(MainWindow& window)
{
    auto* const timer = new QTimer(&window);
    QObject::connect(timer, &QTimer::timeout, timer, [] {
        const SlowestFile slowest = slowestFile();
        if (slowest.time < 3 * diskPatience)
            return;
        tellSilence(slowest);
        QApplication::exit(exitUnreadable);
    });
    timer->start(std::chrono::seconds(1));
}

/// Opens the report, waits until everything is shown, saves the picture, quits.
void takePicture(MainWindow& window, const WindowOptions& options)
{
    endWhenSilent(window);
    QObject::connect(&window, &MainWindow::openFailed, &window, [&window](const QString& message) {
        for (const QString& line : message.split('\n'))
            std::fprintf(stderr, "warpline: %s\n", qPrintable(line));
        if (!window.session().hasReport()) // of several the others are drawn
            QTimer::singleShot(0, &window, [] { QApplication::exit(exitUnreadable); }); // it may not run yet
    });
    auto* const writer = new FileWriter(nullptr, &window);
    QObject::connect(&window, &MainWindow::settled, &window, [&window, options, writer] {
        if (!options.steps.isEmpty()
            && window.session().judgement().stepGlob() != options.steps.toStdString()) {
            window.session().judgement().setStepGlob(options.steps.toStdString());
            if (!window.isSettled())
                return;
        }
        const EventFilter filter = filterOfCommand(options.filter.toStdString(), window.session().trace());
        if (!options.filter.isEmpty() && window.session().selection().filter() != filter) {
            window.session().selection().setFilter(filter);
            if (!window.isSettled())
                return;
        }
        const TimeRange whole = window.session().session();
        const TimeRange asked = options.range ? options.range->within(whole) : TimeRange{};
        if (options.range && window.session().time().shown() != asked) {
            window.session().time().show(asked);
            if (!window.isSettled())
                return;
        }
        // On dense screens one frame takes longer than the time given.
        QTimer::singleShot(50, &window, [&window, options, writer] {
            if (!window.isSettled())
                return;
            for (int turn = 0; turn < 3; ++turn)
                QApplication::processEvents(QEventLoop::ExcludeUserInputEvents);
            const QImage picture = window.grab().toImage();
            if (picture.isNull()) // no memory for it, or more pixels than QPixmap holds
                endForMemory();
            writer->start(
                options.screenshot,
                [path = options.screenshot, picture](
                    const std::stop_token& stop) { return writePicture(path, picture, stop); },
                [](const Result<void>& written) {
                    if (!written.ok())
                        std::fprintf(stderr, "warpline: %s\n", plain(written.error().message).c_str());
                    QApplication::exit(written.ok() ? 0 : exitUnreadable);
                });
        });
    });
}

/// As absolute paths, for another process with another current folder.
QStringList absolute(const QStringList& names)
{
    QStringList paths;
    for (const QString& name : names)
        paths << QFileInfo(name).absoluteFilePath();
    return paths;
}

/// Opens both sides, and narrows them to the requested ranges once their lengths are known.
void compareAs(const WindowOptions& options, MainWindow& window)
{
    RunPair& pair = window.session().pair();
    if (options.files.size() == 1) {
        QObject::connect(
            &window, &MainWindow::settled, &window,
            [&window, &pair, a = *options.rangeA, b = *options.rangeB] {
                const TimeRange session = window.session().session();
                pair.compareWithin(a.within(session), b.within(session));
                window.docks().showPanel("compare");
            },
            Qt::SingleShotConnection);
        window.openAll(options.files, options.view);
        return;
    }
    if (options.rangeA || options.rangeB) {
        QObject::connect(
            &pair, &RunPair::matched, &window,
            [&pair, a = options.rangeA, b = options.rangeB] {
                if (a)
                    pair.narrow(Side::A, a->within(pair.a().session()));
                if (b)
                    pair.narrow(Side::B, b->within(pair.b().session()));
            },
            Qt::SingleShotConnection);
    }
    window.compare(options.files[0], options.files[1], options.view);
}

/// How the program is known to its settings and to the desktop.
void introduce()
{
    QApplication::setOrganizationName("warpline");
    QApplication::setApplicationName("warpline");
    QApplication::setApplicationVersion(QString::fromStdString(versionText(qVersion())));
    QApplication::setDesktopFileName("io.github.warpline.Warpline"); // Wayland finds name and icon by it
    QApplication::setWindowIcon(programIcon());
    QApplication::setStyle(new VisibleEdges);
}

/// The first option that cannot be handed over to a running window; empty: none.
QString notHandedOver(const QCommandLineParser& parser)
{
    for (const char* const name : {"range", "filter", "steps", "view", "panel", "screenshot", "compare"}) {
        if (parser.isSet("running") && parser.isSet(name))
            return plainTextOf({"window.running", "--running only opens reports, and takes no --{option}",
                {{"option", Name{name}}}});
    }
    return {};
}

/// Shows the requested parts of the first open report.
void narrowTo(const WindowOptions& options, MainWindow& window)
{
    QObject::connect(
        &window, &MainWindow::settled, &window,
        [&window, range = options.range, text = options.filter.toStdString(),
            steps = options.steps.toStdString()] {
            Session& session = window.session();
            if (!steps.empty())
                session.judgement().setStepGlob(steps);
            if (range)
                session.time().show(range->within(session.session()));
            if (!text.empty())
                session.selection().setFilter(filterOfCommand(text, session.trace()));
        },
        Qt::SingleShotConnection);
}

void prepare(MainWindow& window, const WindowOptions& options)
{
    const bool picture = !options.screenshot.isEmpty();
    if (options.fresh)
        window.startInTimeline();
    if (!options.panel.isEmpty())
        window.docks().showPanel(options.panel);
    window.setCacheUsed(options.cache && !picture);
    if (!picture)
        askDesktopForMotion(window, QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation),
            [&window](bool wanted) { window.allowMotion(wanted); });
    if (picture)
        window.resize(options.size.isEmpty() ? QSize(1920, 1080) : options.size);
    else if (!options.size.isEmpty())
        window.resize(options.size.boundedTo(window.screen()->availableSize()));
    if (picture)
        takePicture(window, options);
    else if (options.range || !options.filter.isEmpty() || !options.steps.isEmpty())
        narrowTo(options, window);
}

/// Ends the event loop of a window that is to be made again, in another language or text size.
constexpr int exitForRenewal = -1;

/// State that the new window takes over.
struct TakenOver {
    LastView view;
    WindowPlace place;
};

/// Creates a window and runs it. `taken`: the state to restore from the window that it replaces; set to its
/// own state at the end.
int showWindow(const WindowOptions& options, const Theme& theme, std::optional<TakenOver>& taken)
{
    const bool picture = !options.screenshot.isEmpty();
    std::optional<StartWatch> starting(std::in_place);
    applyLanguage();
    applyTextSize();
    MainWindow window(theme);
    std::optional<DesktopSession> desktop;
    if (!picture)
        desktop.emplace(window);
    WindowOptions again; // the requests of the command line are done
    again.cache = options.cache;
    prepare(window, taken ? again : options);
    if (!picture && options.size.isEmpty() && !QSettings().contains("window/geometry")
        && MainWindow::isSmall(window.screen()->availableSize()))
        window.showMaximized();
    else
        window.show();
    starting.reset();
    if (taken) {
        desktop->show(taken->view);
        restorePlace(window, std::move(taken->place));
    } else if (options.compare)
        compareAs(options, window);
    else if (!options.files.isEmpty())
        window.openAll(options.files, options.view);
    else if (desktop && !options.fresh)
        desktop->restore();
    QObject::connect(&window, &MainWindow::renewalNeeded, [] { QApplication::exit(exitForRenewal); });
    while (true) {
        const int code = QApplication::exec();
        if (code != exitForRenewal)
            return code;
        taken = TakenOver{desktop->view(), placeOf(window)};
        QApplication::setQuitOnLastWindowClosed(false);
        const bool isClosed = window.closeAndWait();
        QApplication::setQuitOnLastWindowClosed(true);
        if (isClosed)
            return code;
        taken.reset(); // a file could not be written: the window stays as it is
    }
}

int runWindow(const WindowOptions& options)
{
    if (!options.screenshot.isEmpty())
        QApplication::setApplicationName("warpline-screenshot"); // the user's settings stay as they are
    std::optional<StartWatch> starting(std::in_place);
    if (options.screenshot.isEmpty())
        keepSettings(); // those of a window that a full disk ended
    chooseThemeForThisRun(options.theme);
    chooseLanguageForThisRun(options.language);
    QApplication::setPalette(themeNamed(chosenThemeName()).palette());
    starting.reset();
    std::optional<TakenOver> taken;
    int code = exitForRenewal;
    while (code == exitForRenewal)
        code = showWindow(options, themeNamed(chosenThemeName()), taken);
    return code;
}

} // namespace

int main(int argc, char** argv)
{
    prepareEnvironment(argc, argv);
    setLanguage(languageOfEnvironment());
    expectLittleMemory(std::none_of(argv + 1, argv + argc, wantsText));
    if (!hasDisplay())
        return usageError(plainTextOf({"window.no_display",
            "there is no display. Use warpline-cli, or make a picture with --screenshot FILE"}));
    const QByteArray activation = qgetenv("XDG_ACTIVATION_TOKEN"); // libraries of desktops take it away
    std::optional<StartWatch> starting(std::in_place); // QApplication reads settings, too
    const QApplication app(argc, argv);
    introduce();
    useDesktopFont();
    QCommandLineParser onlyLanguage; // --help is in it, too
    onlyLanguage.addOption({"language", {}, "language"});
    onlyLanguage.parse(QApplication::arguments());
    chooseLanguageForThisRun(onlyLanguage.value("language"));
    applyLanguage();
    starting.reset();
    QCommandLineParser parser;
    describe(parser);
    if (!parser.parse(QApplication::arguments()))
        return usageError(parser.errorText());
    if (parser.isSet("help"))
        return printed(parser.helpText().toStdString());
    if (parser.isSet("version"))
        return printed("warpline " + versionText(qVersion()) + '\n');
    const auto parsed = windowOptions(parser);
    if (!parsed.ok())
        return usageError(plainTextOf(parsed.error().message));
    const WindowOptions& options = parsed.value();
    if (!options.document.empty())
        return printed(options.document);
    if (const QString problem = notHandedOver(parser); !problem.isEmpty())
        return usageError(problem);
    if (options.running && RunningWindows::handOver(absolute(options.files), activation))
        return 0;
    const int code = runWindow(options);
    // Not left to static destructors: on Windows they hold a lock of the C library that threads need to end.
    // And they would wait for a disk that hangs; what was set is written by now.
    if (!JobPool::endAll(std::chrono::seconds(1)))
        platform::endNow(code);
    return code;
}
