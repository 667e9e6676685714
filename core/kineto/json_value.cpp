#include "core/kineto/json_value.h"

#include "core/base/ascii_case.h"
#include "core/base/code_point.h"
#include "core/base/read_real.h"
#include "core/base/saturate.h"
#include "core/kineto/json_shape.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace warpline {

namespace {

/// Whether each character ends a number or a word.
constexpr std::array<bool, 256> wordEnds = [] {
    std::array<bool, 256> ends{};
    for (const char c : {',', '}', ']', ':', '"', '{', '[', ' ', '\n', '\t', '\r'})
        ends[static_cast<unsigned char>(c)] = true;
    return ends;
}();

bool endsWord(char c)
{
    return wordEnds[static_cast<unsigned char>(c)];
}

/// The four hexadecimal digits at `at`; nothing when there are not that many.
std::optional<std::uint32_t> hexAt(std::string_view text, std::size_t at)
{
    std::uint32_t number = 0;
    if (at + 4 > text.size())
        return {};
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + at + 4, number, 16);
    if (error != std::errc() || end != text.data() + at + 4)
        return {};
    return number;
}

/// The character that \uXXXX at `at` (its backslash) is, with the second half of a pair; moves `at` behind
/// it.
std::uint32_t codePointAt(std::string_view text, std::size_t& at)
{
    constexpr std::uint32_t replacement = 0xFFFD;
    const auto first = hexAt(text, at + 2);
    if (!first) {
        at += 2;
        return replacement;
    }
    at += 6;
    if (*first < 0xD800 || *first > 0xDFFF)
        return *first;
    const auto second = text.substr(at, 2) == "\\u" ? hexAt(text, at + 2) : std::nullopt;
    if (!isHighSurrogate(*first) || !second || *second < 0xDC00 || *second > 0xDFFF)
        return replacement;
    at += 6;
    return joinedSurrogates(*first, *second);
}

} // namespace

void JsonReader::skipSpace()
{
    m_at = behindSpace(m_at, m_end);
}

bool JsonReader::atEnd()
{
    skipSpace();
    return m_at == m_end;
}

bool JsonReader::take(char character)
{
    skipSpace();
    if (m_at == m_end || *m_at != character)
        return false;
    ++m_at;
    return true;
}

JsonValue JsonReader::text()
{
    const char* const first = ++m_at;
    bool escaped = false;
    for (m_at = findQuote(m_at, m_end); m_at < m_end; m_at = findQuote(m_at, m_end)) {
        if (*m_at == '"')
            return {JsonValue::Kind::Text, escaped, {first, static_cast<std::size_t>(m_at++ - first)}};
        escaped = true;
        if (m_end - m_at < 2)
            break;
        m_at += 2;
    }
    m_at = m_end;
    return {};
}

bool JsonReader::skipNested()
{
    std::size_t depth = 0;
    bool inText = false;
    const char* escaped = nullptr; // the character behind a backslash
    Shape shape(m_at, m_end);
    for (const char* at = shape.next(); at != m_end; at = shape.next()) {
        if (at == escaped)
            continue;
        switch (*at) {
        case '"':
            inText = !inText;
            break;
        case '\\':
            escaped = inText ? at + 1 : nullptr;
            break;
        case '{':
        case '[':
            depth += inText ? 0 : 1;
            break;
        case '}':
        case ']':
            if (!inText && --depth == 0) {
                m_at = at + 1;
                return true;
            }
            break;
        default:
            break;
        }
    }
    m_at = m_end;
    return false;
}

JsonValue JsonReader::value()
{
    skipSpace();
    if (m_at == m_end)
        return {};
    const char* const first = m_at;
    const char c = *m_at;
    if (c == '"')
        return text();
    const auto upToHere = [&] { return std::string_view(first, static_cast<std::size_t>(m_at - first)); };
    if (c == '{' || c == '[') {
        if (!skipNested())
            return {};
        return {c == '{' ? JsonValue::Kind::Object : JsonValue::Kind::List, false, upToHere()};
    }
    while (m_at < m_end && !endsWord(*m_at))
        ++m_at;
    if (m_at == first)
        return {};
    const bool number = isDigit(c) || (c == '-' && m_at > first + 1 && isDigit(first[1]));
    return {number ? JsonValue::Kind::Number : JsonValue::Kind::Word, false, upToHere()};
}

bool JsonReader::key(std::string_view& key)
{
    skipSpace();
    while (m_at < m_end && *m_at == ',') {
        ++m_at;
        skipSpace();
    }
    if (m_at == m_end || *m_at != '"')
        return false;
    const JsonValue name = text();
    key = name.text;
    return name.there() && take(':');
}

