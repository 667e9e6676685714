// warpline-stalls: how long single events block the GUI thread while a user opens a report and works with the
// whole window. A stall is the processor time of one event from its delivery to its end. For each phase also
// the maximum of threads and of memory, the latter relative to the program at rest after opening. Names of
// phases after the report select these.

#include "app/main_window.h"
#include "app/panel_docks.h"
#include "core/store/trace.h"
#include "tests/bench/thread_time.h"
#include "views/panels/findings_panel.h"
#include "views/session/findings_judge.h"
#include "views/timeline/timeline_pane.h"

#include <QApplication>
#include <QLineEdit>
#include <QMouseEvent>
#include <QSettings>
#include <QTableView>
#include <QTreeWidget>
#include <QWheelEvent>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <ranges>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace warpline;

namespace {

constexpr double longMs = 10; ///< from here on a person sees the window hesitate

struct Stall {
    double ms = 0;
    long faults = 0; ///< pages touched for the first time
    double stolenMs = 0; ///< stolen from this machine in that time, over all processors
    std::string what; ///< class of the receiver and type of the event
    std::vector<Stall> parts; ///< events that it sent and that took a millisecond or more, in order
};

/// Its class, its name, and the nearest of our own classes that it is a part of.
std::string nameOf(const QObject& object)
{
    std::string name = object.metaObject()->className();
    if (!object.objectName().isEmpty())
        name += " " + object.objectName().toStdString();
    const QObject* own = &object;
    while (own && !QByteArrayView(own->metaObject()->className()).startsWith("warpline::"))
        own = own->parent();
    if (own && own != &object)
        name += std::string(" in ") + own->metaObject()->className();
    return name;
}

/// Pages that the calling thread touched for the first time.
long pageFaults()
{
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_minflt;
}

/// Time stolen from this virtual machine since its start, over all processors, in ms, in steps of 10. A
/// thread does not notice when its processor is taken away: the time counts as its own.
double stolenMs()
{
    static std::ifstream all("/proc/stat");
    all.clear();
    all.seekg(0);
    std::string name;
    std::array<long, 8> ticks{}; // user, nice, system, idle, iowait, irq, softirq, steal: see proc(5)
    all >> name;
    for (long& each : ticks)
        all >> each;
    return static_cast<double>(ticks.back()) * 1e3 / static_cast<double>(sysconf(_SC_CLK_TCK));
}

/// Times every event; nested ones belong to the one that caused them.
class TimedApplication : public QApplication {
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override
    {
        constexpr double minPartMs = 1;
        std::string what = nameOf(*receiver);
        what += " event " + std::to_string(static_cast<int>(event->type()));
        std::vector<Stall> outer = std::exchange(m_done, {});
        const double stolen = m_depth == 0 ? stolenMs() : 0;
        const long faults = pageFaults();
        const double before = threadMs();
        ++m_depth;
        const bool done = QApplication::notify(receiver, event);
        --m_depth;
        const double ms = threadMs() - before;
        std::vector<Stall> parts = std::exchange(m_done, std::move(outer));
        if (m_depth == 0 || ms >= minPartMs)
            m_done.push_back(
                {ms, pageFaults() - faults, m_depth == 0 && ms > longMs ? stolenMs() - stolen : 0,
                    std::move(what), ms > longMs ? std::move(parts) : std::vector<Stall>{}});
        return done;
    }

    std::vector<Stall> take() { return std::exchange(m_done, {}); }

private:
    int m_depth = 0;
    std::vector<Stall> m_done; ///< on the level that is worked on
};

/// The most threads and resident memory since reset(), sampled by settle() and at phases.
struct Peaks {
    long threads = 0;
    double mebibytes = 0;

