// warpline-cli steps: the steps of a program as the GPUs see them, and where their time went.

#include "app/cli_arguments.h"
#include "app/cli_cells.h"
#include "app/cli_command.h"
#include "app/cli_nvtx.h"
#include "app/cli_report.h"
#include "app/cli_usage.h"
#include "core/analysis/scope.h"
#include "core/base/format.h"
#include "core/base/parallel.h"
#include "core/budget/edge_budgets.h"
#include "core/budget/step_budgets.h"
#include "core/export/budget_text.h"
#include "core/export/cells_text.h"
#include "core/export/critical_path_text.h"
#include "core/export/wrapped_text.h"
#include "core/overview/serving_sentence.h"
#include "core/render/render.h"
#include "core/stats/stats_table.h"
#include "core/store/gpu_names.h"
#include "core/store/trace.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <system_error>

namespace warpline::cli {

namespace {

struct StepsOptions {
    ReportOptions report;
    std::string nvtx;
    std::string classes;
    StepAmounts facts;
    bool summary = false;
    bool criticalPath = false;
};

Message headOf(const Trace& trace, const StepBudgets& steps)
{
    const GpuSteps& found = steps.found;
    const Message head("steps.head",
        "{whose}: {steps, plural, one {# step} other {# steps}} '{pattern}', found by {found_by}.",
        {{"whose", whoseSteps(trace, found)}, {"steps", Count{found.host.size()}},
            {"pattern", Name{found.host.pattern}}, {"found_by", Name{std::string(keyOf(found.foundBy))}}});
    if (found.gpu.empty())
        return head
            + Message("steps.none_complete",
                "No step is complete, because no later one marks its end. The last takes {gpu} on the GPU and {host} on the host.",
                {{"gpu", Duration{found.last.duration()}},
                    {"host", Duration{found.host.ranges[found.lastIndex].duration()}}});
    // The last step is steady on the host, though its end on the GPU is unknown: it may be an extreme.
    const auto [shortest, longest] = std::ranges::minmax_element(found.host.ranges.begin()
            + static_cast<std::ptrdiff_t>(std::min(found.host.firstSteady, found.host.size() - 1)),
        found.host.ranges.end(), {}, &TimeRange::duration);
    return head
        + Message("steps.steady",
            "{steady} are steady, {whole} of them complete on the GPU. Median: {gpu} on the GPU, {host} on the host ({shortest} to {longest}).",
            {{"steady", Count{found.host.steady()}}, {"whole", Count{steps.steady}},
                {"gpu", Duration{found.median}}, {"host", Duration{steps.medianHost}},
                {"shortest", Duration{shortest->duration()}}, {"longest", Duration{longest->duration()}}});
}

Message meaningOfTimes()
{
    return Message("steps.means",
               "Times per step are means over the complete steps, so they add up to the mean step.")
        + Message("steps.longest_parts", "Each step is shown with its longest parts; csv and json have all.")
        + Message("steps.gpu_step",
            "A GPU step lasts from its first work to the first work of the next one, so a delay in the next range counts here.")
        + Message("steps.outlier", "An outlier is a step whose own range, or own work, takes long.");
}

std::string textOf(
    const Trace& trace, const std::vector<StepBudgets>& all, const BudgetParts& parts, std::size_t width)
{
    constexpr std::size_t mostParts = 3; // the table above has all of them for the mean step
    std::string text;
    for (const StepBudgets& steps : all) {
        text += (text.empty() ? "" : "\n") + plain(headOf(trace, steps)) + "\n\n";
        if (const std::string edges = plain(edgeSentences(trace, parts, steps)); !edges.empty())
            text += edges + "\n\n";
        text += toTable(forReaders(budgetCells(steps, parts)), 0, width) + "\n";
        std::vector<StepBudgets> one{steps};
        text += toTable(forReaders(stepCells(trace, one, parts, mostParts)), 0, width);
        text += "\n" + wrappedText(plain(meaningOfTimes()), 120, 0) + "\n";
    }
    return text;
}

/// A model server's latencies, below the steps; empty: not a server.
std::string servingText(const Trace& trace, const std::string& nvtx)
{
    StatsQuery query;
    query.nvtxName = nvtx;
    std::string text;
    for (const Serving& serving : servingOf(trace, trace.session, nvtx))
        text += "\n" + plain(servingSentence(serving)) + "\n";
    return text.empty()
        ? text
        : text + "\n" + toTable(forReaders(findStatsTable("serving_steps")->fill(trace, query)));
}

/// The rules for kernel classes: those of --classes, else the current ones. Complains about errors in the
/// user's own.
Result<KernelClassRules> rulesOf(Answer& answer, const std::string& path)
{
    if (!path.empty())
        return KernelClassRules::withFile(path);
    const std::string own = ownKernelClassesPath();
    std::error_code none;
    if (!own.empty() && std::filesystem::exists(own, none)) {
        if (auto rules = KernelClassRules::withFile(own); !rules.ok())
            answer.note(Message("cli.own_rules_used", "{problem} Warpline's own rules are used.",
                {{"problem", rules.error().message}}));
    }
    return kernelClassRules();
}

ExitCode addSummary(Answer& answer, const StepsOptions& options, const Trace& trace,
    const std::vector<StepBudgets>& all, const BudgetParts& parts)
{
    return answer.isJson() ? answer.add(summaryJson(trace, all, parts, options.facts))
                           : answer.addText(summaryMarkdown(trace, all, parts, options.facts));
}

ExitCode addPaths(
    Answer& answer, const Trace& trace, const std::vector<StepBudgets>& all, const KernelClassRules& rules)
{
    const std::vector<StepPaths> paths = stepPaths(trace, all, rules);
    if (answer.isJson())
        return answer.add(pathsJson(trace, paths, rules));
    return addLines(
        answer, pathStepCells(trace, paths), [&] { return pathsText(trace, paths, rules, answer.width()); });
}

ExitCode addSteps(Answer& answer, const std::string& nvtx, const Trace& trace,
    const std::vector<StepBudgets>& all, const BudgetParts& parts)
{
    if (answer.isJson())
        return answer.add(stepsJson(trace, all, parts, servingOf(trace, trace.session, nvtx)));
    return addLines(answer, stepCells(trace, all, parts),
        [&] { return textOf(trace, all, parts, answer.width()) + servingText(trace, nvtx); });
}

/// Steps of a program that gives no work to CUDA: frames, or ranges of the host.
ExitCode addHostSteps(Answer& answer, const std::string& nvtx, const Trace& trace, const StepBreakdown& steps)
{
    if (answer.isJson())
        return answer.add(hostStepsJson(trace, steps));
    const Cells cells = hostStepCells(trace, steps);
    const bool lacksCalls = trace.apiCalls().empty() && !lifeOfGpus(trace).empty();
    return addLines(answer, cells, [&] {
        return plain(Message("steps.host_only",
                   "{steps, plural, one {# step} other {# steps}} '{pattern}' on the host, {calls, select, missing {and CUDA calls were not recorded, so their GPU work is unknown} other {without work of CUDA}}: median {median}, {shortest} to {longest}",
                   {{"steps", Count{steps.steps.size()}}, {"pattern", Name{steps.pattern}},
                       {"calls", Name{lacksCalls ? "missing" : "recorded"}},
                       {"median", Duration{wholeNs(steps.steady.median)}},
                       {"shortest", Duration{steps.steady.min}}, {"longest", Duration{steps.steady.max}}}))
            + "\n\n" + toTable(forReaders(cells), 0, answer.width()) + servingText(trace, nvtx);
    });
}

ExitCode runSteps(Answer& answer, const CLI::App& app, const StepsOptions& options)
{
    const KernelClassRules rules = answer.usable(rulesOf(answer, options.classes));
    if (options.summary && answer.format() == "csv")
        answer.refuse({"steps.summary_formats", "--summary is a page in markdown or json, not csv"});
    for (const char* const option : {"--tokens", "--samples", "--flops", "--peak-flops"}) {
        if (app.count(option) > 0 && !options.summary)
            answer.refuse(
                {"steps.only_summary", "{option} is for the page of --summary", {{"option", Name{option}}}});
    }
    if ((app.count("--flops") > 0) != (app.count("--peak-flops") > 0))
        answer.refuse({"steps.flops_together", "--flops and --peak-flops go together"});
    const auto trace = openReport(answer, options.report);
    requireRange(answer, *trace, options.nvtx, "--nvtx");
    const TimeRange whole{trace->session.start, trace->session.end + 1};
    std::vector<GpuSteps> found;
    Helpers helpers;
    helpers.start([&] { found = findGpuSteps(*trace, whole, options.nvtx); });
    std::unique_ptr<const GpuBudgets> made;
    helpers.run([&] {
        made = std::make_unique<const GpuBudgets>(
            *trace, rules, std::stop_token(), KnownWaits(), options.nvtx);
    });
    helpers.join();
    const GpuBudgets& budgets = *made;
    const std::vector<StepBudgets> all = stepBudgets(*trace, budgets, std::move(found));
    if (options.summary)
        return addSummary(answer, options, *trace, all, budgets.parts());
    if (all.empty() && !options.criticalPath) {
        if (const StepBreakdown host = classifySteps(*trace, options.nvtx); !host.steps.empty())
            return addHostSteps(answer, options.nvtx, *trace, host);
    }
    if (all.empty() && answer.format() == "table") {
        return answer.addText(options.nvtx.empty()
                ? plain(textOfNoSteps(*trace)) + "\n"
                : plain(Message("steps.none_named", "No NVTX range with GPU work has the name {name}.",
                      {{"name", Name{options.nvtx}}}))
                    + "\n");
    }
    return options.criticalPath ? addPaths(answer, *trace, all, rules)
                                : addSteps(answer, options.nvtx, *trace, all, budgets.parts());
}

std::function<ExitCode(Answer&)> declareSteps(CLI::App& app)
{
    auto options = std::make_shared<StepsOptions>();
    addStepsOption(app, "--nvtx,--steps", options->nvtx);
    addOption(app, "--classes", options->classes,
        {"steps.help_classes",
            "File with rules for kernel classes, which override Warpline's own; default: kernel-classes.txt in Warpline's configuration folder"},
        "FILE");
    addFlag(app, "--summary", options->summary,
        {"steps.help_summary",
            "Summarize the steps on one page, as markdown or json: spread, shares by class, machine and run"});
    addFlag(app, "--critical-path", options->criticalPath,
        {"steps.help_critical_path",
            "Show the critical path of each step on GPU and host, in parts that add up to it"})
        ->excludes("--summary");
    addOption(app, "--tokens", options->facts.tokens,
        {"steps.help_tokens", "Tokens per step, to report tokens per second"})
        ->check(finiteProblem)
        ->check(positiveNumber());
    addOption(app, "--samples", options->facts.samples,
        {"steps.help_samples", "Samples per step, to report samples per second"})
        ->check(finiteProblem)
        ->check(positiveNumber());
    addOption(app, "--flops", options->facts.flops,
        {"steps.help_flops",
            "FLOPs of a step on one GPU; with --peak-flops, to report the utilization of the GPU"})
        ->check(finiteProblem)
        ->check(positiveNumber());
    addOption(
        app, "--peak-flops", options->facts.peakFlops, {"steps.help_peak_flops", "Peak FLOP/s of one GPU"})
        ->check(finiteProblem)
        ->check(positiveNumber());
    addReportOptions(app, options->report);
    addMachineOption(app);
    return [options, &app](Answer& answer) { return runSteps(answer, app, *options); };
}

} // namespace

extern constinit const Command stepsCommand{.name = "steps",
    .summary = "Show the steps on each GPU and where their time went",
    .formats = "table csv json markdown",
    .declare = declareSteps};

} // namespace warpline::cli
