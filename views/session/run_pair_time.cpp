// Time of two compared runs: their alignment, and how one timeline follows the other.

#include "core/store/trace.h"
#include "views/session/run_pair.h"
#include "views/session/side_color.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace warpline {

namespace {

/// When the first kernel of the first report begins, from `from` on; `from` when there is none.
Ns firstKernel(const Workspace& workspace, TimeRange within)
{
    Ns first = within.end;
    for (const OpenReport& report : workspace.reports()) {
        const EventTable& kernels = report.trace->table(EventKind::Kernel);
        for (const Lane& lane : kernels.lanes) {
            const EventIndex i = kernels.firstStartingAt(lane, report.clock.toReport(within.start));
            if (i < lane.first + lane.count)
                first = std::min(first, report.clock.toWorkspace(kernels.start[i]));
        }
    }
    return first < within.end ? first : within.start;
}

} // namespace

/// The step whose lengths are closest to the medians of both sides.
std::size_t RunPair::typicalStep() const
{
    const ComparedSide& a = m_comparison->sides.a;
    const ComparedSide& b = m_comparison->sides.b;
    const auto apart = [](const TimeRange& step, Ns median) {
        return std::abs(static_cast<double>(step.duration() - median))
            / static_cast<double>(std::max<Ns>(1, median));
    };
    std::size_t typical = 0;
    double least = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < stepCount(); ++i) {
        const double distance = apart(m_steps.a[i], a.median) + apart(m_steps.b[i], b.median);
        if (distance < least) {
            least = distance;
            typical = i;
        }
    }
    return typical;
}

void RunPair::alignAtFirst()
{
    m_step.reset();
    if (stepCount() > 0) {
        goToStep(typicalStep(), true);
        return;
    }
    const auto begin = [&](Side side) {
        const TimeRange part = narrowed(side).empty() ? session(side).session() : narrowed(side);
        // The user's ranges are aligned where the user set their beginnings.
        return narrowed(side).empty() ? firstKernel(session(side).workspace(), part) : part.start;
    };
    alignAt(begin(Side::A), begin(Side::B));
    // The compared range is from the first to the last GPU work.
    const auto compared = [&](Side side) {
        if (!narrowed(side).empty())
            return narrowed(side);
        TimeRange work;
        for (const ComparedGpu& gpu : m_comparison->sides[side].gpus) {
            const OpenReport& report
                = session(side).workspace().report(ReportId{static_cast<std::uint16_t>(gpu.report)});
            for (const ComparedStep& step : gpu.steps) {
                const TimeRange own = report.clock.toWorkspace(step.gpu);
                work = work.empty() ? own : work.unitedWith(own);
            }
        }
        return work.empty() ? session(side).session() : work;
    };
    const TimeRange a = compared(Side::A);
    const TimeRange b = compared(Side::B);
    m_a.time().goTo(a.unitedWith(m_map.toA(b)));
}

void RunPair::setMap(const TimeMap& map, Side leader)
{
    if (!hasTimes())
        return;
    m_map = map;
    const TimeRange reach = m_a.session().unitedWith(m_map.toA(b().session()));
    m_a.time().setReach(reach);
    b().time().setReach(m_map.toB(reach));
    follow(leader);
    emit aligned();
}

/// The runs may be longer or shorter now, and their steps elsewhere.
void RunPair::onClocksChanged()
{
    if (!m_on || !hasTimes())
        return;
    if (m_comparison)
        m_steps = {stepsOf(Side::A), stepsOf(Side::B)};
    setMap(
        m_step ? TimeMap{m_steps.a[*m_step].start, m_steps.b[*m_step].start, scaleOfStep(*m_step)} : m_map);
}

void RunPair::alignAt(Ns a, Ns b)
{
    m_step.reset();
    setMap({a, b, m_stretched ? m_map.scale : 1});
}

void RunPair::goTo(const Both<EventId>& events)
{
    if (events.a.valid() && events.b.valid())
        alignAt(m_a.workspace().range(events.a).start, b().workspace().range(events.b).start);
    if (events.a.valid())
        m_a.selection().goToAtScale(events.a);
    if (!events.b.valid())
        return;
    if (!events.a.valid()) {
        b().selection().goToAtScale(events.b);
        return;
    }
    b().rowView().reveal(b().workspace().rowOf(events.b));
    b().selection().setCurrentEvent(events.b);
}

void RunPair::follow(Side moved)
{
    if (!m_on || m_following || !hasTimes())
        return;
    Session& leader = session(moved);
    Session& led = session(otherSide(moved));
    const TimeRange shown = leader.time().shown();
    const TimeRange before = std::exchange(m_seen[moved], shown);
    const bool isJump
        = 2 * shown.clippedTo(before).duration() < std::min(shown.duration(), before.duration());
    if (isJump && alignAtStepOf(moved, shown.start + shown.duration() / 2))
        return;
    m_following = true;
    led.time().show(moved == Side::A ? m_map.toB(shown) : m_map.toA(shown), false, Manner::Led);
    if (!leader.time().glide().isMoving())
        led.time().glide().finish();
    m_seen[otherSide(moved)] = led.time().shown();
    m_following = false;
}

