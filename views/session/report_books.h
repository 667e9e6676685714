#pragma once

#include "views/loading/latest_job.h"
#include "views/session/session.h"

#include <QObject>

#include <memory>

namespace warpline {

/// Computes data about each open report in the background, once the report is loaded. The data is kept with
/// the report (KeptAnswers), not here.
class ReportBooks : public QObject {
    Q_OBJECT
public:
    using Trace = std::shared_ptr<const warpline::Trace>;
    using Has = bool (*)(const Trace& trace); ///< whether it is known
    using Make = void (*)(const Trace& trace, const std::stop_token& stop); ///< on a worker thread

    bool isBusy() const { return m_job.isBusy(); }

signals:
    void changed();

protected:
    /// `session` outlives this object.
    ReportBooks(Session& session, Has has, Make make);

    Session& m_session;

private:
    void workOut();

    Has m_has;
    Make m_make;
    LatestJob m_job;
};

} // namespace warpline
