#pragma once

#include "core/filter/filter_expression.h"

#include <string_view>
#include <utility>
#include <vector>

namespace warpline {

/// Recursive-descent parser of filters. Only FilterExpression uses it.
class FilterReader {
public:
    explicit FilterReader(std::string_view text)
        : m_text(text)
    {
    }

    /// False with a mistake.
    bool read();
    const TextMistake& mistake() const { return *m_mistake; }
    /// Whether anything was met that no name is likely to hold: a field with an operator, an expression.
    bool hasTerms() const { return m_hasTerms; }
    std::vector<FilterNode> takeNodes() { return std::move(m_nodes); }

private:
    static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

    struct Operator {
        FilterOperator meant;
        std::size_t length;
    };

    std::uint32_t add(FilterNode node);
    std::uint32_t fail(std::size_t place, std::size_t length, Message message);
    std::uint32_t joined(FilterNode::Type type, std::vector<std::uint32_t> parts);
    std::uint32_t readAny(int depth);
    std::uint32_t readAll(int depth);
    std::uint32_t readOne(int depth);
    std::uint32_t readGroup(int depth);
    std::uint32_t readTerm(const NamedField& field, std::size_t place);
    std::uint32_t readName();
    std::uint32_t nameTerm(std::string text, bool isExpression);

    void skipBlanks();
    bool ended() const { return m_at >= m_text.size(); }
    bool isAtWord(std::string_view word) const;
    std::string_view wordAt(std::size_t place) const;
    std::size_t endOfWord(std::size_t place, bool stopsAtComma) const;
    std::optional<std::size_t> endOfExpression(std::size_t place) const;
    std::optional<Operator> operatorAt(std::size_t place) const;
    /// The field and the place of the operator when a term about a field stands at m_at.
    std::optional<std::pair<NamedField, std::size_t>> fieldHere();
    bool looksLikeTemplate(std::size_t place) const;
    bool ordersNumber(std::size_t place) const;
    bool isPlainWordHere();

    bool readValues(FilterTerm& term);
    bool readValue(FilterTerm& term);
    bool readQuoted(FilterValue& value);
    bool checkOperator(const FilterTerm& term, std::size_t place, std::size_t length);
    bool checkExpression(const std::string& text, std::size_t place);
    bool isInGroup() const { return m_groups > 0; }

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_groups = 0; ///< parentheses that are open
    bool m_hasTerms = false;
    std::optional<TextMistake> m_mistake;
    std::vector<FilterNode> m_nodes;
};

} // namespace warpline
