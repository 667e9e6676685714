#include "core/compare/side_measure.h"

#include "core/across/exact_waits.h"
#include "core/across/judge_ranks.h"
#include "core/across/participants.h"
#include "core/base/median.h"
#include "core/base/path_names.h"
#include "core/base/saturate.h"
#include "core/base/stop.h"
#include "core/compare/step_noise.h"
#include "core/derive/nccl_calls.h"
#include "core/replay/replay.h"
#include "core/steps/step_names.h"
#include "core/store/gpu_names.h"
#include "core/store/part_of_recording.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace warpline {

namespace {

TimeRange windowOf(const Trace& trace, const SideRequest& request)
{
    const TimeRange whole{trace.session.start, trace.session.end + 1};
    return request.range.empty() ? whole : request.range.clippedTo(whole);
}

/// The entries of `all` that run the program's steps: those whose steps have the names of the main one, for
/// each GPU that with the most time in steps.
std::vector<StepBudgets> takingPart(std::vector<StepBudgets> all)
{
    const StepBudgets* const main = mainOf(all);
    std::vector<StepBudgets> chosen;
    if (!main)
        return chosen;
    const std::string pattern = main->found.host.pattern;
    const bool anyWhole
        = std::ranges::any_of(all, [](const StepBudgets& steps) { return !steps.found.gpu.empty(); });
    std::map<GpuOfProcess, std::size_t> places;
    for (StepBudgets& steps : all) {
        if (steps.found.host.pattern != pattern || (anyWhole && steps.found.gpu.empty()))
            continue;
        const auto [place, added]
            = places.try_emplace({steps.found.process, steps.found.device}, chosen.size());
        if (added)
            chosen.push_back(std::move(steps));
        else if (timeInSteps(steps) > timeInSteps(chosen[place->second]))
            chosen[place->second] = std::move(steps);
    }
    return chosen;
}

/// The summaries of a recording's reports. That of a single one names its ranks alone: it waits for no other.
std::vector<ReportSummary> summariesOf(const std::vector<SideReport>& reports, const std::stop_token& stop)
{
    std::vector<ReportSummary> summaries;
    for (const SideReport& report : reports) {
        if (reports.size() > 1)
            summaries.push_back(summarize(*report.trace, report.file, stop));
        else
            summaries.emplace_back().participants
                = findParticipants(*report.trace, NcclCalls(*report.trace), report.file);
    }
    return summaries;
}

/// The budget of step `step` of `gpu`; of the unit Whole it is not made beforehand.
Budget budgetOf(const SideMeasure& measure, const ComparedGpu& gpu, std::size_t step)
{
    const MeasuredReport& report = measure.reports[gpu.report];
    for (const StepBudgets& steps : report.steps) {
        if (measure.unit == CompareUnit::Step && steps.found.process == gpu.process
            && steps.found.device == gpu.device)
            return steps.steps[step].budget.whole();
    }
    return report.budgets->find(gpu.process, gpu.device)->within(gpu.steps[step].gpu);
}

std::string labelOf(const SideMeasure& measure, std::uint32_t report, GlobalId process, std::int32_t device)
{
    const std::string gpu = gpuName(*measure.reports[report].trace, process, device);
    if (measure.reports.size() == 1)
        return gpu;
    return std::string(baseName(measure.side.files[report])) + ", " + gpu;
}

bool isChosen(const SideRequest& request, const StepBudget& step, std::size_t index)
{
    if (request.steps.empty())
        return step.whole && !step.warmUp && !step.gpu.empty();
    return step.whole && index >= request.steps.first && index < request.steps.end;
}

std::int64_t rankOf(const MeasuredReport& report, GlobalId process, std::int32_t device)
{
    const auto found = std::ranges::find_if(
        report.participants, [&](const ParticipantSummary& each) { return each.uses(process, device); });
    return found != report.participants.end() ? found->rank : -1;
}

/// Adds a GPU without steps. Ranks are in their order, because the reports may be in another one.
ComparedGpu& addGpu(SideMeasure& measure, std::uint32_t report, GlobalId process, std::int32_t device)
{
    const MeasuredReport& of = measure.reports[report];
    ComparedGpu gpu{report, of.run, process, device, rankOf(of, process, device),
        labelOf(measure, report, process, device), {}};
    std::vector<ComparedGpu>& gpus = measure.side.gpus;
    const auto place = std::ranges::upper_bound(gpus, std::pair(gpu.run, gpu.rank), {},
        [](const ComparedGpu& each) { return std::pair(each.run, each.rank); });
    return *gpus.insert(place, std::move(gpu));
}

ComparedGpu& addSteps(
    SideMeasure& measure, std::uint32_t report, const StepBudgets& budgets, const SideRequest& request)
{
    ComparedGpu& gpu = addGpu(measure, report, budgets.found.process, budgets.found.device);
    for (std::size_t i = 0; i < budgets.steps.size(); ++i) {
        const StepBudget& step = budgets.steps[i];
        gpu.steps.push_back({step.name, step.event, step.host, step.gpu, isChosen(request, step, i)});
    }
    return gpu;
}

/// Names the process, too, where several of a report use one GPU.
void addProcessIds(ComparedSide& side)
{
    std::map<std::pair<std::uint32_t, std::string>, std::vector<ComparedGpu*>> alike;
    for (ComparedGpu& gpu : side.gpus)
        alike[{gpu.report, gpu.label}].push_back(&gpu);
    for (const auto& [key, gpus] : alike) {
        for (ComparedGpu* const gpu : gpus) {
            if (gpus.size() > 1)
                gpu->label += fmt::format(" [{}]", pidOf(gpu->process));
        }
    }
}

/// The GPUs of one recording of a side.
std::vector<ComparedGpu*> gpusOfRun(ComparedSide& side, std::uint32_t run)
{
    std::vector<ComparedGpu*> gpus;
    for (ComparedGpu& gpu : side.gpus) {
        if (gpu.run == run)
            gpus.push_back(&gpu);
    }
    return gpus;
}

/// A step counts where it counts on every GPU of a recording; steps of GPUs correspond by order.
void countOnAllGpus(const std::vector<ComparedGpu*>& gpus)
{
    std::size_t fewest = gpus.empty() ? 0 : gpus.front()->steps.size();
    for (const ComparedGpu* const gpu : gpus)
        fewest = std::min(fewest, gpu->steps.size());
    for (std::size_t step = 0; step < fewest; ++step) {
        const bool all
            = std::ranges::all_of(gpus, [&](const ComparedGpu* gpu) { return gpu->steps[step].judged; });
        for (ComparedGpu* const gpu : gpus)
            gpu->steps[step].judged = all;
    }
    for (ComparedGpu* const gpu : gpus) {
        for (std::size_t step = fewest; step < gpu->steps.size(); ++step)
            gpu->steps[step].judged = false;
    }
}

/// A step of a recording: the mean of its GPUs, on them and on the host; nothing: not all of them have it.
std::optional<std::pair<Ns, Ns>> meanLengths(const std::vector<ComparedGpu*>& gpus, std::size_t step)
{
    std::pair<double, double> sums; // of any number of GPUs: beyond 63 bits
    for (const ComparedGpu* const gpu : gpus) {
        if (step >= gpu->steps.size())
            return std::nullopt;
        sums.first += static_cast<double>(gpu->steps[step].gpu.duration());
        sums.second += static_cast<double>(gpu->steps[step].host.duration());
    }
    const auto count = static_cast<double>(gpus.size());
    return std::pair(static_cast<Ns>(sums.first / count), static_cast<Ns>(sums.second / count));
}

/// Where the counted steps begin after slower steps that were left out, because the program settles there.
/// For the first recording.
LevelChange settledOf(SideMeasure& measure)
{
    constexpr std::size_t minWarmUp = 3;
    const std::vector<ComparedGpu*> gpus = gpusOfRun(measure.side, 0);
    std::vector<Ns> warmUp; // without the very first step
    for (std::size_t step = 0; !gpus.empty() && step < gpus.front()->steps.size(); ++step) {
        if (gpus.front()->steps[step].judged)
            break;
        const auto lengths = meanLengths(gpus, step);
        if (step > 0 && lengths && lengths->first > 0)
            warmUp.push_back(lengths->first);
    }
    if (warmUp.size() < minWarmUp || measure.side.runs.front().judged == 0)
        return {};
    const LevelChange change{warmUp.size() + 1, middleOf(warmUp), measure.side.runs.front().median};
    return change.before > change.after ? change : LevelChange{};
}

/// Takes one sample per compared step, and sets the values of the side.
void takeSamples(SideMeasure& measure)
{
    ComparedSide& side = measure.side;
    measure.samples.clear();
    side.runs.clear();
    std::vector<StepSpread> spreads;
    std::vector<Ns> hosts;
    const std::uint32_t runs = measure.reports.empty() ? 0 : measure.reports.back().run + 1;
    double divisor = 0;
    for (std::uint32_t run = 0; run < runs; ++run) {
        const std::vector<ComparedGpu*> gpus = gpusOfRun(side, run);
        std::vector<Ns> judged;
        for (std::size_t step = 0; !gpus.empty() && step < gpus.front()->steps.size(); ++step) {
            if (!gpus.front()->steps[step].judged)
                continue;
            const auto [gpu, host] = meanLengths(gpus, step).value_or(std::pair<Ns, Ns>());
            measure.samples.push_back({gpu, run, step});
            judged.push_back(gpu);
            hosts.push_back(host);
        }
        spreads.push_back(spreadOf(judged));
        side.runs.push_back({judged.size(), spreads.back().median, spreads.back().mean});
        divisor += static_cast<double>(judged.size() * gpus.size());
    }
    measure.spread = spreads.empty() ? StepSpread() : spreadOfRuns(spreads);
    side.judged = measure.samples.size();
    side.divisor = std::max<double>(1, divisor);
    side.median = measure.spread.median;
    side.spread = measure.spread.deviation;
    side.error = measure.spread.error;
    side.period = measure.spread.period;
    side.change = measure.spread.change;
    side.total = 0;
    for (const StepSample& sample : measure.samples)
        side.total = saturatingAdd(side.total, sample.length);
    side.mean = side.judged > 0 ? static_cast<double>(side.total) / static_cast<double>(side.judged) : 0;
    side.hostMedian = measure.unit == CompareUnit::Step ? middleOf(std::move(hosts)) : 0;
}

/// From the first to the last work of each GPU in `window`.
std::map<GpuOfProcess, TimeRange> livesIn(const Trace& trace, TimeRange window)
{
    std::map<GpuOfProcess, TimeRange> lives;
    for (const EventKind kind : gpuWorkKinds) {
        const EventTable& table = trace.table(kind);
        for (const Track& track : table.tracks) {
            if (track.device < 0)
                continue;
            for (const Lane& lane : table.lanesOf(track)) {
                const auto [first, last] = table.touching(lane, window);
                if (first == last)
                    continue;
                const TimeRange life
                    = TimeRange{table.start[first], std::max(table.end(last - 1), table.start[last - 1] + 1)}
                          .clippedTo(window);
                const auto [place, added] = lives.try_emplace({track.owner, track.device}, life);
                if (!added)
                    place->second = place->second.unitedWith(life);
            }
        }
    }
    return lives;
}

/// A chosen range as it is for each GPU with work in it; otherwise from its first to its last work.
void addWholes(SideMeasure& measure, std::uint32_t report, const SideRequest& request)
{
    const Trace& trace = *measure.reports[report].trace;
    const TimeRange window = windowOf(trace, request);
    const bool isRange = !request.range.empty();
    for (const auto& [gpu, life] : livesIn(trace, window)) {
        if (!measure.reports[report].budgets->find(gpu.first, gpu.second))
            continue;
        addGpu(measure, report, gpu.first, gpu.second)
            .steps.push_back({isRange ? "range" : "all", {}, window, isRange ? window : life, true});
    }
}

/// Adds the reports of recording `run`.
void addRun(SideMeasure& measure, const SideRequest& request, const std::vector<SideReport>& reports,
    std::uint32_t run, const KernelClassRules& rules, const std::stop_token& stop)
{
    std::vector<ReportSummary> summaries = summariesOf(reports, stop);
    // It has the exact waits in collectives.
    const AcrossReport across = reports.size() > 1 ? judgeSummaries(summaries, stop) : AcrossReport();
    // Accepts the pattern that the output shows: "step_#" is "step_*".
    const std::string glob = request.stepGlob.find('#') != std::string::npos ? globOfPattern(request.stepGlob)
                                                                             : request.stepGlob;
    for (std::size_t i = 0; i < reports.size(); ++i) {
        const SideReport& report = reports[i];
        measure.side.files.push_back(report.file);
        measure.side.isPart = measure.side.isPart || partOf(report.trace->info).has_value();
        MeasuredReport& made = measure.reports.emplace_back();
        made.trace = report.trace.get();
        made.run = run;
        made.budgets = std::make_unique<const GpuBudgets>(*report.trace, rules, stop,
            exactWaitRanges(*report.trace, across, static_cast<ReportId>(i)), glob);
        made.steps = takingPart(stepBudgets(*report.trace, *made.budgets,
            findGpuSteps(*report.trace, windowOf(*report.trace, request), glob, stop)));
        made.participants = std::move(summaries[i].participants);
    }
}

} // namespace

