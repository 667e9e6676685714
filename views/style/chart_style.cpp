#include "views/style/chart_style.h"

#include <cmath>

namespace warpline {

double niceStep(double value)
{
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= value * (1 - 1e-9))
            return factor * power;
    }
    return 10 * power;
}

} // namespace warpline
