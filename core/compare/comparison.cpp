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
    case MatchedBy::NvtxPath:
        return "nvtx_path";
    case MatchedBy::Order:
        return "order";
    }
    return "";
}

std::string_view wordsOf(MatchedBy by)
{
    switch (by) {
    case MatchedBy::Nothing:
        break;
    case MatchedBy::NameAndShape:
        return "name and shape";
    case MatchedBy::Name:
        return "name";
    case MatchedBy::NameWithoutArguments:
        return "name without arguments";
    case MatchedBy::NvtxPath:
        return "NVTX path and order";
    case MatchedBy::Order:
        return "order";
    }
    return "";
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

double CompareRow::byCount() const
{
    if (a.count == 0 || b.count == 0)
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

double Comparison::meanRelative() const
{
    const double change = sides.b.mean - sides.a.mean;
    if (meanNoise < 0 || sides.a.mean <= 0 || std::abs(change) <= static_cast<double>(meanNoise))
        return 0;
    return change / sides.a.mean;
}

} // namespace warpline
