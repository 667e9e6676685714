#include "core/replay/replay.h"

#include "core/base/median.h"
#include "core/base/stop.h"
#include "core/replay/apply_cure.h"
#include "core/replay/replay_run.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace warpline {

namespace {

/// Outermost calls of `process` that begin in `range`. O(tracks log n).
std::size_t callsIn(const Trace& trace, GlobalId process, TimeRange range)
{
    const EventTable& table = trace.apiCalls();
    std::size_t calls = 0;
    for (const Track& track : table.tracks) {
        if (processOf(track.owner) != process || track.laneCount == 0)
            continue;
        const Lane& lane = table.lanesOf(track).front();
        calls += table.firstStartingAt(lane, range.end) - table.firstStartingAt(lane, range.start);
    }
    return calls;
}

/// Pieces of work of `process` that run in `range`: a graph has many for one call. O(lanes log n).
std::size_t workIn(const Trace& trace, GlobalId process, TimeRange range)
{
    std::size_t work = 0;
    for (const EventKind kind : {EventKind::Kernel, EventKind::Memcpy, EventKind::Memset}) {
        const EventTable& table = trace.table(kind);
        for (const Track& track : table.tracks) {
            if (track.owner != process)
                continue;
            for (const Lane& lane : table.lanesOf(track)) {
                const auto [first, last] = table.touching(lane, range);
                work += last - first;
            }
        }
    }
    return work;
}

double meanOf(const std::vector<Ns>& lengths)
{
    if (lengths.empty())
        return 0;
    return static_cast<double>(std::accumulate(lengths.begin(), lengths.end(), Ns{0}))
        / static_cast<double>(lengths.size());
}

/// Steps that take far longer than their like take as long as those.
void evenOut(std::vector<Ns>& lengths)
{
    constexpr double farLonger = 1.3;
    const Ns usual = middleOf(lengths);
    for (Ns& length : lengths) {
        if (static_cast<double>(length) > farLonger * static_cast<double>(usual))
            length = usual;
    }
}

/// No stream does its work of a step in less than that takes.
double leastStep(const ReplayGraph& graph)
{
    std::map<std::uint32_t, Ns> busy;
    for (const ReplayWork& work : graph.works) {
        if (work.moved && !work.removed && work.step < graph.steps)
            busy[work.stream] += work.length;
    }
    Ns most = 0;
    for (const auto& [stream, time] : busy)
        most = std::max(most, time);
    return static_cast<double>(most) / static_cast<double>(std::max<std::size_t>(graph.steps, 1));
}

/// A graph that a cure has changed.
struct Changed {
    ReplayGraph graph;
    std::size_t count = 0; ///< calls and pieces of work
    bool evens = false; ///< steps that stall take as long as the others
};

Changed changedBy(const Trace& trace, const ReplayGraph& graph, const Cure& cure, Estimate estimate)
{
    Changed changed{.graph = graph};
    for (const CureEdit& edit : cure.edits) {
        changed.count += applyEdit(trace, edit, estimate, changed.graph);
        changed.evens |= edit.kind == CureKind::EvenSteps;
    }
    return changed;
}

std::vector<Ns> lengthsOf(const Changed& changed)
{
    std::vector<Ns> lengths = stepLengths(changed.graph, runReplay(changed.graph));
    if (changed.evens)
        evenOut(lengths);
    if (const double least = leastStep(changed.graph); meanOf(lengths) < least)
        std::ranges::fill(lengths, static_cast<Ns>(least));
    return lengths;
}

/// How many steps take far longer than their like.
std::size_t stalledOf(const std::vector<Ns>& lengths)
{
    std::vector<Ns> even = lengths;
    evenOut(even);
    std::size_t stalled = 0;
    for (std::size_t i = 0; i < even.size(); ++i)
        stalled += even[i] != lengths[i] ? 1 : 0;
    return stalled;
}

/// The standard error of the mean saving: how far that of one step is from that of another. 0: of one step.
double errorOfSaving(const std::vector<Ns>& before, const std::vector<Ns>& after)
{
    if (after.size() < 2 || after.size() != before.size())
        return 0;
    const double mean = meanOf(before) - meanOf(after);
    double sum = 0;
    for (std::size_t i = 0; i < after.size(); ++i) {
        const double off = static_cast<double>(before[i] - after[i]) - mean;
        sum += off * off;
    }
    const auto count = static_cast<double>(after.size());
    return std::sqrt(sum / (count - 1) / count);
}

} // namespace

double Expectation::shareLeftBy(Ns length) const
{
    if (replayed <= 0)
        return 0;
    return 1 - static_cast<double>(length) / static_cast<double>(replayed);
}

Replay::Replay(const Trace& trace, ReplayGraph graph, const ReplayWindow& window)
    : m_trace(&trace),
      m_graph(std::move(graph)),
      m_process(window.process),
      m_device(window.device)
{
    const ReplayGraph usual = withUsualTimes(m_graph);
    m_explained = static_cast<Ns>(meanOf(stepLengths(usual, runReplay(usual))));
    m_profilerCost = profilerCostOf(trace, m_graph);
}

