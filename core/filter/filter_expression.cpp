#include "core/filter/filter_expression.h"

#include "core/base/ascii_case.h"
#include "core/base/read_real.h"
#include "core/filter/filter_reader.h"

namespace warpline {

FilterExpression::FilterExpression(std::string_view text)
{
    if (text.size() > longestText) {
        m_mistake = TextMistake{longestText, text.size() - longestText,
            {"filter.too_long", "A filter is limited to 20,000 characters"}};
        return;
    }
    FilterReader reader(text);
    if (!reader.read()) {
        if (reader.hasTerms()) {
            m_mistake = reader.mistake();
            return;
        }
        FilterNode name{.type = FilterNode::Type::Term, .parts = {}, .term = {}};
        name.term.values.push_back({.text = std::string(text), .extent = {}});
        m_nodes.push_back(std::move(name));
        return;
    }
    m_nodes = reader.takeNodes();
}

std::optional<std::string_view> FilterExpression::plainText() const
{
    if (m_nodes.size() != 1 || m_nodes.front().type != FilterNode::Type::Term)
        return std::nullopt;
    const FilterTerm& term = m_nodes.front().term;
    if (term.field != FilterField::Name || term.compared != FilterOperator::Holds
        || term.values.front().isExpression)
        return std::nullopt;
    return term.values.front().text;
}

std::optional<long double> parseSize(std::string_view text)
{
    struct SizeUnit {
        std::string_view name;
        long double bytes;
    };
    static constexpr std::array<SizeUnit, 19> units{{{"", 1}, {"b", 1}, {"k", 1e3L}, {"kb", 1e3L},
        {"m", 1e6L}, {"mb", 1e6L}, {"g", 1e9L}, {"gb", 1e9L}, {"t", 1e12L}, {"tb", 1e12L}, {"ki", 1024L},
        {"kib", 1024L}, {"mi", 1048576L}, {"mib", 1048576L}, {"gi", 1073741824L}, {"gib", 1073741824L},
        {"ti", 1099511627776L}, {"tib", 1099511627776L}, {"bytes", 1}}};
    long double number = 0;
    const auto [end, problem] = readReal(text, number);
    if (problem != std::errc() || !(number > -1e30L && number < 1e30L))
        return std::nullopt;
    std::string unit(end, text.data() + text.size());
    if (unit.starts_with(' '))
        unit.erase(0, 1);
    unit = lowered(unit);
    for (const SizeUnit& each : units) {
        if (each.name == unit)
            return number * each.bytes;
    }
    return std::nullopt;
}

} // namespace warpline