/// Steps count where they do on every GPU of their recording; takes the samples of those.
static void takeJudged(SideMeasure& measure)
{
    for (std::uint32_t run = 0; run <= measure.reports.back().run; ++run)
        countOnAllGpus(gpusOfRun(measure.side, run));
    takeSamples(measure);
}

static bool hasStepsInAll(const SideMeasure& measure)
{
    return std::ranges::none_of(measure.side.runs, [](const ComparedRun& run) { return run.judged == 0; });
}

/// Leaves out the first steps of a recording with periodic stalls, so that the rest are whole periods: a
/// partial one would have a stall too many or too few.
static void keepWholePeriods(SideMeasure& measure)
{
    const std::size_t period = measure.side.period.steps;
    if (period == 0 || measure.side.runs.size() != 1)
        return;
    for (std::size_t i = 0; i < measure.samples.size() % period; ++i) {
        for (ComparedGpu& gpu : measure.side.gpus)
            gpu.steps[measure.samples[i].step].judged = false;
    }
    takeSamples(measure);
}

/// Whether the steps of a chosen range are a guess, and cover less than half of the time from the first to
/// the last work of their GPUs in it. Such pieces do not stand for the range: they may be layers of its only
/// step.
static bool isGuessOfPieces(const SideMeasure& measure, const SideRequest& request)
{
    constexpr double minCover = 0.5;
    const bool isGuess = std::ranges::any_of(measure.reports, [](const MeasuredReport& report) {
        return !report.steps.empty() && report.steps.front().found.foundBy != StepSource::Nvtx;
    });
    if (!isGuess || request.range.empty() || !request.steps.empty())
        return false;
    double all = 0; // of any number of GPUs: beyond 63 bits
    double covered = 0; // by warm-up, too: it repeats
    for (const MeasuredReport& report : measure.reports) {
        auto lives = livesIn(*report.trace, windowOf(*report.trace, request));
        for (const StepBudgets& steps : report.steps) {
            all += static_cast<double>(lives[{steps.found.process, steps.found.device}].duration());
            for (const StepBudget& step : steps.steps)
                covered += step.whole ? static_cast<double>(step.gpu.duration()) : 0;
        }
    }
    return covered < minCover * all;
}

