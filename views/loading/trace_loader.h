#pragma once

#include "core/base/job_runner.h"
#include "core/load/load_report.h"
#include "core/workspace/workspace.h"
#include "views/loading/delivery.h"

#include <QObject>
#include <QString>

#include <memory>
#include <string>

namespace warpline {

/// Loads a report on its own thread. All signals arrive on the thread of this object. Opening a second
/// report, or destroying the loader, stops the first and drops its result; neither waits.
class TraceLoader : public QObject {
    Q_OBJECT
public:
    explicit TraceLoader(QObject* parent = nullptr);
    ~TraceLoader() override;

    /// Starts reading `path`. Never waits for the load before, which stops in its own time.
    void open(const QString& path);
    /// Where traces of large reports are kept for the next time; empty, as at first: nowhere.
    void setCacheFolder(const QString& folder) { m_cacheFolder = folder; }
    /// Stops reading; failed() says so.
    void cancel();
    /// Stops reading, and nothing more is heard of it.
    void abandon();
    bool isLoading() const { return m_loading; }

signals:
    void progressed(quint64 rowsRead, quint64 rowsTotal, const QString& stage);
    /// A snapshot while the report loads (trace->complete is false), and the whole at the end.
    void loaded(const warpline::OpenReport& report);
    void failed(const QString& message);

private:
    /// What a load needs; it may outlive the loader.
    struct Request {
        std::string path;
        std::string cacheFolder;
        quint64 number = 0;
    };
    static void run(
        TraceLoader* loader, const Request& request, Delivery& delivery, const std::stop_token& stop);

    std::shared_ptr<Delivery> m_delivery;
    std::unique_ptr<JobQueue> m_queue; ///< of the report that is loading, or was loaded last
    quint64 m_request = 0; ///< results of an older request are dropped
    bool m_loading = false;
    QString m_cacheFolder;
};

} // namespace warpline
