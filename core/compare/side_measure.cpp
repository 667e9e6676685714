#include "core/compare/side_measure.h"

#include "core/base/median.h"
#include "core/base/stop.h"
#include "core/compare/step_noise.h"
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

std::string labelOf(const SideMeasure& measure, std::uint32_t report, GlobalId process, std::int32_t device)
{
    const std::string gpu = gpuName(*measure.reports[report].trace, process, device);
    if (measure.reports.size() == 1)
        return gpu;
    const std::string& file = measure.side.files[report];
    const std::size_t slash = file.find_last_of("/\\");
    return file.substr(slash == std::string::npos ? 0 : slash + 1) + ", " + gpu;
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

/// One sample for each judged step, by the GPU that takes longest; and the figures of the side.
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
        StepSample sample{-1, 0, step};
        for (std::uint32_t gpu = 0; gpu < side.gpus.size(); ++gpu) {
            const Ns length = side.gpus[gpu].steps[step].gpu.duration();
            if (length > sample.length)
                sample = {length, gpu, step};
        }
        measure.samples.push_back(sample);
        lengths.push_back(sample.length);
        hosts.push_back(side.gpus[sample.gpu].steps[step].host.duration());
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
    for (const SideReport& report : request.reports) {
        MeasuredReport& made = measure.reports.emplace_back();
        made.trace = report.trace.get();
        made.budgets = std::make_unique<const GpuBudgets>(*report.trace, rules, stop);
        made.steps = takingPart(stepBudgets(*report.trace, *made.budgets,
            findGpuSteps(*report.trace, windowOf(*report.trace, request), request.stepGlob, stop)));
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

std::map<std::string, TypicalPart> typicalBudget(const SideMeasure& measure)
{
    std::vector<StepSample> samples = measure.samples;
    std::ranges::stable_sort(samples, {}, &StepSample::length);
    const std::size_t cut = samples.size() / 4;
    std::map<std::string, TypicalPart> sums;
    for (std::size_t i = cut; i < samples.size() - cut; ++i) {
        const ComparedGpu& gpu = measure.side.gpus[samples[i].gpu];
        const GpuBudgets& budgets = *measure.reports[gpu.report].budgets;
        const GpuBudget* const of = budgets.find(gpu.process, gpu.device);
        const Budget budget = of->within(gpu.steps[samples[i].step].gpu);
        for (std::size_t part = 0; part < budget.size(); ++part) {
            TypicalPart& sum = sums[budgets.parts()[part].id];
            sum.part = &budgets.parts()[part];
            sum.time += budget[part];
        }
    }
    std::vector<Ns> times;
    for (const auto& [id, part] : sums)
        times.push_back(part.time);
    scaleTo(times, measure.side.median);
    std::size_t next = 0;
    for (auto& [id, part] : sums)
        part.time = times[next++];
    return sums;
}

} // namespace warpline