/// The tracing of graphs, for several reports the one that hides most.
static GraphTracing graphTracingOf(const std::vector<MeasuredReport>& reports)
{
    GraphTracing graphs = GraphTracing::None;
    for (const MeasuredReport& report : reports) {
        const std::vector<KernelLaunch>& launches = report.trace->kernels().launches;
        if (!report.trace->table(EventKind::GraphTrace).empty())
            return GraphTracing::Whole;
        if (std::ranges::any_of(launches, [](const KernelLaunch& launch) { return launch.graphNodeId != 0; }))
            graphs = GraphTracing::Nodes;
    }
    return graphs;
}

/// The recording overhead in the steps of the only GPU of the first recording.
static std::optional<ProfiledStep> profiledStepOf(const SideMeasure& measure, const std::stop_token& stop)
{
    const MeasuredReport& report = measure.reports.front();
    if (measure.side.gpuCount() != 1 || report.steps.size() != 1)
        return std::nullopt;
    const auto replay = Replay::ofSteps(*report.trace, report.steps.front().found, limitsOfMany, stop);
    if (!replay)
        return std::nullopt;
    const Expectation same = replay->expect({}, stop, true);
    if (!same.isTold())
        return std::nullopt;
    return ProfiledStep{replay->profilerCost().call, same.measured, same.plain->asIs};
}

