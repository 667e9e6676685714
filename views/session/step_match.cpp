#include "views/session/step_match.h"

#include "core/steps/steps.h"
#include "views/session/session.h"

namespace warpline {

StepMatch::StepMatch(Session& session)
    : m_session(session)
{
    connect(&session, &Session::stepGlobChanged, this, &StepMatch::look);
    connect(&session, &Session::traceChanged, this, &StepMatch::look);
    connect(&session, &Session::reportChosen, this, &StepMatch::look);
    look();
}

void StepMatch::look()
{
    m_job.cancel();
    set(false);
    if (m_session.stepGlob().empty() || !m_session.trace().complete)
        return;
    m_job.start(
        [trace = m_session.sharedTrace(), glob = m_session.stepGlob()](const std::stop_token& stop) {
            return findStepsOfThreads(*trace, trace->session, glob, stop).empty();
        },
        [this](bool isMissing) { set(isMissing); });
}

void StepMatch::set(bool isMissing)
{
    if (isMissing == m_isMissing)
        return;
    m_isMissing = isMissing;
    emit changed();
}

} // namespace warpline
