#pragma once

#include "core/across/found_in_reports.h"
#include "core/base/time.h"
#include "views/loading/latest_job.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warpline {

class Session;

/// A finding by its line in the list.
struct LeadingFinding {
    std::string id; ///< stableId() in its report; empty: nothing large was found, which comes first then
    std::string rule; ///< Rule::id
    std::string title;
    Ns saving = 0; ///< its weight, see weightOf()
    bool isExpected = false; ///< `saving` is a replay's estimate; false: an upper bound
    double share = 0; ///< `saving` of the measured time, 0..1
    Severity severity = Severity::Info;
    bool operator==(const LeadingFinding&) const = default;
};

/// The findings in the panels' report, or in several (ReportScope), over the analyzed time: computed off the
/// GUI thread on demand, and shared by all panels.
class FindingsJudge : public QObject {
    Q_OBJECT
public:
    /// `session` outlives this object.
    explicit FindingsJudge(Session& session, QObject* parent = nullptr);

    const FoundInReports& found() const { return m_found; }
    bool isOfSeveral() const { return m_found.parts.size() > 1; }
    /// The entry of found().parts for the session's report, else the first: its findings are shown for this
    /// report.
    const JudgedReport& shownPart() const;
    /// The report, as index in found().parts, of the finding merged into found().findings[finding] at
    /// `merged`.
    std::size_t partOfMerged(std::size_t finding, std::size_t merged) const;
    /// The findings of `part` that are merged into found().findings[finding] of another one.
    std::vector<Finding> foldedFor(std::size_t finding, std::size_t part) const;

    /// The rules with findings in the session's report, including merged ones.
    const std::set<std::string>& rules() const { return m_rules; }
    /// The few leading findings, most important first. Preceded by an entry without id when there is no large
    /// finding, see isNothingLarge().
    const std::vector<LeadingFinding>& leading() const { return m_leading; }

    /// From now on findings are worked out.
    void want();
    /// Registers whether `who` shows them: the analysis follows changes while a view does.
    void setSeen(const QObject& who, bool seen);
    /// Works them out again, with the thresholds of the preferences.
    void evaluate();
    /// Whether other findings are on their way.
    bool isBusy() const { return m_job.isBusy() || isPending(); }
    const QString& failure() const { return m_job.failure(); } ///< LatestJob::failure() of their analysis
    /// Whether the findings of the current range are not known yet.
    bool isOutdated() const { return m_isOutdated || m_job.isBusy() || !failure().isEmpty(); }

signals:
    void restarted(); ///< before changed(): of other reports, of which nothing is found yet
    void started(); ///< evaluate() runs
    void changed(); ///< found()
    void leadingChanged(); ///< rules() or leading(), after changed()

private:
    std::vector<JudgedReport> partsAsked() const;
    JudgedReport partOf(ReportId report) const; ///< `report`, over the analyzed range
    std::optional<JudgedReport> latePart() const; ///< the report of the rank that the others wait for
    void follow();
    void startAnew();
    void evaluateSoon(int ms);
    void run();
    bool isPending() const { return m_isWanted && m_isOutdated && !m_lookers.empty(); }
    void take(FoundInReports answer);
    void chooseLeading();
    std::vector<Finding> ofSession() const; ///< of shownPart()

    Session& m_session;
    FoundInReports m_found;
    std::set<std::string> m_rules;
    std::vector<LeadingFinding> m_leading;
    std::set<const QObject*> m_lookers;
    std::weak_ptr<const Trace> m_shown;
    bool m_isWanted = false;
    bool m_isOutdated = false;
    QTimer m_timer;
    LatestJob m_job{nullptr, Urgency::Background};
};

} // namespace warpline
