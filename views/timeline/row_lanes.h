#pragma once

#include "core/rows/row_tree.h"

#include <QRect>

#include <utility>

namespace warpline {

class Session;

/// How the lanes of a row share its height: the first in full, the deeper ones as thin lines, so that nothing
/// vanishes however deep it is nested. What the row is higher than that, thin lines get first, until all are
/// alike. Shared by layout, painting and by finding the event under the mouse.
struct RowLanes {
    static constexpr int laneHeight = 18;
    static constexpr int thinHeight = 3;
    static constexpr int maxThinLines = 160; ///< what is deeper still shares the last line

    int full = 1;
    int thin = 0;

    /// Those of `row` as the user has it.
    static RowLanes of(const Session& session, const Row& row);
    int count() const { return full + thin; }
    /// What the row takes at scale 1.
    int height() const;
    /// Where lane `depth` lies in `row`, the row's place on the screen.
    QRect area(QRect row, int depth) const;
    /// How high a full lane and a thin line are in a row of `rowHeight`.
    std::pair<double, double> heightsIn(int rowHeight) const;
    /// The lane at `y`.
    int depthAt(QRect row, int y) const;
};

} // namespace warpline
