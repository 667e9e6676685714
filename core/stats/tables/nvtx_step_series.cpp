// Step times, one row per kind of step: prefill, decode and mixed steps of a model server by batch size, or
// all steps of other programs. Warm-up has rows of its own.

#include "core/stats/applies.h"
#include "core/stats/duration_summary.h"
#include "core/stats/step_breakdown.h"

#include <map>
#include <tuple>

namespace warpline::nvtx_step_series {

namespace {

struct Series {
    std::vector<Ns> durations;
    std::vector<EventRef> events;
    std::uint64_t outliers = 0;
};

/// Process and thread, warm-up last, then kind and batch size.
using Key = std::tuple<GlobalId, bool, StepWork>;

std::map<Key, Series> seriesOf(const Trace& trace, const StatsQuery& query)
{
    const NvtxTable& nvtx = trace.nvtx();
    std::map<Key, Series> found;
    for (const Step& step : classifySteps(trace, query.nvtxName, query.window, {}, query.stop).steps) {
        if (!passes(query.covers, nvtx.trackOf(step.range)))
            continue;
        StepWork work = step.work;
        work.promptTokens = -1;
        Series& series = found[{nvtx.trackOf(step.range).owner, step.warmUp, work}];
        series.durations.push_back(nvtx.duration[step.range]);
        series.outliers += step.outlier ? 1 : 0;
        if (query.wantEvents)
            series.events.push_back({EventKind::Nvtx, step.range});
    }
    return found;
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    Cells cells;
    cells.columns = {{"Series", Unit::Text}, {"Requests", Unit::Integer}, {"Steps", Unit::Count},
        {"Total Time (ns)", Unit::Nanoseconds}, {"Med (ns)", Unit::NanosecondsReal},
        {"P90 (ns)", Unit::NanosecondsReal}, {"P99 (ns)", Unit::NanosecondsReal},
        {"Min (ns)", Unit::Nanoseconds}, {"Max (ns)", Unit::Nanoseconds},
        {"StdDev (ns)", Unit::NanosecondsReal}, {"Outliers", Unit::Count}, {"PID", Unit::Integer},
        {"TID", Unit::Integer}};
    for (auto& [key, series] : seriesOf(trace, query)) {
        const auto& [thread, warmUp, work] = key;
        const DurationSummary summary = summarize(series.durations);
        std::string name(work.kind == StepKind::Plain ? "step" : labelOf(work.kind));
        if (warmUp)
            name += " (warm-up)";
        cells.addRow({std::move(name), work.requests >= 0 ? Cell{work.requests} : Cell{},
                         static_cast<std::int64_t>(summary.count), summary.total, summary.median,
                         percentile(series.durations, 0.9), percentile(series.durations, 0.99), summary.min,
                         summary.max, summary.deviation, static_cast<std::int64_t>(series.outliers),
                         static_cast<std::int64_t>(pidOf(thread)), static_cast<std::int64_t>(tidOf(thread))},
            std::move(series.events));
    }
    return cells;
}

} // namespace

extern constinit const StatsTable nvtxStepSeries{.id = "nvtx_step_series",
    .title = "NVTX Step Series",
    .description = "How long do steps take, by kind? Prefill, decode and mixed steps, by batch size.",
    .applies = hasAnyNvtxRange,
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Nvtx,
    .shape = TableShape::Breakdown,
    .asksForRange = true};

} // namespace warpline::nvtx_step_series
