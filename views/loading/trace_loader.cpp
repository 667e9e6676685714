#include "views/loading/trace_loader.h"

#include "core/cache/trace_cache.h"
#include "core/coverage/coverage_cache.h"

#include <QMetaObject>

#include <chrono>

namespace warpline {

TraceLoader::TraceLoader(QObject* parent)
    : QObject(parent)
{
}

TraceLoader::~TraceLoader()
{
    abandon();
}

void TraceLoader::open(const QString& path)
{
    abandon();
    m_loading = true;
    auto finished = std::make_shared<std::atomic<bool>>(false);
    std::jthread thread([this, finished, file = path.toStdString(), cache = m_cacheFolder.toStdString(),
                            request = m_request](const std::stop_token& stop) {
        run(file, cache, request, stop);
        finished->store(true);
    });
    m_current = {std::move(thread), finished};
}

void TraceLoader::cancel()
{
    m_current.thread.request_stop();
}

void TraceLoader::abandon()
{
    ++m_request;
    m_loading = false;
    std::erase_if(m_retired, [](const Running& running) { return running.finished->load(); });
    if (m_current.thread.joinable()) {
        m_current.thread.request_stop();
        m_retired.push_back(std::move(m_current));
        m_current = {};
    }
}

void TraceLoader::run(
    const std::string& path, const std::string& cacheFolder, quint64 request, const std::stop_token& stop)
{
    // Everything that reaches the user goes through the event loop; late arrivals of an older request are
    // dropped.
    const auto deliver = [this, request](auto&& action) {
        QMetaObject::invokeMethod(
            this,
            [this, request, action = std::forward<decltype(action)>(action)] {
                if (request == m_request)
                    action();
            },
            Qt::QueuedConnection);
    };
    LoadOptions options;
    options.stop = stop;
    options.cacheFolder = cacheFolder;
    options.progress = [&](const LoadProgress& progress) {
        deliver([this, progress] {
            emit progressed(progress.rowsRead, progress.rowsTotal, QString::fromStdString(progress.stage));
        });
    };
    // Rows for every snapshot would cost more than they show: the first soon, then at growing intervals. A
    // report that is read sooner than that comes at once and whole.
    CoverageCache coverages;
    using Clock = std::chrono::steady_clock;
    const auto started = Clock::now();
    auto next = started + options.firstSnapshot;
    options.snapshot = [&](const std::shared_ptr<const Trace>& trace) {
        if (Clock::now() < next || trace->session.empty())
            return;
        auto partial = std::make_shared<Trace>(*trace);
        partial->info.path = path;
        auto rows = buildRows(*partial, coverages);
        next = started + (Clock::now() - started) * 3 / 2;
        deliver([this, shown = std::shared_ptr<const Trace>(std::move(partial)), rows = std::move(rows)] {
            emit loaded(shown, rows);
        });
    };
    auto trace = loadReport(path, options);
    if (!trace.ok()) {
        deliver([this, message = QString::fromStdString(trace.error().message)] {
            m_loading = false;
            emit failed(message);
        });
        return;
    }
    auto rows = buildRows(*trace.value(), coverages);
    const std::shared_ptr<const Trace> read = trace.take();
    deliver([this, shown = read, rows = std::move(rows)] {
        m_loading = false;
        emit loaded(shown, rows);
    });
    keepTrace(cacheFolder, path, *read, {}, stop); // the user already works with it
}

} // namespace warpline
