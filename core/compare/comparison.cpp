#include "core/compare/comparison.h"

#include "core/base/enum_key.h"
#include "core/base/share.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace warpline {

std::string_view nameOf(Side side)
{
    return side == Side::A ? "A" : "B";
}

std::string_view keyOf(CompareUnit unit)
{
    return unit == CompareUnit::Step ? "step" : "whole";
}

std::string_view keyOf(CompareVerdict verdict)
{
    return keyIn<CompareVerdict::Slower>({"unknown", "no_difference", "faster", "slower"}, verdict);
}

std::string_view keyOf(CompareFigure figure)
{
    return keyIn<CompareFigure::Mean>({"", "median", "mean"}, figure);
}

std::string_view keyOf(CompareCaveat caveat)
{
    return keyIn<CompareCaveat::Kernels>({"single_recordings", "recorders", "options", "profiler", "host",
                                             "part", "same_recording", "kernels"},
        caveat);
}

std::string_view keyOf(CompareFact::State state)
{
    return keyIn<CompareFact::State::NotKnown>({"same", "different", "not_known"}, state);
}

std::string_view keyOf(MatchedBy by)
{
    return keyIn<MatchedBy::Order>({"", "name_and_shape", "name", "name_without_arguments", "operator",
                                       "nvtx_path", "step_order", "fused", "graph", "order"},
        by);
}

Message labelOf(MatchedBy by)
{
    if (by == MatchedBy::Nothing)
        return {};
    return {"compare.matched_by",
        "{by, select, name_and_shape {name and shape} name {name} "
        "name_without_arguments {name without arguments} operator {operator} "
        "nvtx_path {NVTX path and order} step_order {order in the step} fused {fused} graph {CUDA graph} "
        "other {order}}",
        {{"by", Name{std::string(keyOf(by))}}}};
}

std::string_view keyOf(RowChange change)
{
    return keyIn<RowChange::Gone>(
        {"same", "varies", "cut", "slower", "faster", "more_calls", "fewer_calls", "new", "gone"}, change);
}

std::string_view keyOf(FindingState state)
{
    return keyIn<FindingState::Same>({"gone", "new", "grown", "shrunk", "same"}, state);
}

std::size_t ComparedSide::gpuCount() const
{
    return static_cast<std::size_t>(std::ranges::count(gpus, 0U, &ComparedGpu::run));
}

std::size_t ComparedSide::processCount() const
{
    std::set<std::pair<std::uint32_t, GlobalId>> processes;
    for (const ComparedGpu& gpu : gpus) {
        if (gpu.run == 0)
            processes.emplace(gpu.report, gpu.process);
    }
    return processes.size();
}

std::optional<double> CompareRow::byCount() const
{
    const bool otherWork = matchedBy == MatchedBy::Fused || matchedBy == MatchedBy::Graph;
    if (a.count == 0 || b.count == 0 || otherWork)
        return delta();
    if (a.isCut || b.isCut)
        return std::nullopt;
    return (b.countPerStep - a.countPerStep) * a.average;
}

const CompareTable* Comparison::table(std::string_view id) const
{
    const auto found = std::ranges::find(tables, id, &CompareTable::id);
    return found != tables.end() ? &*found : nullptr;
}

std::string_view valuesOf(std::string_view id, CompareUnit unit, const ComparedSide& a, const ComparedSide& b)
{
    const bool ofHost = id == "nvtx" || id == "api" || id == "memory";
    const auto isMean
        = [&](const ComparedSide& side) { return (ofHost ? side.processCount() : side.gpuCount()) > 1; };
    const bool isStep = unit == CompareUnit::Step;
    if (!isMean(a) && !isMean(b))
        return isStep ? "step" : "all";
    if (ofHost)
        return isStep ? "step_process" : "process";
    return isStep ? "step_gpu" : "gpu";
}

std::string_view Comparison::unitKey() const
{
    return unit == CompareUnit::Whole && (sides.a.isRange || sides.b.isRange) ? "range" : keyOf(unit);
}

std::string_view Comparison::valuesOf(std::string_view id) const
{
    return warpline::valuesOf(id, unit, sides.a, sides.b);
}

Message Comparison::sideTitle(Side side, std::string_view id) const
{
    return {"compare.side_title",
        "{side} {each, select, step {per step} step_gpu {per step and GPU} gpu {per GPU} "
        "step_process {per step and process} process {per process} other {in all}}",
        {{"side", Name{side == Side::A ? "A" : "B"}}, {"each", Name{std::string(valuesOf(id))}}}};
}

double Comparison::relative() const
{
    return sides.a.median > 0 ? static_cast<double>(delta) / static_cast<double>(sides.a.median) : 0;
}

Ns Comparison::wholeMeanDelta() const
{
    return std::llround(sides.b.mean) - std::llround(sides.a.mean);
}

double Comparison::meanRelative() const
{
    return sides.a.mean > 0 ? meanDelta() / sides.a.mean : 0;
}

bool Comparison::isBeyondNoise(CompareFigure figure) const
{
    if (figure == CompareFigure::Mean)
        return meanNoise >= 0 && std::abs(meanDelta()) > static_cast<double>(meanNoise);
    return noise >= 0 && std::abs(delta) > noise;
}

bool Comparison::has(CompareCaveat caveat) const
{
    return std::ranges::find(caveats, caveat) != caveats.end();
}

bool Comparison::isRegression(double percent) const
{
    return verdict == CompareVerdict::Slower && 100 * change() > percent;
}

} // namespace warpline
