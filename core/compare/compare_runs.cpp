#include "core/compare/compare_runs.h"

#include "core/base/parallel.h"
#include "core/base/saturate.h"
#include "core/budget/budget_parts.h"
#include "core/compare/compare_tables.h"
#include "core/compare/facts.h"
#include "core/compare/step_noise.h"
#include "core/compare/verdict.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace warpline {

namespace {

/// Does the same for both sides, in parallel.
template <typename Work> void forBoth(Work&& work)
{
    Helpers helpers;
    helpers.start([&] { work(Side::A); });
    helpers.run([&] { work(Side::B); });
    helpers.join();
}

/// Both sides' measures and launches.
struct Runs {
    Both<SideMeasure> measures;
    Both<SideKernels> kernels;
    PathNames names;
    KernelMatch match;
};

void matchRuns(Runs& runs, const KernelClassRules& rules, const std::stop_token& stop)
{
    Both<PathNames> names; // one per side, so that neither waits for the other
    forBoth([&](Side side) {
        runs.kernels[side] = collectKernels(runs.measures[side], rules, stop);
        findPaths(runs.measures[side], runs.kernels[side], names[side], stop);
    });
    runs.names = std::move(names.a);
    const std::vector<std::uint32_t> paths = runs.names.adopt(names.b);
    for (KernelUse& use : runs.kernels.b.uses) {
        use.path = paths[use.path];
        use.operators = paths[use.operators];
    }
    runs.match = matchKernels(
        {&runs.measures.a, &runs.measures.b}, {&runs.kernels.a, &runs.kernels.b}, rules, runs.names, stop);
}

TableSources sourcesOf(
    Runs& runs, const CompareRequest& request, const KernelClassRules& rules, const std::stop_token& stop)
{
    return {{&runs.measures.a, &runs.measures.b}, {&runs.kernels.a, &runs.kernels.b}, rules, runs.names,
        request.wantEvents, stop};
}

/// Brings both sides to one unit: steps, where both have them with equal names or equal work. Otherwise
/// returns which side lacks named steps; both do when the names differ.
Both<bool> settleUnit(
    Runs& runs, const CompareRequest& request, const KernelClassRules& rules, const std::stop_token& stop)
{
    Both<SideMeasure>& measures = runs.measures;
    for (const Side side : {Side::A, Side::B}) {
        if (measures[side].unit != CompareUnit::Step)
            measureLastStep(measures[side], request[side]);
    }
    const Both<bool> none{measures.a.unit != CompareUnit::Step, measures.b.unit != CompareUnit::Step};
    const Both<bool> named{hasNamedSteps(measures.a), hasNamedSteps(measures.b)};
    const auto makeWhole = [&] {
        for (const Side side : {Side::A, Side::B}) {
            if (measures[side].unit == CompareUnit::Step)
                measureWhole(measures[side], request[side]);
        }
    };
    if (none.a != none.b)
        makeWhole();
    matchRuns(runs, rules, stop);
    const Both<bool> ranges{measures.a.side.isRange, measures.b.side.isRange};
    if (none.a && none.b)
        return ranges.a != ranges.b ? ranges : Both<bool>{};
    if (none.a || none.b)
        return areRangesChosen(request) ? Both<bool>{} : none;
    if (measures.a.side.pattern == measures.b.side.pattern || areStepsDeclared(request)
        || isSameWork(workRatio(kernelTable(sourcesOf(runs, request, rules, stop), runs.match))))
        return {};
    makeWhole();
    runs.names = {};
    runs.match = {};
    matchRuns(runs, rules, stop);
    // Each of two ranges has whole steps: neither lacks them.
    return named.a == named.b || areRangesChosen(request) ? Both<bool>{true, true}
                                                          : Both<bool>{!named.a, !named.b};
}

/// The names of the steps that count, of a single recording.
std::vector<std::string> namesOfSteps(const SideMeasure& measure)
{
    std::vector<std::string> names;
    for (const StepSample& sample : measure.samples)
        names.push_back(measure.side.gpus.front().steps[sample.step].name);
    return names;
}

/// Pairs steps that are named alike: the sides may have warm-ups of different length. Names that are further
/// apart do not count steps from the start.
void findStepsAhead(SideMeasure& a, SideMeasure& b)
{
    if (a.side.runs.size() > 1 || b.side.runs.size() > 1)
        return; // each would have its own start
    const std::vector<std::string> ofA = namesOfSteps(a);
    const std::vector<std::string> ofB = namesOfSteps(b);
    const std::size_t fewest = std::min(ofA.size(), ofB.size());
    for (std::size_t place = 0; place < fewest && place <= fewest / 8; ++place) {
        if (ofB[place] == ofA.front()) {
            b.side.ahead = place;
            return;
        }
        if (ofA[place] == ofB.front()) {
            a.side.ahead = place;
            return;
        }
    }
}

/// The median or the mean of each recording of a side.
template <typename Of> std::vector<Ns> ofRuns(const ComparedSide& side, Of of)
{
    std::vector<Ns> figures;
    for (const ComparedRun& run : side.runs)
        figures.push_back(std::llround(of(run)));
    return figures;
}

bool areRepeated(const Both<SideMeasure>& measures)
{
    return measures.a.side.runs.size() > 1 || measures.b.side.runs.size() > 1;
}

/// The time of the step in which GPUs idle for the host, of the side with less.
Ns hostTimeOf(const std::vector<BudgetLine>& budget)
{
    Both<Ns> idle{0, 0};
    for (const BudgetLine& line : budget) {
        if (!isOfHost(line.group, line.part))
            continue;
        idle.a += line.time.a;
        idle.b += line.time.b;
    }
    return std::min(idle.a, idle.b);
}

/// Sets the noise: from the steps, and from the differences between recordings of one program, which only
/// several recordings show. That of ranges stays unknown.
void findNoise(Comparison& comparison, const Both<SideMeasure>& measures, double runNoise)
{
    const ComparedSide& a = measures.a.side;
    const ComparedSide& b = measures.b.side;
    if (a.isRange || b.isRange)
        return; // their lengths are chosen, and so is how they spread
    const bool repeated = areRepeated(measures);
    const Ns assumed
        = assumedNoise(runNoise, std::min(a.median, b.median), repeated ? 0 : hostTimeOf(comparison.budget));
    const auto ofRecordings
        = [&](auto&& of) { return recordingNoise(ofRuns(a, of), ofRuns(b, of), assumed); };
    const Ns medians = ofRecordings([](const ComparedRun& run) { return run.median; });
    const Ns means = ofRecordings([](const ComparedRun& run) { return run.mean; });
    if (measures.a.unit == CompareUnit::Whole && repeated) { // each recording is one observation
        comparison.noise = medians;
        comparison.meanNoise = means;
    } else {
        comparison.noise = medianNoiseOf(measures.a.spread, measures.b.spread, medians);
        comparison.meanNoise = meanNoiseOf(measures.a.spread, measures.b.spread, means);
    }
    comparison.assumedNoise = repeated || comparison.noise < 0 ? 0 : assumed;
}

/// Whether idle time is compared by NVTX range: not where one side has none.
bool isIdleByRange(const Both<SideMeasure>& measures)
{
    return !isOfOneSide({&measures.a, &measures.b}, EventKind::Nvtx);
}

std::vector<BudgetLine> budgetOf(const Both<SideMeasure>& measures, double runNoise)
{
    const bool byRange = isIdleByRange(measures);
    const auto a = meanBudget(measures.a, byRange);
    const auto b = meanBudget(measures.b, byRange);
    std::set<std::string> ids;
    for (const auto* const side : {&a, &b}) {
        for (const auto& [id, part] : *side) {
            if (part.time > 0)
                ids.insert(id);
        }
    }
    const bool repeated = areRepeated(measures);
    std::vector<BudgetLine> lines;
    for (const std::string& id : ids) {
        const auto inA = a.find(id);
        const auto inB = b.find(id);
        const BudgetPart& part = inA != a.end() ? *inA->second.part : *inB->second.part;
        const std::size_t countA = measures.a.samples.size();
        const std::size_t countB = measures.b.samples.size();
        // A side that never spends time in a part does not vary in it.
        const double none[]{countA > 1 ? 0.0 : -1.0, countB > 1 ? 0.0 : -1.0};
        BudgetLine line;
        line.part = id;
        line.title = part.title;
        line.name = part.name;
        line.group = part.group;
        line.time = {inA != a.end() ? inA->second.time : 0, inB != b.end() ? inB->second.time : 0};
        const Ns bySteps = noiseOf(inA != a.end() ? inA->second.error : none[0], countA,
            inB != b.end() ? inB->second.error : none[1], countB);
        const double byRuns = runNoise * (!repeated && isOfHost(part.group, id) ? hostDrift : 1)
            * static_cast<double>(std::min(line.time.a, line.time.b));
        line.noise = bySteps < 0 ? bySteps : saturatingWhole(std::round(std::hypot(bySteps, byRuns)));
        lines.push_back(std::move(line));
    }
    std::ranges::stable_sort(
        lines, std::greater{}, [](const BudgetLine& line) { return std::abs(line.delta()); });
    return lines;
}

/// Which rank changed most, where one did by far more than the others: the mean of all hides it.
void nameGpus(const Both<SideMeasure>& measures, std::vector<BudgetLine>& lines)
{
    constexpr double byFar = 1.5; // times the mean change
    const std::size_t count = measures.a.side.gpus.size();
    const bool repeated = areRepeated(measures);
    if (count < 2 || repeated
        || !std::ranges::equal(
            measures.a.side.gpus, measures.b.side.gpus, {}, &ComparedGpu::rank, &ComparedGpu::rank))
        return;
    const bool byRange = isIdleByRange(measures);
    const auto a = partsByGpu(measures.a, byRange);
    const auto b = partsByGpu(measures.b, byRange);
    const auto timeOf = [](const auto& parts, const std::string& id, std::size_t gpu) {
        const auto found = parts.find(id);
        return found != parts.end() ? found->second[gpu] : Ns{0};
    };
    for (BudgetLine& line : lines) {
        Ns most = 0;
        for (std::size_t gpu = 0; gpu < count; ++gpu) {
            const Both<Ns> time{timeOf(a, line.part, gpu), timeOf(b, line.part, gpu)};
            const Ns change = time.b - time.a;
            if ((change > 0) != (line.delta() > 0) || std::abs(change) <= most)
                continue;
            most = std::abs(change);
            line.mostGpu = static_cast<std::int32_t>(gpu);
            line.ofMostGpu = time;
        }
        if (static_cast<double>(most) < byFar * static_cast<double>(std::abs(line.delta())))
            line.mostGpu = -1;
    }
}

/// Tables that use NVTX paths share their names and run on one thread, the others in parallel.
void addTables(Comparison& comparison, const TableSources& sources, const KernelMatch& match)
{
    std::vector<CompareTable> byPath;
    std::vector<CompareTable> others;
    Helpers helpers;
    helpers.start([&] { others = eventTables(sources); });
    helpers.run([&] {
        byPath.push_back(kernelTable(sources, match));
        if (isOfOneSide(sources.measures, EventKind::Nvtx))
            return;
        byPath.push_back(nvtxGpuTable(sources));
        byPath.push_back(nvtxTable(sources));
    });
    helpers.join();
    for (std::vector<CompareTable>* const tables : {&byPath, &others})
        std::ranges::move(*tables, std::back_inserter(comparison.tables));
    std::erase_if(comparison.tables, [](const CompareTable& table) { return table.rows.empty(); });
    if (isOfOneSide(sources.measures, EventKind::Nvtx))
        comparison.notCompared.push_back("nvtx");
    if (isOfOneSide(sources.measures, EventKind::ApiCall))
        comparison.notCompared.push_back("api");
}

} // namespace

