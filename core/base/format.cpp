#include "core/base/format.h"

#include "core/base/rounded.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <span>

namespace warpline {

namespace {

struct Scale {
    double size;
    std::string_view unit;
};

using Scales = std::span<const Scale>;

constexpr std::array<Scale, 4> durationScales{{{1e9, "s"}, {1e6, "ms"}, {1e3, "\u00b5s"}, {1, "ns"}}};
constexpr std::array<Scale, 5> byteScales{{{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}}};
constexpr std::array<Scale, 5> throughputScales{
    {{1e12, "TB/s"}, {1e9, "GB/s"}, {1e6, "MB/s"}, {1e3, "kB/s"}, {1, "B/s"}}};

/// `value` with `digits` significant digits, without an exponent; a part of the smallest unit is none.
std::string inUnit(double value, Scales scales, int digits)
{
    // From here on a value rounds up to a power of ten, and has the unit and the decimals of that.
    const double roundsUp = 1 - 0.5 * std::pow(10, -digits) - 1e-12;
    const auto scale = std::ranges::find_if(scales.first(scales.size() - 1),
        [&](const Scale& each) { return std::abs(value) >= each.size * roundsUp; });
    const double shown = value / scale->size;
    const double size = std::abs(shown) / roundsUp;
    const int before = scale->size == 1 ? digits : size < 10 ? 1 : size < 100 ? 2 : size < 1000 ? 3 : digits;
    return fmt::format("{:.{}f} {}", shown, std::max(0, digits - before), scale->unit);
}

std::string byScale(double value, Scales scales)
{
    return inUnit(value, scales, 4);
}

/// With three digits and without trailing zeros.
std::string rounded(double value, Scales scales)
{
    std::string text = inUnit(value, scales, 3);
    const std::size_t end = text.find(' ');
    if (text.find('.') < end) {
        const std::size_t last = text.find_last_not_of('0', end - 1);
        const std::size_t kept = text[last] == '.' ? last : last + 1;
        text.erase(kept, end - kept);
    }
    return text;
}

/// The end of the function's name in `text`: before its parameter list, at bracket depth 0.
std::size_t endOfName(std::string_view text)
{
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view rest = text.substr(i);
        if (rest.starts_with("(anonymous namespace)")) {
            i += std::string_view("(anonymous namespace)").size() - 1;
            continue;
        }
        if (rest.starts_with("operator<") || rest.starts_with("operator(") || rest.starts_with("operator>")) {
            i += rest.starts_with("operator()") ? 9 : 8;
            continue;
        }
        if (text[i] == '<')
            ++depth;
        else if (text[i] == '>' && (i == 0 || text[i - 1] != '-'))
            --depth;
        else if (text[i] == '(' && depth <= 0)
            return i;
    }
    return text.size();
}

/// `number` with separators of thousands before `end`, the end of its whole digits.
std::string withSeparators(std::string number, std::size_t end)
{
    const std::size_t sign = number.starts_with('-') ? 1 : 0;
    for (; end > sign + 3; end -= 3)
        number.insert(end - 3, 1, ',');
    return number;
}

} // namespace

Ns wholeNs(double ns)
{
    return std::llround(ns);
}

std::string formatDuration(Ns duration)
{
    return byScale(static_cast<double>(duration), durationScales);
}

std::string roundedDuration(Ns duration)
{
    return rounded(static_cast<double>(duration), durationScales);
}

std::string formatTime(Ns time, Ns resolution)
{
    int decimals = 9;
    for (Ns step = 10; step <= resolution && decimals > 0; step *= 10)
        --decimals;
    return fmt::format("{:.{}f} s", static_cast<double>(time) / 1e9, decimals);
}

std::string formatBytes(std::uint64_t bytes)
{
    return byScale(static_cast<double>(bytes), byteScales);
}

std::string roundedBytes(std::uint64_t bytes)
{
    return rounded(static_cast<double>(bytes), byteScales);
}

std::string formatThroughput(double bytesPerSecond)
{
    return byScale(bytesPerSecond, throughputScales);
}

std::string roundedThroughput(double bytesPerSecond)
{
    return rounded(bytesPerSecond, throughputScales);
}

std::string formatCount(std::uint64_t count)
{
    const std::string digits = std::to_string(count);
    return withSeparators(digits, digits.size());
}

std::string formatShare(double share)
{
    const double percent = share * 100;
    if (percent > 0 && percent < 0.05)
        return "<0.1%";
    return fmt::format("{:.1f}%", percent);
}

std::string roundedShare(double share)
{
    constexpr double threeDigits = 0.9995; // "99.9%", then "100%"
    return share < threeDigits ? formatShare(share) : fmt::format("{:.0f}%", share * 100);
}

std::string formatReal(double value, int decimals)
{
    return fmt::format("{:.{}f}", value, decimals);
}

std::string formatNumber(double value, int decimals)
{
    const std::string text = formatReal(value, decimals);
    return withSeparators(text, std::min(text.find('.'), text.size()));
}

std::string formatRounded(double value, int decimals)
{
    double power = 1;
    for (int i = 0; i < decimals; ++i)
        power *= 10;
    const double scaledUp = value * power;
    // std::to_chars rounds exact halves to even; nsys rounds them away from zero. The value is an exact half
    // when the product above was exact, which fma shows.
    const bool half
        = std::abs(scaledUp - std::trunc(scaledUp)) == 0.5 && std::fma(value, power, -scaledUp) == 0;
    if (half)
        value = std::nextafter(value, value < 0 ? -HUGE_VAL : HUGE_VAL);
    return fmt::format("{:.{}f}", value, decimals);
}

std::string formatExtent(std::int64_t x, std::int64_t y, std::int64_t z)
{
    return fmt::format("{:4} {:4} {:4}", x, y, z);
}

std::string shortFunctionName(std::string_view demangled)
{
    std::string_view name = demangled.substr(0, endOfName(demangled));
    // Cut template arguments that end the name, then everything up to the last scope or space outside
    // brackets.
    if (name.ends_with('>') && !name.ends_with("operator>") && !name.ends_with("->")) {
        int depth = 0;
        for (std::size_t i = name.size(); i-- > 0;) {
            if (name[i] == '>')
                ++depth;
            else if (name[i] == '<' && --depth == 0) {
                name = name.substr(0, i);
                break;
            }
        }
    }
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] == '<' || name[i] == '(')
            ++depth;
        else if (name[i] == '>' || name[i] == ')')
            --depth;
        else if (depth == 0
            && (name[i] == ' ' || (name[i] == ':' && i + 1 < name.size() && name[i + 1] == ':')))
            begin = i + (name[i] == ' ' ? 1 : 2);
    }
    const std::string_view found = name.substr(std::min(begin, name.size()));
    return std::string(found.empty() ? demangled : found);
}

} // namespace warpline