std::vector<JsonField> fieldsOf(std::string_view text)
{
    std::vector<JsonField> fields;
    JsonReader reader(text);
    if (!reader.take('{'))
        return fields;
    std::string_view key;
    while (reader.key(key)) {
        const JsonValue value = reader.value();
        if (!value.there())
            break;
        fields.push_back({key, value});
    }
    return fields;
}

std::string unescaped(std::string_view text)
{
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            plain += text[i++];
            continue;
        }
        static constexpr std::string_view codes = "bfnrt";
        static constexpr std::string_view characters = "\b\f\n\r\t";
        const char code = text[i + 1];
        if (code == 'u') {
            appendUtf8(codePointAt(text, i), plain);
            continue;
        }
        const std::size_t known = codes.find(code);
        if (known != std::string_view::npos)
            plain += characters[known];
        else if (code == '"' || code == '\\' || code == '/')
            plain += code;
        else // no escape at all: a Windows path that was written as it is
            plain.append(text.substr(i, 2));
        i += 2;
    }
    return plain;
}

std::string textOf(const JsonValue& value)
{
    return value.escaped ? unescaped(value.text) : std::string(value.text);
}

std::optional<std::int64_t> integerOf(const JsonValue& value)
{
    std::string_view digits = value.text;
    const char* const end = digits.data() + digits.size();
    std::int64_t number = 0;
    const auto [last, error] = std::from_chars(digits.data(), end, number);
    if (error == std::errc() && (last == end || *last == '.'))
        return number;
    std::uint64_t wide = 0;
    if (error == std::errc::result_out_of_range
        && std::from_chars(digits.data(), end, wide).ec == std::errc())
        return static_cast<std::int64_t>(wide);
    if (error != std::errc())
        return {};
    const auto real = realOf(value); // an exponent
    constexpr double most = 9.2e18;
    return real && std::fabs(*real) < most ? std::optional(static_cast<std::int64_t>(*real)) : std::nullopt;
}

std::int32_t natural32Of(const JsonValue& value)
{
    return natural32Of(integerOf(value).value_or(0));
}

std::optional<double> realOf(const JsonValue& value)
{
    double number = 0;
    const char* const end = value.text.data() + value.text.size();
    const auto [last, error] = readReal(value.text, number);
    if (error != std::errc() || last != end || !std::isfinite(number))
        return {};
    return number;
}

/// A number as nearly all writers have it: digits, a point and three digits.
static std::optional<std::int64_t> nanosecondsOfPlain(std::string_view text)
{
    constexpr std::size_t decimals = 4; // and the point
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 1000 - 1;
    if (text.size() <= decimals || text[text.size() - decimals] != '.')
        return {};
    const char* const point = text.data() + text.size() - decimals;
    std::int64_t whole = 0;
    std::int64_t part = 0;
    const auto [end, error] = std::from_chars(text.data(), point, whole);
    const auto [last, partError] = std::from_chars(point + 1, point + decimals, part);
    if (error != std::errc() || end != point || whole > most || text.front() == '-'
        || partError != std::errc() || last != point + decimals || part < 0)
        return {};
    return whole * 1000 + part;
}

std::optional<std::int64_t> nanosecondsOf(const JsonValue& microseconds)
{
    if (const auto plain = nanosecondsOfPlain(microseconds.text))
        return plain;
    constexpr std::int64_t most = (std::numeric_limits<std::int64_t>::max() - 9) / 10;
    std::string_view digits = microseconds.text;
    const bool negative = digits.starts_with('-');
    digits.remove_prefix(negative ? 1 : 0);
    if (digits.empty() || !isDigit(digits.front()))
        return {};
    std::int64_t number = 0;
    int decimals = -1;
    for (const char c : digits) {
        if (c == '.' && decimals < 0) {
            decimals = 0;
        } else if (isDigit(c)) {
            if (decimals >= 3)
                continue;
            if (number > most)
                return {};
            number = number * 10 + (c - '0');
            decimals += decimals >= 0 ? 1 : 0;
        } else {
            const auto real = realOf(microseconds); // an exponent, or no number
            if (!real || std::fabs(*real) > 9e15)
                return {};
            return static_cast<std::int64_t>(std::llround(*real * 1000));
        }
    }
    for (int i = decimals < 0 ? 0 : decimals; i < 3; ++i) {
        if (number > most)
            return {};
        number *= 10;
    }
    return negative ? -number : number;
}

std::vector<std::int64_t> integersOf(const JsonValue& value, std::size_t most)
{
    std::vector<std::int64_t> numbers;
    JsonReader reader(value.text);
    if (!reader.take('['))
        return numbers;
    while (numbers.size() < most) {
        const auto number = integerOf(reader.value());
        if (!number)
            break;
        numbers.push_back(*number);
        if (!reader.take(','))
            break;
    }
    return numbers;
}

} // namespace warpline
