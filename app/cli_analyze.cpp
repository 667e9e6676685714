// warpline-cli analyze: what is slow, where, why, and what to do. --fail-on makes it a gate for CI.

#include "app/cli_arguments.h"
#include "app/cli_columns.h"
#include "app/cli_command.h"
#include "app/cli_nvtx.h"
#include "app/cli_report.h"
#include "app/cli_stop.h"
#include "app/cli_thresholds.h"
#include "app/cli_usage.h"
#include "app/report_summaries.h"
#include "core/across/across_rule.h"
#include "core/across/exact_waits.h"
#include "core/across/found_in_reports.h"
#include "core/across/late_findings.h"
#include "core/analysis/trace_analysis.h"
#include "core/base/format.h"
#include "core/base/parallel.h"
#include "core/base/platform/platform.h"
#include "core/base/working_thread.h"
#include "core/export/findings_gate.h"
#include "core/export/findings_html.h"
#include "core/export/findings_text.h"
#include "core/export/json_text.h"
#include "core/export/wrapped_text.h"
#include "core/findings/checklist.h"
#include "core/findings/finding_order.h"
#include "core/findings/lost_work.h"
#include "core/findings/rule.h"
#include "core/overview/overview.h"
#include "core/render/render.h"
#include "core/steps/steps.h"
#include "core/store/trace.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <span>

