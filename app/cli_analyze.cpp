// warpline-cli analyze: what is slow, where, why, and what to do. With --fail-on it guards a CI run.

#include "app/cli_arguments.h"
#include "app/cli_columns.h"
#include "app/cli_command.h"
#include "app/cli_nvtx.h"
#include "app/cli_report.h"
#include "app/cli_thresholds.h"
#include "app/report_summaries.h"
#include "core/across/exact_waits.h"
#include "core/across/found_in_reports.h"
#include "core/across/late_findings.h"
#include "core/base/format.h"
#include "core/export/findings_html.h"
#include "core/export/findings_text.h"
#include "core/export/json_text.h"
#include "core/findings/checklist.h"
#include "core/findings/rule.h"
#include "core/steps/steps.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

namespace warpline::cli {

namespace {

struct AnalyzeOptions {
    std::vector<std::string> files;
    bool noCache = false;
    std::string format = "table";
    std::string config;
    std::vector<std::string> thresholds;
    bool explain = false;
    std::string rules;
    std::string range;
    std::string failOn;
    std::string steps;
    bool list = false;
};

const std::map<std::string, Severity>& severities()
{
    static const std::map<std::string, Severity> names = [] {
        std::map<std::string, Severity> made;
        for (const Severity severity : {Severity::Info, Severity::Low, Severity::Medium, Severity::High})
            made.emplace(keyOf(severity), severity);
        return made;
    }();
    return names;
}

Result<std::vector<const Rule*>> rulesNamed(const std::string& names)
{
    std::vector<const Rule*> rules;
    for (const std::string& name : splitList(names)) {
        const Rule* const rule = findRule(name);
        if (!rule)
            return Error{noRule(name)};
        rules.push_back(rule);
    }
    return rules;
}

/// The default of `threshold` as --threshold reads it.
std::string defaultText(const Threshold& threshold)
{
    if (threshold.unit == "ns")
        return std::to_string(static_cast<Ns>(threshold.value)) + "ns";
    const bool whole = threshold.value == std::floor(threshold.value);
    return formatReal(threshold.value, whole ? 0 : 1) + (threshold.unit == "%" ? "%" : "");
}

/// The rules with their thresholds, for scripts.
std::string rulesJson()
{
    Json rules = Json::array();
    for (const Rule* const rule : allRules()) {
        Json thresholds = Json::array();
        for (const Threshold& threshold : rule->thresholds)
            thresholds.push_back({{"key", threshold.key}, {"title", threshold.title},
                {"unit", threshold.unit}, {"default", threshold.value}});
        rules.push_back({{"rule", rule->id}, {"title", rule->title}, {"thresholds", std::move(thresholds)}});
    }
    return documentOf(rules);
}

ExitCode listRules(const std::string& format)
{
    if (format == "json")
        return print(rulesJson());
    if (format != "table")
        return wrongUsage("analyze", "--list prints a table or json");
    std::vector<std::vector<std::string>> lines;
    for (const Rule* const rule : allRules()) {
        lines.push_back({std::string(rule->id), {}, std::string(rule->title)});
        for (const Threshold& threshold : rule->thresholds)
            lines.push_back({"  " + std::string(rule->id) + "." + std::string(threshold.key),
                defaultText(threshold), "  " + std::string(threshold.title)});
    }
    return print(textTable({{"rule, and its thresholds"}, {"default"}, {"looks for"}}, lines));
}

/// What is asked of every report.
struct AnalyzeJob {
    std::vector<const Rule*> rules;
    RangeArgument range;
    ThresholdSettings thresholds;
    std::optional<Severity> failOn;
    std::string format;
    std::string steps; ///< glob; empty: they are found
    bool explain = false;
    bool noCache = false;
    bool isOne = false; ///< report, which may hold several ranks
    std::shared_ptr<const AcrossReport> across; ///< what the reports say of one another; nullptr: nothing
    std::optional<JudgedReport> late; ///< of the rank that the others wait for
};

std::string written(const AnalyzeJob& job, const Trace& trace, const AnalysisText& text)
{
    if (job.format == "json")
        return findingsJson(trace, text);
    if (job.format == "markdown")
        return findingsMarkdown(trace, text.findings, text.checklist, text.overview);
    if (job.format == "html")
        return findingsHtml(trace, text.findings, text.checklist, text.overview);
    std::string table = findingsTable(trace, text.findings, text.checklist, job.explain, text.overview);
    if (!job.rules.empty())
        table
            += "\nRules that are asked for by name tell all they see: among all findings some of it is part of "
               "another\nfinding with the same cause (--explain says so there), or left out as no fault.\n";
    return table;
}

/// Takes from the configuration file what the command line does not say.
Result<void> applyConfig(AnalyzeOptions& options, ThresholdSettings& thresholds)
{
    if (options.config.empty())
        return {};
    const auto lines = readConfig(options.config);
    if (!lines.ok())
        return lines.error();
    for (const ConfigLine& line : lines.value()) {
        if (line.key == "fail-on" && options.failOn.empty())
            options.failOn = line.value;
        else if (line.key == "rule" && options.rules.empty())
            options.rules = line.value;
        else if (line.key.find('.') != std::string::npos) {
            if (auto set = thresholds.set(line.key + "=" + line.value); !set.ok())
                return Error{options.config + ": " + set.error().message};
        } else if (line.key != "fail-on" && line.key != "rule")
            return Error{
                options.config + ": '" + line.key + "' is no setting; known: RULE.KEY, fail-on, rule"};
    }
    return {};
}

Result<AnalyzeJob> jobOf(AnalyzeOptions options)
{
    AnalyzeJob job;
    if (options.files.empty())
        return Error{"FILE is required"};
    if (options.format == "html" && options.files.size() > 1)
        return Error{"--format html takes one report"};
    if (auto applied = applyConfig(options, job.thresholds); !applied.ok())
        return applied.error();
    for (const std::string& text : options.thresholds) {
        if (auto set = job.thresholds.set(text); !set.ok())
            return Error{"--threshold: " + set.error().message};
    }
    auto rules = rulesNamed(options.rules);
    if (!rules.ok())
        return rules.error();
    const auto range = parseRange(options.range.empty() ? ":" : options.range);
    if (!range.ok())
        return Error{"--range: " + range.error().message};
    if (!options.failOn.empty() && !severities().contains(options.failOn))
        return Error{"'" + options.failOn + "' is no severity: give info, low, medium or high"};
    if (!options.failOn.empty())
        job.failOn = severities().at(options.failOn);
    job.rules = rules.take();
    job.range = range.value();
    job.format = options.format;
    job.steps = options.steps;
    job.explain = options.explain;
    job.noCache = options.noCache;
    return job;
}

bool holdsSeveralRanks(const Trace& trace)
{
    return std::ranges::any_of(
        trace.mpiRanks, [&](const MpiRank& each) { return each.rank != trace.mpiRanks.front().rank; });
}

/// Finds out what `files` say of one another, where all rules are asked: as the window does of the reports
/// that it has open.
void judgeTogether(const std::vector<std::string>& files, AnalyzeJob& job)
{
    std::vector<ReportSummary> summaries;
    for (const std::string& file : files)
        summaries.push_back(summaryOfFile(file, job.noCache));
    auto across = std::make_shared<const AcrossReport>(judgeSummaries(summaries));
    if (!across->judged)
        return;
    job.across = across;
    if (!hasLateRank(*across))
        return;
    const ReportId report = across->ranks[across->verdict.rank].report;
    const std::string& file = files[raw(report)];
    const auto trace = tryReport(file, job.noCache);
    const auto window = trace.ok() ? rangeIn(*trace.value(), job.range) : std::nullopt;
    if (window)
        job.late = JudgedReport{report, file, trace.value(), *window, 0, job.steps};
}

/// The analysis of one report, `report` of those that are asked about, and how the program should end for it.
ExitCode analyze(const AnalyzeJob& job, ReportId report, const std::string& file, std::string& text)
{
    const auto trace = openReport(file, job.noCache);
    if (!trace)
        return ExitCode::UnreadableReport;
    const auto window = rangeIn(*trace, job.range);
    if (!window)
        return ExitCode::WrongUsage;
    if (!job.steps.empty()) {
        if (const std::string problem = noSuchRange(*trace, job.steps); !problem.empty())
            return wrongUsage("analyze", "--steps: " + problem);
        if (findSteps(*trace, *window, job.steps).empty())
            complain("no NVTX range that is named '" + job.steps
                + "' lies in the range: the report is analyzed without steps");
    }
    std::shared_ptr<const AcrossReport> across = job.across;
    if (job.isOne && job.rules.empty() && holdsSeveralRanks(*trace))
        across = std::make_shared<const AcrossReport>(judgeSummaries(std::array{summarize(*trace, file)}));
    const std::vector<Finding> findings = across && across->judged
        ? findIn(
            {{report, file, trace, *window, 0, job.steps}}, across, job.thresholds.overrides(), {}, job.late)
              .findings
        : runRules(*trace, *window, job.rules, job.thresholds.overrides(), {}, job.steps);
    const KnownWaits waits = across ? exactWaitRanges(*trace, *across, report) : KnownWaits();
    const std::vector<ChecklistAnswer> checklist = answerChecklist(*trace, *window, {}, job.steps, waits);
    // Who asks a single rule wants its answer.
    const RunOverview overview
        = job.rules.empty() ? overviewOf(*trace, *window, {}, job.steps) : RunOverview();
    text = written(job, *trace,
        {findings, checklist, *window, job.thresholds.overrides(), job.steps,
            job.rules.empty() ? &overview : nullptr, job.rules});
    const bool reached = job.failOn && std::ranges::any_of(findings, [&](const Finding& finding) {
        return finding.severity >= *job.failOn;
    });
    if (job.failOn && trace->eventCount() == 0) {
        complain(file + " has no events: nothing was recorded that --fail-on could look at");
        return ExitCode::NothingRecorded;
    }
    return reached ? ExitCode::SeverityReached : ExitCode::Ok;
}

ExitCode runAnalyze(const AnalyzeOptions& options)
{
    if (options.list)
        return listRules(options.format);
    auto asked = jobOf(options);
    if (!asked.ok())
        return wrongUsage("analyze", asked.error().message);
    AnalyzeJob job = asked.take();
    job.isOne = options.files.size() == 1;
    if (job.rules.empty() && !job.isOne)
        judgeTogether(options.files, job);
    ReportTexts texts(options.files.size(), options.format == "json");
    ExitCode worst = ExitCode::Ok;
    for (std::size_t i = 0; i < options.files.size(); ++i) {
        const std::string& file = options.files[i];
        std::string text;
        worst = std::max(worst, analyze(job, ReportId{static_cast<std::uint16_t>(i)}, file, text));
        if (text.empty())
            continue;
        if (const ExitCode done = texts.add(file, text); done != ExitCode::Ok)
            return done;
    }
    const ExitCode ended = texts.finish();
    return ended != ExitCode::Ok ? ended : worst;
}

std::function<ExitCode()> declareAnalyze(CLI::App& app)
{
    auto options = std::make_shared<AnalyzeOptions>();
    app.add_option("--format", options->format, "table, json, markdown or html")
        ->check(CLI::IsMember({"table", "json", "markdown", "html"}))
        ->capture_default_str();
    app.add_option("--rule", options->rules, "Only these rules: names with commas between; all without it")
        ->multi_option_policy(CLI::MultiOptionPolicy::Join)
        ->type_name("NAMES");
    app.add_option(
           "--range", options->range, "Only this part: FROM:TO in ns, or numbers with ns, us, ms or s")
        ->type_name("FROM:TO");
    app.add_option("--steps,--nvtx", options->steps,
           "The NVTX ranges that are the program's steps: a name, with * and ?; found without it")
        ->type_name("GLOB");
    app.add_option("--fail-on", options->failOn, "Exit with 1 when a finding is this severe or more")
        ->check(CLI::IsMember({"info", "low", "medium", "high"}))
        ->type_name("SEVERITY");
    app.add_option("--threshold", options->thresholds,
           "Set a threshold of a rule, such as gpu_gaps.min_gap_ns=5ms; may be given again and again")
        ->type_name("RULE.KEY=VALUE")
        ->allow_extra_args(false);
    app.add_option("--config", options->config,
           "Lines RULE.KEY = VALUE, fail-on = SEVERITY and rule = NAMES; the command line wins")
        ->type_name("CONFIG");
    app.add_flag("--explain", options->explain, "Say of each finding in the table why and what to do");
    app.add_flag("--list", options->list, "List the rules with the keys of their thresholds and stop");
    addCacheOption(app, options->noCache);
    app.add_option("FILE", options->files,
        "The reports: files made with nsys export --type sqlite. JSON of several is "
        "an array of what each has");
    return [options] { return runAnalyze(*options); };
}

} // namespace

extern constinit const Command analyzeCommand{
    .name = "analyze", .summary = "What is slow, where, why, and what to do", .declare = declareAnalyze};

} // namespace warpline::cli
