#pragma once

#include "core/rows/row_tree.h"

#include <QRect>

#include <utility>

namespace warpline {

class Session;

/// How the lanes of a row share its height: the first in full, deeper ones as thin lines, so that all are
/// visible. Extra height goes to the thin lines first, until all are equal. Shared by layout, painting and
/// hit tests.
struct RowLanes {
    static constexpr int laneHeight = 18; ///< see inTextSize()
    static constexpr int thinHeight = 3;
    static constexpr int maxThinLines = 160; ///< deeper lanes share the last line

    int full = 1;
    int thin = 0;
    int high = laneHeight; ///< of a full lane at scale 1, in the text size of the window

    /// The lanes of `row`, with the user's settings.
    static RowLanes of(const Session& session, const Row& row);
    int count() const { return full + thin; }
    /// The row's height at scale 1.
    int height() const;
    /// Where lane `depth` lies in `row`, the row's place on the screen.
    QRect area(QRect row, int depth) const;
    /// How high a full lane and a thin line are in a row of `rowHeight`.
    std::pair<double, double> heightsIn(int rowHeight) const;
    /// The lane at `y`.
    int depthAt(QRect row, int y) const;
};

} // namespace warpline