SideMeasure measureSide(
    const SideRequest& request, const KernelClassRules& rules, const std::stop_token& stop)
{
    SideMeasure measure;
    addRun(measure, request, request.reports, 0, rules, stop);
    for (const std::vector<SideReport>& repeat : request.repeats)
        addRun(measure, request, repeat, measure.reports.back().run + 1, rules, stop);
    measure.graphs = graphTracingOf(measure.reports);
    measure.unit = CompareUnit::Step;
    for (std::uint32_t i = 0; i < measure.reports.size(); ++i) {
        const std::vector<StepBudgets>& found = measure.reports[i].steps;
        if (!found.empty() && measure.side.pattern.empty())
            measure.side.pattern = found.front().found.host.pattern;
        for (const StepBudgets& steps : found)
            addSteps(measure, i, steps, request);
    }
    addProcessIds(measure.side);
    takeJudged(measure);
    const bool isPieces = isGuessOfPieces(measure, request);
    if (isPieces) {
        for (MeasuredReport& report : measure.reports)
            report.steps.clear();
    } else if (request.steps.empty()) { // else those that were left out were not chosen
        measure.side.settled = settledOf(measure);
        keepWholePeriods(measure);
        measure.profiled = profiledStepOf(measure, stop);
    }
    const bool none = isPieces || !hasStepsInAll(measure);
    measure.missingSteps = none && !request.steps.empty();
    if (none) {
        measure.missingGlob = request.stepGlob;
        measureWhole(measure, request);
    }
    return measure;
}

