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

std::vector<double> marksWithin(double low, double high, double step)
{
    constexpr int most = 100;
    std::vector<double> marks;
    const double first = std::ceil(low / step);
    for (int i = 0; i < most; ++i) {
        const double mark = (first + i) * step;
        if (!(mark <= high)) // or no number, where `step` is 0
            break;
        if (marks.empty() || mark > marks.back())
            marks.push_back(mark);
    }
    return marks;
}

bool LabelRoom::take(double middle, double width)
{
    if (middle - width / 2 < m_free)
        return false;
    m_free = middle + width / 2 + m_gap;
    return true;
}

} // namespace warpline
