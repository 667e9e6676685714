#include "core/filter/event_predicate.h"

#include "core/filter/term_questions.h"
#include "core/store/attributes.h"

#include <algorithm>

namespace warpline {

EventPredicate::EventPredicate(
    const Trace& trace, const FilterExpression& filter, const std::stop_token& stop)
    : m_trace(trace),
      m_nodes(filter.nodes()),
      m_passesAll(filter.passesAll())
{
    m_terms = termsOf(trace, m_nodes, stop, m_exhausted);
}

bool EventPredicate::operator()(EventRef event) const
{
    if (m_nodes.empty())
        return m_passesAll;
    return passes(static_cast<std::uint32_t>(m_nodes.size() - 1), event);
}

bool EventPredicate::passes(std::uint32_t node, EventRef event) const
{
    const FilterNode& at = m_nodes[node];
    const auto passesPart = [&](std::uint32_t part) { return passes(part, event); };
    switch (at.type) {
    case FilterNode::Type::All:
        return std::ranges::all_of(at.parts, passesPart);
    case FilterNode::Type::Any:
        return std::ranges::any_of(at.parts, passesPart);
    case FilterNode::Type::Not:
        return !passes(at.parts.front(), event);
    case FilterNode::Type::Term:
        return answer(m_terms[node], event);
    }
    return false;
}

bool EventPredicate::answer(const Term& term, EventRef event) const
{
    const Question& question = term.ofKind[indexOf(event.kind)];
    const EventTable& table = m_trace.table(event.kind);
    const EventIndex i = event.index;
    const auto known = [&](std::size_t place) {
        return place < question.known->size() && ((*question.known)[place] != 0) != question.isNegated;
    };
    using enum Question::How;
    switch (question.how) {
    case Never:
        return false;
    case Always:
        return true;
    case ByName:
        return known(raw(table.name[i]));
    case ByNames: {
        const bool full = (*question.known)[raw(table.name[i])] != 0;
        const StringId shortName = m_trace.kernels().launch(i).shortName;
        return (full || (*question.known)[raw(shortName)] != 0) != question.isNegated;
    }
    case ByTrack:
        return known(table.trackIndexOf(i));
    case ByAttribute:
        return known(table.attribute[i]);
    case ByEvent:
        return known(i);
    case ByCallName:
    case ByCallTrack: {
        const EventRef call = m_trace.apiCallOf(event);
        if (!call.valid())
            return false;
        const EventTable& calls = m_trace.apiCalls();
        return known(
            question.how == ByCallName ? raw(calls.name[call.index]) : calls.trackIndexOf(call.index));
    }
    case Duration:
        return isAsked(term.asked, static_cast<long double>(table.duration[i]));
    case Start:
        return isAsked(term.asked, static_cast<long double>(table.start[i]));
    case End:
        return isAsked(term.asked, static_cast<long double>(table.end(i)));
    case Bytes:
        return isAsked(term.asked, static_cast<long double>(table.bytes[i]));
    case Correlation:
        return table.correlation[i] != 0
            && isAsked(term.asked, static_cast<long double>(table.correlation[i]));
    }
    return false;
}

bool EventPredicate::mayPass(EventKind kind) const
{
    if (m_nodes.empty())
        return m_passesAll;
    // Bottom-up: whether each node may pass, and may fail.
    std::vector<std::pair<bool, bool>> may(m_nodes.size());
    for (std::size_t n = 0; n < m_nodes.size(); ++n) {
        const FilterNode& node = m_nodes[n];
        if (node.type == FilterNode::Type::Term) {
            const Question::How how = m_terms[n].ofKind[indexOf(kind)].how;
            may[n] = {how != Question::How::Never, how != Question::How::Always};
            continue;
        }
        if (node.type == FilterNode::Type::Not) {
            may[n] = {may[node.parts.front()].second, may[node.parts.front()].first};
            continue;
        }
        const auto passes = [&](std::uint32_t part) { return may[part].first; };
        const auto fails = [&](std::uint32_t part) { return may[part].second; };
        const bool all = node.type == FilterNode::Type::All;
        may[n] = {all ? std::ranges::all_of(node.parts, passes) : std::ranges::any_of(node.parts, passes),
            all ? std::ranges::any_of(node.parts, fails) : std::ranges::all_of(node.parts, fails)};
    }
    return may.back().first;
}

bool isWithin(const FilterTerm& term, long double value)
{
    return std::ranges::any_of(term.values,
        [&](const FilterValue& each) { return each.isNumber && value >= each.low && value <= each.high; });
}

bool isAsked(const FilterTerm& term, long double value)
{
    const FilterValue& first = term.values.front();
    switch (term.compared) {
    case FilterOperator::Less:
        return first.isNumber && value < first.low;
    case FilterOperator::LessEqual:
        return first.isNumber && value <= first.low;
    case FilterOperator::Greater:
        return first.isNumber && value > first.low;
    case FilterOperator::GreaterEqual:
        return first.isNumber && value >= first.low;
    default:
        return isWithin(term, value) != isNegative(term.compared);
    }
}

} // namespace warpline