std::optional<Replay> Replay::ofSteps(
    const Trace& trace, const GpuSteps& steps, const ReplayLimits& limits, const std::stop_token& stop)
{
    // Steady steps that follow one another on the host and launch work, and the one behind them.
    const std::size_t from = steps.gpu.firstSteady;
    if (from >= steps.indexes.size())
        return std::nullopt;
    std::vector<TimeRange> ranges;
    for (std::size_t i = from; i < steps.indexes.size(); ++i)
        ranges.push_back(steps.host.ranges[steps.indexes[i]]);
    ranges.push_back(steps.host.ranges[steps.lastIndex]);
    std::size_t first = 0;
    std::size_t last = ranges.size() - 1; // the one behind
    const auto tooMany = [&] {
        const TimeRange range{ranges[first].start, ranges[last].end};
        return last - first > limits.mostSteps
            || 2 * callsIn(trace, steps.process, range) + workIn(trace, steps.process, range)
            > limits.mostEvents;
    };
    // From the middle of many: halved until it fits.
    while (tooMany()) {
        const std::size_t count = last - first;
        if (count < 4)
            return std::nullopt;
        first += count / 4;
        last -= count / 4;
    }
    if (last < first + 1)
        return std::nullopt;
    ReplayWindow window;
    window.process = steps.process;
    window.device = steps.device;
    window.steps.assign(ranges.begin() + static_cast<std::ptrdiff_t>(first),
        ranges.begin() + static_cast<std::ptrdiff_t>(last) + 1);
    std::optional<ReplayGraph> graph = replayGraphOf(trace, window, stop);
    if (!graph)
        return std::nullopt;
    return Replay(trace, std::move(*graph), window);
}

std::optional<Replay> Replay::ofRange(const Trace& trace, GlobalId process, TimeRange range,
    const ReplayLimits& limits, const std::stop_token& stop)
{
    if (2 * callsIn(trace, process, range) + workIn(trace, process, range) > limits.mostEvents)
        return std::nullopt;
    ReplayWindow window;
    window.process = process;
    window.steps = {range};
    window.isWhole = true;
    std::optional<ReplayGraph> graph = replayGraphOf(trace, window, stop);
    if (!graph)
        return std::nullopt;
    return Replay(trace, std::move(*graph), window);
}

Expectation Replay::expect(const Cure& cure, const std::stop_token& stop, bool withPlain) const
{
    Expectation result;
    result.steps = m_graph.steps;
    result.isWhole = m_graph.isWhole;
    result.explained = m_explained;
    const auto changed = [&](Estimate estimate) {
        throwIfStopped(stop);
        return changedBy(*m_trace, m_graph, cure, estimate);
    };
    const Changed cured = changed(Estimate::Expected);
    const std::vector<Ns> expected = lengthsOf(cured);
    // The same marks tell both, whatever the cure takes away.
    ReplayGraph marked = m_graph;
    for (std::size_t i = 0; i < marked.works.size(); ++i)
        marked.works[i].isOfDevice &= !cured.graph.works[i].removed && !cured.graph.works[i].moved;
    const std::vector<Ns> unchanged = stepLengths(marked, runReplay(marked));
    result.measured = static_cast<Ns>(meanOf(stepLengths(marked, recordedTimes(marked))));
    result.replayed = static_cast<Ns>(meanOf(unchanged));
    result.changed = cured.count + (cured.evens ? stalledOf(unchanged) : 0);
    result.cured.expected = static_cast<Ns>(meanOf(expected));
    result.cured.low = result.cured.high = result.cured.expected;
    const double measured = std::max<double>(static_cast<double>(result.measured), 1);
    result.modelError = std::abs(static_cast<double>(m_explained) / measured - 1);
    if (withPlain) {
        result.plain = plainStep({});
        result.plainCured = plainStep(cure);
    }
    if (cure.empty())
        return result;
    const Ns low
        = std::min(static_cast<Ns>(meanOf(lengthsOf(changed(Estimate::Optimistic)))), result.cured.expected);
    const Ns high
        = std::max(static_cast<Ns>(meanOf(lengthsOf(changed(Estimate::Pessimistic)))), result.cured.expected);
    result.factors = static_cast<double>(high - low) / 2 / measured;
    result.spread = errorOfSaving(unchanged, expected) / measured;
    const double unsure = (result.modelError + result.spread) * measured;
    result.cured.low = std::max<Ns>(low - static_cast<Ns>(unsure), 0);
    result.cured.high = high + static_cast<Ns>(unsure);
    return result;
}

ExpectedTime Replay::plainStep(const Cure& cure) const
{
    const auto lengthWith = [&](Estimate estimate) {
        Changed changed = changedBy(*m_trace, m_graph, cure, Estimate::Expected);
        removeProfilerCost(*m_trace, m_profilerCost, estimate, changed.graph);
        return static_cast<Ns>(meanOf(lengthsOf(changed)));
    };
    return {
        lengthWith(Estimate::Optimistic), lengthWith(Estimate::Expected), lengthWith(Estimate::Pessimistic)};
}

std::size_t Replay::matches(const CureEdit& edit) const
{
    if (edit.kind == CureKind::EvenSteps)
        return expect(Cure{{edit}}).changed;
    ReplayGraph graph = m_graph;
    return applyEdit(*m_trace, edit, Estimate::Expected, graph);
}

} // namespace warpline
