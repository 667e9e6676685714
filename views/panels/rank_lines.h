#pragma once

#include "views/models/cells_model.h"
#include "views/session/session.h"

#include <QStringList>

#include <vector>

namespace warpline {

struct AcrossReport;
struct MatchedExchange;

// Contents of the tables of the Ranks panel. The id of a line is an index in the list of the AcrossReport;
// for an exchange, in its members.

QStringList rankTitles();
std::vector<CellsModel::Line> rankLines(const AcrossReport& across, const Workspace* workspace);

QStringList kindTitles();
std::vector<CellsModel::Line> kindLines(const AcrossReport& across);

QStringList exchangeTitles();
/// The ranks of `exchange` by arrival. Arrivals need aligned clocks.
std::vector<CellsModel::Line> exchangeLines(
    const AcrossReport& across, const MatchedExchange& exchange, const Workspace& workspace);

QStringList acrossFindingTitles();
std::vector<CellsModel::Line> acrossFindingLines(const AcrossReport& across);

} // namespace warpline
