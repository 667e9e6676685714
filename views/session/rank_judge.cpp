#include "views/session/rank_judge.h"

#include "core/across/exchange_rows.h"
#include "core/base/parallel.h"
#include "core/store/trace.h"
#include "views/session/session.h"

#include <algorithm>

namespace warpline {

RankJudge::RankJudge(Session& session, QObject* parent)
    : QObject(parent),
      m_session(session)
{
    connect(&m_session, &Session::traceChanged, this, &RankJudge::judge);
    m_job.onFailure([this] { emit changed(); });
}

void RankJudge::want()
{
    if (!std::exchange(m_wanted, true) && !m_judged && !isBusy()) // several are analyzed anyway
        judge();
}

bool RankJudge::isOfSession() const
{
    const auto reports = m_session.workspace().reports();
    return m_judged
        && std::ranges::equal(reports, m_judged->summaries, {}, &OpenReport::trace,
            [](const auto& known) { return known.first; });
}

void RankJudge::judge()
{
    const bool hadFailed = !failure().isEmpty(); // panels show it until they hear of the next
    if (m_judged && !isOfSession()) { // its indexes belong to other reports
        m_judged = nullptr;
        m_session.setExchanges(nullptr);
        emit changed();
    }
    const Workspace& workspace = m_session.workspace();
    // One report may be of several ranks: who of them is late belongs to its overview.
    const bool several
        = workspace.reports().size() > 1 || (!m_session.isEmpty() && m_session.trace().holdsSeveralRanks());
    if (!workspace.isComplete() || m_session.isEmpty() || (!several && !m_wanted)) {
        m_job.cancel();
        if (m_session.isEmpty())
            m_summaries.clear();
        if (hadFailed)
            emit changed();
        return;
    }
    m_job.start([workspace, known = m_summaries](
                    const std::stop_token& stop) { return judged(workspace, known, stop); },
        [this](std::shared_ptr<const Judged> answer) {
            m_judged = std::move(answer);
            m_summaries = m_judged->summaries;
            m_session.setClocks(withClocks(m_session.workspace(), m_judged->across));
            m_session.setExchanges(m_judged->rows);
            emit changed();
        });
    if (hadFailed)
        emit changed();
}

std::shared_ptr<const RankJudge::Judged> RankJudge::judged(
    const Workspace& workspace, const Summaries& known, const std::stop_token& stop)
{
    auto made = std::make_shared<Judged>();
    const auto reports = workspace.reports();
    std::vector<ReportSummary> summaries(reports.size());
    std::vector<RankChoice> choices;
    for (const OpenReport& report : reports) {
        made->summaries.emplace_back(report.trace, nullptr);
        choices.push_back(choiceOf(report));
    }
    inParallel(
        threadsFor(reports.size(), 1), reports.size(), [&](std::size_t, std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                auto& [trace, summary] = made->summaries[i];
                const auto before
                    = std::ranges::find_if(known, [&](const auto& each) { return each.first == trace; });
                summary = before != known.end()
                    ? before->second
                    : std::make_shared<const ReportSummary>(summarize(*trace, trace->info.path, stop));
                summaries[i] = *summary;
            }
        });
    made->across = judgeSummaries(summaries, stop, choices);
    for (std::uint32_t i = 0; i < made->across.exchanges.size(); ++i) {
        for (const ExchangeMember& member : made->across.exchanges[i].members)
            made->exchanges.emplace_back(member.event, i);
    }
    std::ranges::sort(made->exchanges);
    made->rows = exchangeRows(made->across);
    return made;
}

const std::vector<ParticipantSummary>* RankJudge::participantsOf(ReportId report) const
{
    if (!m_judged || raw(report) >= m_judged->summaries.size())
        return nullptr;
    return &m_judged->summaries[raw(report)].second->participants;
}

const MatchedExchange* RankJudge::exchangeOf(EventId event) const
{
    if (!m_judged)
        return nullptr;
    const auto found = std::ranges::lower_bound(m_judged->exchanges, std::pair(event, std::uint32_t{0}));
    return found != m_judged->exchanges.end() && found->first == event
        ? &m_judged->across.exchanges[found->second]
        : nullptr;
}

const ExchangeMember& RankJudge::memberOf(const MatchedExchange& exchange, EventId event)
{
    return *std::ranges::find(exchange.members, event, &ExchangeMember::event);
}

} // namespace warpline
