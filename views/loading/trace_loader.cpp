#include "views/loading/trace_loader.h"

#include <QMetaObject>

#include <chrono>

namespace warpline {

TraceLoader::TraceLoader(QObject* parent)
    : QObject(parent)
{
}

TraceLoader::~TraceLoader()
{
    m_worker.request_stop();
}

void TraceLoader::open(const QString& path)
{
    m_worker = {}; // stops and joins the load before
    ++m_request;
    m_loading = true;
    m_worker = std::jthread([this, file = path.toStdString(), request = m_request](
                                const std::stop_token& stop) { run(file, request, stop); });
}

void TraceLoader::cancel()
{
    m_worker.request_stop();
}

void TraceLoader::run(const std::string& path, quint64 request, const std::stop_token& stop)
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
    options.progress = [&](const LoadProgress& progress) {
        deliver([this, progress] {
            emit progressed(progress.rowsRead, progress.rowsTotal, QString::fromStdString(progress.stage));
        });
    };
    // Rows for every snapshot would cost more than they show: the first soon, then at growing intervals. A
    // report that is read sooner than that comes at once and whole.
    using Clock = std::chrono::steady_clock;
    const auto started = Clock::now();
    auto next = started + options.firstSnapshot;
    options.snapshot = [&](const std::shared_ptr<const Trace>& trace) {
        if (Clock::now() < next || trace->session.empty())
            return;
        auto partial = std::make_shared<Trace>(*trace);
        partial->info.path = path;
        auto rows = buildRows(*partial);
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
    auto rows = buildRows(*trace.value());
    deliver([this, shown = trace.take(), rows = std::move(rows)] {
        m_loading = false;
        emit loaded(shown, rows);
    });
}

} // namespace warpline
