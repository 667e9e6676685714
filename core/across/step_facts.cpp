// Where the time of a participant's steps went, without waiting on host and GPU, so that parts of a waiting
// rank compare with those of the rank that it waits for.

#include "core/across/step_facts.h"

#include "core/analysis/trace_analysis.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/budget/host_pieces.h"
#include "core/store/trace.h"

#include <fmt/format.h>

namespace warpline {

namespace {

/// The GPU's steps that are the participant's: of several GPUs those with most steps.
const GpuSteps* gpuStepsOf(const StepSources& sources, const ParticipantSummary& participant)
{
    const GpuSteps* best = nullptr;
    for (const GpuSteps& each : sources.onGpus) {
        if (participant.uses(each.process, each.device) && (!best || each.gpu.size() > best->gpu.size()))
            best = &each;
    }
    return best;
}

/// Adds lengths to the parts of steps, by name.
class PartSums {
public:
    explicit PartSums(ParticipantSummary& participant)
        : m_participant(participant)
    {
        for (std::size_t i = 0; i < participant.parts.size(); ++i)
            m_places.emplace(participant.parts[i], i);
    }
    void add(StepFacts& step, PartKind kind, const std::string& name, Ns length)
    {
        if (length <= 0)
            return;
        const auto [place, added] = m_places.try_emplace({kind, name}, m_participant.parts.size());
        if (added)
            m_participant.parts.push_back({kind, name});
        if (step.parts.size() <= place->second)
            step.parts.resize(place->second + 1);
        step.parts[place->second] += length;
    }

private:
    ParticipantSummary& m_participant;
    std::map<StepPart, std::size_t> m_places;
};

/// What the thread of the steps did itself in each of them.
void addHostParts(const StepSources& sources, const StepSeries& series, ParticipantSummary& participant,
    const std::stop_token& stop)
{
    RangeWords words(sources.trace);
    HostPieces pieces(sources.trace, sources.facts.host(series.thread), words, series.thread);
    PartSums sums(participant);
    std::map<StringId, std::string> names; // many pieces have few names
    std::vector<HostPiece> found;
    for (StepFacts& step : stoppableItems(participant.steps, stop)) {
        found.clear();
        pieces.append(step.host, found);
        for (const HostPiece& piece : found) {
            if (piece.doing == IdleCause::HostWait || piece.doing == IdleCause::OtherRanks)
                continue;
            const auto [name, added] = names.try_emplace(piece.name);
            if (added)
                name->second = withoutNumbers(toUtf8(sources.trace.text(piece.name)));
            sums.add(step, PartKind::Range, name->second.empty() ? participant.stepPattern : name->second,
                piece.range.duration());
        }
    }
}

struct GpuBusyTimes {
    PackedIntervals computing;
    PackedIntervals copying;
    PackedIntervals any;
};

GpuBusyTimes activityOf(const StepSources& sources, const ParticipantSummary& participant)
{
    GpuBusyTimes activity;
    for (const auto& [gpu, times] : sources.times) {
        if (!participant.uses(gpu.first, gpu.second))
            continue;
        activity.computing = united(activity.computing, united(times.computing, times.stalled));
        activity.copying = united(activity.copying, times.copying);
        activity.any = united(activity.any, times.communicating);
    }
    activity.any = united(activity.any, united(activity.computing, activity.copying));
    return activity;
}

/// Its id; of calls of another API than CUDA the API, too.
std::string keyOf(const BudgetPart& part, GpuApi api)
{
    return part.cause == IdleCause::OtherCall && api != GpuApi::Cuda
        ? fmt::format("{}:{}", part.id, nameOf(api))
        : part.id;
}

void addGpuParts(const StepSources& sources, const GpuBusyTimes& activity, const Intervals& communicating,
    ParticipantSummary& participant, const std::stop_token& stop)
{
    const PackedIntervals copies
        = difference(difference(activity.copying, activity.computing), communicating);
    PartSums sums(participant);
    for (StepFacts& step : stoppableItems(participant.steps, stop)) {
        step.busy = activity.any.timeIn(step.time);
        sums.add(step, PartKind::Copies, "copies", copies.timeIn(step.time));
    }
    const BudgetParts& parts = sources.budgets.parts();
    for (const GpuBudget& gpu : sources.budgets.gpus()) {
        if (!participant.uses(gpu.process, gpu.device))
            continue;
        for (StepFacts& step : stoppableItems(participant.steps, stop)) {
            const Budget budget = gpu.within(step.time);
            for (std::size_t part = 0; part < budget.size(); ++part) {
                const bool own = parts[part].group == BudgetGroup::Idle
                    && parts[part].cause != IdleCause::OtherRanks && parts[part].cause != IdleCause::HostWait;
                if (own)
                    sums.add(step, PartKind::Idle, keyOf(parts[part], parts.api()), budget[part]);
            }
        }
    }
}

void listSteps(const StepSources& sources, ParticipantSummary& participant)
{
    const StepSeries* const series = stepSeriesOf(sources, participant);
    if (!series)
        return;
    const GpuSteps* const onGpu = gpuStepsOf(sources, participant);
    const bool named = !onGpu || onGpu->foundBy == StepSource::Nvtx;
    participant.stepPattern = series->pattern;
    for (std::size_t i = 0; i < series->size(); ++i) {
        StepFacts step;
        if (named)
            step.name = sources.trace.name(series->events[i]);
        step.host = series->ranges[i];
        const TimeRange range = onGpu ? onGpu->rangeOf(i) : TimeRange{};
        step.time = range.empty() ? step.host : range;
        step.warmUp = i < series->firstSteady;
        participant.steps.push_back(std::move(step));
    }
}

} // namespace

const StepSeries* stepSeriesOf(const StepSources& sources, const ParticipantSummary& participant)
{
    if (const GpuSteps* const steps = gpuStepsOf(sources, participant); steps && !steps->host.empty())
        return &steps->host;
    const auto found = sources.onHosts.find(pidOf(participant.process));
    const bool there = found != sources.onHosts.end() && !found->second.empty()
        && processOf(found->second.thread) == participant.process;
    return there ? &found->second : nullptr;
}

Intervals communicationOf(const ParticipantSummary& participant, TimeRange session)
{
    std::vector<TimeRange> ranges;
    for (const Exchange& each : participant.exchanges) {
        if (participant.types[each.type].kind != ExchangeKind::Post)
            ranges.push_back(each.range);
    }
    return unionOf(std::move(ranges), session);
}

void addSteps(const StepSources& sources, ParticipantSummary& participant, const std::stop_token& stop)
{
    const TimeRange whole{sources.trace.session.start, sources.trace.session.end + 1};
    const Intervals communicating = communicationOf(participant, whole);
    const GpuBusyTimes activity = activityOf(sources, participant);
    participant.communicating = totalTime(communicating);
    participant.computing = intersection(activity.computing, communicating);
    participant.computeAlone = totalTime(activity.computing) - totalTime(participant.computing);
    listSteps(sources, participant);
    addKernelPaces(sources.trace, communicating, participant, stop);
    if (participant.steps.empty())
        return;
    addHostParts(sources, *stepSeriesOf(sources, participant), participant, stop);
    addGpuParts(sources, activity, communicating, participant, stop);
}

} // namespace warpline
