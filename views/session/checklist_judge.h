#pragma once

#include "core/findings/checklist.h"
#include "views/loading/latest_job.h"
#include "views/session/row_scope.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <set>
#include <vector>

namespace warpline {

class Session;

/// Answers the five questions of the checklist for the analyzed time: once, off the GUI thread, while a view
/// shows them.
class ChecklistJudge : public QObject {
    Q_OBJECT
public:
    /// `session` outlives this object.
    explicit ChecklistJudge(Session& session);

    const std::vector<ChecklistAnswer>& answers() const { return m_answers; } ///< empty: none yet
    bool isBusy() const { return m_job.isBusy() || (m_isWanted && !m_lookers.empty()); }
    const QString& failure() const { return m_job.failure(); } ///< why there are none
    /// Whether `who` shows them.
    void setSeen(const QObject& who, bool seen);

signals:
    void changed();

private:
    void follow();
    void ask(int ms);
    void run();

    Session& m_session;
    std::vector<ChecklistAnswer> m_answers;
    std::set<const QObject*> m_lookers;
    std::weak_ptr<const Trace> m_shown;
    RowScope m_scope; ///< that they are about
    bool m_isWanted = false; ///< others are to be worked out
    QTimer m_timer;
    LatestJob m_job{nullptr, Urgency::Background};
};

} // namespace warpline
