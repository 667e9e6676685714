#include "views/loading/trace_loader.h"

#include "core/base/file_wait.h"
#include "core/base/parallel.h"
#include "core/base/stop.h"
#include "core/cache/report_key.h"
#include "core/cache/trace_cache.h"
#include "core/coverage/coverage_cache.h"
#include "core/load/memory_need.h"
#include "core/rows/row_kind.h"
#include "core/store/trace.h"
#include "views/style/rich_text.h"

#include <QFileInfo>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace warpline {

namespace {

/// Keeps traces, one at a time. The disk of the cache may hang: then no others are kept.
JobPool& keepers()
{
    static JobPool pool(2); // a thread stays free for what is urgent
    return pool;
}

/// As many threads as reports are read side by side, and two at least. One that was abandoned has its thread
/// beside them until it notices, or for good where its disk hangs. Reading is not for the shared pool, whose
/// threads answer questions meanwhile.
JobPool& loadingPool()
{
    static JobPool pool(std::max(2U, static_cast<unsigned>(processors())));
    return pool;
}

/// On its own clock, and known by the name of its file.
OpenReport reportOf(std::shared_ptr<const Trace> trace, std::shared_ptr<const RowTree> rows)
{
    OpenReport report;
    report.label = QFileInfo(QString::fromStdString(trace->info.path)).fileName().toStdString();
    report.trace = std::move(trace);
    report.rows = std::move(rows);
    return report;
}

} // namespace

TraceLoader::TraceLoader(QObject* parent)
    : QObject(parent),
      m_delivery(std::make_shared<Delivery>(this))
{
    connect(&m_look, &QTimer::timeout, this, &TraceLoader::lookAtDisk);
}

TraceLoader::~TraceLoader()
{
    m_delivery->end();
}

int TraceLoader::open(const QString& path)
{
    abandon();
    return start(path, true, 0);
}

std::vector<int> TraceLoader::add(const QStringList& paths)
{
    // Reports that are read in parallel share the processors.
    const auto side = static_cast<unsigned>(std::max<qsizetype>(1, paths.size()));
    const unsigned threads = std::max(1U, static_cast<unsigned>(processors()) / side);
    std::vector<int> numbers;
    for (const QString& path : paths)
        numbers.push_back(start(path, false, threads));
    return numbers;
}

int TraceLoader::start(const QString& path, bool snapshots, unsigned threads)
{
    if (m_left == 0)
        m_loads.clear();
    const Request request{path.toStdString(), m_cacheFolder.toStdString(), ++m_next, snapshots, threads};
    Load& load = m_loads[request.number];
    load.path = path;
    load.queue = std::make_unique<JobQueue>(loadingPool(), Urgency::Soon);
    load.heard = std::chrono::steady_clock::now();
    ++m_left;
    m_look.start(std::chrono::seconds(1));
    load.queue->start([loader = this, request, delivery = m_delivery](
                          const std::stop_token& stop) { run(loader, request, *delivery, stop); },
        [this, number = request.number, delivery = m_delivery](const std::string& message) {
            delivery->post([this, number, message] {
                const auto failing = m_loads.find(number);
                if (failing == m_loads.end() || failing->second.isDone)
                    return;
                finish(number);
                emit failed(QString::fromStdString(message), number);
            });
        });
    return request.number;
}

void TraceLoader::cancel()
{
    for (auto& [number, load] : m_loads) {
        if (load.isDone || !load.queue)
            continue;
        load.queue.reset();
        m_delivery->post([this, number = number, path = load.path] {
            const auto cancelled = m_loads.find(number);
            if (cancelled == m_loads.end() || cancelled->second.isDone)
                return; // it was read just before
            finish(number);
            emit failed(tr("%1: loading was cancelled.").arg(path), number);
        });
    }
}

void TraceLoader::abandon()
{
    m_loads.clear();
    m_left = 0;
}

void TraceLoader::abandon(int number)
{
    const auto load = m_loads.find(number);
    if (load == m_loads.end())
        return;
    m_left -= load->second.isDone ? 0 : 1;
    m_loads.erase(load);
}

void TraceLoader::finish(int number)
{
    Load& load = m_loads[number];
    load.isDone = true;
    load.share = 1;
    --m_left;
}

void TraceLoader::lookAtDisk()
{
    if (m_left == 0)
        m_look.stop();
    if (!slowestFile().isSilent())
        return;
    for (const auto& [number, load] : m_loads) {
        if (!load.isDone && load.queue && std::chrono::steady_clock::now() - load.heard >= diskPatience)
            load.queue->giveUp();
    }
}

