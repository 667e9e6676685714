// Which shapes of which operators use the GPU better, or worse, than before.

#include "core/compare/compare_tables.h"
#include "core/compare/step_events.h"
#include "core/operators/operator_rooflines.h"
#include "core/operators/operator_text.h"

#include <fmt/format.h>

#include <unordered_map>

namespace warpline {

namespace {

/// Shapes in full: of a label those that many tensors have are cut.
std::string shapeName(const OperatorShape& shape)
{
    return fmt::format("{} {} {}", shape.operatorName, shape.shapes, labelOf(shape.arithmetic));
}

/// The same operator and shapes in another arithmetic: "aten::mm [[8,8],[8,8]]" of "... TF32".
std::string withoutArithmetic(std::string_view name)
{
    const std::size_t end = name.rfind(']');
    return std::string(end == std::string_view::npos ? name : name.substr(0, end + 1));
}

WorkSums sumsOfCall(const ShapeUse& use)
{
    WorkSums sums;
    sums.flops = std::max(0.0, use.flops);
    sums.bytes = std::max(0.0, use.bytes);
    sums.computeNs = use.roofline.computeNs;
    sums.rooflineNs = use.roofline.ns();
    sums.knownNs = static_cast<double>(use.gpu);
    return sums;
}

/// Adds calls whose first kernel is of the compared steps of `gpu`; where events are clipped, the first that
/// touches the span, with the time of its work inside.
void addCalls(
    const SideMeasure& measure, const ComparedGpu& gpu, const std::stop_token& stop, Tallies& tallies)
{
    const Trace& trace = *measure.reports[gpu.report].trace;
    const auto rooflines = operatorRooflinesOf(trace, stop);
    const OperatorGpu* const device = rooflines->gpuOf(gpu.process, gpu.device);
    if (!device)
        return;
    const OperatorWorks& works = rooflines->works();
    std::unordered_map<std::uint32_t, Tally*> known; // by shape
    std::unordered_map<const OperatorRun*, EventRef> firstKernels; // other work may come before
    forEachOnGpu(measure, gpu, EventKind::Kernel, stop, [&](EventIndex i, std::uint32_t step, Ns) {
        const TimeRange span = measure.unit == CompareUnit::Whole ? gpu.steps[step].gpu : allTime;
        const EventRef kernel{EventKind::Kernel, i};
        const OperatorRun* const run = works.runOf(kernel);
        if (!run)
            return;
        const auto [first, isNew] = firstKernels.try_emplace(run);
        if (isNew)
            first->second = *std::ranges::find_if(works.workOf(*run), [&](EventRef work) {
                const TimeRange range = trace.range(work);
                return work.kind == EventKind::Kernel && span.touches(range.start, range.end);
            });
        if (kernel != first->second)
            return;
        const OperatorShape& shape = works.shapeOf(*run);
        if (!shape.work.flops && !shape.work.bytes)
            return;
        Tally*& tally = known[run->shape];
        if (!tally) {
            tally = &tallies.of(shapeName(shape));
            tally->label = operatorLabel(shape);
        }
        tally->work += sumsOfCall(rooflines->useOf(*run, *device));
        Ns inside = 0;
        for (const EventRef work : works.workOf(*run))
            inside += trace.range(work).clippedTo(span).duration();
        tallies.add(*tally, inside, run->gpu, {gpu.report, run->event});
    });
}

} // namespace

CompareTable operatorTable(const TableSources& sources)
{
    Both<Tallies> tallies = sources.noTallies();
    for (const Side side : {Side::A, Side::B}) {
        const SideMeasure& measure = *sources.measures[side];
        for (const ComparedGpu& gpu : measure.side.gpus)
            addCalls(measure, gpu, sources.stop, tallies[side]);
    }
    CompareTable table = tableOf(
        "operators", "Operators by shape", joinTallies(tallies, sources.gpuDivisor(), withoutArithmetic));
    table.isWork = true;
    return table;
}

} // namespace warpline
