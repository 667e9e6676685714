// warpline-cli analyze: what is slow, where, why, and what to do. With --fail-on it guards a CI run.

#include "app/cli_arguments.h"
#include "app/cli_columns.h"
#include "app/cli_command.h"
#include "app/cli_report.h"
#include "core/export/findings_html.h"
#include "core/export/findings_text.h"
#include "core/findings/checklist.h"
#include "core/findings/rule.h"
#include "core/steps/steps.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>

namespace warpline::cli {

namespace {

struct AnalyzeOptions {
    ReportOptions report;
    std::string format = "table";
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

ExitCode wrongUsage(const std::string& message)
{
    complain(message + ". Try 'warpline-cli analyze --help'.");
    return ExitCode::WrongUsage;
}

Result<std::vector<const Rule*>> rulesNamed(const std::string& names)
{
    std::vector<const Rule*> rules;
    for (const std::string& name : splitList(names)) {
        const Rule* const rule = findRule(name);
        if (!rule)
            return Error{"there is no rule '" + name + "'; 'warpline-cli analyze --list' names all"};
        rules.push_back(rule);
    }
    return rules;
}

ExitCode listRules()
{
    std::vector<std::vector<std::string>> lines;
    for (const Rule* const rule : allRules())
        lines.push_back({std::string(rule->id), std::string(rule->title)});
    return print(textTable({{"rule"}, {"looks for"}}, lines));
}

std::string written(const Trace& trace, const std::vector<Finding>& findings,
    const std::vector<ChecklistAnswer>& checklist, const std::map<std::uint32_t, StepSeries>& steps,
    const std::string& format)
{
    if (format == "json")
        return findingsJson(trace, findings, checklist, &steps);
    if (format == "markdown")
        return findingsMarkdown(trace, findings, checklist);
    if (format == "html")
        return findingsHtml(trace, findings, checklist);
    return findingsTable(trace, findings, checklist);
}

ExitCode runAnalyze(const AnalyzeOptions& options)
{
    if (options.list)
        return listRules();
    if (options.report.file.empty())
        return wrongUsage("FILE is required");
    const auto rules = rulesNamed(options.rules);
    if (!rules.ok())
        return wrongUsage(rules.error().message);
    const auto range = parseRange(options.range.empty() ? ":" : options.range);
    if (!range.ok())
        return wrongUsage("--range: " + range.error().message);
    const auto trace = openReport(options.report.file, options.report.noCache);
    if (!trace)
        return ExitCode::UnreadableReport;
    const TimeRange window = range.value().within(trace->session);
    const std::vector<Finding> findings = runRules(*trace, window, rules.value(), {}, {}, options.steps);
    const std::vector<ChecklistAnswer> checklist = answerChecklist(*trace, window, {}, options.steps);
    const auto steps = findSteps(*trace, window, options.steps);
    if (!options.steps.empty() && steps.empty())
        complain("no NVTX range is named '" + options.steps + "': the report is judged without steps");
    if (const ExitCode done = print(written(*trace, findings, checklist, steps, options.format));
        done != ExitCode::Ok)
        return done;
    if (options.failOn.empty())
        return ExitCode::Ok;
    const Severity least = severities().at(options.failOn);
    const bool reached
        = std::ranges::any_of(findings, [&](const Finding& finding) { return finding.severity >= least; });
    return reached ? ExitCode::SeverityReached : ExitCode::Ok;
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
    app.add_flag("--list", options->list, "List the rules and stop");
    addReportOptions(app, options->report)->required(false);
    return [options] { return runAnalyze(*options); };
}

} // namespace

extern constinit const Command analyzeCommand{
    .name = "analyze", .summary = "What is slow, where, why, and what to do", .declare = declareAnalyze};

} // namespace warpline::cli
