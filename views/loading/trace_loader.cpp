#include "views/loading/trace_loader.h"

#include "core/base/stop.h"
#include "core/cache/trace_cache.h"
#include "core/coverage/coverage_cache.h"
#include "core/rows/row_kind.h"

#include <QFileInfo>

#include <chrono>
#include <utility>

namespace warpline {

namespace {

/// Two threads: a report that was abandoned may take a moment to notice, and the next need not wait for that.
/// Reading is not for the shared pool, whose threads answer questions meanwhile.
JobPool& loadingPool()
{
    static JobPool pool(2);
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
}

TraceLoader::~TraceLoader()
{
    m_delivery->end();
}

void TraceLoader::open(const QString& path)
{
    abandon();
    m_loading = true;
    const Request request{path.toStdString(), m_cacheFolder.toStdString(), m_request};
    m_queue = std::make_unique<JobQueue>(loadingPool(), Urgency::Soon);
    m_queue->start([loader = this, request, delivery = m_delivery](
                       const std::stop_token& stop) { run(loader, request, *delivery, stop); },
        [this, number = m_request, delivery = m_delivery](const std::string& message) {
            delivery->post([this, number, message] {
                if (number != m_request || !m_loading)
                    return;
                m_loading = false;
                emit failed(QString::fromStdString(message));
            });
        });
}

void TraceLoader::cancel()
{
    if (m_queue)
        m_queue->stop();
}

void TraceLoader::abandon()
{
    ++m_request;
    m_loading = false;
    m_queue.reset();
}

void TraceLoader::run(
    TraceLoader* loader, const Request& request, Delivery& delivery, const std::stop_token& stop)
{
    // Everything that reaches the user goes through the event loop; late arrivals of an older request are
    // dropped. The loader itself may be gone by now: only what is delivered may touch it.
    const auto deliver = [loader, number = request.number, &delivery](auto&& action) {
        delivery.post([loader, number, action = std::forward<decltype(action)>(action)] {
            if (number == loader->m_request)
                action();
        });
    };
    LoadOptions options;
    options.stop = stop;
    options.cacheFolder = request.cacheFolder;
    options.progress = [&](const LoadProgress& progress) {
        deliver([loader, progress] {
            emit loader->progressed(
                progress.rowsRead, progress.rowsTotal, QString::fromStdString(progress.stage));
        });
    };
    // Rows for every snapshot would cost more than they show: the first soon, then at growing intervals. A
    // report that is read sooner than that comes at once and whole.
    CoverageCache coverages(stop);
    using Clock = std::chrono::steady_clock;
    const auto started = Clock::now();
    auto next = started + options.firstSnapshot;
    options.snapshot = [&](const std::shared_ptr<const Trace>& trace) {
        if (Clock::now() < next || trace->session.empty())
            return;
        auto partial = std::make_shared<Trace>(*trace);
        partial->info.path = request.path;
        std::shared_ptr<const RowTree> rows;
        try {
            rows = buildRows(*partial, coverages);
        } catch (const Stopped&) {
            return; // loadReport() says so
        }
        next = started + (Clock::now() - started) * 3 / 2;
        deliver([loader, shown = std::shared_ptr<const Trace>(std::move(partial)), rows = std::move(rows)] {
            emit loader->loaded(reportOf(shown, rows));
        });
    };
    auto trace = loadReport(request.path, options);
    if (!trace.ok()) {
        deliver([loader, message = QString::fromStdString(trace.error().message)] {
            loader->m_loading = false;
            emit loader->failed(message);
        });
        return;
    }
    std::shared_ptr<const RowTree> rows;
    try {
        rows = buildRows(*trace.value(), coverages);
    } catch (const Stopped&) {
        deliver([loader, path = QString::fromStdString(request.path)] {
            loader->m_loading = false;
            emit loader->failed(tr("%1: loading was cancelled.").arg(path));
        });
        return;
    }
    const std::shared_ptr<const Trace> read = trace.take();
    deliver([loader, shown = read, rows = std::move(rows)] {
        loader->m_loading = false;
        emit loader->loaded(reportOf(shown, rows));
    });
    keepTrace(request.cacheFolder, request.path, *read, {}, stop); // the user already works with it
}

} // namespace warpline
