#include "core/compare/compare_runs.h"

#include "core/base/parallel.h"
#include "core/compare/compare_tables.h"
#include "core/compare/facts.h"
#include "core/compare/step_noise.h"
#include "core/compare/verdict.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <set>

namespace warpline {

namespace {

/// Does the same for both sides, side by side.
template <typename Work> void forBoth(Work&& work)
{
    Helpers helpers;
    helpers.start([&] { work(Side::A); });
    helpers.run([&] { work(Side::B); });
    helpers.join();
}

/// Both sides as they are measured, and what they launch.
struct Runs {
    Both<SideMeasure> measures;
    Both<SideKernels> kernels;
    PathNames names;
    KernelMatch match;
};

const SideRequest& sideOf(const CompareRequest& request, Side side)
{
    return side == Side::A ? request.a : request.b;
}

void matchRuns(Runs& runs, const KernelClassRules& rules, const std::stop_token& stop)
{
    Both<PathNames> names; // of each side its own, so that neither waits for the other
    forBoth([&](Side side) {
        runs.kernels[side] = collectKernels(runs.measures[side], rules, stop);
        findPaths(runs.measures[side], runs.kernels[side], names[side], stop);
    });
    runs.names = std::move(names.a);
    const std::vector<std::uint32_t> paths = runs.names.adopt(names.b);
    for (KernelUse& use : runs.kernels.b.uses)
        use.path = paths[use.path];
    runs.match = matchKernels(
        {&runs.measures.a, &runs.measures.b}, {&runs.kernels.a, &runs.kernels.b}, runs.names, stop);
}

TableSources sourcesOf(
    Runs& runs, const CompareRequest& request, const KernelClassRules& rules, const std::stop_token& stop)
{
    return {{&runs.measures.a, &runs.measures.b}, {&runs.kernels.a, &runs.kernels.b}, rules, runs.names,
        request.wantEvents, stop};
}

/// Brings both sides to one unit: steps, where both have them, of one name or doing the same work.
void settleUnit(
    Runs& runs, const CompareRequest& request, const KernelClassRules& rules, const std::stop_token& stop)
{
    Both<SideMeasure>& measures = runs.measures;
    const auto makeWhole = [&] {
        for (const Side side : {Side::A, Side::B}) {
            if (measures[side].unit == CompareUnit::Step)
                measureWhole(measures[side], sideOf(request, side));
        }
    };
    if (measures.a.unit != measures.b.unit)
        makeWhole();
    matchRuns(runs, rules, stop);
    if (measures.a.unit != CompareUnit::Step || measures.a.side.pattern == measures.b.side.pattern)
        return;
    if (isSameWork(workRatio(kernelTable(sourcesOf(runs, request, rules, stop), runs.match))))
        return;
    makeWhole();
    runs.names = {};
    runs.match = {};
    matchRuns(runs, rules, stop);
}

StepSpread spreadOfSamples(const SideMeasure& measure)
{
    std::vector<Ns> lengths;
    for (const StepSample& sample : measure.samples)
        lengths.push_back(sample.length);
    return spreadOf(lengths);
}

/// Standard error of the mean step; negative: a single one tells nothing.
double meanError(const SideMeasure& measure)
{
    const auto n = static_cast<double>(measure.samples.size());
    if (n < 2)
        return -1;
    double squares = 0;
    for (const StepSample& sample : measure.samples) {
        const double apart = static_cast<double>(sample.length) - measure.side.mean;
        squares += apart * apart;
    }
    return std::sqrt(squares / (n - 1) / n);
}

std::vector<BudgetLine> budgetOf(const Both<SideMeasure>& measures)
{
    const auto a = typicalBudget(measures.a);
    const auto b = typicalBudget(measures.b);
    std::set<std::string> ids;
    for (const auto* const side : {&a, &b}) {
        for (const auto& [id, part] : *side) {
            if (part.time > 0)
                ids.insert(id);
        }
    }
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
        line.group = part.group;
        line.time = {inA != a.end() ? inA->second.time : 0, inB != b.end() ? inB->second.time : 0};
        line.noise = noiseOf(inA != a.end() ? inA->second.error : none[0], countA,
            inB != b.end() ? inB->second.error : none[1], countB);
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
    if (count < 2 || measures.b.side.gpus.size() != count)
        return;
    const auto a = partsByGpu(measures.a);
    const auto b = partsByGpu(measures.b);
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

/// Those that ask for NVTX paths share their names, and stay on one thread; the others are made beside them.
void addTables(Comparison& comparison, const TableSources& sources, const KernelMatch& match)
{
    std::vector<CompareTable> byPath;
    std::vector<CompareTable> others;
    Helpers helpers;
    helpers.start([&] { others = eventTables(sources); });
    helpers.run([&] {
        byPath.push_back(kernelTable(sources, match));
        byPath.push_back(nvtxGpuTable(sources));
        byPath.push_back(nvtxTable(sources));
    });
    helpers.join();
    for (std::vector<CompareTable>* const tables : {&byPath, &others})
        std::ranges::move(*tables, std::back_inserter(comparison.tables));
    std::erase_if(comparison.tables, [](const CompareTable& table) { return table.rows.empty(); });
}

} // namespace

Comparison compareRuns(const CompareRequest& request, const std::stop_token& stop)
{
    const KernelClassRules& rules = request.rules ? *request.rules : kernelClassRules();
    Runs runs;
    forBoth([&](Side side) { runs.measures[side] = measureSide(sideOf(request, side), rules, stop); });
    settleUnit(runs, request, rules, stop);

    Comparison comparison;
    comparison.unit = runs.measures.a.unit;
    comparison.delta = runs.measures.b.side.median - runs.measures.a.side.median;
    comparison.noise = noiseOf(spreadOfSamples(runs.measures.a), runs.measures.a.samples.size(),
        spreadOfSamples(runs.measures.b), runs.measures.b.samples.size());
    comparison.meanNoise = noiseOf(meanError(runs.measures.a), runs.measures.a.samples.size(),
        meanError(runs.measures.b), runs.measures.b.samples.size());
    comparison.budget = budgetOf(runs.measures);
    nameGpus(runs.measures, comparison.budget);
    comparison.matched = runs.match.shares;
    addTables(comparison, sourcesOf(runs, request, rules, stop), runs.match);
    comparison.facts = compareFacts(
        request, {&runs.measures.a, &runs.measures.b}, {&runs.kernels.a, &runs.kernels.b}, comparison);
    comparison.sides = {std::move(runs.measures.a.side), std::move(runs.measures.b.side)};
    judge(comparison);
    return comparison;
}

} // namespace warpline
