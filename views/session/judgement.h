#pragma once

#include "views/loading/latest_job.h"

#include <QObject>
#include <QString>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace warpline {

class ChecklistJudge;
class ChosenCure;
class FindingsJudge;
class RankJudge;
class Session;
class Trace;
class TraceAnalysis;
struct TimeRange;

/// The analysis of a session's reports over the analyzed time (TimeView::judged()), with the user's choices
/// for it: the steps, and the finding whose cure is tried.
class Judgement : public QObject {
    Q_OBJECT
public:
    /// `session` owns this object.
    explicit Judgement(Session& session);
    ~Judgement() override;

    /// The analysis across the reports.
    RankJudge& ranks() { return *m_ranks; }
    const RankJudge& ranks() const { return *m_ranks; }
    FindingsJudge& findings() { return *m_findings; }
    const FindingsJudge& findings() const { return *m_findings; }
    ChecklistJudge& checklist() { return *m_checklist; }
    ChosenCure& cure() { return *m_cure; }

    /// The NVTX ranges that are the program's steps, by name with * and ?; empty: they are detected. One
    /// choice for everything about steps, per report.
    const std::string& stepGlob() const { return m_stepGlob; }
    void setStepGlob(std::string glob);
    /// The chosen step names match no range of the panels' report; false until that is known. Looked up once
    /// for all panels, off the GUI thread.
    bool lacksSteps() const { return m_lacksSteps; }
    /// The shared analysis of `window` of `trace`, on its own clock, with these steps: one for as long as it
    /// is in use. A job takes it when it starts, and derives one that stops with the job.
    std::shared_ptr<const TraceAnalysis> analysisOf(
        const std::shared_ptr<const Trace>& trace, TimeRange window);
    std::size_t analysesMade() const { return m_analysesMade; } ///< by analysisOf()

signals:
    void stepGlobChanged();
    void lacksStepsChanged();
    /// Requests a finding, wherever a view refers to one: by its id (stableId()), or by Rule::id for the
    /// first of a rule.
    void findingRequested(const QString& finding);

private:
    friend class Session; // it sets the steps of its reports, and emits their signal last
    void lookForSteps();
    void setLacksSteps(bool lacks);

    Session& m_session;
    std::string m_stepGlob;
    bool m_lacksSteps = false;
    LatestJob m_stepJob{nullptr, Urgency::Background};
    std::vector<std::weak_ptr<const TraceAnalysis>> m_analyses;
    std::size_t m_analysesMade = 0;
    std::unique_ptr<RankJudge> m_ranks;
    std::unique_ptr<FindingsJudge> m_findings; ///< listens to the ranks, as the checklist does
    std::unique_ptr<ChecklistJudge> m_checklist;
    std::unique_ptr<ChosenCure> m_cure;
};

} // namespace warpline
