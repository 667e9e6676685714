#pragma once

#include <QRectF>
#include <QString>
#include <QTransform>

#include <vector>

namespace warpline {

/// 1, 2 or 5 times a power of ten, not below `value`, which is over 0: how far apart the marks of an axis
/// are.
double niceStep(double value);

/// The multiples of `step` from `low` to `high`; few, even where numbers are too large to tell them apart.
std::vector<double> marksWithin(double low, double high, double step);

/// A text of a chart and where it is painted, of which `turned` makes the place in the widget.
struct PaintedLabel {
    QRectF place;
    QString text;
    QTransform turned = {};
};

/// The room along an axis for labels, from left to right or down: those that would touch an earlier one are
/// left out.
class LabelRoom {
public:
    /// Labels are `gap` apart, at least. Lines of text need none: their height includes it.
    explicit LabelRoom(double gap = 6)
        : m_gap(gap)
    {
    }
    /// Takes the room of a label `width` wide, or high, around `middle`; false where there is none.
    bool take(double middle, double width);

private:
    double m_gap;
    double m_free = -1e9;
};

} // namespace warpline
