// Times in which a network device waited to send: those with more ticks per millisecond than the argument
// "ticks_threshold", by start. Ticks of different devices differ in length. Switches are shown by GUID,
// without a name.

#include "core/stats/trace_rows.h"
#include "core/store/trace.h"

#include <array>

namespace warpline::network_congestion {

namespace {

constexpr std::array arguments{TableArgument{"ticks_threshold", "<ticks_per_ms>"}};
constexpr std::int64_t defaultThreshold = 10'000;
constexpr double nsPerMillisecond = 1e6;

Cells fill(const Trace& trace, const StatsQuery& query)
{
    Cells cells;
    cells.columns = {{"Start (ns)", Unit::Nanoseconds}, {"End (ns)", Unit::Nanoseconds},
        {"Duration (ns)", Unit::Nanoseconds}, {"Send wait rate", Unit::Real}, {"GUID", Unit::Text},
        {"Name", Unit::Text}};
    const auto threshold
        = static_cast<double>(argumentOf(query.variant, "ticks_threshold", defaultThreshold));
    for (const NetworkWait& wait : trace.networkWaits) {
        const Ns duration = wait.end - wait.start;
        if (duration <= 0 || (!query.window.empty() && !query.window.touches(wait.start, wait.end)))
            continue;
        const double rate = wait.ticks * nsPerMillisecond / static_cast<double>(duration);
        if (rate > threshold)
            cells.addRow({wait.start, wait.end, duration, rate, upperHex(wait.guid),
                std::string(trace.text(wait.device))});
    }
    return cells;
}

} // namespace

extern constinit const StatsTable networkCongestion{.id = "network_congestion",
    .title = "Network Devices Congestion",
    .description = "When was the network the limit? When network devices waited to send.",
    .arguments = arguments,
    .applies = [](const Trace& trace) { return !trace.networkWaits.empty(); },
    .fill = fill,
    .origin = TableOrigin::Documented,
    .group = TableGroup::Other,
    .shape = TableShape::Breakdown,
    .followsTracks = false};

} // namespace warpline::network_congestion
