#include "core/filter/filter_reader.h"

#include "core/filter/filter_values.h"

#include <algorithm>

namespace warpline {

namespace {

constexpr std::uint32_t none = 0xFFFFFFFFU;

std::string operators(const FilterTerm& term)
{
    return std::string("= !=") + (hasOrder(term) ? " < <= > >=" : "") + (canHold(term) ? " ~ !~" : "");
}

} // namespace

bool FilterReader::read()
{
    skipBlanks();
    if (ended())
        return true;
    readAny(0);
    if (!m_mistake && !ended())
        fail(m_at, 1, {"text_mistake.unmatched", "Unmatched )"});
    return !m_mistake;
}

std::uint32_t FilterReader::add(FilterNode node)
{
    m_nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(m_nodes.size() - 1);
}

std::uint32_t FilterReader::fail(std::size_t place, std::size_t length, Message message)
{
    if (!m_mistake)
        m_mistake = TextMistake{place, length, std::move(message)};
    return none;
}

std::uint32_t FilterReader::joined(FilterNode::Type type, std::vector<std::uint32_t> parts)
{
    if (m_mistake)
        return none;
    return parts.size() == 1 ? parts.front() : add({.type = type, .parts = std::move(parts), .term = {}});
}

std::uint32_t FilterReader::readAny(int depth)
{
    std::vector<std::uint32_t> parts{readAll(depth)};
    while (!m_mistake) {
        skipBlanks();
        const std::string_view word = wordAt(m_at);
        if (!isAtWord("or") && word != "||")
            break;
        m_at += word.size();
        parts.push_back(readAll(depth));
    }
    return joined(FilterNode::Type::Any, std::move(parts));
}

std::uint32_t FilterReader::readAll(int depth)
{
    std::vector<std::uint32_t> parts;
    bool wanted = true; // a term must follow
    while (!m_mistake) {
        skipBlanks();
        if (ended() || isAtWord("or") || wordAt(m_at) == "||" || (m_text[m_at] == ')' && isInGroup()))
            break;
        const std::string_view word = wordAt(m_at);
        if (!wanted && (isAtWord("and") || word == "&&")) {
            m_at += word.size();
            wanted = true;
            continue;
        }
        parts.push_back(readOne(depth));
        wanted = false;
    }
    if (wanted)
        return fail(m_at, ended() ? 0 : 1,
            {"filter.term", "A term is expected here, such as dur>50us or part of a name"});
    return joined(FilterNode::Type::All, std::move(parts));
}

std::uint32_t FilterReader::readOne(int depth)
{
    if (depth >= FilterExpression::deepest)
        return fail(m_at, 1, {"filter.too_deep", "The filter is nested too deeply"});
    const bool isWord = isAtWord("not");
    const bool isSign = (m_text[m_at] == '-' || m_text[m_at] == '!') && m_at + 1 < m_text.size()
        && !isBlank(m_text[m_at + 1]) && m_text[m_at + 1] != '>' && m_text[m_at + 1] != '=';
    if (isWord || isSign) {
        const std::size_t place = m_at;
        m_at += isWord ? 3 : 1;
        skipBlanks();
        if (ended() || (m_text[m_at] == ')' && isInGroup()))
            return fail(place, isWord ? 3 : 1, {"filter.term_after", "A term is expected after this"});
        const std::uint32_t part = readOne(depth + 1);
        return m_mistake ? none : add({.type = FilterNode::Type::Not, .parts = {part}, .term = {}});
    }
    if (m_text[m_at] == '(')
        return readGroup(depth);
    if (const auto field = fieldHere()) {
        const std::size_t place = m_at;
        m_at = field->second;
        return readTerm(field->first, place);
    }
    return m_mistake ? none : readName();
}

std::uint32_t FilterReader::readGroup(int depth)
{
    const std::size_t place = m_at++;
    ++m_groups;
    const std::uint32_t inside = readAny(depth + 1);
    --m_groups;
    if (m_mistake)
        return none;
    if (ended())
        return fail(place, 1, {"text_mistake.missing", "Missing {what}", {{"what", Name{")"}}}});
    ++m_at;
    return inside;
}

std::uint32_t FilterReader::nameTerm(std::string text, bool isExpression)
{
    FilterNode node{.type = FilterNode::Type::Term, .parts = {}, .term = {}};
    node.term.values.push_back({.text = std::move(text), .isExpression = isExpression, .extent = {}});
    return add(std::move(node));
}

std::uint32_t FilterReader::readName()
{
    if (m_text[m_at] == '"') {
        FilterValue value;
        if (!readQuoted(value))
            return none;
        m_hasTerms = true;
        return nameTerm(std::move(value.text), false);
    }
    if (const auto end = endOfExpression(m_at)) {
        m_hasTerms = true;
        const std::string text(m_text.substr(m_at + 1, *end - m_at - 2));
        if (!checkExpression(text, m_at + 1))
            return none;
        m_at = *end;
        return nameTerm(text, true);
    }
    // Adjacent words are one text: names of NVTX ranges have blanks.
    const std::size_t begin = m_at;
    std::size_t end = m_at;
    do {
        end = endOfWord(m_at, false);
        m_at = end;
        skipBlanks();
    } while (!m_mistake && !ended() && isPlainWordHere());
    if (m_mistake)
        return none;
    m_at = end;
    return nameTerm(std::string(m_text.substr(begin, end - begin)), false);
}

std::uint32_t FilterReader::readTerm(const NamedField& field, std::size_t place)
{
    m_hasTerms = true;
    FilterNode node{.type = FilterNode::Type::Term, .parts = {}, .term = {}};
    node.term.field = field.field;
    node.term.part = field.part;
    const Operator asked = *operatorAt(m_at);
    node.term.compared = asked.meant;
    const std::string_view key = m_text.substr(place, m_text.find_first_of(" \t=!<>~", place) - place);
    if (!checkOperator(node.term, m_at, asked.length))
        return none;
    m_at += asked.length;
    skipBlanks();
    if (ended() || (m_text[m_at] == ')' && isInGroup()))
        return fail(m_at, 0,
            {"filter.value_after", "A value is expected after {field}", {{"field", Name{std::string(key)}}}});
    return readValues(node.term) ? add(std::move(node)) : none;
}

bool FilterReader::checkOperator(const FilterTerm& term, std::size_t place, std::size_t length)
{
    const bool equals = term.compared == FilterOperator::Equal || term.compared == FilterOperator::NotEqual;
    if (equals || (isHolding(term.compared) ? canHold(term) : hasOrder(term)))
        return true;
    fail(place, length,
        {"filter.operator", "One of {operators} is expected after {field}",
            {{"operators", Name{operators(term)}}, {"field", Name{std::string(infoOf(term.field).key)}}}});
    return false;
}

bool FilterReader::readValues(FilterTerm& term)
{
    while (readValue(term)) {
        if (!takesLists(term) || ended() || m_text[m_at] != ',')
            return true;
        if (isOrdering(term.compared)) {
            fail(m_at, 1, {"filter.one_value", "One value is expected here; lists only work with = and !="});
            return false;
        }
        ++m_at;
    }
    return false;
}

bool FilterReader::readValue(FilterTerm& term)
{
    FilterValue value;
    const std::size_t place = m_at;
    const bool holds = isHolding(term.compared);
    const auto end = holds ? endOfExpression(m_at) : std::nullopt;
    if (end) {
        value.isExpression = true;
        value.text = std::string(m_text.substr(m_at + 1, *end - m_at - 2));
        m_at = *end;
        if (!checkExpression(value.text, place + 1))
            return false;
    } else if (holds && !ended() && m_text[m_at] == '/' && term.field != FilterField::Path) {
        // Taken as a text it would silently find nothing.
        fail(place, endOfWord(place, false) - place,
            {"filter.slash", "A regular expression ends with a second /. Quote a text that starts with /"});
        return false;
    } else {
        if (!ended() && m_text[m_at] == '"') {
            if (!readQuoted(value))
                return false;
        } else {
            m_at = endOfWord(m_at, takesLists(term));
            value.text = std::string(m_text.substr(place, m_at - place));
            value.glob = globOfWord(value.text);
        }
        if (value.text.empty() && m_at == place) {
            fail(place, 0, {"filter.value", "A value is expected here"});
            return false;
        }
        if (Message expected = understandValue(term, value); !expected.empty()) {
            fail(place, m_at - place, std::move(expected));
            return false;
        }
    }
    term.values.push_back(std::move(value));
    return true;
}

/// A backslash makes " \ * ? literal; before any other letter it is a letter itself.
bool FilterReader::readQuoted(FilterValue& value)
{
    const std::size_t place = m_at++;
    for (; !ended() && m_text[m_at] != '"'; ++m_at) {
        const bool escapes = m_text[m_at] == '\\' && m_at + 1 < m_text.size()
            && std::string_view("\"\\*?").find(m_text[m_at + 1]) != std::string_view::npos;
        m_at += escapes ? 1 : 0;
        const char letter = m_text[m_at];
        value.text += letter;
        value.glob += letter == '\\' || (escapes && letter != '"') ? "\\" : "";
        value.glob += letter;
    }
    if (ended()) {
        fail(place, 1, {"filter.quote", "Missing closing \""});
        return false;
    }
    ++m_at;
    return true;
}

bool FilterReader::checkExpression(const std::string& text, std::size_t place)
{
    const RegularExpression expression(text);
    if (expression.mistake())
        fail(
            place + expression.mistake()->place, expression.mistake()->length, expression.mistake()->message);
    return !expression.mistake();
}

} // namespace warpline
