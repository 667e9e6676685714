#pragma once

#include "core/across/judge_ranks.h"
#include "views/loading/latest_job.h"

#include <QObject>

#include <memory>
#include <utility>
#include <vector>

namespace warpline {

class Session;

/// The analysis across the open reports, off the GUI thread: for several, when each is loaded; for a single
/// one, which may contain several ranks, on request. Aligns the session's clocks with it.
class RankJudge : public QObject {
    Q_OBJECT
public:
    /// `session` outlives this object.
    explicit RankJudge(Session& session, QObject* parent = nullptr);

    /// For the open reports; nullptr: there is none, or not yet. Its ReportIds are the session's.
    const AcrossReport* across() const { return m_judged ? &m_judged->across : nullptr; }
    std::shared_ptr<const AcrossReport> sharedAcross() const
    {
        return m_judged ? std::shared_ptr<const AcrossReport>(m_judged, &m_judged->across) : nullptr;
    }
    /// The exchange that `event` is a rank's part in; nullptr: in none, or not known.
    const MatchedExchange* exchangeOf(EventId event) const;
    /// The member with `event`, an event of `exchange`.
    static const ExchangeMember& memberOf(const MatchedExchange& exchange, EventId event);
    /// The ranks in `report`, analyzed or not; nullptr until reports are analyzed.
    const std::vector<ParticipantSummary>* participantsOf(ReportId report) const;
    /// Also analyzes a single report from now on.
    void want();
    bool isBusy() const { return m_job.isBusy(); }
    const QString& failure() const { return m_job.failure(); } ///< why there is no analysis

signals:
    void changed();

private:
    using Summaries
        = std::vector<std::pair<std::shared_ptr<const Trace>, std::shared_ptr<const ReportSummary>>>;
    struct Judged {
        AcrossReport across;
        std::shared_ptr<const ExchangeRows> rows; ///< of the timeline
        Summaries summaries; ///< of the reports, in their order
        std::vector<std::pair<EventId, std::uint32_t>> exchanges; ///< of which each event is, sorted
    };
    static std::shared_ptr<const Judged> judged(
        const Workspace& workspace, const Summaries& known, const std::stop_token& stop);
    void judge();
    bool isOfSession() const; ///< m_judged is

    Session& m_session;
    std::shared_ptr<const Judged> m_judged;
    Summaries m_summaries; ///< cached, because they take most of the time, and do not depend on clocks
    LatestJob m_job;
    bool m_wanted = false;
};

} // namespace warpline