namespace warpline::cli {

namespace {

struct AnalyzeOptions {
    std::vector<std::string> files;
    std::size_t jobs = 1;
    bool noCache = false;
    std::string config;
    std::vector<std::string> thresholds;
    bool explain = false;
    std::string rules;
    std::string range;
    std::string exclude;
    std::string failOn;
    std::string baseline;
    std::string steps;
    bool list = false;
};

Result<std::vector<const Rule*>> rulesNamed(const std::string& names)
{
    std::vector<const Rule*> rules;
    for (const std::string& name : splitList(names)) {
        const Rule* const rule = findNamedRule(name);
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
Json rulesJson()
{
    Json rules = Json::array();
    for (const Rule* const rule : namedRules()) {
        Json thresholds = Json::array();
        for (const Threshold& threshold : rule->thresholds)
            thresholds.push_back({{"key", threshold.key}, {"title", plain(rule->titleOf(threshold))},
                {"unit", threshold.unit}, {"default", threshold.value}});
        rules.push_back(
            {{"rule", rule->id}, {"title", plain(rule->titleText())}, {"thresholds", std::move(thresholds)}});
    }
    return {{"rules", std::move(rules)}};
}

ExitCode listRules(Answer& answer)
{
    const std::string& format = answer.format();
    if (format != "table" && format != "json" && format != "ndjson") // others are made of findings
        answer.refuse({"cli.list_formats", "--list prints a table or json"});
    if (answer.isJson())
        return answer.add(rulesJson());
    std::vector<std::vector<std::string>> lines;
    for (const Rule* const rule : namedRules()) {
        lines.push_back({std::string(rule->id), {}, plain(rule->titleText())});
        for (const Threshold& threshold : rule->thresholds)
            lines.push_back({"  " + std::string(rule->id) + "." + std::string(threshold.key),
                defaultText(threshold), "  " + plain(rule->titleOf(threshold))});
    }
    return answer.addText(textTable({{"rule, and its thresholds"}, {"default"}, {"looks for"}}, lines));
}

/// Settings for the analysis of each report.
struct AnalyzeJob {
    std::vector<const Rule*> rules;
    RangeArgument range;
    ThresholdSettings thresholds;
    FindingsGate gate;
    std::string steps; ///< glob; empty: they are found
    bool explain = false;
    bool noCache = false;
    bool isOne = false; ///< report, which may hold several ranks
    std::shared_ptr<const AcrossReport> across; ///< the analysis across the reports; nullptr: none
    std::optional<JudgedReport> late; ///< of the rank that the others wait for

    /// Whether a rule across ranks runs. One whose namesake is of single reports needs no other reports.
    bool looksAcross() const
    {
        return rules.empty() || std::ranges::any_of(rules, [this](const Rule* rule) {
            return rule->checkRanks || (isOne && findAcrossRule(rule->id));
        });
    }
};

ExitCode addAnalysis(Answer& answer, const AnalyzeJob& job, const std::string& file, const Trace& trace,
    const AnalysisText& text)
{
    if (answer.isJson())
        return answer.add(findingsJson(trace, text));
    if (answer.format() == "markdown")
        return answer.addText(file, findingsMarkdown(trace, text));
    if (answer.format() == "html")
        return answer.addText(findingsHtml(trace, text.findings, text.checklist, text.overview));
    std::string table
        = findingsTable(trace, text.findings, text.checklist, job.explain, text.overview, answer.width());
    if (!job.rules.empty())
        table += "\n"
            + wrappedText(
                plain(Message("cli.named_rules",
                    "A rule that you name with --rule reports all it finds. Without --rule, findings with the same cause are merged (see --explain), and what is not a fault is left out.")),
                108, 0)
            + "\n";
    return answer.addText(file, table);
}

/// Takes settings from the configuration file that the command line does not give.
void applyConfig(Answer& answer, AnalyzeOptions& options, ThresholdSettings& thresholds)
{
    if (options.config.empty())
        return;
    for (const ConfigLine& line : answer.usable(readConfig(options.config))) {
        if (line.key == "fail-on" && options.failOn.empty())
            options.failOn = line.value;
        else if (line.key == "rule" && options.rules.empty())
            options.rules = line.value;
        else if (line.key.find('.') != std::string::npos)
            answer.usable(thresholds.set(line.key + "=" + line.value), options.config);
        else if (line.key != "fail-on" && line.key != "rule")
            answer.refuse(
                {"cli.no_setting", "{file}: '{key}' is not a setting; known: RULE.KEY, fail-on, rule",
                    {{"file", Name{options.config}}, {"key", Name{line.key}}}});
    }
}

Result<FindingsBaseline> readBaseline(const std::string& path)
{
    std::ifstream file(platform::pathOf(path), std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    if (!file)
        return Error{"cli.unreadable", "{path} cannot be read", {{"path", Name{path}}}};
    return baselineFrom(text, path);
}

AnalyzeJob jobOf(Answer& answer, AnalyzeOptions options)
{
    const std::string& format = answer.format();
    AnalyzeJob job;
    if (options.files.empty())
        answer.refuse(requiredText("FILE"));
    if (format == "html" && options.files.size() > 1)
        answer.refuse({"cli.html_one_report", "--format html takes one report"});
    if (format != "table" && options.explain)
        answer.refuse({"cli.explain_is_for_table",
            "--explain is for the table: {format} already explains findings", {{"format", Name{format}}}});
    applyConfig(answer, options, job.thresholds);
    for (const std::string& text : options.thresholds)
        answer.usable(job.thresholds.set(text), "--threshold");
    job.rules = answer.usable(rulesNamed(options.rules));
    job.range = rangeOption(answer, options.range);
    if (!options.failOn.empty() && std::ranges::count(severityNames(), options.failOn) == 0)
        answer.refuse({"cli.no_severity", "'{name}' is not a severity; known: info, low, medium, high",
            {{"name", Name{options.failOn}}}});
    if (!options.failOn.empty())
        job.gate.failOn = severityNamed(options.failOn);
    for (const Rule* const rule : answer.usable(rulesNamed(options.exclude), "--exclude"))
        job.gate.excluded.emplace(rule->id);
    const auto isExcluded = [&](const Rule* rule) { return job.gate.excluded.contains(rule->id); };
    if (!job.rules.empty() && std::ranges::all_of(job.rules, isExcluded))
        answer.refuse({"cli.exclude_all", "--exclude removes all rules of --rule: no rule would run"});
    const bool saysWhatIsNew = format == "json" || format == "ndjson" || format == "sarif";
    if (!options.baseline.empty() && options.failOn.empty() && !saysWhatIsNew)
        answer.refuse(
            {"cli.baseline_needs", "--baseline needs --fail-on, or --format json, ndjson or sarif"});
    if (!options.baseline.empty())
        job.gate.baseline = answer.usable(readBaseline(options.baseline), "--baseline");
    job.steps = options.steps;
    job.explain = options.explain;
    job.noCache = options.noCache;
    return job;
}

/// Analyzes `files` together, when rules across ranks run, as the window does for open reports.
void judgeTogether(Answer& answer, const std::vector<std::string>& files, AnalyzeJob& job)
{
    std::vector<ReportSummary> summaries;
    for (const std::string& file : files)
        summaries.push_back(summaryOfFile(file, job.noCache));
    auto across = std::make_shared<const AcrossReport>(judgeSummaries(summaries));
    if (!across->judged)
        return;
    job.across = across;
    if (!hasLateRank(*across) || !job.rules.empty()) // named rules are not bounded by it
        return;
    const ReportId report = across->ranks[across->verdict.rank].report;
    const std::string& file = files[raw(report)];
    Answer unsaid = answer.part(); // errors are reported when the report is analyzed
    codeOf([&] {
        const auto trace = openReport(unsaid, file, job.noCache);
        JudgedReport late{report, file, trace, analyzedRange(unsaid, *trace, job.range), 0, job.steps};
        late.found = std::make_shared<const std::vector<Finding>>(
            findInReport(late, across, job.thresholds.overrides(), commandStop()));
        job.late = std::move(late);
        return ExitCode::Ok;
    });
}

/// Complains about step names that do not match.
void checkSteps(Answer& answer, const Trace& trace, TimeRange window, const std::string& steps)
{
    requireRange(answer, trace, steps, "--steps");
    if (!steps.empty() && findSteps(trace, window, steps).empty())
        answer.note(Message("cli.no_steps_in_range",
                        "no NVTX range named '{name}' is in the range: the report is analyzed without steps",
                        {{"name", Name{steps}}}),
            trace.info.path);
}

/// The exit code of --fail-on for `findings`.
ExitCode judged(Answer& answer, const AnalyzeJob& job, const Trace& trace,
    const std::vector<Finding>& findings, bool acrossRanks)
{
    if (!job.gate.failOn)
        return ExitCode::Ok;
    const std::string& file = trace.info.path;
    if (trace.eventCount() == 0)
        return answer.complain({ExitCode::NothingRecorded,
            Message("cli.no_events_to_check", "{file} has no events: --fail-on has nothing to check",
                {{"file", Name{file}}}),
            file});
    const std::span<const Rule* const> rules = job.rules.empty() ? allRules() : std::span(job.rules);
    if (findings.empty() && std::ranges::none_of(rules, [&](const Rule* rule) {
            return rule->checkRanks ? acrossRanks : rule->applies(trace, {});
        }))
        return answer.complain({ExitCode::NothingJudged,
            Message("cli.no_data_to_check",
                "{file} has no data for the rules: --fail-on has nothing to check", {{"file", Name{file}}}),
            file});
    const bool reached = std::ranges::any_of(
        findings, [&](const Finding& finding) { return job.gate.fails(trace, finding); });
    if (reached)
        return ExitCode::GateFailed;
    return lacksWork(trace) ? answer.complain(gateOfIncomplete(file, "--fail-on")) : ExitCode::Ok;
}

/// The findings of `of`, whose facts are `facts`: of all rules, with those of one cause merged, or of the
/// named rules.
std::vector<Finding> foundBy(const AnalyzeJob& job, const JudgedReport& of, TraceAnalysis& facts,
    const std::shared_ptr<const AcrossReport>& across, std::optional<ProfiledStep>& profiled)
{
    const std::span<const Threshold> overrides = job.thresholds.overrides();
    const bool isAcross = across && across->judged;
    if (job.rules.empty() && isAcross)
        return findIn({of}, across, overrides, commandStop(), job.late).findings;
    std::vector<const Rule*> own;
    std::ranges::copy_if(
        job.rules, std::back_inserter(own), [](const Rule* rule) { return !rule->checkRanks; });
    std::vector<Finding> findings;
    if (job.rules.empty() || !own.empty())
        findings = runRules(facts, own, overrides, &profiled);
    if (isAcross) {
        std::ranges::move(findAcross(of, *across, job.rules), std::back_inserter(findings));
        std::ranges::stable_sort(findings, ranksHigher);
    }
    return findings;
}

bool isRankOf(const AcrossReport& across, ReportId report)
{
    return std::ranges::find(across.ranks, report, &AcrossRank::report) != across.ranks.end();
}

/// Analyzes one report; returns the exit code for it.
ExitCode analyze(Answer& answer, const AnalyzeJob& job, ReportId report, const std::string& file)
{
    const bool showsOverview = job.rules.empty() && !answer.isJson();
    const auto trace = openReport(answer, file, job.noCache, showsOverview);
    const TimeRange window = analyzedRange(answer, *trace, job.range);
    checkSteps(answer, *trace, window, job.steps);
    std::shared_ptr<const AcrossReport> across = job.across;
    if (job.isOne && job.looksAcross() && trace->holdsSeveralRanks())
        across = std::make_shared<const AcrossReport>(judgeSummaries(std::array{summarize(*trace, file)}));
    // Of all rules, those across the ranks of several reports are a matter for `ranks`.
    const bool acrossRanks = across && across->judged && isRankOf(*across, report)
        && (!job.rules.empty() || trace->holdsSeveralRanks());
    const auto shared = std::make_shared<TraceAnalysis>(*trace, window, commandStop(), job.steps);
    TraceAnalysis& facts = *shared;
    const KnownWaits waits = across ? exactWaitRanges(*trace, *across, report) : KnownWaits();
    RunOverview overview;
    std::vector<ChecklistAnswer> checklist;
    const WorkingThread own; // is counted like those beside it
    Helpers beside;
    const auto begin = [&](const auto& work) {
        if (!job.isOne) // several reports keep the processors busy
            return work();
        // Counted from here on, so that the rules do not use its processor for a helper.
        beside.start([work, counted = std::make_shared<const WorkingThread>()] { work(); });
    };
    if (job.rules.empty()) // with --rule the user wants only that rule's result
        begin([&] { overview = overviewOf(facts); });
    begin([&] { checklist = answerChecklist(facts, waits); });
    std::optional<ProfiledStep> profiled;
    std::vector<Finding> findings
        = foundBy(job, {report, file, trace, window, 0, job.steps, shared}, facts, across, profiled);
    job.gate.leaveOut(findings);
    beside.join();
    const ExitCode added = addAnalysis(answer, job, file, *trace,
        {findings, checklist, window, job.thresholds.overrides(), job.steps,
            job.rules.empty() ? &overview : nullptr, job.rules, &job.gate, profiled, &facts, acrossRanks});
    return added != ExitCode::Ok ? added : judged(answer, job, *trace, findings, acrossRanks);
}

ExitCode runAnalyze(Answer& answer, const CLI::App& app, const AnalyzeOptions& options)
{
    if (options.list) {
        refuseBeside(answer, app, {"--list"});
        return listRules(answer);
    }
    AnalyzeJob job = jobOf(answer, options);
    job.isOne = options.files.size() == 1;
    if (job.looksAcross() && !job.isOne)
        judgeTogether(answer, options.files, job);
    return answerForEach(
        answer, options.files, options.jobs, [&](Answer& part, const std::string& file, std::size_t place) {
            return analyze(part, job, ReportId{static_cast<std::uint16_t>(place)}, file);
        });
}

std::function<ExitCode(Answer&)> declareAnalyze(CLI::App& app)
{
    auto options = std::make_shared<AnalyzeOptions>();
    addOption(app, "--rule", options->rules, {"analyze.help_rule", "Only these rules, separated by commas"},
        "NAMES")
        ->multi_option_policy(CLI::MultiOptionPolicy::Join);
    addOption(app, "--range", options->range,
        {"cli.range_part", "Only this part: FROM:TO in ns, or numbers with ns, us, ms or s"}, "FROM:TO");
    addOption(app, "--steps,--nvtx", options->steps,
        {"cli.step_ranges", "Name of the NVTX ranges that are steps, with * and ?; default: detected"},
        "GLOB");
    addOption(app, "--fail-on", options->failOn,
        {"cli.fail_on", "Exit with 1 if a finding has this severity or a higher one"}, "SEVERITY")
        ->check(oneOf(severityNames()));
    addOption(app, "--threshold", options->thresholds,
        {"analyze.help_threshold", "Set a threshold of a rule, such as gpu_gaps.min_gap_ns=5ms; repeatable"},
        "RULE.KEY=VALUE")
        ->allow_extra_args(false);
    addOption(app, "--config", options->config,
        {"analyze.help_config",
            "File with lines RULE.KEY = VALUE, fail-on = SEVERITY and rule = NAMES; the command line overrides it"},
        "CONFIG");
    addOption(app, "--baseline", options->baseline,
        {"analyze.help_baseline",
            "Output of an earlier analyze --format json: only new findings and findings that have grown fail"},
        "FILE");
    addOption(app, "--exclude", options->exclude,
        {"analyze.help_exclude", "Leave out these rules, separated by commas"}, "NAMES")
        ->multi_option_policy(CLI::MultiOptionPolicy::Join);
    app.add_flag_callback(
        "--brief",
        [&app] {
            CLI::Option* const format = app.get_option("--format");
            if (format->count() > 0)
                throw CLI::ValidationError("--brief",
                    plain(Message(
                        "analyze.brief_twice", "it is the same as --format brief: give one of the two")));
            format->add_result("brief");
            format->run_callback();
        },
        plain(Message("analyze.help_brief", "One line per report, as --format brief")));
    addFlag(app, "--explain", options->explain,
        {"analyze.help_explain", "Explain each finding in the table: why it matters and what to do"});
    addFlag(app, "--list", options->list,
        {"analyze.help_list", "List the rules and their thresholds, then exit"});
    addJobsOption(app, options->jobs);
    addCacheOption(app, options->noCache);
    addMachineOption(app);
    addOption(app, "FILE", options->files,
        {"cli.report_files", "Reports, such as exports made with nsys export --type sqlite"});
    return [options, &app](Answer& answer) { return runAnalyze(answer, app, *options); };
}

} // namespace

extern constinit const Command analyzeCommand{.name = "analyze",
    .summary = "Find what is slow, where, why, and what to do",
    .formats = "table json markdown html csv brief junit sarif",
    .declare = declareAnalyze};

} // namespace warpline::cli
