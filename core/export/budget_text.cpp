#include "core/export/budget_text.h"

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/budget/edge_budgets.h"
#include "core/export/cells_text.h"
#include "core/render/render.h"
#include "core/store/gpu_names.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
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

Message titleOf(BudgetGroup group)
{
    return {"steps.group",
        "{group, select, compute {Compute} communication {Exposed communication} copies {Exposed copies} other {Idle}}",
        {{"group", Name{std::string(keyOf(group))}}}};
}

/// Rates such as tokens per second, where the user gave the amounts.
std::vector<Message> ratesOf(const StepSummary& summary, const StepAmounts& facts)
{
    const double seconds = summary.medianNs / 1e9;
    std::vector<Message> lines;
    if (seconds <= 0)
        return lines;
    if (facts.tokens > 0)
        lines.push_back(
            {"steps.tokens", "Tokens per second: {rate}", {{"rate", Number{facts.tokens / seconds, 1}}}});
    if (facts.samples > 0)
        lines.push_back(
            {"steps.samples", "Samples per second: {rate}", {{"rate", Number{facts.samples / seconds, 1}}}});
    if (facts.flops > 0 && facts.peakFlops > 0)
        lines.push_back({"steps.utilization", "Model FLOPs utilization: {share} of the GPU's peak",
            {{"share", Share{facts.flops / seconds / facts.peakFlops}}}});
    return lines;
}

std::string markdownOf(
    const Trace& trace, const StepBudgets& steps, const BudgetParts& parts, const StepAmounts& facts)
{
    const StepSummary summary = summaryOf(steps, parts);
    const GpuSteps& found = steps.found;
    const auto exact = [](double ns) { return Name{formatDuration(wholeNs(ns))}; };
    std::vector<Message> lines;
    lines.push_back({"steps.counts",
        "Steps: {steps}, {steady} of them steady, {whole} of these complete on the GPU; found by "
        "{found_by, select, graph_launches {guessed from repeating CUDA graph launches} "
        "kernel_sequence {guessed from a repeating sequence of kernels} other {NVTX ranges}}",
        {{"steps", Count{steps.steps.size()}}, {"steady", Count{found.host.steady()}},
            {"whole", Count{summary.steady}}, {"found_by", Name{std::string(keyOf(found.foundBy))}}}});
    if (summary.steady > 0)
        lines.push_back({"steps.on_gpu", "Step on the GPU: median {median}, p90 {p90}, p99 {p99}",
            {{"median", exact(summary.medianNs)}, {"p90", exact(summary.p90Ns)},
                {"p99", exact(summary.p99Ns)}}});
    lines.push_back(
        {"steps.on_host", "Range on the host: median {median}", {{"median", exact(summary.medianHostNs)}}});
    lines.push_back({"steps.shares", "Compute {compute}, exposed communication {communication}, idle {idle}",
        {{"compute", Share{summary.compute}}, {"communication", Share{summary.exposedCommunication}},
            {"idle", Share{summary.idle}}}});
    if (Message edges = edgeSentences(trace, parts, steps); !edges.empty())
        lines.push_back(std::move(edges));
    std::ranges::move(ratesOf(summary, facts), std::back_inserter(lines));
    std::string text = fmt::format("\n## {}\n\n",
        plain({"steps.of_gpu", "{whose}: {pattern}",
            {{"whose", whoseSteps(trace, found)}, {"pattern", Name{toUtf8(found.host.pattern)}}}}));
    for (const Message& line : lines)
        text += "- " + plain(line) + "\n";
    return text + "\n" + toMarkdown(forReaders(budgetCells(steps, parts)));
}

} // namespace

Message whoseSteps(const Trace& trace, const GpuSteps& steps)
{
    return {"steps.whose", "{gpu} of process {pid}{alone, select, yes {} other {, thread {tid}}}",
        {{"gpu", Name{gpuName(trace, steps.process, steps.device)}}, {"pid", Ordinal{pidOf(steps.process)}},
            {"alone", Name{steps.isAlone ? "yes" : "no"}}, {"tid", Ordinal{tidOf(steps.host.thread)}}}};
}

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

