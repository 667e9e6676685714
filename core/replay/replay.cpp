#include "core/replay/replay.h"

#include "core/base/median.h"
#include "core/base/share.h"
#include "core/base/stop.h"
#include "core/coverage/interval_times.h"
#include "core/derive/communication.h"
#include "core/derive/tracks_of.h"
#include "core/replay/apply_cure.h"
#include "core/replay/replay_run.h"
#include "core/store/trace.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace warpline {

namespace {

/// Minimum margin on each side of a saving's interval, for unknown effects.
constexpr double minMargin = 0.05;
/// How far steps of another run of the same program lie from those of this one: clocks, other load.
constexpr double otherRun = 0.025;
/// The same as a share of a cure's saving.
constexpr double otherOfSaving = 0.2;

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
        for (const Track& track : TracksOf(trace, kind, process)) {
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
    return std::accumulate(lengths.begin(), lengths.end(), 0.0) / static_cast<double>(lengths.size());
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
    const ReplayTimes times = runReplay(changed.graph);
    std::vector<Ns> lengths = stepLengths(changed.graph, times);
    if (changed.graph.isWhole) { // it is not longer because the first work begins earlier than the rest
        const TimeRange was = wholeOf(changed.graph, recordedTimes(changed.graph));
        lengths.front() = std::min(
            lengths.front(), std::max(was.duration(), wholeOf(changed.graph, times).end - was.start));
    }
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

/// The standard error of the mean saving: the variation of the savings of single steps. 0: one step.
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

/// The mean busy time of a step on the GPU that defines the steps; concurrent work counts once.
Ns busyOf(const ReplayGraph& graph)
{
    const ReplayTimes times = runReplay(graph);
    std::vector<TimeRange> ranges;
    for (std::size_t i = 0; i < graph.works.size(); ++i) {
        const ReplayWork& work = graph.works[i];
        if (!work.removed && work.isOfDevice && work.call != noNode
            && (graph.isWhole || work.step < graph.steps))
            ranges.push_back(times.works[i]);
    }
    const PackedIntervals busy = unionOf(std::move(ranges), {graph.begin, std::numeric_limits<Ns>::max()});
    return totalTime(busy) / static_cast<Ns>(std::max<std::size_t>(graph.steps, 1));
}

/// The differences between `before` and `after`, by name: calls, and work that was not removed with its call.
std::vector<std::pair<std::string, std::size_t>> changesOf(
    const Trace& trace, const ReplayGraph& before, const ReplayGraph& after)
{
    std::map<std::string, std::size_t> counts;
    for (std::size_t i = 0; i < before.calls.size(); ++i) {
        const ReplayCall& was = before.calls[i];
        const ReplayCall& is = after.calls[i];
        if (is.removed != was.removed || is.length != was.length || is.awaitedCount < was.awaitedCount)
            ++counts[std::string(bareCallName(trace.name({EventKind::ApiCall, was.call})))];
    }
    for (std::size_t i = 0; i < before.works.size(); ++i) {
        const ReplayWork& was = before.works[i];
        const ReplayWork& is = after.works[i];
        if (is.removed != was.removed || is.length != was.length || is.moved != was.moved
            || is.producer != was.producer)
            ++counts[std::string(trace.displayName(was.event))];
    }
    std::vector<std::pair<std::string, std::size_t>> changes(counts.begin(), counts.end());
    std::ranges::stable_sort(changes, std::greater{}, [](const auto& change) { return change.second; });
    return changes;
}

/// The part of the time of `graph` in which kernels of collectives run.
double communicationOf(const Trace& trace, const ReplayGraph& graph)
{
    const CommunicationKernels communicates(trace);
    std::vector<TimeRange> ranges;
    for (const ReplayWork& work : graph.works) {
        if (work.call != noNode && work.event.kind == EventKind::Kernel && communicates[work.event.index])
            ranges.push_back(work.ran);
    }
    const TimeRange all = timeOfWork(graph);
    return all.empty() ? 0 : shareOf(totalTime(unionOf(std::move(ranges), all)), all.duration());
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
    m_communication = communicationOf(trace, m_graph);
}

std::optional<Replay> Replay::ofSteps(
    const Trace& trace, const GpuSteps& steps, const ReplayLimits& limits, const std::stop_token& stop)
{
    // Consecutive steady steps on the host that launch work, and the next one.
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
        return last - first > limits.maxSteps
            || 2 * callsIn(trace, steps.process, range) + workIn(trace, steps.process, range)
            > limits.maxEvents;
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

std::optional<Replay> Replay::ofRange(const Trace& trace, GlobalId process, TimeRange range, bool fromStart,
    const ReplayLimits& limits, const std::stop_token& stop)
{
    if (2 * callsIn(trace, process, range) + workIn(trace, process, range) > limits.maxEvents)
        return std::nullopt;
    ReplayWindow window;
    window.process = process;
    window.steps = {range};
    window.isWhole = true;
    std::optional<ReplayGraph> graph = replayGraphOf(trace, window, stop);
    if (!graph)
        return std::nullopt;
    graph->fromStart = fromStart;
    return Replay(trace, std::move(*graph), window);
}

Expectation Replay::expect(const Cure& cure, const std::stop_token& stop, bool withPlain) const
{
    Expectation result;
    result.steps = m_graph.steps;
    result.isWhole = m_graph.isWhole;
    result.explained = m_explained;
    result.communication = m_communication;
    const auto changed = [&](Estimate estimate) {
        throwIfStopped(stop);
        return changedBy(*m_trace, m_graph, cure, estimate);
    };
    const Changed cured = changed(Estimate::Expected);
    const std::vector<Ns> expected = lengthsOf(cured);
    // The same marks for both, whatever the cure removes.
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
    if (cure.empty()) {
        if (withPlain)
            result.plain = withoutProfiler(cure, 0, stop);
        return result;
    }
    result.isCapped = cured.graph.isCapped;
    result.changes = changesOf(*m_trace, m_graph, cured.graph);
    const Changed best = changed(Estimate::Optimistic);
    const Ns low = std::min(static_cast<Ns>(meanOf(lengthsOf(best))), result.cured.expected);
    const Ns high
        = std::max(static_cast<Ns>(meanOf(lengthsOf(changed(Estimate::Pessimistic)))), result.cured.expected);
    result.factors = static_cast<double>(high - low) / 2 / measured;
    result.spread = errorOfSaving(unchanged, expected) / measured;
    result.margin
        = minMargin * std::abs(static_cast<double>(result.replayed - result.cured.expected)) / measured;
    const auto unsure
        = static_cast<Ns>(std::max(result.modelError + result.spread, result.margin) * measured);
    // No step is shorter than the work that is left in it.
    const Ns least = busyOf(best.graph);
    if (withPlain) {
        PlainExpectation& plain
            = result.plain.emplace(withoutProfiler(cure, static_cast<double>(unsure) / measured, stop));
        plain.cured.low = std::max(plain.cured.low,
            std::min(plain.cured.expected, static_cast<Ns>(static_cast<double>(least) * (1 - otherRun))));
        plain.mostShare = std::max(plain.share,
            std::min(plain.mostShare,
                1 - static_cast<double>(plain.cured.low) / static_cast<double>(plain.asIs.high)));
    }
    result.cured.low = std::max(low - unsure, std::min(low, least));
    result.cured.high = high + unsure;
    return result;
}

PlainExpectation Replay::withoutProfiler(const Cure& cure, double unsure, const std::stop_token& stop) const
{
    const auto lengthWith = [&](const Cure& change, Estimate ofCure, Estimate ofProfiler) {
        throwIfStopped(stop);
        Changed changed = changedBy(*m_trace, m_graph, change, ofCure);
        removeProfilerCost(*m_trace, m_profilerCost, ofProfiler, changed.graph);
        return std::max(meanOf(lengthsOf(changed)), 1.0);
    };
    PlainExpectation plain;
    const auto rangeOf = [](double low, double expected, double high) {
        return ExpectedTime{static_cast<Ns>(std::min(low, expected) * (1 - otherRun)),
            static_cast<Ns>(expected), static_cast<Ns>(std::max(high, expected) * (1 + otherRun))};
    };
    const double expected = lengthWith({}, Estimate::Expected, Estimate::Expected);
    const double best = lengthWith({}, Estimate::Expected, Estimate::Optimistic);
    const double worst = lengthWith({}, Estimate::Expected, Estimate::Pessimistic);
    plain.asIs = rangeOf(best, expected, worst);
    plain.cured = plain.asIs;
    if (cure.empty())
        return plain;
    const double cured = lengthWith(cure, Estimate::Expected, Estimate::Expected);
    plain.share = plain.leastShare = plain.mostShare = 1 - cured / expected;
    double low = cured;
    double high = cured;
    for (const auto& [ofProfiler, asIs] :
        {std::pair(Estimate::Optimistic, best), std::pair(Estimate::Pessimistic, worst)}) {
        for (const Estimate ofCure : {Estimate::Optimistic, Estimate::Pessimistic}) {
            const double length = lengthWith(cure, ofCure, ofProfiler);
            low = std::min(low, length);
            high = std::max(high, length);
            plain.leastShare = std::min(plain.leastShare, 1 - length / asIs);
            plain.mostShare = std::max(plain.mostShare, 1 - length / asIs);
        }
    }
    // Both steps are of other runs than the recorded one.
    plain.cured = rangeOf(std::max(low - unsure * best, 0.0), cured, high + unsure * worst);
    // A cure of little saves little in any run.
    const auto apart = [&](double share) {
        return std::min(2 * otherRun * (1 - share) / (1 - otherRun), otherOfSaving * std::abs(plain.share));
    };
    plain.leastShare -= apart(plain.leastShare) + unsure;
    plain.mostShare = std::min(plain.mostShare + apart(plain.mostShare) + unsure, 1.0);
    return plain;
}

ProfiledStep Replay::profiledStep() const
{
    const Expectation same = expect({}, {}, true);
    return {m_profilerCost.call, same.measured, same.plain->asIs};
}

std::size_t Replay::matches(const CureEdit& edit) const
{
    if (edit.kind == CureKind::EvenSteps)
        return expect(Cure{{edit}}).changed;
    ReplayGraph graph = m_graph;
    return applyEdit(*m_trace, edit, Estimate::Expected, graph);
}

} // namespace warpline
