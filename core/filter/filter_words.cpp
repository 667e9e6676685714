// FilterReader's lexer: words, fields, operators, regular expressions.

#include "core/base/ascii_case.h"
#include "core/filter/filter_reader.h"
#include "core/filter/filter_values.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

bool isFieldLetter(char c, bool first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'
        || (!first && ((c >= '0' && c <= '9') || c == '.'));
}

bool isSame(std::string_view text, std::string_view lowered)
{
    return std::ranges::equal(text, lowered, {}, lowerOf);
}

} // namespace

void FilterReader::skipBlanks()
{
    while (!ended() && isBlank(m_text[m_at]))
        ++m_at;
}

std::string_view FilterReader::wordAt(std::size_t place) const
{
    std::size_t end = place;
    while (end < m_text.size() && !isBlank(m_text[end]) && m_text[end] != '(' && m_text[end] != ')')
        ++end;
    return m_text.substr(place, end - place);
}

bool FilterReader::isAtWord(std::string_view word) const
{
    return isSame(wordAt(m_at), word);
}

/// A word ends at a blank, and at a ) without an ( of its own.
std::size_t FilterReader::endOfWord(std::size_t place, bool stopsAtComma) const
{
    int open = 0;
    std::size_t end = place;
    for (; end < m_text.size() && !isBlank(m_text[end]); ++end) {
        const char c = m_text[end];
        if ((stopsAtComma && c == ',') || (c == ')' && open == 0 && isInGroup()))
            break;
        open += c == '(' ? 1 : c == ')' ? -1 : 0;
    }
    return end;
}

/// The position after the closing slash of a regular expression that begins at `place` and ends its word.
/// Nothing when none begins there.
std::optional<std::size_t> FilterReader::endOfExpression(std::size_t place) const
{
    if (place >= m_text.size() || m_text[place] != '/')
        return std::nullopt;
    for (std::size_t i = place + 1; i < m_text.size(); ++i) {
        if (m_text[i] == '\\') {
            ++i;
            continue;
        }
        const bool endsWord
            = i + 1 == m_text.size() || isBlank(m_text[i + 1]) || (m_text[i + 1] == ')' && isInGroup());
        if (m_text[i] == '/' && endsWord && i > place + 1)
            return i + 1;
    }
    return std::nullopt;
}

std::optional<FilterReader::Operator> FilterReader::operatorAt(std::size_t place) const
{
    using enum FilterOperator;
    static constexpr std::array<std::pair<std::string_view, FilterOperator>, 10> signs{
        {{"==", Equal}, {"!=", NotEqual}, {"!~", HoldsNot}, {"=~", Holds}, {"<=", LessEqual},
            {">=", GreaterEqual}, {"=", Equal}, {"~", Holds}, {"<", Less}, {">", Greater}}};
    const std::string_view rest = m_text.substr(place);
    for (const auto& [sign, meant] : signs) {
        if (rest.starts_with(sign))
            return Operator{meant, sign.size()};
    }
    return std::nullopt;
}

/// "block<256>" is a part of a name.
bool FilterReader::looksLikeTemplate(std::size_t place) const
{
    return m_text[place] == '<' && wordAt(place).find('>') != std::string_view::npos;
}

/// "flops>1e6" is not a name, while "step=5" and "tile<64, 32>" are.
bool FilterReader::ordersNumber(std::size_t place) const
{
    const auto found = operatorAt(place);
    const std::size_t value = found ? place + found->length : place;
    const bool beginsTemplate = m_text[place] == '<' && wordAt(place).back() == ',';
    return found && isOrdering(found->meant) && !beginsTemplate && value < m_text.size()
        && m_text[value] >= '0' && m_text[value] <= '9';
}

std::optional<std::pair<NamedField, std::size_t>> FilterReader::fieldHere()
{
    std::size_t end = m_at;
    while (end < m_text.size() && isFieldLetter(m_text[end], end == m_at))
        ++end;
    const std::string_view word = m_text.substr(m_at, end - m_at);
    std::size_t after = end;
    while (after < m_text.size() && isBlank(m_text[after]))
        ++after;
    if (word.empty() || !operatorAt(after))
        return std::nullopt;
    const auto field = findFilterField(word);
    if (field)
        return looksLikeTemplate(after) ? std::nullopt : std::optional(std::pair(*field, after));
    if (after != end || looksLikeTemplate(after))
        return std::nullopt;
    const std::string_view similar = similarFilterField(word);
    if (similar.empty() && !ordersNumber(after))
        return std::nullopt;
    m_hasTerms = true;
    if (similar.empty())
        fail(m_at, word.size(),
            {"filter.unknown_field",
                "There is no field '{field}'. Put a name that contains {sign} in quotes.",
                {{"field", Name{std::string(word)}}, {"sign", Name{std::string(1, m_text[after])}}}});
    else
        fail(m_at, word.size(),
            {"filter.no_field", "There is no field '{field}'; did you mean {near}?",
                {{"field", Name{std::string(word)}}, {"near", Name{std::string(similar)}}}});
    return std::nullopt;
}

bool FilterReader::isPlainWordHere()
{
    const char c = m_text[m_at];
    if (c == '"' || c == '(' || (c == ')' && isInGroup()) || c == '-' || c == '!' || endOfExpression(m_at))
        return false;
    const std::string_view word = wordAt(m_at);
    if (isAtWord("and") || isAtWord("or") || isAtWord("not") || word == "||" || word == "&&")
        return false;
    return !fieldHere() && !m_mistake;
}

} // namespace warpline