Cells stepCells(
    const Trace& trace, const std::vector<StepBudgets>& all, const BudgetParts& parts, std::size_t most)
{
    Cells cells;
    cells.columns = {{"Step", Unit::Text}, {"Note", Unit::Text}, {"PID", Unit::Integer},
        {"TID", Unit::Integer}, {"GPU", Unit::Integer}, {"Host Start (ns)", Unit::Nanoseconds},
        {"Host Duration (ns)", Unit::Nanoseconds}, {"GPU Start (ns)", Unit::Nanoseconds},
        {"GPU Duration (ns)", Unit::Nanoseconds}};
    std::vector<std::size_t> used = usedParts(all, parts);
    if (used.size() > most) {
        const auto timeOf = [&](std::size_t part) {
            Ns time = 0;
            for (const StepBudgets& steps : all)
                time += part < steps.mean.size() ? steps.mean[part] : 0;
            return time;
        };
        std::ranges::stable_sort(used, std::greater{}, timeOf);
        used.resize(most);
    }
    for (const std::size_t part : used)
        cells.columns.push_back({parts[part].id + " (ns)", Unit::Nanoseconds});
    for (const StepBudgets& steps : all) {
        for (const StepBudget& step : steps.steps) {
            const bool none = step.gpu.empty();
            std::vector<Cell> row{step.name, noteOf(step),
                static_cast<std::int64_t>(pidOf(steps.found.process)),
                static_cast<std::int64_t>(tidOf(steps.found.host.thread)),
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
            steps.mean[part], plain(titleOf(parts[part].group)), plain(parts[part].title)});
    }
    return cells;
}

std::string summaryMarkdown(const Trace& trace, const std::vector<StepBudgets>& all, const BudgetParts& parts,
    const StepAmounts& facts)
{
    std::string gpus;
    for (const Device& device : trace.devices)
        gpus += (gpus.empty() ? "" : ", ") + fmt::format("GPU {} {}", device.id, toUtf8(device.name));
    std::string text = "# " + plain({"steps.summary_title", "Where the steps' time went"}) + "\n\n";
    const auto add = [&](const Message& title, std::string_view value) {
        if (!value.empty())
            text += "- "
                + plain(
                    {"steps.fact", "{title}: {value}", {{"title", title}, {"value", Name{toUtf8(value)}}}})
                + "\n";
    };
    add({"steps.report", "Report"}, trace.info.path);
    add({"steps.machine", "Machine"}, trace.info.hostName);
    add({"steps.gpus", "GPUs"}, gpus);
    add({"steps.command", "Command"}, trace.info.commandLine);
    add({"steps.recorded", "Recorded"}, trace.info.startedUtc);
    add("nsys", trace.info.captureVersion);
    for (const StepBudgets& steps : all)
        text += markdownOf(trace, steps, parts, facts);
    if (all.empty())
        text += "\n"
            + plain({"steps.name_them",
                "No steps were found. Name the NVTX ranges that are steps with `--nvtx NAME`."})
            + "\n";
    return text;
}

Cells hostStepCells(const Trace& trace, const StepBreakdown& steps)
{
    Cells cells;
    cells.columns
        = {{"Step", Unit::Text}, {"Note", Unit::Text}, {"PID", Unit::Integer}, {"TID", Unit::Integer},
            {"Host Start (ns)", Unit::Nanoseconds}, {"Host Duration (ns)", Unit::Nanoseconds}};
    const NvtxTable& nvtx = trace.nvtx();
    for (const Step& step : steps.steps) {
        const GlobalId thread = nvtx.trackOf(step.range).owner;
        const EventRef event{EventKind::Nvtx, step.range};
        cells.addRow(
            {toUtf8(trace.name(event)), step.note(), static_cast<std::int64_t>(pidOf(thread)),
                static_cast<std::int64_t>(tidOf(thread)), nvtx.start[step.range], nvtx.duration[step.range]},
            std::span(&event, 1));
    }
    return cells;
}

} // namespace warpline
