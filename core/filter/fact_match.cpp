#include "core/filter/fact_match.h"

#include "core/filter/event_predicate.h"
#include "core/store/payload_fields.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

FactMatch::FactMatch(const FilterTerm& term)
    : m_term(term),
      m_negative(isNegative(term.compared))
{
    for (const FilterValue& value : term.values) {
        m_values.emplace_back(value.isExpression ? TextMatch::How::Expression
                : isHolding(term.compared)       ? TextMatch::How::Holds
                                                 : TextMatch::How::Glob,
            value.isExpression || isHolding(term.compared) ? value.text : value.glob);
    }
}

bool FactMatch::anyMatches(std::string_view text) const
{
    return std::ranges::any_of(m_values, [&](const TextMatch& value) { return value.isMatch(text); });
}

bool FactMatch::isExhausted() const
{
    return std::ranges::any_of(m_values, &TextMatch::isExhausted);
}

bool FactMatch::isNumberOrText(std::int64_t number, std::string_view text) const
{
    if (isOrdering(m_term.compared))
        return isAsked(m_term, static_cast<long double>(number));
    const bool byNumber = isWithin(m_term, static_cast<long double>(number))
        || anyMatches(std::to_string(number)); // stream=1*, stream~3
    return (byNumber || (!text.empty() && anyMatches(text))) != m_negative;
}

bool FactMatch::isKind(EventKind kind) const
{
    const auto isCalled = [&](const TextMatch& value) { return isKindCalled(kind, value); };
    return std::ranges::any_of(m_values, isCalled) != m_negative;
}

bool FactMatch::isExtent(const Dim3& extent) const
{
    const auto isSame = [&](const FilterValue& value) {
        return value.extent && *value.extent == std::array<std::int64_t, 3>{extent.x, extent.y, extent.z};
    };
    if (std::ranges::any_of(m_term.values, [](const FilterValue& value) { return value.extent.has_value(); }))
        return std::ranges::any_of(m_term.values, isSame) != m_negative;
    return isAsked(m_term, static_cast<long double>(extent.volume()));
}

bool FactMatch::isLaunch(const KernelLaunch& launch) const
{
    const auto is = [&](std::int64_t number) { return isAsked(m_term, static_cast<long double>(number)); };
    switch (m_term.field) {
    case FilterField::Grid:
        return isExtent(launch.grid);
    case FilterField::GridX:
        return is(launch.grid.x);
    case FilterField::GridY:
        return is(launch.grid.y);
    case FilterField::GridZ:
        return is(launch.grid.z);
    case FilterField::Block:
        return isExtent(launch.block);
    case FilterField::BlockX:
        return is(launch.block.x);
    case FilterField::BlockY:
        return is(launch.block.y);
    case FilterField::BlockZ:
        return is(launch.block.z);
    case FilterField::Registers:
        return is(launch.registersPerThread);
    case FilterField::SharedMemory:
        return is(std::int64_t{launch.staticSharedMemory} + launch.dynamicSharedMemory);
    default:
        return false;
    }
}

bool FactMatch::isCategory(const Trace& trace, const NvtxAttributes& attributes) const
{
    if (attributes.category == 0 && attributes.categoryName == StringId{})
        return false;
    return isNumberOrText(attributes.category, trace.text(attributes.categoryName));
}

bool FactMatch::isPayload(const Trace& trace, const NvtxAttributes& attributes) const
{
    const std::string_view payload = trace.text(attributes.payload);
    if (payload.empty())
        return false;
    std::string text(payload);
    if (!m_term.part.empty()) {
        auto field = findPayloadField(payload, m_term.part);
        if (!field)
            return false;
        text = std::move(field->value);
    }
    const auto number = parseSize(text);
    if (isOrdering(m_term.compared))
        return number && isAsked(m_term, *number);
    return ((number && isWithin(m_term, *number)) || anyMatches(text)) != m_negative;
}

} // namespace warpline