Comparison compareRuns(const CompareRequest& request, const std::stop_token& stop)
{
    const KernelClassRules& rules = request.rules ? *request.rules : kernelClassRules();
    Runs runs;
    forBoth([&](Side side) { runs.measures[side] = measureSide(request[side], rules, stop); });
    const Both<bool> missing = settleUnit(runs, request, rules, stop);

    Comparison comparison;
    comparison.unit = runs.measures.a.unit;
    comparison.lacksSteps = missing.a || missing.b;
    if (comparison.unit == CompareUnit::Step && request.a.steps.empty() && request.b.steps.empty())
        findStepsAhead(runs.measures.a, runs.measures.b);
    comparison.delta = runs.measures.b.side.median - runs.measures.a.side.median;
    comparison.budget = budgetOf(runs.measures, request.runNoise);
    findNoise(comparison, runs.measures, request.runNoise);
    nameGpus(runs.measures, comparison.budget);
    comparison.matched = runs.match.shares;
    addTables(comparison, sourcesOf(runs, request, rules, stop), runs.match);
    comparison.facts = compareFacts(
        request, {&runs.measures.a, &runs.measures.b}, {&runs.kernels.a, &runs.kernels.b}, comparison);
    if (comparison.unit == CompareUnit::Step)
        comparison.plain = plainChangeOf({&runs.measures.a, &runs.measures.b});
    comparison.caveats = caveatsOf(request, {&runs.measures.a, &runs.measures.b}, comparison);
    if (comparison.lacksSteps) { // a whole run with its compilation does not compare steps
        comparison.noise = comparison.meanNoise = -1;
        comparison.hints = missingStepHints(request, {&runs.measures.a, &runs.measures.b}, missing, stop);
    }
    comparison.sides = {std::move(runs.measures.a.side), std::move(runs.measures.b.side)};
    judge(comparison);
    return comparison;
}

} // namespace warpline
