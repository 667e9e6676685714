#pragma once

#include "core/across/across_report.h"
#include "core/base/time.h"

#include <QObject>
#include <QString>

#include <memory>

namespace warpline {

/// What warpline-fleet or `warpline-cli ranks` have found of reports that need not be open, nor be on this
/// machine: shown as what open reports say of one another, with links that open single ones.
class FleetSummary : public QObject {
    Q_OBJECT
public:
    /// Whether the file at `path` looks like such a summary, by how it begins.
    static bool isSummary(const QString& path);
    /// Reads and shows the summary at `path`. Empty on success, else what went wrong in a sentence.
    QString open(const QString& path);
    void close();

    /// nullptr: none is shown. Its ReportIds are its own, and none of the session's.
    const AcrossReport* across() const { return m_across.get(); }
    std::shared_ptr<const AcrossReport> sharedAcross() const { return m_across; }
    const QString& path() const { return m_path; }
    /// Where `report` of the summary lies: as it was given, else told from the summary's folder, else beside
    /// it. Empty: at none of these.
    QString fileOf(ReportId report) const;
    /// Asks for `report` of the summary, to be shown at `own` of its clock (empty: all of it).
    void wantReport(ReportId report, TimeRange own = {});

signals:
    void changed(); ///< across()
    void reportWanted(const QString& path, warpline::TimeRange own);
    void reportMissing(const QString& message); ///< it was asked for and is not here

private:
    std::shared_ptr<const AcrossReport> m_across;
    QString m_path;
};

} // namespace warpline