std::optional<std::size_t> RunPair::stepAt(Side side, Ns time) const
{
    const RunSteps& steps = m_steps[side];
    const auto after = std::ranges::upper_bound(steps, time, {}, &TimeRange::start);
    if (after == steps.begin() || !std::prev(after)->contains(time))
        return std::nullopt;
    const auto step = static_cast<std::size_t>(std::prev(after) - steps.begin());
    return step < stepCount() ? std::optional(step) : std::nullopt;
}

double RunPair::scaleOfStep(std::size_t step) const
{
    const Ns a = m_steps.a[step].duration();
    const Ns b = m_steps.b[step].duration();
    return m_stretched && a > 0 ? std::max(static_cast<double>(b) / static_cast<double>(a), 1e-6) : 1;
}

bool RunPair::alignAtStepOf(Side side, Ns time)
{
    const std::optional<std::size_t> step = m_on && m_step ? stepAt(side, time) : std::nullopt;
    if (!step)
        return false;
    const TimeRange own = m_steps[side][*step];
    const TimeRange partner = m_steps[otherSide(side)][*step];
    const TimeRange shown = session(side).time().shown();
    const auto toOther
        = [&](TimeRange range) { return side == Side::A ? m_map.toB(range) : m_map.toA(range); };
    if (step == m_step && toOther(shown).overlaps(partner))
        return false;
    m_step = step;
    // Where its begin is not seen, as far into the partner as into the step: a shorter partner would not be
    // seen.
    const bool isBeginSeen = shown.contains(own.start);
    const Ns within = isBeginSeen || m_stretched ? 0 : time - own.start;
    const double share = static_cast<double>(within) / static_cast<double>(std::max<Ns>(1, own.duration()));
    const Ns there = partner.start + static_cast<Ns>(share * static_cast<double>(partner.duration()));
    const Both<Ns> at
        = side == Side::A ? Both<Ns>{own.start + within, there} : Both<Ns>{there, own.start + within};
    setMap({at.a, at.b, scaleOfStep(*step)}, side);
    return true;
}

void RunPair::onEventChosen(Side side)
{
    const EventId event = session(side).selection().currentEvent();
    // Steps are times of the GPU: the host may call for the work of a step while the one before runs.
    if (m_on && !m_following && event.valid() && isGpuWork(event.event.kind))
        alignAtStepOf(side, session(side).workspace().range(event).start);
}

std::size_t RunPair::stepCount() const
{
    return std::min(m_steps.a.size(), m_steps.b.size());
}

void RunPair::goToStep(std::size_t step, bool whole)
{
    if (step >= stepCount())
        return;
    const TimeRange a = m_steps.a[step];
    const TimeRange b = m_steps.b[step];
    const std::optional<std::size_t> before = std::exchange(m_step, step);
    const TimeRange shown = m_a.time().shown();
    m_following = true; // not before A is there
    setMap({a.start, b.start, scaleOfStep(step)});
    if (before && !whole) {
        const Ns by = a.start - m_steps.a[*before].start;
        m_a.time().show({shown.start + by, shown.end + by});
    } else {
        const Ns length = std::max(a.duration(), m_stretched ? Ns{0} : b.duration());
        const Ns room = std::max<Ns>(100, length / 25);
        m_a.time().show({a.start - room, a.start + length + room});
    }
    m_following = false;
    m_seen.a = m_a.time().shown(); // no jump to where its middle is
    follow(Side::A);
}

void RunPair::moveStep(bool forward)
{
    if (stepCount() == 0)
        return;
    std::size_t from = 0;
    if (m_step) {
        from = *m_step;
    } else {
        const Ns middle = m_a.time().shown().start + m_a.time().shown().duration() / 2;
        while (from + 1 < stepCount() && m_steps.a[from].end <= middle)
            ++from;
        goToStep(from, true);
        return;
    }
    if (forward ? from + 1 < stepCount() : from > 0)
        goToStep(forward ? from + 1 : from - 1);
}

void RunPair::setStretched(bool stretched)
{
    if (stretched == m_stretched)
        return;
    m_stretched = stretched;
    if (m_step) {
        goToStep(*m_step, true);
        return;
    }
    // Aligned elsewhere: as long as the runs are, or their parts that are compared.
    const auto length = [&](Side side) {
        return (narrowed(side).empty() ? session(side).session() : narrowed(side)).duration();
    };
    const Ns a = length(Side::A);
    const Ns b = m_on ? length(Side::B) : 0;
    TimeMap map = m_map;
    map.scale = stretched && a > 0 && b > 0 ? static_cast<double>(b) / static_cast<double>(a) : 1;
    if (m_on)
        setMap(map);
    emit aligned();
}

} // namespace warpline
