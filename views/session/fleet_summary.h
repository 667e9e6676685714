#pragma once

#include "core/across/across_report.h"
#include "core/base/time.h"
#include "views/loading/latest_job.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>

namespace warpline {

/// The result of warpline-fleet or `warpline-cli ranks` for reports that need not be open or on this machine:
/// shown like the analysis of open reports, with links that open single ones.
class FleetSummary : public QObject {
    Q_OBJECT
public:
    /// Whether the file at `path` looks like such a summary, by how it begins.
    static bool isSummary(const QString& path);
    /// Reads and shows the summary at `path`, then calls `done` with an error as a sentence, or an empty
    /// text: before it returns where that takes a moment.
    void open(const QString& path, std::function<void(const QString& problem)> done);
    bool isReading() const { return m_reading.isBusy(); }
    void close();

    /// nullptr: none is shown. Its ReportIds are its own, and none of the session's.
    const AcrossReport* across() const { return m_across.get(); }
    std::shared_ptr<const AcrossReport> sharedAcross() const { return m_across; }
    const QString& path() const { return m_path; }
    /// The path of `report` of the summary: as given, else relative to the summary's folder, else in it.
    /// Empty: not found.
    QString fileOf(ReportId report) const;
    /// Requests opening `report` of the summary, to show `own` on its clock (empty: all of it).
    void wantReport(ReportId report, TimeRange own = {});

signals:
    void changed(); ///< across()
    void reportWanted(const QString& path, warpline::TimeRange own);
    void reportMissing(const QString& message); ///< requested, but not there yet

private:
    std::shared_ptr<const AcrossReport> m_across;
    QString m_path;
    LatestJob m_reading{JobPool::files()};
};

} // namespace warpline
