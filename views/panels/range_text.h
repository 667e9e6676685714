#pragma once

#include "core/base/message.h"
#include "core/budget/idle_times.h"
#include "core/operators/range_work.h"
#include "core/query/range_stats.h"
#include "core/workspace/clock_offset.h"
#include "views/style/theme.h"

#include <QString>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace warpline {

/// The line above the tables as rich text: the range on the axis, whose `clock` the report has, the GPUs'
/// busy share in it, and their operators' work. `all`: the number of events of the report, when all rows and
/// the whole session are covered; without events at the very end.
QString rangeSummary(const RangeStats& stats, bool selected, const ClockOffset& clock, std::uint64_t all = 0,
    const std::vector<RangeWork>& work = {});

/// What to say instead where a range does not touch the report with `label`.
QString outsideText(const std::string& label);

/// Why a GPU idles in a range: what the host does, and for how long; the longest first.
using IdleCauses = std::vector<std::pair<Message, Ns>>;
/// The largest causes of each of `devices` in `window`, in their order. `idle`: nullptr: not known. Throws
/// Stopped when `stop` is requested.
std::vector<IdleCauses> causesOfIdle(const Trace& trace, const RowTree& rows, const IdleTimes* idle,
    const std::vector<DeviceFigures>& devices, TimeRange window, const std::stop_token& stop = {});

/// The content of the selected range, for a narrow column: busy share of each GPU, why it idles (`idle`, one
/// for each of the devices), the longest names, copies and counters; times as in rangeSummary(). Links:
/// "name:N", an index in `stats.names`.
QString rangeHtml(const Trace& trace, const RangeStats& stats, const std::vector<IdleCauses>& idle,
    const Theme& theme, const ClockOffset& clock);
/// What the panels have about the selected range. Links: "panel:ID".
QString rangeLinksHtml();

} // namespace warpline
