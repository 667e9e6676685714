#pragma once

#include "core/base/time.h"
#include "core/compare/compare_runs.h"
#include "core/workspace/row_pairs.h"
#include "views/loading/latest_job.h"
#include "views/session/session.h"

#include <QObject>
#include <QString>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

namespace warpline {

/// The compared steps of one side on the GPU, on the clock of its workspace.
using RunSteps = std::vector<TimeRange>;

/// Which times of two runs stand one above the other: `a` of the one and `b` of the other, and `scale`
/// nanoseconds of b for each of a.
struct TimeMap {
    Ns a = 0;
    Ns b = 0;
    double scale = 1; ///< above 0

    Ns toB(Ns time) const { return b + bounded(static_cast<double>(time - a) * scale); }
    Ns toA(Ns time) const { return a + bounded(static_cast<double>(time - b) / scale); }
    TimeRange toB(TimeRange range) const { return {toB(range.start), toB(range.end)}; }
    TimeRange toA(TimeRange range) const { return {toA(range.start), toA(range.end)}; }
    friend bool operator==(const TimeMap&, const TimeMap&) = default;

private:
    /// Nothing is farther: a step may be as long as ten thousand of the other run. Clocks of reports are up
    /// to 1e18 ns apart.
    static Ns bounded(double distance)
    {
        constexpr double most = 2e18;
        return std::llround(std::clamp(distance, -most, most));
    }
};

/// Two compared runs, or two ranges of one: the owning session is A, and B is a session of its own with its
/// own timeline. Links both: shown ranges follow each other by a TimeMap, aligned at a step or where the user
/// says; corresponding rows have one order and expand together. Compares them off the GUI thread, first the
/// runs, then their findings. Off until compareWith().
class RunPair : public QObject {
    Q_OBJECT
public:
    /// `a` outlives this object.
    explicit RunPair(Session& a, QObject* parent = nullptr);
    ~RunPair() override;

    bool isOn() const { return m_on; }
    /// Side B; created on first use.
    Session& b();
    Session& a() { return m_a; }
    Session& session(Side side) { return side == Side::A ? m_a : b(); }
    Side sideOf(const Session& session) const { return &session == &m_a ? Side::A : Side::B; }

    /// Compares A with `other`, or with a later snapshot of the previous one. Another run resets the ranges
    /// of the sides.
    void compareWith(Workspace other);
    /// Holds `a` of A's workspace against `b` of the same.
    void compareWithin(TimeRange a, TimeRange b);
    /// Whether both sides are one run.
    bool isWithinOne() const { return m_on && m_within; }
    /// Nothing is compared any more.
    void end();
    /// The comparison ends and returns in a moment, as when its sides are swapped; false: it is there, or
    /// does not return.
    void setReturning(bool returns);
    /// Whether a result is on its way, see comparisonAfter().
    bool isComing() const { return m_returns || (m_on && m_matching.isBusy()); }

    /// The last comparison came to no end, as when memory runs out.
    bool hasFailed() const { return !m_matching.failure().isEmpty(); }

    /// The part of its run that a side is narrowed to, on its workspace's clock; empty: all.
    TimeRange narrowed(Side side) const { return m_narrowed[side]; }
    void narrow(Side side, TimeRange range);
    /// The range marked as A by the user, to be compared with another one; empty: none.
    TimeRange markedAsA() const { return m_markedAsA; }
    void markAsA(TimeRange range, EventId named = {}); ///< `named`: the event that it is of, if any
    const QString& markedText() const { return m_markedText; } ///< its name, if any, start and end