    void look()
    {
        std::ifstream status("/proc/self/status");
        for (std::string line; std::getline(status, line);) {
            if (line.starts_with("Threads:"))
                threads = std::max(threads, std::stol(line.substr(8)));
            if (line.starts_with("VmRSS:"))
                mebibytes = std::max(mebibytes, std::stod(line.substr(6)) / 1024);
        }
    }
};
Peaks peaks;

/// The blocking event with its parts.
void printParts(const Stall& stall, int depth)
{
    std::printf(
        "%*s%6.2f ms  %s, %ld page faults", 4 * depth, "", stall.ms, stall.what.c_str(), stall.faults);
    if (stall.stolenMs > 0)
        std::printf(", the host took %.0f ms of the machine", stall.stolenMs);
    std::printf("\n");
    for (const Stall& part : stall.parts)
        printParts(part, depth + 1);
}

/// Resident memory once the report is open and nothing is worked on; 0 before.
double mebibytesAtRest = 0;

void report(const char* phase, std::vector<Stall> stalls)
{
    peaks.look();
    const Peaks seen = std::exchange(peaks, {});
    std::ranges::sort(stalls, std::greater{}, &Stall::ms);
    if (stalls.empty())
        return;
    const auto over = std::ranges::count_if(stalls, [](const Stall& stall) { return stall.ms > longMs; });
    std::printf("%-22s %6zu events   p99 %6.2f ms   worst %6.2f ms (%s)   %td over 10 ms   "
                "%ld threads   %.0f MiB",
        phase, stalls.size(), stalls[stalls.size() / 100].ms, stalls.front().ms, stalls.front().what.c_str(),
        over, seen.threads, seen.mebibytes);
    if (mebibytesAtRest > 0)
        std::printf(" (%.2f x)", seen.mebibytes / mebibytesAtRest);
    std::printf("\n");
    for (const Stall& stall : stalls | std::views::take(std::size_t{3})
            | std::views::filter([](const Stall& each) { return each.ms > longMs; }))
        printParts(stall, 1);
    std::fflush(stdout);
}

/// Lets the window work until it has nothing more to do, for `most` at most.
void settle(MainWindow& window, std::chrono::minutes most = std::chrono::minutes(1))
{
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + most;
    const auto quiet = std::chrono::milliseconds(250);
    auto busy = Clock::now();
    while (Clock::now() < end && Clock::now() - busy < quiet) {
        QApplication::processEvents();
        peaks.look();
        // The waiting thread must not take a processor from working ones.
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        if (!window.isSettled())
            busy = Clock::now();
    }
}

/// Waits until the pools' threads end, which give back spare memory; then measures.
void rest()
{
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::seconds(4);
    while (Clock::now() < end)
        QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 100);
    Peaks now;
    now.look();
    mebibytesAtRest = now.mebibytes;
    std::printf("%-22s %ld threads   %.0f MiB\n", "at rest", now.threads, now.mebibytes);
}

void turnWheel(QWidget& rows, Qt::KeyboardModifiers modifiers, int delta)
{
    const QPointF at(rows.width() / 2.0, rows.height() / 2.0);
    QWheelEvent event(at, rows.mapToGlobal(at), {}, {0, delta}, {}, modifiers, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&rows, &event);
}

void mouse(QWidget& rows, QEvent::Type type, QPointF at)
{
    const Qt::MouseButton button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
    QMouseEvent event(type, at, rows.mapToGlobal(at), button,
        type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, {});
    QApplication::sendEvent(&rows, &event);
}

/// Runs `work` as an event of `window`, like a click or a menu, with its immediate effects.
void asEvent(MainWindow& window, std::function<void()> work)
{
    QMetaObject::invokeMethod(&window, std::move(work), Qt::QueuedConnection);
    QApplication::processEvents();
}

struct Phase {
    std::string name;
    std::function<void()> work;
};

void dragBox(QWidget& rows)
{
    mouse(rows, QEvent::MouseButtonPress, {rows.width() * 0.2, 40});
    for (int i = 0; i < 60; ++i) {
        mouse(rows, QEvent::MouseMove, {rows.width() * (0.2 + i * 0.01), 60.0 + i});
        QApplication::processEvents();
        // A hand moves some thirty times a second: time for work in the background to pile up.
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        QApplication::processEvents();
        peaks.look();
    }
    mouse(rows, QEvent::MouseButtonRelease, {rows.width() * 0.8, 120});
}

