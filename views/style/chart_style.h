#pragma once

#include <vector>

namespace warpline {

/// 1, 2 or 5 times a power of ten, not below `value`, which is over 0: how far apart the marks of an axis
/// are.
double niceStep(double value);

/// The multiples of `step` from `low` to `high`; few, even where numbers are too large to tell them apart.
std::vector<double> marksWithin(double low, double high, double step);

/// The room along an axis for labels, from left to right: those that would touch an earlier one are left out.
class LabelRoom {
public:
    /// Takes the room of a label `width` wide around `middle`; false where there is none.
    bool take(double middle, double width);

private:
    double m_free = -1e9;
};

} // namespace warpline
