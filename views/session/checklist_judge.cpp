#include "views/session/checklist_judge.h"

#include "core/across/exact_waits.h"
#include "core/analysis/trace_analysis.h"
#include "core/store/trace.h"
#include "views/session/rank_judge.h"
#include "views/session/session.h"

#include <utility>

namespace warpline {

namespace {

constexpr int dragRestMs = 250; ///< a drag must rest this long before a whole report is read again

} // namespace

ChecklistJudge::ChecklistJudge(Session& session)
    : m_session(session)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &ChecklistJudge::run);
    connect(&session, &Session::traceChanged, this, &ChecklistJudge::follow);
    connect(&session, &Session::reportChosen, this, &ChecklistJudge::follow);
    connect(&session.time(), &TimeView::judgedChanged, this, [this] { ask(dragRestMs); });
    connect(&session.judgement(), &Judgement::stepGlobChanged, this, [this] { ask(0); });
    connect(&session.selection(), &Selection::selectedRowsChanged, this, [this] {
        if (rowScopeOf(m_session) != m_scope)
            ask(0);
    });
    connect(&session.judgement().ranks(), &RankJudge::changed, this, [this] {
        if (m_session.judgement().ranks().across() && m_session.judgement().ranks().across()->judged)
            ask(0);
    });
    m_job.onFailure([this] {
        m_answers.clear();
        emit changed();
    });
    follow();
}

void ChecklistJudge::setSeen(const QObject& who, bool seen)
{
    if (seen)
        m_lookers.insert(&who);
    else
        m_lookers.erase(&who);
    if (seen && m_isWanted && !m_timer.isActive())
        m_timer.start(0);
}

void ChecklistJudge::follow()
{
    const std::shared_ptr<const Trace> trace = m_session.sharedTrace();
    if (trace->complete && m_shown.lock() == trace)
        return; // other reports came or went
    m_shown = trace;
    const bool hadFailed = !failure().isEmpty();
    m_job.cancel();
    m_timer.stop();
    m_isWanted = false;
    if (!std::exchange(m_answers, {}).empty() || hadFailed)
        emit changed();
    if (trace->complete)
        ask(0);
    else
        m_shown.reset();
}

void ChecklistJudge::ask(int ms)
{
    m_isWanted = m_session.trace().complete;
    if (m_isWanted)
        m_timer.start(ms);
}

void ChecklistJudge::run()
{
    if (!m_isWanted || m_lookers.empty())
        return;
    m_isWanted = false;
    m_scope = rowScopeOf(m_session);
    const bool hadFailed = !failure().isEmpty();
    m_job.start(
        [trace = m_session.sharedTrace(),
            shared = m_session.judgement().analysisOf(
                m_session.sharedTrace(), m_session.ownTime(m_session.time().judged())),
            across = m_session.judgement().ranks().sharedAcross(), report = m_session.report().id,
            covers = m_scope.tracks(m_session.sharedTrace())](const std::stop_token& stop) {
            // The reports of other ranks show how long communication really waited.
            const KnownWaits waits = across ? exactWaitRanges(*trace, *across, report) : KnownWaits();
            TraceAnalysis facts(*shared, stop);
            return answerChecklist(facts, waits, covers);
        },
        [this](std::vector<ChecklistAnswer> answers) {
            m_answers = std::move(answers);
            emit changed();
        });
    if (hadFailed)
        emit changed(); // they are on their way again
}

} // namespace warpline
