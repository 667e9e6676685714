#pragma once

#include "core/workspace/row_pairs.h"
#include "views/loading/latest_job.h"
#include "views/session/session.h"
#include "views/session/time_map.h"

#include <QObject>

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace warpline {

/// The side of a comparison: A is what was before, B what it is held against.
enum class Side : std::uint8_t { A, B };

/// The steps of one side, as its GPU sees them, on the clock of its workspace; warm-up left out.
using RunSteps = std::vector<TimeRange>;

/// Two runs, or two ranges of one, side by side: the session it belongs to is A, and B is a session of its
/// own with a timeline of its own. Holds them together: the shown range of one follows that of the other by
/// a TimeMap, at a step of each or where the user says; rows that play one part stand in one order and open
/// together. Off until compareWith().
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
    TimeRange narrowed(Side side) const { return m_narrowed[raw(side)]; }
    void narrow(Side side, TimeRange range);
    /// What the user marked as A, to hold another range against it; empty: nothing.
    TimeRange markedAsA() const { return m_markedAsA; }
    void markAsA(TimeRange range);

    // --- time
    const TimeMap& map() const { return m_map; }
    /// Puts these instants one above the other; what A shows stays.
    void alignAt(Ns a, Ns b);
    /// Steps that stand for each other; 0: one of the runs has none.
    std::size_t stepCount() const;
    const RunSteps& steps(Side side) const { return m_steps[raw(side)]; }
    /// The one at which the timelines are aligned; nothing: they are aligned elsewhere.
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
    bool isBusy() const { return m_matching.isBusy(); }

signals:
    void changed(); ///< on or off, what is compared, or what it is narrowed to
    void aligned(); ///< the map, the step or the stretch
    void matched(); ///< steps and rows are known

private:
    static std::size_t raw(Side side) { return static_cast<std::size_t>(side); }
    struct Matched {
        std::array<RunSteps, 2> steps;
        std::vector<RowPair> rows;
    };
    static Matched matchOf(const Workspace& a, const Workspace& b, const std::array<TimeRange, 2>& narrowed,
        const std::stop_token& stop);
    void match();
    void onTraceChanged();
    void follow(Side moved);
    void setRowPairs(std::vector<RowPair> pairs);
    void setMap(const TimeMap& map);
    void alignAtFirst();
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
    std::array<TimeRange, 2> m_narrowed;
    TimeRange m_markedAsA;
    TimeMap m_map;
    std::array<RunSteps, 2> m_steps;
    std::optional<std::size_t> m_step;
    bool m_stretched = false;
    std::vector<RowPair> m_rowPairs;
    std::array<std::vector<RowId>, 2> m_partners; ///< by RowId of each side; root: none
    LatestJob m_matching;
};

} // namespace warpline