/// Whether a part of a recording may lack work of the last one of `steps`: it begins after the start of that
/// step, or ends before the work of the GPU does.
static bool isLastCut(const MeasuredReport& report, const StepBudgets& steps)
{
    const auto part = partOf(report.trace->info);
    return part
        && (part->kept.end < part->gpuWork.end
            || report.trace->range(steps.found.host.events[steps.found.lastIndex]).start < part->kept.start);
}

void measureLastStep(SideMeasure& measure, const SideRequest& request)
{
    if (!request.steps.empty())
        return;
    if (!request.range.empty()) { // compared as it is, wherever the steps of the requested name are
        measure.missingGlob.clear();
        return;
    }
    measure.unit = CompareUnit::Step;
    measure.side.gpus.clear();
    for (std::uint32_t i = 0; i < measure.reports.size(); ++i) {
        for (const StepBudgets& steps : measure.reports[i].steps) {
            if (steps.found.last.empty())
                continue;
            measure.side.pattern = steps.found.host.pattern;
            std::vector<ComparedStep>& added = addSteps(measure, i, steps, request).steps;
            if (std::ranges::none_of(added, &ComparedStep::judged)) // otherwise the whole steps count
                added[steps.found.lastIndex].judged = !isLastCut(measure.reports[i], steps);
        }
    }
    takeJudged(measure);
    if (hasStepsInAll(measure))
        measure.missingGlob.clear();
    else
        measureWhole(measure, request);
}

void measureWhole(SideMeasure& measure, const SideRequest& request)
{
    measure.unit = CompareUnit::Whole;
    measure.side.gpus.clear();
    measure.side.pattern.clear();
    measure.side.settled = {};
    measure.side.isRange = !request.range.empty();
    for (std::uint32_t i = 0; i < measure.reports.size(); ++i)
        addWholes(measure, i, request);
    takeSamples(measure);
}

void scaleTo(std::vector<Ns>& parts, Ns sum)
{
    if (parts.empty())
        return;
    const auto have = std::accumulate(parts.begin(), parts.end(), 0.0L); // may be beyond 64 bits
    if (have <= 0) {
        parts.front() = sum;
        return;
    }
    const long double factor = static_cast<long double>(sum) / have;
    std::vector<std::pair<long double, std::size_t>> remainders;
    Ns given = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const long double exact = static_cast<long double>(parts[i]) * factor;
        parts[i] = static_cast<Ns>(std::floor(exact));
        given += parts[i];
        remainders.emplace_back(static_cast<long double>(parts[i]) - exact, i);
    }
    std::ranges::sort(remainders);
    for (std::size_t i = 0; given < sum; i = (i + 1) % remainders.size(), ++given)
        ++parts[remainders[i].second];
    for (std::size_t i = 0; given > sum; i = (i + 1) % parts.size()) { // floating point, at most a few
        if (parts[i] > 0) {
            --parts[i];
            --given;
        }
    }
}

