#pragma once

#include "views/loading/latest_job.h"

#include <QObject>

namespace warpline {

class Session;

/// Whether the report that panels are about has NVTX ranges of the names that Session::stepGlob() asks for:
/// looked up once for all panels, off the GUI thread.
class StepMatch : public QObject {
    Q_OBJECT
public:
    /// `session` outlives this object.
    explicit StepMatch(Session& session);

    /// Steps are chosen by name, and no range has it; false until that is known.
    bool isMissing() const { return m_isMissing; }
    bool isBusy() const { return m_job.isBusy(); }

signals:
    void changed();

private:
    void look();
    void set(bool isMissing);

    Session& m_session;
    bool m_isMissing = false;
    LatestJob m_job{nullptr, Urgency::Background};
};

} // namespace warpline
