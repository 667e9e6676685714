#include "core/base/format_instant.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <string_view>

namespace warpline {

std::string formatInstant(Ns time, Ns resolution)
{
    struct Unit {
        double size;
        Ns resolution; ///< from which on it is the unit of short times, too
        std::string_view name;
    };
    static constexpr Unit units[]{
        {1e9, 100'000'000, "s"}, {1e6, 100'000, "ms"}, {1e3, 100, "\u00b5s"}, {1, 0, "ns"}};
    const double value = static_cast<double>(time);
    const Unit* unit = units;
    while (std::abs(value) < unit->size && resolution < unit->resolution)
        ++unit;
    int decimals = 0;
    for (double part = unit->size; part > static_cast<double>(resolution) && decimals < 9; part /= 10)
        ++decimals;
    return fmt::format("{:.{}f} {}", value / unit->size, decimals, unit->name);
}

std::string formatUtc(Ns time)
{
    if (time <= 0)
        return {};
    const std::chrono::sys_seconds second{std::chrono::seconds(time / 1'000'000'000)};
    const auto day = std::chrono::floor<std::chrono::days>(second);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(second - day);
    return fmt::format("{}-{:02}-{:02} {:02}:{:02}:{:02}", static_cast<int>(date.year()),
        static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
        clock.minutes().count(), clock.seconds().count());
}

} // namespace warpline
