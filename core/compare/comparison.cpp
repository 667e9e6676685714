#include "core/compare/comparison.h"

#include "core/base/share.h"

#include <algorithm>
#include <cmath>

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
    switch (verdict) {
    case CompareVerdict::Unknown:
        break;
    case CompareVerdict::NoDifference:
        return "no_difference";
    case CompareVerdict::Faster:
        return "faster";
    case CompareVerdict::Slower:
        return "slower";
    }
    return "unknown";
}

std::string_view keyOf(CompareFigure figure)
{
    switch (figure) {
    case CompareFigure::None:
        break;
    case CompareFigure::Median:
        return "median";
    case CompareFigure::Mean:
        return "mean";
    }
    return "";
}

std::string_view keyOf(CompareCaveat caveat)
{
    switch (caveat) {
    case CompareCaveat::SingleRecordings:
        break;
    case CompareCaveat::Recorders:
        return "recorders";
    case CompareCaveat::Options:
        return "options";
    case CompareCaveat::Profiler:
        return "profiler";
    case CompareCaveat::Host:
        return "host";
    case CompareCaveat::Part:
        return "part";
    case CompareCaveat::SameRecording:
        return "same_recording";
    case CompareCaveat::Kernels:
        return "kernels";
    }
    return "single_recordings";
}

std::string_view keyOf(CompareFact::State state)
{
    switch (state) {
    case CompareFact::State::Same:
        return "same";
    case CompareFact::State::Different:
        return "different";
    case CompareFact::State::NotKnown:
        break;
    }
    return "not_known";
}

std::string_view keyOf(MatchedBy by)
{
    switch (by) {
    case MatchedBy::Nothing:
        break;
    case MatchedBy::NameAndShape:
        return "name_and_shape";
    case MatchedBy::Name:
        return "name";
    case MatchedBy::NameWithoutArguments:
        return "name_without_arguments";
    case MatchedBy::Operator:
        return "operator";
    case MatchedBy::NvtxPath:
        return "nvtx_path";
    case MatchedBy::StepOrder:
        return "step_order";
    case MatchedBy::Fused:
        return "fused";
    case MatchedBy::Graph:
        return "graph";
    case MatchedBy::Order:
        return "order";
    }
    return "";
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
    switch (change) {
    case RowChange::Same:
        break;
    case RowChange::Varies:
        return "varies";
    case RowChange::Slower:
        return "slower";
    case RowChange::Faster:
        return "faster";
    case RowChange::MoreCalls:
        return "more_calls";
    case RowChange::FewerCalls:
        return "fewer_calls";
    case RowChange::New:
        return "new";
    case RowChange::Gone:
        return "gone";
    }
    return "same";
}

std::string_view keyOf(FindingState state)
{
    switch (state) {
    case FindingState::Gone:
        return "gone";
    case FindingState::New:
        return "new";
    case FindingState::Grown:
        return "grown";
    case FindingState::Shrunk:
        return "shrunk";
    case FindingState::Same:
        break;
    }
    return "same";
}

std::size_t ComparedSide::gpuCount() const
{
    return static_cast<std::size_t>(std::ranges::count(gpus, 0U, &ComparedGpu::run));
}

double CompareRow::byCount() const
{
    const bool otherWork = matchedBy == MatchedBy::Fused || matchedBy == MatchedBy::Graph;
    if (a.count == 0 || b.count == 0 || otherWork)
        return delta();
    return (b.countPerStep - a.countPerStep) * a.average;
}

const CompareTable* Comparison::table(std::string_view id) const
{
    const auto found = std::ranges::find(tables, id, &CompareTable::id);
    return found != tables.end() ? &*found : nullptr;
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
