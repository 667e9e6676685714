#include "views/session/findings_judge.h"

#include "core/across/late_findings.h"
#include "core/base/share.h"
#include "core/base/utf8.h"
#include "core/findings/finding_order.h"
#include "core/findings/finding_words.h"
#include "core/render/render.h"
#include "core/store/trace.h"
#include "views/session/rank_judge.h"
#include "views/session/report_scope.h"
#include "views/session/row_scope.h"
#include "views/session/rule_settings.h"
#include "views/session/session.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace warpline {

namespace {

constexpr int restMs = 250; ///< a drag must rest this long before a whole report is read again

} // namespace

FindingsJudge::FindingsJudge(Session& session, QObject* parent)
    : QObject(parent),
      m_session(session)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &FindingsJudge::run);
    m_job.onFailure([this] {
        take({}); // the current ones are of another range
        emit leadingChanged(); // also where there were none
    });
}

void FindingsJudge::want()
{
    if (std::exchange(m_isWanted, true))
        return;
    connect(&m_session, &Session::traceChanged, this, &FindingsJudge::follow);
    connect(&m_session, &Session::reportChosen, this, &FindingsJudge::follow);
    connect(&m_session.time(), &TimeView::judgedChanged, this, [this] { evaluateSoon(restMs); });
    connect(&m_session.judgement(), &Judgement::stepGlobChanged, this, [this] { evaluateSoon(0); });
    connect(&m_session.selection(), &Selection::selectedRowsChanged, this, &FindingsJudge::chooseLeading);
    connect(&m_session.scope(), &ReportScope::changed, this, &FindingsJudge::startAnew);
    connect(&m_session.judgement().ranks(), &RankJudge::changed, this, [this] {
        if (m_session.judgement().ranks().across() && m_session.judgement().ranks().across()->judged)
            evaluate(); // even if no view is visible: the overview needs the first findings
    });
    if (m_session.trace().complete)
        follow();
}

void FindingsJudge::setSeen(const QObject& who, bool seen)
{
    if (seen)
        m_lookers.insert(&who);
    else
        m_lookers.erase(&who);
    if (isPending() && !m_timer.isActive())
        m_timer.start(0);
}

void FindingsJudge::evaluateSoon(int ms)
{
    m_isOutdated = true;
    m_timer.start(ms); // restarts a running timer
}

void FindingsJudge::run()
{
    if (isPending())
        evaluate();
}

std::vector<JudgedReport> FindingsJudge::partsAsked() const
{
    std::vector<JudgedReport> parts;
    for (const ReportId id : m_session.scope().reports())
        parts.push_back(partOf(id));
    return parts;
}

JudgedReport FindingsJudge::partOf(ReportId id) const
{
    const OpenReport& report = m_session.workspace().report(id);
    return {id, report.label, report.trace, m_session.ownTime(m_session.time().judged(), report), 0,
        m_session.judgement().stepGlob()};
}

std::optional<JudgedReport> FindingsJudge::latePart() const
{
    const AcrossReport* const across = m_session.judgement().ranks().across();
    if (!across || !hasLateRank(*across))
        return std::nullopt;
    return partOf(across->ranks[across->verdict.rank].report);
}

void FindingsJudge::follow()
{
    const std::shared_ptr<const Trace> trace = m_session.sharedTrace();
    if (!trace->complete) {
        m_shown.reset();
        startAnew();
        return;
    }
    const bool isSame = m_session.workspace().reports().size() > 1 && m_shown.lock() == trace
        && std::ranges::all_of(m_found.parts, [this](const JudgedReport& part) {
               return m_session.workspace().holds(part.report, part.trace); // at its place
           });
    if (isSame && !isOfSeveral()) // others may come and go behind it
        return;
    m_shown = trace;
    const std::vector<JudgedReport> asked = partsAsked();
    if (asked.size() > 1
        && std::ranges::equal(asked, m_found.parts, [](const JudgedReport& a, const JudgedReport& b) {
               return a.report == b.report && a.trace == b.trace;
           }))
        chooseLeading(); // several stay the same, whichever is selected
    else
        startAnew();
}

