#pragma once

#include "core/compare/compare_runs.h"
#include "core/workspace/row_pairs.h"
#include "views/loading/latest_job.h"
#include "views/session/session.h"
#include "views/session/time_map.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace warpline {

/// The steps of one side that are judged, as its GPU sees them, on the clock of its workspace.
using RunSteps = std::vector<TimeRange>;

/// Two runs, or two ranges of one, side by side: the session it belongs to is A, and B is a session of its
/// own with a timeline of its own. Holds them together: the shown range of one follows that of the other by
/// a TimeMap, at a step of each or where the user says; rows that play one part stand in one order and open
/// together. Compares them off the GUI thread, first the runs, then their findings. Off until compareWith().
class RunPair : public QObject {
    Q_OBJECT
public:
    /// `a` outlives this object.
    explicit RunPair(Session& a, QObject* parent = nullptr);
    ~RunPair() override;

    bool isOn() const { return m_on; }
    /// Side B; made when first asked for.
    Session& b();
    Session& a() { return m_a; }
    Session& session(Side side) { return side == Side::A ? m_a : b(); }
    Side sideOf(const Session& session) const { return &session == &m_a ? Side::A : Side::B; }

    /// Holds what A shows against `other`, or a further snapshot of what was given before. The ranges that
    /// the sides are narrowed to are forgotten when it is another run.
    void compareWith(Workspace other);
    /// Holds `a` of A's workspace against `b` of the same.
    void compareWithin(TimeRange a, TimeRange b);
    /// Whether both sides are one run.
    bool isWithinOne() const { return m_on && m_within; }
    /// Nothing is compared any more.
    void end();

    /// The part of its run that a side is narrowed to, on its workspace's clock; empty: all.
    TimeRange narrowed(Side side) const { return m_narrowed[side]; }
    void narrow(Side side, TimeRange range);
    /// What the user marked as A, to hold another range against it; empty: nothing.
    TimeRange markedAsA() const { return m_markedAsA; }
    void markAsA(TimeRange range);

    // --- time
    const TimeMap& map() const { return m_map; }
    /// Puts these instants one above the other; what A shows stays.
    void alignAt(Ns a, Ns b);
    /// Shows these events one above the other and selects them; of a side whose event is not valid() nothing
    /// is selected.
    void goTo(const Both<EventId>& events);
    /// Steps that stand for each other; 0: one of the runs has none.
    std::size_t stepCount() const;
    const RunSteps& steps(Side side) const { return m_steps[side]; }
    /// The one at which the timelines are aligned; nothing: they are aligned elsewhere. A jump to another
    /// step and the choice of an event in one align them there.
    std::optional<std::size_t> step() const { return m_step; }
    /// Aligns there. The timelines move by as much as from the step before, or show all of the step when they
    /// were aligned elsewhere or `whole` is wanted.
    void goToStep(std::size_t step, bool whole = false);
    /// To the next or previous one, from the one in the middle of what is shown when aligned elsewhere.
    void moveStep(bool forward);
    /// Whether steps are drawn equally long, each with its own scale; else 1:1.
    bool isStretched() const { return m_stretched; }
    void setStretched(bool stretched);

    const std::vector<RowPair>& rowPairs() const { return m_rowPairs; }
    /// What of the other run plays the part of `row` of `side`; root: nothing does.
    RowId partnerOf(Side side, RowId row) const;
    bool isBusy() const { return m_matching.isBusy() || m_judging.isBusy(); }

    // --- what comparing them came to
    /// What is asked of the runs that are open now. Both sides have reports, or it holds none.
    CompareRequest request();
    /// nullptr: nothing is compared, or not yet. Its reports are those of the workspaces, in their order.
    std::shared_ptr<const Comparison> comparison() const { return m_comparison; }
    /// The same number: the same comparison, with or without its findings.
    quint64 number() const { return m_number; }
    bool isJudging() const { return m_judging.isBusy(); } ///< findings are on their way

signals:
    void changed(); ///< on or off, what is compared, or what it is narrowed to
    void aligned(); ///< the map, the step or the stretch
    void matched(); ///< steps, rows and the comparison are known, all but findings
    void compared(); ///< the findings of the comparison are there

private:
    struct Matched {
        std::shared_ptr<const Comparison> comparison;
        std::vector<RowPair> rows;
    };
    void match();
    void judge();
    RunSteps stepsOf(Side side);
    void forget(); ///< what comparing came to
    void onTraceChanged();
    void onStepsChosen();
    void follow(Side moved);
    void moveTogether(); ///< what one side draws on its way, the other does
    void setRowPairs(std::vector<RowPair> pairs);
    void setMap(const TimeMap& map, Side leader = Side::A);
    double scaleOfStep(std::size_t step) const;
    /// Aligns the timelines at the step of `side` around `time`, so that its partner is seen; false: it is
    /// seen already, or there is no such step.
    bool alignAtStepOf(Side side, Ns time);
    void onEventChosen(Side side);
    std::optional<std::size_t> stepAt(Side side, Ns time) const; ///< the one that has its partner
    void alignAtFirst();
    std::size_t typicalStep() const;
    void copyRows(Side from);
    void orderRows();
    Ns beginOf(Side side);

    Session& m_a;
    std::unique_ptr<Session> m_b;
    bool m_on = false;
    bool m_within = false; ///< B is another range of A's run
    bool m_following = false;
    bool m_copying = false;
    bool m_alignedOnce = false;
    Both<TimeRange> m_narrowed;
    TimeRange m_markedAsA;
    TimeMap m_map;
    Both<TimeRange> m_seen; ///< what each timeline showed last
    Both<RunSteps> m_steps;
    std::optional<std::size_t> m_step;
    bool m_stretched = false;
    std::vector<RowPair> m_rowPairs;
    Both<std::vector<RowId>> m_partners; ///< by RowId of each side; root: none
    std::shared_ptr<const Comparison> m_comparison;
    quint64 m_number = 0;
    LatestJob m_matching;
    LatestJob m_judging;
};

} // namespace warpline
