#include "core/export/budget_text.h"

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/budget/edge_budgets.h"
#include "core/export/cells_text.h"
#include "core/render/render.h"
#include "core/store/gpu_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace warpline {

namespace {

std::string noteOf(const StepBudget& step)
{
    if (step.gpu.empty())
        return "no GPU work";
    if (!step.whole)
        return "last step, to the end of its work";
    return step.warmUp ? "warm-up" : step.outlier ? "outlier" : "";
}

/// Parts in which any step of any GPU spent time, in their order.
std::vector<std::size_t> usedParts(const std::vector<StepBudgets>& all, const BudgetParts& parts)
{
    std::vector<std::size_t> used;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        const bool any = std::ranges::any_of(all, [&](const StepBudgets& steps) {
            return std::ranges::any_of(
                steps.steps, [&](const StepBudget& step) { return step.budget[part] != 0; });
        });
        if (any)
            used.push_back(part);
    }
    return used;
}

std::string_view titleOf(BudgetGroup group)
{
    switch (group) {
    case BudgetGroup::Compute:
        return "Compute";
    case BudgetGroup::Communication:
        return "Exposed communication";
    case BudgetGroup::Copies:
        return "Exposed copies";
    case BudgetGroup::Idle:
        break;
    }
    return "Idle";
}

std::string foundBy(StepSource source)
{
    switch (source) {
    case StepSource::GraphLaunches:
        return "guessed from repeating CUDA graph launches";
    case StepSource::KernelSequence:
        return "guessed from a repeating sequence of kernels";
    case StepSource::Nvtx:
        break;
    }
    return "NVTX ranges";
}

/// "- Tokens: 1234/s" and the like, where the user gave what they need.
std::string ratesOf(const StepSummary& summary, const StepAmounts& facts)
{
    const double seconds = summary.medianNs / 1e9;
    std::string lines;
    if (seconds <= 0)
        return lines;
    if (facts.tokens > 0)
        lines += fmt::format("- Tokens per second: {}\n", formatReal(facts.tokens / seconds, 1));
    if (facts.samples > 0)
        lines += fmt::format("- Samples per second: {}\n", formatReal(facts.samples / seconds, 1));
    if (facts.flops > 0 && facts.peakFlops > 0)
        lines += fmt::format("- Model FLOPs utilization: {} of the GPU's peak\n",
            formatShare(facts.flops / seconds / facts.peakFlops));
    return lines;
}

std::string durationText(double ns)
{
    return formatDuration(static_cast<Ns>(ns));
}

std::string markdownOf(
    const Trace& trace, const StepBudgets& steps, const BudgetParts& parts, const StepAmounts& facts)
{
    const StepSummary summary = summaryOf(steps, parts);
    const GpuSteps& found = steps.found;
    std::string text = fmt::format("\n## {} of process {}: {}\n\n",
        gpuName(trace, found.process, found.device), pidOf(found.process), toUtf8(found.host.pattern));
    text += fmt::format("- Steps: {}, {} of them steady, {} of these complete on the GPU; found by {}\n",
        steps.steps.size(), found.host.steady(), summary.steady, foundBy(found.foundBy));
    if (summary.steady > 0)
        text += fmt::format("- Step on the GPU: median {}, p90 {}, p99 {}\n", durationText(summary.medianNs),
            durationText(summary.p90Ns), durationText(summary.p99Ns));
    text += fmt::format("- Range on the host: median {}\n", durationText(summary.medianHostNs));
    text += fmt::format("- Compute {}, exposed communication {}, idle {}\n", formatShare(summary.compute),
        formatShare(summary.exposedCommunication), formatShare(summary.idle));
    if (const std::string edges = plain(edgeSentences(trace, parts, steps)); !edges.empty())
        text += "- " + edges + "\n";
    text += ratesOf(summary, facts);
    return text + "\n" + toMarkdown(budgetCells(steps, parts));
}

} // namespace

Cells stepCells(const Trace& trace, const std::vector<StepBudgets>& all, const BudgetParts& parts)
{
    Cells cells;
    cells.columns
        = {{"Step", Unit::Text}, {"Note", Unit::Text}, {"PID", Unit::Integer}, {"GPU", Unit::Integer},
            {"Host Start (ns)", Unit::Nanoseconds}, {"Host Duration (ns)", Unit::Nanoseconds},
            {"GPU Start (ns)", Unit::Nanoseconds}, {"GPU Duration (ns)", Unit::Nanoseconds}};
    const std::vector<std::size_t> used = usedParts(all, parts);
    for (const std::size_t part : used)
        cells.columns.push_back({parts[part].id + " (ns)", Unit::Nanoseconds});
    for (const StepBudgets& steps : all) {
        for (const StepBudget& step : steps.steps) {
            const bool none = step.gpu.empty();
            std::vector<Cell> row{step.name, noteOf(step),
                static_cast<std::int64_t>(pidOf(steps.found.process)),
                static_cast<std::int64_t>(gpuNumber(trace, steps.found.process, steps.found.device)),
                step.host.start, step.host.duration(), none ? Cell() : Cell(step.gpu.start),
                none ? Cell() : Cell(step.gpu.duration())};
            for (const std::size_t part : used)
                row.push_back(none ? Cell() : Cell(static_cast<std::int64_t>(step.budget[part])));
            cells.addRow(std::move(row), std::span(&step.event, 1));
        }
    }
    return cells;
}

Cells budgetCells(const StepBudgets& steps, const BudgetParts& parts)
{
    Ns whole = 0;
    std::vector<std::size_t> used;
    for (std::size_t part = 0; part < steps.mean.size(); ++part) {
        whole += steps.mean[part];
        if (steps.mean[part] > 0)
            used.push_back(part);
    }
    std::ranges::stable_sort(
        used, {}, [&](std::size_t part) { return std::tuple(parts[part].group, -steps.mean[part]); });
    Cells cells;
    cells.columns = {{"Share (%)", Unit::Percent}, {"Time per Step (ns)", Unit::Nanoseconds},
        {"Group", Unit::Text}, {"Part", Unit::Text}};
    for (const std::size_t part : used) {
        cells.addRow({static_cast<double>(steps.mean[part]) * 100.0 / static_cast<double>(whole),
            steps.mean[part], std::string(titleOf(parts[part].group)), parts[part].title});
    }
    return cells;
}

std::string summaryMarkdown(const Trace& trace, const std::vector<StepBudgets>& all, const BudgetParts& parts,
    const StepAmounts& facts)
{
    std::string gpus;
    for (const Device& device : trace.devices)
        gpus += (gpus.empty() ? "" : ", ") + fmt::format("GPU {} {}", device.id, toUtf8(device.name));
    std::string text = "# Where the steps' time went\n\n";
    const auto add = [&](std::string_view title, std::string_view value) {
        if (!value.empty())
            text += fmt::format("- {}: {}\n", title, toUtf8(value));
    };
    add("Report", trace.info.path);
    add("Machine", trace.info.hostName);
    add("GPUs", gpus);
    add("Command", trace.info.commandLine);
    add("Recorded", trace.info.startedUtc);
    add("nsys", trace.info.captureVersion);
    for (const StepBudgets& steps : all)
        text += markdownOf(trace, steps, parts, facts);
    if (all.empty())
        text += "\nNo steps were found. Name the NVTX ranges that are steps with `--nvtx NAME`.\n";
    return text;
}

} // namespace warpline