void TraceLoader::onProgress(int number, const LoadProgress& progress)
{
    m_loads[number].heard = std::chrono::steady_clock::now();
    m_loads[number].share = progress.rowsTotal == 0
        ? 0
        : static_cast<double>(progress.rowsRead) / static_cast<double>(progress.rowsTotal);
    LoadingState state{progress, static_cast<int>(m_loads.size()), 0, 0};
    double read = 0;
    double all = 0;
    for (const auto& [each, load] : m_loads) {
        state.done += load.isDone ? 1 : 0;
        read += static_cast<double>(load.bytes) * load.share;
        all += static_cast<double>(load.bytes);
    }
    state.permille = static_cast<int>(1000 * read / all);
    emit progressed(state);
}

void TraceLoader::run(
    TraceLoader* loader, const Request& request, Delivery& delivery, const std::stop_token& stop)
{
    // All results go through the event loop; late ones of a cancelled request are dropped. The loader may be
    // deleted by then, so only delivered functions may use it.
    const auto deliver = [loader, number = request.number, &delivery](auto&& action) {
        delivery.post([loader, number, action = std::forward<decltype(action)>(action)] {
            const auto load = loader->m_loads.find(number);
            if (load != loader->m_loads.end() && !load->second.isDone)
                action();
        });
    };
    const auto sizeOf = [](const std::string& path) {
        const FileWait wait(path);
        return QFileInfo(QString::fromStdString(path)).size();
    };
    const qint64 bytes = sizeOf(request.path);
    deliver([loader, number = request.number, bytes] {
        loader->m_loads[number].bytes = std::max<qint64>(1, bytes);
        loader->m_loads[number].heard = std::chrono::steady_clock::now();
    });
    LoadOptions options;
    options.stop = stop;
    options.cacheFolder = request.cacheFolder;
    options.threads = request.threads;
    options.progress = [&](const LoadProgress& progress) {
        deliver([loader, number = request.number, progress] { loader->onProgress(number, progress); });
    };
    // Rows for every snapshot would cost more than they show: the first soon, then at growing intervals. A
    // report that is read sooner than that comes at once and whole.
    CoverageCache coverages(stop);
    using Clock = std::chrono::steady_clock;
    const auto started = Clock::now();
    auto next = started + options.firstSnapshot;
    const auto showPart = [&](const std::shared_ptr<const Trace>& trace) {
        if (Clock::now() < next || trace->session.empty())
            return;
        auto partial = std::make_shared<Trace>(*trace);
        partial->info.path = request.path;
        std::shared_ptr<const RowTree> rows;
        try {
            rows = buildRows(*partial, coverages);
        } catch (const Stopped&) {
            return; // loadReport() reports it
        }
        next = started + (Clock::now() - started) * 3 / 2;
        deliver([loader, number = request.number, shown = std::shared_ptr<const Trace>(std::move(partial)),
                    rows = std::move(rows)] { emit loader->loaded(reportOf(shown, rows), number); });
    };
    if (request.snapshots)
        options.snapshot = showPart;
    const bool mayBeKept = !request.cacheFolder.empty()
        && QFileInfo(QString::fromStdString(request.path)).size() >= static_cast<qint64>(minEventsKept);
    const auto key = mayBeKept ? keyOf(request.path) : std::nullopt;
    const auto fits = fitsMemory(request.path, MemoryUse::Window);
    auto trace = fits.ok() ? loadReport(request.path, options) : fits.error();
    if (!trace.ok()) {
        deliver([loader, number = request.number, path = request.path,
                    part = partThatFits(request.path, MemoryUse::Window),
                    message = plainTextOf(trace.error().message)] {
            loader->finish(number);
            if (!part.empty())
                emit loader->tooLarge(QString::fromStdString(path), part);
            emit loader->failed(message, number);
        });
        return;
    }
    std::shared_ptr<const RowTree> rows;
    try {
        rows = buildRows(*trace.value(), coverages);
    } catch (const Stopped&) {
        deliver([loader, number = request.number, path = QString::fromStdString(request.path)] {
            loader->finish(number);
            emit loader->failed(tr("%1: loading was cancelled.").arg(path), number);
        });
        return;
    }
    const std::shared_ptr<const Trace> read = trace.take();
    deliver([loader, number = request.number, shown = read, rows = std::move(rows)] {
        loader->finish(number);
        emit loader->loaded(reportOf(shown, rows), number);
    });
    // The user already works with it, and further reports may wait to be read.
    if (!key)
        return;
    keepers().post(
        [folder = request.cacheFolder, key = *key, read, stop](const std::stop_token&) {
            failureOf([&] { keepTrace(folder, key, *read, {}, stop); }); // then the report is read again
        },
        Urgency::Background);
}

} // namespace warpline