/// Part `part` of `parts`, or without `byRange` the part of its time outside of ranges.
static const BudgetPart& comparedPart(const BudgetParts& parts, std::size_t part, bool byRange)
{
    if (byRange || parts[part].group != BudgetGroup::Idle)
        return parts[part];
    return parts[parts.idle(causeWithoutRanges(parts[part].cause))];
}

/// Calls visit(GPU, sample, part, time) for the parts in which a GPU spends time in a sample: places in
/// ComparedSide::gpus and SideMeasure::samples. See comparedPart() for `byRange`.
template <typename Visit> static void forEachPart(const SideMeasure& measure, bool byRange, Visit&& visit)
{
    for (std::size_t i = 0; i < measure.samples.size(); ++i) {
        for (std::size_t place = 0; place < measure.side.gpus.size(); ++place) {
            const ComparedGpu& gpu = measure.side.gpus[place];
            if (gpu.run != measure.samples[i].run)
                continue;
            const GpuBudgets& budgets = *measure.reports[gpu.report].budgets;
            const Budget budget = budgetOf(measure, gpu, measure.samples[i].step);
            for (std::size_t part = 0; part < budget.size(); ++part) {
                if (budget[part] != 0)
                    visit(place, i, comparedPart(budgets.parts(), part, byRange), budget[part]);
            }
        }
    }
}

/// The time of a part in each sample, over all GPUs.
struct PartTimes {
    const BudgetPart* part = nullptr;
    std::vector<Ns> times; ///< by place in SideMeasure::samples; shorter: 0 from there on
};

static std::map<std::string, PartTimes> partTimes(const SideMeasure& measure, bool byRange)
{
    std::map<std::string, PartTimes> parts;
    forEachPart(measure, byRange, [&](std::size_t, std::size_t sample, const BudgetPart& part, Ns time) {
        PartTimes& times = parts[part.id];
        times.part = &part;
        times.times.resize(std::max(times.times.size(), sample + 1), 0);
        times.times[sample] = saturatingAdd(times.times[sample], time);
    });
    return parts;
}

std::map<std::string, std::vector<Ns>> partsByGpu(const SideMeasure& measure, bool byRange)
{
    const std::vector<ComparedGpu>& gpus = measure.side.gpus;
    std::map<std::string, std::vector<Ns>> parts;
    forEachPart(measure, byRange, [&](std::size_t gpu, std::size_t, const BudgetPart& part, Ns time) {
        std::vector<Ns>& times = parts[part.id];
        times.resize(gpus.size(), 0);
        times[gpu] = saturatingAdd(times[gpu], time);
    });
    for (auto& [id, times] : parts) {
        for (std::size_t gpu = 0; gpu < gpus.size(); ++gpu)
            times[gpu] /= static_cast<Ns>(std::max<std::size_t>(1, measure.side.runs[gpus[gpu].run].judged));
    }
    return parts;
}

/// Standard error of the mean of a part: stalls of one period are taken together, as those of the steps are.
static double errorOfMean(std::vector<Ns> times, const SideMeasure& measure)
{
    times.resize(measure.samples.size(), 0);
    const auto gpus = static_cast<double>(std::max<std::size_t>(1, measure.side.gpuCount()));
    return meanErrorOf(times, measure.side.runs.size() == 1 ? measure.side.period.steps : 0) / gpus;
}

std::map<std::string, MeanPart> meanBudget(const SideMeasure& measure, bool byRange)
{
    std::map<std::string, MeanPart> mean;
    std::vector<Ns> times;
    for (auto& [id, part] : partTimes(measure, byRange)) {
        times.push_back(std::accumulate(part.times.begin(), part.times.end(), Ns{0}, saturatingAdd));
        mean[id] = {part.part, 0, errorOfMean(std::move(part.times), measure)};
    }
    scaleTo(times, std::llround(measure.side.mean));
    std::size_t next = 0;
    for (auto& [id, part] : mean)
        part.time = times[next++];
    return mean;
}

} // namespace warpline
