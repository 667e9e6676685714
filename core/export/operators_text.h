#pragma once

#include "core/export/json_text.h"
#include "core/operators/operator_rows.h"
#include "core/table/cells.h"

#include <string>
#include <vector>

namespace warpline {

/// `rows` as a table of GPU time, FLOPs, rates and share of the roofline.
Cells operatorCells(const std::vector<OperatorRow>& rows, OperatorGrouping by);

/// The same as a JSON object, see docs/cli/schema/operators.json.
Json operatorsJson(const Trace& trace, const std::vector<OperatorRow>& rows, const OperatorQuery& query);

/// The data missing in `rows`, with the option that records it. Where GPU metrics were sampled, their values
/// next to the models'.
std::vector<Message> operatorNotes(
    const Trace& trace, const std::vector<OperatorRow>& rows, const OperatorQuery& query);

} // namespace warpline
