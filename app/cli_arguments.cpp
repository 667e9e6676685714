#include "app/cli_arguments.h"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace warpline::cli {

namespace {

struct TimeUnit {
    std::string_view name;
    double ns;
};

// Longest names first, so that "ms" is not taken for "s".
constexpr std::array<TimeUnit, 4> units{{{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}};

constexpr double longestTime = 9e18; // the largest power that fits in 63 bits

std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

template <typename Number> bool isNumber(std::string_view text, Number& value)
{
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc() && end == text.data() + text.size();
}

Error noTime(std::string_view text)
{
    return {"'" + std::string(text) + "' is not a time: give nanoseconds, or a number with ns, us, ms or s"};
}

} // namespace

Result<Ns> parseTime(std::string_view text)
{
    std::string_view number = trimmed(text);
    if (Ns whole = 0; isNumber(number, whole))
        return whole;
    for (const TimeUnit& unit : units) {
        if (!number.ends_with(unit.name))
            continue;
        number = trimmed(number.substr(0, number.size() - unit.name.size()));
        if (Ns whole = 0; unit.ns == 1 && isNumber(number, whole))
            return whole;
        double value = 0;
        if (isNumber(number, value) && std::abs(value * unit.ns) < longestTime)
            return static_cast<Ns>(std::llround(value * unit.ns));
        break;
    }
    return noTime(text);
}

Result<RangeArgument> parseRange(std::string_view text)
{
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos)
        return Error{"'" + std::string(text) + "' is not a range: give FROM:TO"};
    RangeArgument range;
    const std::array<std::pair<std::string_view, std::optional<Ns>*>, 2> sides{
        {{text.substr(0, colon), &range.from}, {text.substr(colon + 1), &range.to}}};
    for (const auto& [part, side] : sides) {
        if (trimmed(part).empty())
            continue;
        const Result<Ns> time = parseTime(part);
        if (!time.ok())
            return time.error();
        *side = time.value();
    }
    if (range.from && range.to && *range.from >= *range.to)
        return Error{"the range " + std::string(text) + " is empty: its end must be after its start"};
    return range;
}

std::vector<std::string> splitList(std::string_view text)
{
    std::vector<std::string> parts;
    while (!text.empty()) {
        const std::size_t comma = text.find_first_of(",\n");
        if (const std::string_view part = trimmed(text.substr(0, comma)); !part.empty())
            parts.emplace_back(part);
        text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    }
    return parts;
}

} // namespace warpline::cli
