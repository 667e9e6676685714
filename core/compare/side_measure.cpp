#include "core/compare/side_measure.h"

#include "core/across/exact_waits.h"
#include "core/across/judge_ranks.h"
#include "core/base/median.h"
#include "core/base/path_names.h"
#include "core/base/stop.h"
#include "core/compare/step_noise.h"
#include "core/steps/step_names.h"
#include "core/store/gpu_names.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

namespace warpline {

namespace {

TimeRange windowOf(const Trace& trace, const SideRequest& request)
{
    const TimeRange whole{trace.session.start, trace.session.end + 1};
    return request.range.empty() ? whole : request.range.clippedTo(whole);
}

/// Those of `all` that run the program's steps: of the main one's names, one a GPU.
std::vector<StepBudgets> takingPart(std::vector<StepBudgets> all)
{
    const StepBudgets* const main = mainOf(all);
    std::vector<StepBudgets> chosen;
    if (!main)
        return chosen;
    const std::string pattern = main->found.host.pattern;
    std::map<GpuOfProcess, std::size_t> places;
    for (StepBudgets& steps : all) {
        if (steps.found.host.pattern != pattern || steps.found.gpu.empty())
            continue;
        const auto [place, added]
            = places.try_emplace({steps.found.process, steps.found.device}, chosen.size());
        if (added)
            chosen.push_back(std::move(steps));
        else if (steps.found.gpu.size() > chosen[place->second].found.gpu.size())
            chosen[place->second] = std::move(steps);
    }
    return chosen;
}

/// What the ranks of a side say of one another: how long each waits in collectives is known exactly then.
AcrossReport judgedTogether(const SideRequest& request, const std::stop_token& stop)
{
    if (request.reports.size() < 2)
        return {};
    std::vector<ReportSummary> summaries;
    for (const SideReport& report : request.reports)
        summaries.push_back(summarize(*report.trace, report.file, stop));
    return judgeSummaries(summaries, stop);
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

void addGpu(
    SideMeasure& measure, std::uint32_t report, const StepBudgets& budgets, const SideRequest& request)
{
    ComparedGpu gpu;
    gpu.report = report;
    gpu.process = budgets.found.process;
    gpu.device = budgets.found.device;
    gpu.label = labelOf(measure, report, gpu.process, gpu.device);
    for (std::size_t i = 0; i < budgets.steps.size(); ++i) {
        const StepBudget& step = budgets.steps[i];
        gpu.steps.push_back({step.name, step.event, step.host, step.gpu, isChosen(request, step, i)});
    }
    measure.side.gpus.push_back(std::move(gpu));
}

/// Steps count where they do on every GPU: the others' places are told by their order.
void judgeTogether(ComparedSide& side)
{
    std::size_t fewest = side.gpus.empty() ? 0 : side.gpus.front().steps.size();
    for (const ComparedGpu& gpu : side.gpus)
        fewest = std::min(fewest, gpu.steps.size());
    for (std::size_t step = 0; step < fewest; ++step) {
        const bool all
            = std::ranges::all_of(side.gpus, [&](const ComparedGpu& gpu) { return gpu.steps[step].judged; });
        for (ComparedGpu& gpu : side.gpus)
            gpu.steps[step].judged = all;
    }
    for (ComparedGpu& gpu : side.gpus) {
        for (std::size_t step = fewest; step < gpu.steps.size(); ++step)
            gpu.steps[step].judged = false;
    }
}

/// One sample for each judged step, and the figures of the side.
void takeSamples(SideMeasure& measure)
{
    ComparedSide& side = measure.side;
    measure.samples.clear();
    const std::size_t steps = side.gpus.empty() ? 0 : side.gpus.front().steps.size();
    std::vector<Ns> lengths;
    std::vector<Ns> hosts;
    for (std::size_t step = 0; step < steps; ++step) {
        if (!side.gpus.front().steps[step].judged)
            continue;
        Ns length = 0;
        Ns host = 0;
        for (const ComparedGpu& gpu : side.gpus) {
            length += gpu.steps[step].gpu.duration();
            host += gpu.steps[step].host.duration();
        }
        const auto gpus = static_cast<Ns>(side.gpus.size());
        measure.samples.push_back({length / gpus, step});
        lengths.push_back(length / gpus);
        hosts.push_back(host / gpus);
    }
    side.judged = lengths.size();
    side.divisor = std::max<double>(1, static_cast<double>(lengths.size() * side.gpus.size()));
    const StepSpread spread = spreadOf(lengths);
    side.median = spread.median;
    side.mean = spread.mean;
    side.spread = spread.deviation;
    side.error = spread.error;
    side.hostMedian = measure.unit == CompareUnit::Step ? middleOf(std::move(hosts)) : 0;
}

/// From the first to the last work of each GPU in the window; steps the whole.
void addWholes(SideMeasure& measure, std::uint32_t report, TimeRange window)
{
    const Trace& trace = *measure.reports[report].trace;
    std::map<GpuOfProcess, TimeRange> lives;
    for (const EventKind kind :
        {EventKind::Kernel, EventKind::Memcpy, EventKind::Memset, EventKind::GraphTrace}) {
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
    for (const auto& [gpu, life] : lives) {
        if (!measure.reports[report].budgets->find(gpu.first, gpu.second))
            continue;
        ComparedGpu compared{
            report, gpu.first, gpu.second, labelOf(measure, report, gpu.first, gpu.second), {}};
        compared.steps.push_back({"all", {}, window, life, true});
        measure.side.gpus.push_back(std::move(compared));
    }
}

} // namespace

SideMeasure measureSide(
    const SideRequest& request, const KernelClassRules& rules, const std::stop_token& stop)
{
    SideMeasure measure;
    for (const SideReport& report : request.reports)
        measure.side.files.push_back(report.file);
    const AcrossReport across = judgedTogether(request, stop);
    // What is printed may be given: "step_#" is "step_*".
    const std::string glob = request.stepGlob.find('#') != std::string::npos ? globOfPattern(request.stepGlob)
                                                                             : request.stepGlob;
    for (const SideReport& report : request.reports) {
        const auto place = static_cast<ReportId>(measure.reports.size());
        MeasuredReport& made = measure.reports.emplace_back();
        made.trace = report.trace.get();
        made.budgets = std::make_unique<const GpuBudgets>(
            *report.trace, rules, stop, exactWaitRanges(*report.trace, across, place));
        made.steps = takingPart(stepBudgets(*report.trace, *made.budgets,
            findGpuSteps(*report.trace, windowOf(*report.trace, request), glob, stop)));
    }
    measure.unit = CompareUnit::Step;
    for (std::uint32_t i = 0; i < measure.reports.size(); ++i) {
        const std::vector<StepBudgets>& found = measure.reports[i].steps;
        if (!found.empty() && measure.side.pattern.empty())
            measure.side.pattern = found.front().found.host.pattern;
        for (const StepBudgets& steps : found)
            addGpu(measure, i, steps, request);
    }
    judgeTogether(measure.side);
    takeSamples(measure);
    measure.missingSteps = measure.samples.empty() && !request.steps.empty();
    if (measure.samples.empty())
        measure.missingGlob = request.stepGlob;
    if (measure.samples.empty())
        measureWhole(measure, request);
    return measure;
}

void measureWhole(SideMeasure& measure, const SideRequest& request)
{
    measure.unit = CompareUnit::Whole;
    measure.side.gpus.clear();
    measure.side.pattern.clear();
    for (std::uint32_t i = 0; i < measure.reports.size(); ++i)
        addWholes(measure, i, windowOf(*measure.reports[i].trace, request));
    takeSamples(measure);
}

void scaleTo(std::vector<Ns>& parts, Ns sum)
{
    if (parts.empty())
        return;
    const Ns have = std::accumulate(parts.begin(), parts.end(), Ns{0});
    if (have <= 0) {
        parts.front() = sum;
        return;
    }
    const long double factor = static_cast<long double>(sum) / static_cast<long double>(have);
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

/// What a part took in each sample, over all GPUs.
struct PartTimes {
    const BudgetPart* part = nullptr;
    std::vector<Ns> times; ///< by place in SideMeasure::samples; shorter: 0 from there on
};

static std::map<std::string, PartTimes> partTimes(const SideMeasure& measure)
{
    std::map<std::string, PartTimes> parts;
    for (std::size_t i = 0; i < measure.samples.size(); ++i) {
        for (const ComparedGpu& gpu : measure.side.gpus) {
            const GpuBudgets& budgets = *measure.reports[gpu.report].budgets;
            const Budget budget = budgetOf(measure, gpu, measure.samples[i].step);
            for (std::size_t part = 0; part < budget.size(); ++part) {
                if (budget[part] == 0)
                    continue;
                PartTimes& times = parts[budgets.parts()[part].id];
                times.part = &budgets.parts()[part];
                times.times.resize(std::max(times.times.size(), i + 1), 0);
                times.times[i] += budget[part];
            }
        }
    }
    return parts;
}

std::map<std::string, std::vector<Ns>> partsByGpu(const SideMeasure& measure)
{
    std::map<std::string, std::vector<Ns>> parts;
    for (std::size_t place = 0; place < measure.side.gpus.size(); ++place) {
        const ComparedGpu& gpu = measure.side.gpus[place];
        const GpuBudgets& budgets = *measure.reports[gpu.report].budgets;
        for (const StepSample& sample : measure.samples) {
            const Budget budget = budgetOf(measure, gpu, sample.step);
            for (std::size_t part = 0; part < budget.size(); ++part) {
                if (budget[part] == 0)
                    continue;
                std::vector<Ns>& times = parts[budgets.parts()[part].id];
                times.resize(measure.side.gpus.size(), 0);
                times[place] += budget[part];
            }
        }
    }
    for (auto& [id, times] : parts) {
        for (Ns& time : times)
            time /= static_cast<Ns>(std::max<std::size_t>(1, measure.samples.size()));
    }
    return parts;
}

static double errorOfMean(std::vector<Ns> times, std::size_t count, double gpus)
{
    if (count < 2)
        return -1;
    times.resize(count, 0);
    const auto n = static_cast<double>(count);
    double sum = 0;
    double squares = 0;
    for (const Ns time : times) {
        const double each = static_cast<double>(time) / gpus;
        sum += each;
        squares += each * each;
    }
    return std::sqrt(std::max(0.0, squares / n - sum / n * (sum / n)) / (n - 1));
}

std::map<std::string, TypicalPart> typicalBudget(const SideMeasure& measure)
{
    std::vector<std::size_t> order(measure.samples.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return measure.samples[i].length; });
    const std::size_t cut = order.size() / 4;
    std::map<std::string, TypicalPart> typical;
    std::vector<Ns> times;
    const auto gpus = static_cast<double>(std::max<std::size_t>(1, measure.side.gpus.size()));
    for (auto& [id, part] : partTimes(measure)) {
        Ns sum = 0;
        for (std::size_t i = cut; i < order.size() - cut; ++i)
            sum += order[i] < part.times.size() ? part.times[order[i]] : 0;
        times.push_back(sum);
        typical[id] = {part.part, 0, errorOfMean(std::move(part.times), order.size(), gpus)};
    }
    scaleTo(times, measure.side.median);
    std::size_t next = 0;
    for (auto& [id, part] : typical)
        part.time = times[next++];
    return typical;
}

} // namespace warpline
