#pragma once

#include "core/across/across_report.h"
#include "core/workspace/exchange_lane.h"

#include <memory>

namespace warpline {

/// The exchanges of `across` for the timeline: a row for each communicator, the one with most time first, in
/// it a lane for each rank. O(n log n).
std::shared_ptr<const ExchangeRows> exchangeRows(const AcrossReport& across);

} // namespace warpline
