#include "core/base/format_instant.h"

#include <fmt/format.h>

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

} // namespace warpline
