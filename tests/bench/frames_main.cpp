// warpline-frames: the time of a frame of the timeline while panning and zooming, at full, middle and deep
// zoom, and during animations; for one report, or several opened together, with the opening time. A frame is
// the repainting after a step; "all of it anew" is the whole pane with the names of the rows, as at the first
// showing.

#include "core/store/trace.h"
#include "tests/bench/thread_time.h"
#include "views/loading/trace_loader.h"
#include "views/timeline/timeline_pane.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QScrollBar>
#include <QSettings>
#include <QThread>

#include <algorithm>
#include <cstdio>
#include <vector>

using namespace warpline;

namespace {

constexpr int framesOfOneKind = 300;

struct Figures {
    double median = 0;
    double p99 = 0;
    double worst = 0;
};

Figures figuresOf(std::vector<double> ms)
{
    std::ranges::sort(ms);
    return {ms[ms.size() / 2], ms[ms.size() * 99 / 100], ms.back()};
}

/// Counts the frames of the rows.
class FrameCount : public QObject {
public:
    explicit FrameCount(QWidget& rows)
        : QObject(&rows)
    {
        rows.installEventFilter(this);
    }
    int frames = 0;

protected:
    bool eventFilter(QObject*, QEvent* event) override
    {
        frames += event->type() == QEvent::Paint ? 1 : 0;
        return false;
    }
};

/// Times `step(i)` and its frame, about a hundred times. Paints at once, without waiting for the window
/// system.
template <typename Step> void measure(const char* what, TimelinePane& pane, Step step)
{
    FrameCount count(*pane.view().viewport());
    std::vector<double> wallMs;
    std::vector<double> processorMs;
    for (int i = 0; i < framesOfOneKind; ++i) {
        QElapsedTimer timer;
        timer.start();
        const double before = threadMs();
        step(i);
        QCoreApplication::sendPostedEvents();
        processorMs.push_back(threadMs() - before);
        wallMs.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    const Figures wall = figuresOf(std::move(wallMs));
    const Figures processor = figuresOf(std::move(processorMs));
    std::printf("%-18s median %6.2f  p99 %6.2f  worst %6.2f ms   processor: median %6.2f  p99 %6.2f  worst "
                "%6.2f ms\n",
        what, wall.median, wall.p99, wall.worst, processor.median, processor.p99, processor.worst);
    if (count.frames < framesOfOneKind * 9 / 10)
        std::printf("%-18s painted %d times only: these are no times of frames\n", what, count.frames);
}

/// The middle of the GPU work: where zooming in finds something.
Ns busyMiddle(const Trace& trace)
{
    const EventTable& kernels = trace.kernels();
    return kernels.empty() ? trace.session.start + trace.session.duration() / 2
                           : kernels.start[kernels.size() / 2];
}

int rowsInView(const TimelinePane& pane, const RowLayout& layout)
{
    int rows = 0;
    for (const PlacedRow& row : layout.rows())
        rows += row.y < pane.height() ? 1 : 0;
    return rows;
}

void measureAll(Session& session, TimelinePane& pane)
{
    const TimeRange all = session.session();
    const Ns middle = busyMiddle(session.trace());
    struct Zoom {
        const char* pan;
        const char* zoom;
        Ns divisor;
    };
    for (const Zoom& zoom : {Zoom{"full, pan", "full, zoom", 2}, Zoom{"middle, pan", "middle, zoom", 100},
             Zoom{"deep, pan", "deep, zoom", 10'000}}) {
        const Ns length = std::max<Ns>(2000, all.duration() / zoom.divisor);
        session.time().show({middle - length / 2, middle + length / 2});
        measure(
            zoom.pan, pane, [&](int i) { session.time().panBy((i / 50 % 2 == 0 ? 1 : -1) * length / 100); });
        session.time().show({middle - length / 2, middle + length / 2});
        measure(zoom.zoom, pane,
            [&](int i) { session.time().zoomAt(middle, i / 20 % 2 == 0 ? 0.97 : 1 / 0.97); });
    }
    session.time().showAll();
    QImage screen(pane.size(), QImage::Format_ARGB32_Premultiplied);
    measure("full, rows anew", pane, [&](int) { pane.view().viewport()->update(); });
    measure("all of it anew", pane, [&](int) { pane.render(&screen); });
    QScrollBar& bar = *pane.view().verticalScrollBar();
    measure("full, scroll", pane, [&](int i) { bar.setValue(i * 3 % std::max(1, bar.maximum())); });
}

/// The same during an animation: the clock advances by a frame of a 120 Hz screen each time.
void measureMotion(Session& session, TimelinePane& pane)
{
    constexpr qint64 frame = 8'333'333;
    constexpr Ns far = 10'000; ///< parts of the whole
    qint64 now = 1'000'000'000;
    session.time().glide().driveBy([&now] { return now; });
    session.time().glide().setOn(true);
    const TimeRange all = session.session();
    const Ns middle = busyMiddle(session.trace());
    const Ns length = std::max<Ns>(2000, all.duration() / far);
    const TimeRange deep{middle - length / 2, middle + length / 2};
    const auto pass = [&] {
        now += frame;
        session.time().glide().step();
    };
    const auto onceThere = [&](auto&& go) { // and no sooner than a jump glides again
        if (!session.time().glide().isMoving()) {
            now += qint64{Glide::impatienceMs} * 1'000'000;
            go();
        }
        pass();
    };
    measure("glide, in and out", pane,
        [&](int) { onceThere([&] { session.time().show(session.time().shown() == all ? deep : all); }); });
    session.time().show(deep, false);
    measure("glide, aside", pane, [&](int i) {
        onceThere([&] { session.time().show({deep.start + i * length, deep.end + i * length}); });
    });
    session.time().showAll();
    session.time().glide().finish();
    measure("wheel notches", pane, [&](int i) {
        if (i % 4 == 0)
            session.time().zoomAt(middle, i / 60 % 2 == 0 ? 0.8 : 1 / 0.8, Manner::Notch);
        pass();
    });
    session.time().show({middle - length * 50, middle + length * 50}, false);
    measure("key held", pane, [&](int i) {
        session.time().panBy(
            (i / 100 % 2 == 0 ? 1 : -1) * session.time().shown().duration() / 100, Manner::Follow);
        pass();
    });
    session.time().glide().setOn(false);
}

/// Opens `paths` as the window does; returns the readable ones, and the time.
std::vector<OpenReport> loadAll(const QStringList& paths, double& seconds)
{
    std::vector<OpenReport> reports(static_cast<std::size_t>(paths.size()));
    TraceLoader loader;
    std::vector<int> numbers;
    QObject::connect(&loader, &TraceLoader::loaded, &loader, [&](const OpenReport& report, int number) {
        if (report.trace->complete)
            reports[static_cast<std::size_t>(std::ranges::find(numbers, number) - numbers.begin())] = report;
    });
    QObject::connect(&loader, &TraceLoader::failed, &loader,
        [](const QString& message) { std::fprintf(stderr, "warpline-frames: %s\n", qPrintable(message)); });
    QElapsedTimer timer;
    timer.start();
    if (paths.size() == 1)
        numbers = {loader.open(paths.front())};
    else
        numbers = loader.add(paths);
    while (loader.isLoading())
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    seconds = static_cast<double>(timer.nsecsElapsed()) / 1e9;
    std::erase_if(reports, [](const OpenReport& report) { return report.trace == nullptr; });
    return reports;
}

/// The time for the first report alone, and for all of them in parallel.
std::vector<OpenReport> loadAndTell(const QStringList& paths)
{
    double one = 0;
    double all = 0;
    std::vector<OpenReport> reports = loadAll({paths.front()}, one);
    if (paths.size() > 1) {
        reports.clear();
        reports = loadAll(paths, all);
        std::printf("one report opens in %.2f s, %d side by side in %.2f s: %.2f times\n", one,
            static_cast<int>(paths.size()), all, all / one);
    }
    return reports;
}

/// Waits for background work of opening, which otherwise would share the processors with the frames.
void rest()
{
    constexpr int patienceMs = 3000;
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < patienceMs) {
        QApplication::processEvents();
        QThread::msleep(5);
    }
}

} // namespace

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    QApplication::setApplicationName("warpline-frames");
    // Reports first, then numbers, so that neither is mistaken for the other.
    QStringList paths;
    std::vector<double> numbers;
    for (const QString& argument : QApplication::arguments().mid(1)) {
        bool isNumber = false;
        const double number = argument.toDouble(&isNumber);
        if (isNumber)
            numbers.push_back(number);
        else
            paths << argument;
    }
    if (paths.isEmpty()) {
        std::fprintf(stderr, "usage: warpline-frames REPORT... [WIDTH HEIGHT [ROW-SCALE]]\n");
        return 2;
    }
    std::vector<OpenReport> reports = loadAndTell(paths);
    if (reports.empty())
        return 3;
    QSettings().clear();
    Session session;
    TimelinePane pane(session, Theme::dark());
    const bool hasSize = numbers.size() > 1;
    pane.resize(hasSize ? static_cast<int>(numbers[0]) : 1920, hasSize ? static_cast<int>(numbers[1]) : 1080);
    session.setWorkspace(Workspace(std::move(reports)));
    for (const RowId row : session.rows().subtree(RowTree::root)) {
        session.rowView().setExpanded(row, true);
        session.rowView().setRowScale(
            row, numbers.size() > 2 ? numbers[2] : 0.5); // as many rows as possible: a hundred on a screen
    }
    pane.show();
    QApplication::processEvents();
    RowLayout layout;
    layout.rebuild(session);
    std::printf("%llu events, %dx%d, %d rows in view of %zu\n",
        static_cast<unsigned long long>(session.workspace().eventCount()), pane.width(), pane.height(),
        rowsInView(pane, layout), layout.rows().size());
    rest();
    measureAll(session, pane);
    measureMotion(session, pane);
    return 0;
}
