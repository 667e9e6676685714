#include "core/base/duration_text.h"

#include "core/base/ascii_case.h"
#include "core/base/read_real.h"
#include "core/base/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace warpline {

namespace {

struct TimeUnit {
    std::string_view name;
    double ns;
};

// Longer names first: "ms" is not "s". Unicode has two letters mu.
constexpr std::array<TimeUnit, 6> units{
    {{"ns", 1}, {"us", 1e3}, {"\u00b5s", 1e3}, {"\u03bcs", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
constexpr std::array<std::string_view, 4> shownUnits{"ns", "\u00b5s", "ms", "s"};

constexpr double longestTime = 9e18; // the largest power that fits in 63 bits

bool isNumber(std::string_view text, double& value)
{
    const auto [end, problem] = readReal(text, value);
    return problem == std::errc() && end == text.data() + text.size();
}

bool endsWithUnit(std::string_view text, std::string_view unit)
{
    return text.size() >= unit.size()
        && std::ranges::equal(text.substr(text.size() - unit.size()), unit, {}, lowerOf, lowerOf);
}

} // namespace

Result<Ns> parseTime(std::string_view text)
{
    std::string_view number = trimmed(text, " \t");
    if (const auto whole = wholeNumber<Ns>(number))
        return *whole;
    for (const TimeUnit& unit : units) {
        if (!endsWithUnit(number, unit.name))
            continue;
        number = trimmed(number.substr(0, number.size() - unit.name.size()), " \t");
        if (const auto whole = wholeNumber<Ns>(number); whole && unit.ns == 1)
            return *whole;
        double value = 0;
        if (isNumber(number, value) && std::abs(value * unit.ns) < longestTime)
            return static_cast<Ns>(std::llround(value * unit.ns));
        break;
    }
    return Error{"time.not_one", "'{text}' is not a time: give nanoseconds, or a number with ns, us, ms or s",
        {{"text", Name{std::string(text)}}}};
}

std::string shortDuration(double ns, int digits)
{
    // A value that rounds to 1000 of a unit uses the next unit.
    const double almost = 1000 * (1 - 0.5 * std::pow(10, -digits));
    std::size_t unit = 0;
    for (; std::abs(ns) >= almost && unit + 1 < shownUnits.size(); ++unit)
        ns /= 1000;
    return fmt::format("{:.{}g} {}", ns, digits, shownUnits[unit]);
}

} // namespace warpline