void FindingsJudge::startAnew()
{
    FoundInReports none;
    none.parts = partsAsked();
    std::swap(m_found, none);
    emit restarted();
    disposeElsewhere(std::move(none));
    evaluate();
}

void FindingsJudge::evaluate()
{
    m_isOutdated = false;
    m_timer.stop();
    if (!m_isWanted)
        return;
    if (!m_session.trace().complete) {
        m_job.cancel();
        take({});
        return;
    }
    emit started();
    std::vector<JudgedReport> parts = partsAsked();
    for (JudgedReport& part : parts)
        part.facts = m_session.judgement().analysisOf(part.trace, part.window);
    m_job.start(
        [parts = std::move(parts), late = latePart(), across = m_session.judgement().ranks().sharedAcross(),
            settings = std::make_shared<RuleSettings>(RuleSettings::stored())](
            const std::stop_token& stop) { return findIn(parts, across, settings->overrides(), stop, late); },
        [this](FoundInReports answer) { take(std::move(answer)); });
}

void FindingsJudge::take(FoundInReports answer)
{
    if (answer.parts.empty())
        answer.parts = m_found.parts;
    std::swap(m_found, answer);
    emit changed();
    chooseLeading();
    disposeElsewhere(std::move(answer)); // the ones from before
}

const JudgedReport& FindingsJudge::shownPart() const
{
    static const JudgedReport none{{}, {}, std::make_shared<const Trace>(), {}, 0, {}};
    const auto own = std::ranges::find(m_found.parts, m_session.report().id, &JudgedReport::report);
    return own != m_found.parts.end() ? *own : m_found.parts.empty() ? none : m_found.parts.front();
}

std::size_t FindingsJudge::partOfMerged(std::size_t finding, std::size_t merged) const
{
    const auto& parts = m_found.partsOfMerged;
    const bool isOther = finding < parts.size() && merged < parts[finding].size();
    return isOther ? parts[finding][merged] : m_found.partOf[finding];
}

std::vector<Finding> FindingsJudge::foldedFor(std::size_t finding, std::size_t part) const
{
    std::vector<Finding> folded;
    const std::vector<Finding>& merged = m_found.findings[finding].merged;
    for (std::size_t i = 0; i < merged.size(); ++i) {
        if (m_found.partOf[finding] != part && partOfMerged(finding, i) == part)
            folded.push_back(merged[i]);
    }
    return folded;
}

std::vector<Finding> FindingsJudge::ofSession() const
{
    if (!isOfSeveral())
        return m_found.findings;
    const auto part = static_cast<std::size_t>(&shownPart() - m_found.parts.data());
    std::vector<Finding> own;
    for (std::size_t i = 0; i < m_found.findings.size(); ++i) {
        if (m_found.partOf[i] == part)
            own.push_back(m_found.findings[i]);
        std::ranges::move(foldedFor(i, part), std::back_inserter(own));
    }
    std::ranges::stable_sort(own, ranksHigher);
    return own;
}

void FindingsJudge::chooseLeading()
{
    constexpr std::size_t shown = 3;
    std::set<std::string> rules;
    std::vector<LeadingFinding> lines;
    std::vector<Finding> own = ofSession();
    const JudgedReport& part = shownPart();
    for (const Finding& finding : own) {
        rules.emplace(finding.rule);
        for (const Finding& merged : finding.merged)
            rules.emplace(merged.rule);
    }
    const RowScope scope = rowScopeOf(m_session);
    std::erase_if(
        own, [&](const Finding& finding) { return !scope.covers(finding.process, finding.device); });
    if (!own.empty() && isNothingLarge(own, part.window))
        lines.emplace_back();
    for (const Finding* const finding : leadingFindings(own, shown)) {
        // A finding across ranks has no report's measured time.
        const Ns measured = finding->measured > 0 ? finding->measured : part.measured;
        const Ns saving = weightOf(*finding);
        lines.push_back(
            {stableId(*part.trace, *finding), std::string(finding->rule), toUtf8(plain(finding->title)),
                saving, showsExpected(*finding), shareOf(saving, measured), finding->severity});
    }
    if (rules == m_rules && lines == m_leading)
        return;
    m_rules = std::move(rules);
    m_leading = std::move(lines);
    emit leadingChanged();
}

} // namespace warpline
