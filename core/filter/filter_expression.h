#pragma once

#include "core/base/regular_expression.h"
#include "core/base/time.h"
#include "core/filter/filter_fields.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

enum class FilterOperator : std::uint8_t {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Holds,
    HoldsNot
};

/// ~ and !~
constexpr bool isHolding(FilterOperator compared)
{
    return compared == FilterOperator::Holds || compared == FilterOperator::HoldsNot;
}
/// < <= > >=
constexpr bool isOrdering(FilterOperator compared)
{
    return compared >= FilterOperator::Less && compared <= FilterOperator::GreaterEqual;
}
/// != and !~
constexpr bool isNegative(FilterOperator compared)
{
    return compared == FilterOperator::NotEqual || compared == FilterOperator::HoldsNot;
}

/// One of the values of a term.
struct FilterValue {
    std::string text; ///< as typed, quotes and their escapes taken off
    std::string glob{}; ///< the same as a pattern, in which literal * ? \ are behind a backslash
    bool isExpression = false; ///< text is a regular expression
    bool isNumber = false;
    long double low = 0; ///< with isNumber: the value, in ns or bytes where the field has these
    long double high = 0; ///< the same, or the HIGH of LOW..HIGH
    std::optional<std::array<std::int64_t, 3>> extent; ///< of 128x1x1
};

/// One condition.
struct FilterTerm {
    FilterField field = FilterField::Name;
    std::string part; ///< of a payload: which field
    FilterOperator compared = FilterOperator::Holds;
    std::vector<FilterValue> values; ///< any of them, none of them with NotEqual and HoldsNot; at least one
};

/// Conditions joined.
struct FilterNode {
    enum class Type : std::uint8_t { All, Any, Not, Term };
    Type type = Type::All;
    std::vector<std::uint32_t> parts; ///< operands of All and Any; one of Not
    FilterTerm term;
};

/// A parsed filter:
///
///     name~/gemm|flash/ dur>50us stream=7,13 (domain=NCCL or payload.size>1e6) not kind=memset
///
/// Adjacent terms are joined by and; `and`, `or`, `not` (or `-`) and parentheses are explicit. A term is a
/// field, one of = != < <= > >= ~ !~, and a value, in quotes where it has blanks. Other text is searched
/// literally in the name, with its blanks, or as a regular expression between slashes. A text without any
/// term that is not valid otherwise is also searched in names, as before there were filters. Matching ignores
/// case.
class FilterExpression {
public:
    /// Everything: an empty text.
    FilterExpression() = default;
    explicit FilterExpression(std::string_view text);

    const std::optional<TextMistake>& mistake() const { return m_mistake; }
    /// True for an empty text. One with a mistake passes nothing.
    bool passesAll() const { return m_nodes.empty() && !m_mistake; }
    /// Operands come before their operators: the last node is the root.
    const std::vector<FilterNode>& nodes() const { return m_nodes; }
    /// The text to search in names, when the filter is only that.
    std::optional<std::string_view> plainText() const;

    static constexpr std::size_t longestText = 20'000; ///< bytes
    static constexpr int deepest = 100; ///< nesting depth of parentheses and negations

private:
    std::vector<FilterNode> m_nodes;
    std::optional<TextMistake> m_mistake;
};

/// A number with a unit of sizes: "1e6", "1MB", "4 KiB", "2G". Nothing when it is none.
std::optional<long double> parseSize(std::string_view text);

} // namespace warpline
