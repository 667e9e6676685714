// The parts of each step: one row for each instance of the NVTX range that is a step (StatsQuery::nvtxName,
// or the most likely one), then minimum, median, maximum, mean and deviation over the steps without warm-up.
// Shares are of the step's own duration. Parts are the ranges directly inside the step; of very many names
// those with the most time, and the others are in "Other". GPU shares are of the GPUs of the step's process
// between the step's start and end, so work still queued at the end belongs to the next step. The duration on
// the GPU is from the first work launched in the step to the first of the next; the summary leaves out the
// last step, which has no next.

#include "core/base/share.h"
#include "core/stats/applies.h"
#include "core/stats/names.h"
#include "core/stats/step_breakdown.h"
#include "core/stats/trace_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace warpline::nvtx_step_breakdown {

namespace {

/// Percentages of a step: its parts, the rest, GPU busy, idle, copy, communication, exposed communication.
std::vector<double> sharesOf(const Step& step, Ns duration)
{
    std::vector<double> shares;
    for (const Ns part : step.parts)
        shares.push_back(100 * shareOf(part, duration));
    shares.push_back(100 * shareOf(step.other, duration));
    for (const Ns time :
        {step.busy, duration - step.busy, step.copy, step.communication, step.exposedCommunication})
        shares.push_back(100 * shareOf(time, duration));
    return shares;
}

std::vector<Column> columnsOf(const StepBreakdown& breakdown)
{
    std::vector<Column> columns{{"Step", Unit::Text}, {"Note", Unit::Text}, {"PID", Unit::Integer},
        {"TID", Unit::Integer}, {"Start (ns)", Unit::Nanoseconds}, {"Duration (ns)", Unit::NanosecondsReal},
        {"GPU Duration (ns)", Unit::NanosecondsReal}};
    for (const std::string& part : breakdown.parts)
        columns.push_back({part + " (%)", Unit::Percent});
    for (const char* const title :
        {"Other", "GPU Busy", "GPU Idle", "GPU Copy", "Communication", "Exposed Communication"})
        columns.push_back({std::string(title) + " (%)", Unit::Percent});
    columns.push_back({"GPU Start (ns)", Unit::Nanoseconds});
    return columns;
}

constexpr std::ptrdiff_t gpuColumn = 6; ///< after the duration on the host

/// Statistics of one column over the steady steps, as in `summaries`.
using Spread = std::array<double, 5>;
constexpr std::array<const char*, 5> summaries{"(min)", "(median)", "(max)", "(mean)", "(stddev)"};

Spread spreadOf(const std::vector<double>& values)
{
    if (values.empty())
        return {};
    std::vector<double> sorted = values;
    std::ranges::sort(sorted);
    const std::size_t n = sorted.size();
    double mean = 0;
    for (const double value : sorted)
        mean += value / static_cast<double>(n);
    double squares = 0;
    for (const double value : sorted)
        squares += (value - mean) * (value - mean);
    return {sorted.front(), (sorted[(n - 1) / 2] + sorted[n / 2]) / 2, sorted.back(), mean,
        n > 1 ? std::sqrt(squares / static_cast<double>(n - 1)) : 0};
}

void addSummaries(
    Cells& cells, const std::vector<std::vector<double>>& figures, const std::vector<EventRef>& steady)
{
    std::vector<Spread> spreads;
    std::ranges::transform(figures, std::back_inserter(spreads), spreadOf);
    for (std::size_t i = 0; i < summaries.size(); ++i) {
        std::vector<Cell> row{std::string(summaries[i]), std::string("summary"), Cell{}, Cell{}, Cell{}};
        for (const Spread& spread : spreads)
            row.emplace_back(spread[i]);
        row.emplace_back();
        cells.addRow(std::move(row), steady);
    }
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const NvtxTable& nvtx = trace.nvtx();
    StepBreakdown breakdown = breakDownSteps(trace, query.nvtxName, query.window, {}, query.stop);
    std::erase_if(
        breakdown.steps, [&](const Step& step) { return !passes(query.covers, nvtx.trackOf(step.range)); });
    Cells cells;
    cells.columns = columnsOf(breakdown);
    std::vector<std::vector<double>> figures(breakdown.parts.size() + 8);
    std::vector<EventRef> steady;
    for (const Step& step : breakdown.steps) {
        const Ns duration = nvtx.duration[step.range];
        const GlobalId thread = nvtx.trackOf(step.range).owner;
        std::vector<double> numbers = sharesOf(step, duration);
        numbers.insert(numbers.begin(), static_cast<double>(duration));
        std::vector<Cell> row{nvtxName(trace, step.range), step.note(), integerCell(pidOf(thread)),
            integerCell(tidOf(thread)), nvtx.start[step.range]};
        row.insert(row.end(), numbers.begin(), numbers.end());
        const bool onGpu = !step.gpu.empty();
        row.insert(row.begin() + gpuColumn, onGpu ? Cell(static_cast<double>(step.gpu.duration())) : Cell());
        row.push_back(onGpu ? Cell(step.gpu.start) : Cell());
        const EventRef event{EventKind::Nvtx, step.range};
        cells.addRow(std::move(row), rowEvents(query, event));
        if (step.warmUp)
            continue;
        if (query.wantEvents)
            steady.push_back(event);
        numbers.insert(numbers.begin() + 1, static_cast<double>(step.gpu.duration()));
        for (std::size_t c = 0; c < numbers.size(); ++c) {
            if (c != 1 || step.gpuWhole)
                figures[c].push_back(numbers[c]);
        }
    }
    if (!breakdown.steps.empty())
        addSummaries(cells, figures, steady);
    return cells;
}

} // namespace

extern constinit const StatsTable nvtxStepBreakdown{.id = "nvtx_step_breakdown",
    .title = "NVTX Step Breakdown",
    .description = "What is each step made of? Its parts, and what the GPU does in each.",
    .applies = hasAnyNvtxRange,
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Nvtx,
    .shape = TableShape::Breakdown,
    .asksForRange = true};

} // namespace warpline::nvtx_step_breakdown
