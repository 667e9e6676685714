#pragma once

#include "core/query/name_groups.h"
#include "views/models/cells_model.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace warpline {

/// Titles of the table of groups after the first column; the last ones are those of allWorkColumns().
QStringList groupTitles();
std::vector<Unit> groupUnits(); ///< of these columns
/// A line each group; its id is its place.
std::vector<CellsModel::Line> groupLines(const std::vector<NameGroup>& groups);

/// Notes next to the statistics of a name.
struct FiguresNote {
    double shareOfKind = 0; ///< of the time of all events of the kind, 0..1
    std::uint64_t outliers = 0;
    bool isOfRange = false; ///< which may cut events: their durations are whole
    QString current; ///< a sentence about the current event; empty: it is none of these
};
/// The statistics as a rich-text table.
QString figuresText(const DurationFigures& figures, const FiguresNote& note);

} // namespace warpline