    // --- time
    const TimeMap& map() const { return m_map; }
    /// Aligns these instants; A's shown range stays.
    void alignAt(Ns a, Ns b);
    /// Aligns, shows and selects these events; selects nothing on a side whose event is not valid().
    void goTo(const Both<EventId>& events);
    /// Number of corresponding steps; 0: one of the runs has none.
    std::size_t stepCount() const;
    const RunSteps& steps(Side side) const { return m_steps[side]; }
    /// The one at which the timelines are aligned; nothing: they are aligned elsewhere. A jump to another
    /// step and the choice of an event in one align them there.
    std::optional<std::size_t> step() const { return m_step; }
    /// Aligns at the step. The timelines move by the distance from the previous step, or show the whole step
    /// when they were aligned elsewhere or `whole` is set.
    void goToStep(std::size_t step, bool whole = false);
    /// To the next or previous step, from the one in the middle when aligned elsewhere.
    void moveStep(bool forward);
    /// Whether steps are drawn equally long, each with its own scale; else 1:1.
    bool isStretched() const { return m_stretched; }
    void setStretched(bool stretched);

    const std::vector<RowPair>& rowPairs() const { return m_rowPairs; }
    /// The row of the other run that corresponds to `row` of `side`; root: none.
    RowId partnerOf(Side side, RowId row) const;
    bool isBusy() const { return m_matching.isBusy() || m_judging.isBusy(); }

    // --- results of the comparison
    /// The request for the currently open runs. Both sides must have reports.
    CompareRequest request();
    /// nullptr: nothing is compared, or not yet. Its reports are in the order of the workspaces.
    std::shared_ptr<const Comparison> comparison() const { return m_comparison; }
    /// The content of a view that shows `before`: the same until the next comparison is there.
    std::shared_ptr<const Comparison> comparisonAfter(const std::shared_ptr<const Comparison>& before) const
    {
        return !m_comparison && isComing() ? before : m_comparison;
    }
    /// The same number: the same comparison, with or without its findings.
    quint64 number() const { return m_number; }
    bool isJudging() const { return m_judging.isBusy(); } ///< findings are on their way

signals:
    void changed(); ///< on or off, the request, or the ranges
    void markedA(); ///< by markAsA()
    void aligned(); ///< the map, the step or the range
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
    void compareAgain(); ///< the same runs, by another request
    void forgetComparison(); ///< its result; rows correspond in any range and by any steps
    void forget(); ///< the same, and the corresponding rows
    void saveMarksOfB();
    void onTraceChanged();
    void onRowsReplaced();
    void onClocksChanged();
    void onStepsChosen();
    void follow(Side moved);
    void moveTogether(); ///< copies one side's animation to the other
    void setRowPairs(std::vector<RowPair> pairs);
    void takeRowPairs(std::vector<RowPair> pairs); ///< and makes the rows of B follow those of A
    void setMap(const TimeMap& map, Side leader = Side::A);
    double scaleOfStep(std::size_t step) const;
    /// Aligns the timelines at the step of `side` around `time`, so that its partner is visible; false: it is
    /// visible already, or there is no such step.
    bool alignAtStepOf(Side side, Ns time);
    void onEventChosen(Side side);
    std::optional<std::size_t> stepAt(Side side, Ns time) const; ///< the one that has its partner
    void alignAtFirst();
    std::size_t typicalStep() const;
    void copyRows(Side from);
    void orderRows();
    Ns beginOf(Side side);
    bool hasTimes() { return !m_a.isEmpty() && !b().isEmpty(); } ///< else nothing can be aligned

    Session& m_a;
    std::unique_ptr<Session> m_b;
    bool m_on = false;
    bool m_within = false; ///< B is another range of A's run
    bool m_returns = false; ///< see setReturning()
    bool m_following = false;
    bool m_copying = false;
    bool m_alignedOnce = false;
    Both<TimeRange> m_narrowed;
    TimeRange m_markedAsA;
    QString m_markedText;
    TimeMap m_map;
    Both<TimeRange> m_seen; ///< the last shown range of each timeline
    Both<RunSteps> m_steps;
    std::optional<std::size_t> m_step;
    bool m_stretched = false;
    std::vector<RowPair> m_rowPairs;
    Both<std::vector<RowId>> m_partners; ///< by RowId of each side; root: none
    std::shared_ptr<const Comparison> m_comparison;
    quint64 m_number = 0;
    LatestJob m_matching;
    LatestJob m_pairing; ///< of rows alone, while m_matching is not busy
    LatestJob m_judging;
};

} // namespace warpline