std::vector<Phase> phases(MainWindow& window)
{
    QWidget& rows = *window.timeline().view().viewport();
    auto* const table = window.findChild<QTableView*>("events-table");
    auto* const filter = window.findChild<QLineEdit*>("events-filter");
    const auto wheel = [&rows](Qt::KeyboardModifiers modifiers) {
        for (int i = 0; i < 40; ++i) {
            turnWheel(rows, modifiers, i < 25 ? 120 : -120);
            QApplication::processEvents();
        }
    };
    const auto show = [&window](const char* name, const char* panel) {
        return Phase{name,
            [&window, panel] { asEvent(window, [&window, panel] { window.docks().showPanel(panel); }); }};
    };
    std::vector<Phase> all{
        {"zoom", [wheel] { wheel(Qt::ControlModifier); }},
        {"pan", [wheel] { wheel(Qt::ShiftModifier); }},
        {"scroll", [wheel] { wheel({}); }},
        {"show all", [&window] { asEvent(window, [&window] { window.session().time().showAll(); }); }},
        {"statistics, drag a box",
            [&window, &rows] {
                window.docks().showPanel("statistics");
                dragBox(rows);
            }},
        {"findings, drag a box",
            [&window, &rows] {
                window.docks().showPanel("findings");
                dragBox(rows);
            }},
        {"checklist, drag a box",
            [&window, &rows] {
                window.docks().showPanel("checklist");
                dragBox(rows);
            }},
        {"tables, drag a box",
            [&window, &rows] {
                window.docks().showPanel("tables");
                dragBox(rows);
            }},
        {"clear the selection",
            [&window] { asEvent(window, [&window] { window.session().selection().clear(); }); }},
        show("statistics tables", "tables"),
        show("steps", "steps"),
        show("events", "events"),
        show("report page", "report"),
        {"choose findings",
            [&window] {
                window.docks().showPanel("findings");
                for (const std::string& rule : window.session().judgement().findings().rules())
                    asEvent(window, [&window, rule] {
                        window.panel<FindingsPanel>().chooseFinding(QString::fromStdString(rule));
                    });
            }},
    };
    if (table && filter) {
        all.push_back({"events, sort", [&window, table] {
                           // Each in a turn of its own, like real input.
                           asEvent(window, [&window] { window.docks().showPanel("events"); });
                           asEvent(window, [&window] { window.session().time().showAll(); });
                           asEvent(window, [table] { table->sortByColumn(1, Qt::AscendingOrder); });
                       }});
        all.push_back({"events, filter", [&window, filter] {
                           for (const char* const text : {"k", "ke", "ker", "kern"})
                               asEvent(window, [filter, text] { filter->setText(text); });
                       }});
        all.push_back({"events, scroll", [&window, table] {
                           for (int i = 0; i < 50; ++i)
                               asEvent(window, [table, i] {
                                   table->scrollTo(
                                       table->model()->index(table->model()->rowCount() / 50 * i, 0));
                               });
                           for (int i = 0; i < 50; ++i) {
                               turnWheel(*table->viewport(), {}, i < 25 ? -120 : 120);
                               QApplication::processEvents();
                           }
                       }});
    }
    return all;
}

/// The error of the arguments; empty when they name a report and existing phases.
std::string wrongIn(const std::vector<std::string>& arguments, const std::vector<Phase>& known)
{
    for (const std::string& argument : arguments)
        if (argument.starts_with("-"))
            return "there is no option " + argument;
    if (arguments.empty())
        return "no report is named";
    for (const std::string& phase : arguments | std::views::drop(1))
        if (std::ranges::find(known, phase, &Phase::name) == known.end())
            return "there is no phase \"" + phase + "\"";
    return {};
}

int usage(const std::string& wrong, const std::vector<Phase>& known)
{
    std::fprintf(
        stderr, "warpline-stalls: %s\nusage: warpline-stalls REPORT [PHASE...]\nphases:\n", wrong.c_str());
    for (const Phase& phase : known)
        std::fprintf(stderr, "    %s\n", phase.name.c_str());
    return 2;
}

} // namespace

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    TimedApplication app(argc, argv);
    QApplication::setOrganizationName("warpline");
    QApplication::setApplicationName("warpline-stalls");
    QSettings().clear();
    MainWindow window(Theme::dark());
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const std::vector<Phase> known = phases(window);
    if (const std::string wrong = wrongIn(arguments, known); !wrong.empty())
        return usage(wrong, known);
    window.resize(1920, 1080);
    window.show();
    QApplication::processEvents();
    app.take();
    window.open(QString::fromStdString(arguments.front()));
    settle(window, std::chrono::minutes(5)); // rest() must not come while it still loads
    std::printf("%llu events\n", static_cast<unsigned long long>(window.session().trace().eventCount()));
    report("open", app.take());
    rest();
    const std::span<const std::string> asked = std::span(arguments).subspan(1);
    for (const Phase& phase : known) {
        if (!asked.empty() && std::ranges::find(asked, phase.name) == asked.end())
            continue;
        phase.work();
        settle(window);
        report(phase.name.c_str(), app.take());
    }
    return 0;
}
