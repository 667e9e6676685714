#pragma once

#include "core/base/job_runner.h"
#include "core/import/progress.h"
#include "core/load/load_report.h"
#include "core/workspace/workspace.h"
#include "views/loading/delivery.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace warpline {

/// The progress of reports that load in parallel.
struct LoadingState {
    LoadProgress rows; ///< of the one that was heard of last
    int reports = 1; ///< the number of reports started since none was loading
    int done = 0; ///< of these, read or failed
    int permille = 0; ///< of all their bytes
};

/// Loads reports on threads of its own, several in parallel. All signals arrive on this object's thread, with
/// the number of the report. Never waits: a cancelled load stops in its own time and its result is dropped.
class TraceLoader : public QObject {
    Q_OBJECT
public:
    explicit TraceLoader(QObject* parent = nullptr);
    ~TraceLoader() override;

    /// Starts reading `path` instead of all loading reports, and shows it while it is read. Returns its
    /// number in signals.
    int open(const QString& path);
    /// Starts reading `paths` in addition to loading ones, and shows each when it is complete. Returns their
    /// numbers.
    std::vector<int> add(const QStringList& paths);
    /// The cache of traces of large reports; empty (the default): none.
    void setCacheFolder(const QString& folder) { m_cacheFolder = folder; }
    /// Stops reading; emits failed() for each, soon: it does not wait for a disk that hangs.
    void cancel();
    /// Stops reading, without further signals.
    void abandon();
    void abandon(int number);
    bool isLoading() const { return m_left > 0; }

signals:
    void progressed(const warpline::LoadingState& state);
    /// A snapshot while the report loads (trace->complete is false), and the whole at the end.
    void loaded(const warpline::OpenReport& report, int number);
    /// Before failed(): all of `path` does not fit into memory, its `part` does.
    void tooLarge(const QString& path, warpline::TimeRange part);
    void failed(const QString& message, int number);

private:
    /// Data of a load, which may outlive the loader.
    struct Request {
        std::string path;
        std::string cacheFolder;
        int number = 0;
        bool snapshots = false;
        unsigned threads = 0;
    };
    struct Load {
        QString path;
        std::unique_ptr<JobQueue> queue; ///< none: cancelled
        qint64 bytes = 1; ///< of the file
        double share = 0; ///< that is read
        bool isDone = false;
        std::chrono::steady_clock::time_point heard; ///< of its progress
    };
    int start(const QString& path, bool snapshots, unsigned threads);
    static void run(
        TraceLoader* loader, const Request& request, Delivery& delivery, const std::stop_token& stop);
    void onProgress(int number, const LoadProgress& progress);
    void finish(int number);
    void lookAtDisk(); ///< those that wait for one that hangs give others their place

    std::shared_ptr<Delivery> m_delivery;
    std::map<int, Load> m_loads; ///< by number, until nothing loads any more and another begins
    int m_next = 0;
    int m_left = 0; ///< of m_loads: not done
    QTimer m_look;
    QString m_cacheFolder;
};

} // namespace warpline
