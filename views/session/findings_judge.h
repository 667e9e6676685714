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
    Ns saving = 0; ///< what it counts by, see weightOf()
    bool isExpected = false; ///< `saving` is what a replay expects; else an upper bound
    double share = 0; ///< `saving` of the measured time, 0..1
    bool operator==(const LeadingFinding&) const = default;
};

/// What the rules find in the report that panels are about, or in several (ReportScope), over the time that
/// is judged: worked out off the GUI thread once somebody wants it. Panels show it, and none works it out.
class FindingsJudge : public QObject {
    Q_OBJECT
public:
    /// `session` outlives this object.
    explicit FindingsJudge(Session& session, QObject* parent = nullptr);

    const FoundInReports& found() const { return m_found; }
    bool isOfSeveral() const { return m_found.parts.size() > 1; }
    /// Of found().parts the session's report, when it is among them, else the first; its findings are those
    /// that the others of this report show.
    const JudgedReport& shownPart() const;
    /// Whose the finding is that found().findings[finding] stands for at `merged`: a place in found().parts.
    std::size_t partOfMerged(std::size_t finding, std::size_t merged) const;
    /// Those of `part` that found().findings[finding], of another one, stands for.
    std::vector<Finding> foldedFor(std::size_t finding, std::size_t part) const;

    /// The rules that found something in the session's report, those that others stand for included.
    const std::set<std::string>& rules() const { return m_rules; }
    /// The findings of it that come first, most important first; few. Before them one without an id where
    /// nothing large was found, see isNothingLarge().
    const std::vector<LeadingFinding>& leading() const { return m_leading; }

    /// From now on findings are worked out.
    void want();
    /// Whether `who` shows them: what is judged is followed while somebody does.
    void setSeen(const QObject& who, bool seen);
    /// Works them out again, with the thresholds of the preferences.
    void evaluate();
    /// Whether other findings are on their way.
    bool isBusy() const { return m_job.isBusy() || isPending(); }
    /// Whether what is there is of another range than is judged.
    bool isOutdated() const { return m_isOutdated || m_job.isBusy(); }

signals:
    void restarted(); ///< before changed(): of other reports, of which nothing is found yet
    void started(); ///< evaluate() runs
    void changed(); ///< found()
    void leadingChanged(); ///< rules() or leading(), after changed()

private:
    std::vector<JudgedReport> partsAsked() const;
    JudgedReport partOf(ReportId report) const; ///< `report`, over the range that is judged
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
