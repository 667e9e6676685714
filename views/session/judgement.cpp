#include "views/session/judgement.h"

#include "core/analysis/trace_analysis.h"
#include "core/steps/steps.h"
#include "core/store/trace.h"
#include "views/session/checklist_judge.h"
#include "views/session/chosen_cure.h"
#include "views/session/findings_judge.h"
#include "views/session/rank_judge.h"
#include "views/session/session.h"

#include <utility>

namespace warpline {

Judgement::Judgement(Session& session)
    : m_session(session),
      m_ranks(std::make_unique<RankJudge>(session)),
      m_findings(std::make_unique<FindingsJudge>(session)),
      m_checklist(std::make_unique<ChecklistJudge>(session)),
      m_cure(std::make_unique<ChosenCure>(session))
{
    connect(this, &Judgement::stepGlobChanged, this, &Judgement::lookForSteps);
    connect(&session, &Session::traceChanged, this, &Judgement::lookForSteps);
    connect(&session, &Session::reportChosen, this, &Judgement::lookForSteps);
}

Judgement::~Judgement() = default;

void Judgement::setStepGlob(std::string glob)
{
    if (glob == m_stepGlob)
        return;
    m_stepGlob = std::move(glob);
    emit stepGlobChanged();
}

std::shared_ptr<const TraceAnalysis> Judgement::analysisOf(
    const std::shared_ptr<const Trace>& trace, TimeRange window)
{
    std::erase_if(m_analyses, [](const auto& each) { return each.expired(); });
    for (const auto& each : m_analyses) {
        const auto known = each.lock();
        if (known && &known->trace() == trace.get() && known->window() == window
            && known->stepGlob() == m_stepGlob)
            return known;
    }
    ++m_analysesMade;
    auto made = std::make_unique<const TraceAnalysis>(*trace, window, std::stop_token(), m_stepGlob);
    // The last job must not release it on the GUI thread.
    const std::shared_ptr<const TraceAnalysis> shared(made.release(), [trace](const TraceAnalysis* last) {
        disposeElsewhere(std::pair(trace, std::unique_ptr<const TraceAnalysis>(last)));
    });
    m_analyses.push_back(shared);
    return shared;
}

void Judgement::lookForSteps()
{
    m_stepJob.cancel();
    setLacksSteps(false);
    if (m_stepGlob.empty() || !m_session.trace().complete)
        return;
    m_stepJob.start(
        [trace = m_session.sharedTrace(), glob = m_stepGlob](const std::stop_token& stop) {
            return findStepsOfThreads(*trace, trace->session, glob, stop).empty();
        },
        [this](bool lacks) { setLacksSteps(lacks); });
}

void Judgement::setLacksSteps(bool lacks)
{
    if (lacks == std::exchange(m_lacksSteps, lacks))
        return;
    emit lacksStepsChanged();
}

} // namespace warpline
