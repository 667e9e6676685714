#include "core/sqlite/row.h"

#include "core/base/read_real.h"

#include <sqlite3.h>

#include <array>
#include <cctype>
#include <charconv>
#include <limits>

namespace warpline::sqlite {

namespace {

std::string_view withoutLeadingSpace(std::string_view text)
{
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
        text.remove_prefix(1);
    return text;
}

/// A real as SQLite casts it to an integer: truncated, and held at the ends of the range.
std::int64_t truncated(double value)
{
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    constexpr auto least = std::numeric_limits<std::int64_t>::min();
    if (!(value > static_cast<double>(least)))
        return least;
    if (value >= static_cast<double>(most))
        return most;
    return static_cast<std::int64_t>(value);
}

/// The longest prefix of `text` that is a whole number, held at the ends of the range; 0 without one.
std::int64_t leadingInteger(std::string_view text)
{
    text = withoutLeadingSpace(text);
    if (text.starts_with('+')) {
        text.remove_prefix(1);
        if (text.starts_with('-'))
            return 0;
    }
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code == std::errc::result_out_of_range)
        return text.starts_with('-') ? std::numeric_limits<std::int64_t>::min()
                                     : std::numeric_limits<std::int64_t>::max();
    return value;
}

double leadingReal(std::string_view text)
{
    text = withoutLeadingSpace(text);
    const std::string_view number = text.starts_with('+') ? text.substr(1) : text;
    const std::string_view digits = number.starts_with('-') ? number.substr(1) : number;
    // "inf" and "nan" are no numbers to SQLite.
    if (digits.empty()
        || (std::isdigit(static_cast<unsigned char>(digits.front())) == 0 && digits.front() != '.')
        || (text.starts_with('+') && number.starts_with('-')))
        return 0;
    double value = 0;
    const auto [end, code] = readReal(number, value);
    if (code == std::errc::result_out_of_range) {
        const std::string_view used(number.data(), end);
        if (used.find("e-") != used.npos || used.find("E-") != used.npos)
            return 0;
        return used.starts_with('-') ? -std::numeric_limits<double>::infinity()
                                     : std::numeric_limits<double>::infinity();
    }
    return value;
}

} // namespace

std::int64_t Row::convertedInteger(const Cell& value)
{
    if (value.kind == Kind::Real)
        return truncated(std::bit_cast<double>(value.number));
    return leadingInteger({value.bytes, value.size});
}

double Row::convertedReal(const Cell& value)
{
    if (value.kind <= Kind::Integer)
        return static_cast<double>(value.number);
    return leadingReal({value.bytes, value.size});
}

std::string_view Row::convertedText(const Cell& value, std::size_t column) const
{
    if (value.kind == Kind::Null)
        return {};
    if (m_texts.size() < m_cells.size())
        m_texts.resize(m_cells.size());
    std::string& text = m_texts[column];
    if (value.kind == Kind::Integer) {
        text = std::to_string(value.number);
    } else {
        constexpr std::size_t room = 64;
        std::array<char, room> buffer{};
        // The format of SQLite's own conversion: 15 digits, and always a decimal point.
        sqlite3_snprintf(room, buffer.data(), "%!.15g", std::bit_cast<double>(value.number));
        text = buffer.data();
    }
    return text;
}

} // namespace warpline::sqlite
