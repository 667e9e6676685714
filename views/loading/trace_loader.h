#pragma once

#include "core/base/job_runner.h"
#include "core/import/progress.h"
#include "core/load/load_report.h"
#include "core/workspace/workspace.h"
#include "views/loading/delivery.h"

#include <QObject>
#include <QString>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace warpline {

/// How far reports are that load side by side.
struct LoadingState {
    LoadProgress rows; ///< of the one that was heard of last
    int reports = 1; ///< of which this tells: begun since none was loading
    int done = 0; ///< of these, read or failed
    int permille = 0; ///< of all their bytes
};

/// Loads reports on threads of its own, several side by side. All signals arrive on the thread of this
/// object and tell by its number which report they are about. Nothing here waits: what is abandoned stops in
/// its own time and its result is dropped.
class TraceLoader : public QObject {
    Q_OBJECT
public:
    explicit TraceLoader(QObject* parent = nullptr);
    ~TraceLoader() override;

    /// Starts reading `path` instead of all that is loading, and shows it while it is being read. The number
    /// by which signals tell of it.
    int open(const QString& path);
    /// Starts reading `paths` beside what is loading, and shows each when all of it is read. Their numbers.
    std::vector<int> add(const QStringList& paths);
    /// Where traces of large reports are kept for the next time; empty, as at first: nowhere.
    void setCacheFolder(const QString& folder) { m_cacheFolder = folder; }
    /// Stops reading; failed() says so of each, soon: a disk that hangs is not waited for.
    void cancel();
    /// Stops reading, and nothing more is heard of it.
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
    /// What a load needs; it may outlive the loader.
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
    };
    int start(const QString& path, bool snapshots, unsigned threads);
    static void run(
        TraceLoader* loader, const Request& request, Delivery& delivery, const std::stop_token& stop);
    void onProgress(int number, const LoadProgress& progress);
    void finish(int number);

    std::shared_ptr<Delivery> m_delivery;
    std::map<int, Load> m_loads; ///< by number, until nothing loads any more and another begins
    int m_next = 0;
    int m_left = 0; ///< of m_loads: not done
    QString m_cacheFolder;
};

} // namespace warpline
