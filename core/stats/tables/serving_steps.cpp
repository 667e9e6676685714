// Steps of a model server and its latencies: the time to the first token, the time of each further one, and
// tokens per second, by phase and number of requests. A step is done when its range on the host has ended and
// all its GPU work is done; see core/steps/serving.h. Without warm-up.

#include "core/stats/applies.h"
#include "core/stats/stats_table.h"
#include "core/steps/serving.h"

namespace warpline::serving_steps {

namespace {

Cell known(std::int64_t value)
{
    return value >= 0 ? Cell{value} : Cell{};
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    Cells cells;
    cells.columns = {{"Phase", Unit::Text}, {"Requests", Unit::Integer}, {"Steps", Unit::Count},
        {"Prompt Tokens", Unit::Count}, {"Output Tokens", Unit::Count},
        {"Total Time (ns)", Unit::Nanoseconds}, {"Host Med (ns)", Unit::Nanoseconds},
        {"First Token (ns)", Unit::Nanoseconds}, {"Per Token (ns)", Unit::Nanoseconds},
        {"Tokens/s", Unit::Real}, {"PID", Unit::Integer}, {"TID", Unit::Integer}};
    const TimeRange window
        = query.window.empty() ? TimeRange{trace.session.start, trace.session.end + 1} : query.window;
    for (const Serving& serving : servingOf(trace, window, query.nvtxName, query.stop)) {
        if (!passes(query.covers, {.owner = serving.thread}))
            continue;
        for (const ServingGroup& group : serving.groups) {
            std::vector<EventRef> events;
            for (const std::size_t step : group.steps)
                events.push_back(serving.steps[step].range);
            const double rate = group.tokensPerSecond();
            cells.addRow({std::string(group.kind == StepKind::Plain ? "other" : labelOf(group.kind)),
                             known(group.requests), static_cast<std::int64_t>(group.steps.size()),
                             known(group.promptTokens), known(group.outputTokens), group.total, group.median,
                             known(group.firstToken), known(group.perToken), rate >= 0 ? Cell{rate} : Cell{},
                             static_cast<std::int64_t>(pidOf(serving.thread)),
                             static_cast<std::int64_t>(tidOf(serving.thread))},
                query.wantEvents ? std::move(events) : std::vector<EventRef>());
        }
    }
    return cells;
}

} // namespace

extern constinit const StatsTable servingSteps{.id = "serving_steps",
    .title = "Serving Steps",
    .description
    = "How fast does a model server answer? Time to the first token, time of each further one and tokens per "
      "second, by phase and number of requests.",
    .applies = hasAnyNvtxRange,
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Nvtx,
    .shape = TableShape::Breakdown,
    .asksForRange = true};

} // namespace warpline::serving_steps
