#include "core/findings/rule.h"

#include "core/base/parallel.h"
#include "core/base/stop.h"
#include "core/findings/expected_savings.h"
#include "core/findings/finding_order.h"
#include "core/findings/hip_words.h"
#include "core/findings/host_calls.h"
#include "core/findings/merge_findings.h"
#include "core/findings/merge_ranks.h"
#include "core/findings/program_kind.h"
#include "core/findings/run_facts.h"
#include "core/findings/saving_words.h"
#include "core/findings/savings.h"
#include "core/store/gpu_names.h"
#include "core/store/place_names.h"
#include "core/store/trace.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace warpline {

std::string_view keyOf(Severity severity)
{
    switch (severity) {
    case Severity::Info:
        return "info";
    case Severity::Low:
        return "low";
    case Severity::Medium:
        return "medium";
    case Severity::High:
        break;
    }
    return "high";
}

std::string_view keyOf(Confidence confidence)
{
    switch (confidence) {
    case Confidence::Possible:
        return "possible";
    case Confidence::Likely:
        return "likely";
    case Confidence::Certain:
        break;
    }
    return "certain";
}

const Rule* findRule(std::string_view id)
{
    const auto rules = allRules();
    const auto found = std::ranges::find(rules, id, [](const Rule* rule) { return rule->id; });
    return found != rules.end() ? *found : nullptr;
}

double RuleContext::threshold(std::string_view rule, const Threshold& asked) const
{
    for (const Threshold& override : overrides) {
        const std::string_view key = override.key;
        if (key.size() == rule.size() + 1 + asked.key.size() && key.starts_with(rule)
            && key.ends_with(asked.key))
            return override.value;
    }
    return asked.value;
}

namespace {

/// The processes of which a finding may be: those that use a GPU, else those with NVTX ranges.
std::set<std::uint32_t> processesAtWork(const Trace& trace)
{
    std::set<std::uint32_t> pids;
    for (const EventKind kind : {EventKind::Kernel, EventKind::GraphTrace, EventKind::Memcpy}) {
        for (const Track& track : trace.table(kind).tracks)
            pids.insert(pidOf(track.owner));
    }
    for (const Track& track : trace.nvtx().tracks) {
        if (!trace.kernels().empty())
            break;
        pids.insert(pidOf(track.owner));
    }
    return pids;
}

/// Says in the title whose finding it is: "GPU 1 of [523] train: ...", "[523] train: 2 of 20 steps ...".
void nameProcess(const Trace& trace, Finding& finding)
{
    const std::string process = processLabel(trace, finding.process);
    if (finding.title.find(process) != std::string::npos)
        return;
    const std::string gpu = finding.device >= 0 ? "GPU " + std::to_string(finding.device) : std::string();
    const bool ofGpu = !gpu.empty() && finding.title.starts_with(gpu);
    finding.title
        = ofGpu ? gpu + " of " + process + finding.title.substr(gpu.size()) : process + ": " + finding.title;
}

/// The processes whose events prove `finding`.
std::set<GlobalId> processesIn(const Trace& trace, const Finding& finding)
{
    std::set<GlobalId> processes;
    for (const Evidence& proof : finding.evidence) {
        if (!proof.event.valid())
            continue;
        if (const GlobalId owner = trace.track(trace.trackOf(proof.event)).owner; owner != 0)
            processes.insert(processOf(owner));
    }
    return processes;
}

/// Says whose the finding is, in a report of several processes that use GPUs: in the title where it is one,
/// else in the message.
void tellProcesses(const Trace& trace, Finding& finding)
{
    if (finding.process == 0) {
        const std::set<GlobalId> processes = processesIn(trace, finding);
        if (processes.size() == 1)
            finding.process = *processes.begin();
        std::string names;
        for (const GlobalId process : processes)
            names += (names.empty() ? "" : ", ") + processLabel(trace, process);
        if (processes.size() > 1)
            finding.message += " In the processes " + names + ".";
    }
    if (finding.process != 0)
        nameProcess(trace, finding);
}

/// What one rule finds, with the rule's words where the finding has none of its own.
void check(const Rule& rule, const RuleContext& context, const std::set<std::uint32_t>& processes,
    std::vector<Finding>& findings)
{
    if (!rule.applies(context.trace, context.stop))
        return;
    for (Finding& finding : rule.check(context)) {
        if (finding.device >= 0)
            finding.device = gpuNumber(context.trace, finding.process, finding.device);
        const bool alone = processes.size() <= 1
            && (finding.process == 0 || processes.empty() || processes.contains(pidOf(finding.process)));
        if (finding.alike.empty())
            finding.alike = withoutFigures(finding.title);
        finding.alike.insert(0, std::string(rule.id) + " ");
        if (!alone)
            tellProcesses(context.trace, finding);
        finding.measured = context.facts.measured();
        finding.rule = rule.id;
        capSaving(context, finding);
        explainSeverity(context, finding);
        if (finding.why.empty())
            finding.why = rule.why;
        if (finding.remedy.empty())
            finding.remedy = rule.remedy;
        // The rule says what to do, the program's language how.
        const std::string advice
            = adviceFor(finding.topic.empty() ? rule.id : finding.topic, context.facts.program());
        if (!advice.empty())
            finding.remedy += " " + advice;
        if (gpuApiOf(context.trace) == GpuApi::Hip) {
            finding.why = inWordsOfHip(std::move(finding.why));
            finding.remedy = inWordsOfHip(std::move(finding.remedy));
        }
        if (finding.group.empty())
            finding.group = rule.id;
        findings.push_back(std::move(finding));
    }
}

/// What rules share and takes longest to make: made first, side by side, so that no rule waits for another.
void makeFacts(const RuleContext& context, std::size_t part)
{
    RunFacts& facts = context.facts;
    if (part == 0) {
        facts.gpus();
    } else {
        facts.allSteps();
        facts.callKinds();
        for (const GlobalId thread : callingThreads(context.trace))
            facts.host(thread);
    }
}

/// What `rules` find, in their order, on as many threads as the work is worth.
std::vector<Finding> checkAll(const RuleContext& context, std::span<const Rule* const> rules)
{
    constexpr std::size_t factParts = 2;
    constexpr std::size_t worthAThread = 100'000; ///< events
    const std::set<std::uint32_t> processes = processesAtWork(context.trace);
    const std::size_t threads
        = std::min(threadsFor(context.trace.kernels().size() + context.trace.apiCalls().size(), worthAThread),
            rules.size());
    std::vector<std::vector<Finding>> found(rules.size());
    const std::size_t prepared = threads > 1 ? factParts : 0;
    handOut(threads, prepared + rules.size(), [&](std::size_t i) {
        throwIfStopped(context.stop);
        if (i < prepared)
            makeFacts(context, i);
        else
            check(*rules[i - prepared], context, processes, found[i - prepared]);
    });
    throwIfStopped(context.stop);
    std::vector<Finding> findings;
    for (std::vector<Finding>& each : found)
        std::ranges::move(each, std::back_inserter(findings));
    return findings;
}

} // namespace

std::vector<Finding> runRules(const Trace& trace, TimeRange window, std::span<const Rule* const> rules,
    std::span<const Threshold> overrides, std::stop_token stop, const std::string& stepGlob)
{
    std::vector<Finding> findings;
    if (window.empty())
        return findings;
    RunFacts facts(trace, window, stop, stepGlob);
    const RuleContext context{trace, window, overrides, stop, facts, !rules.empty()};
    try {
        findings = checkAll(context, rules.empty() ? allRules() : rules);
        std::ranges::stable_sort(findings, ranksHigher);
        if (rules.empty())
            findings = mergeByProcess(context, mergeByCause(std::move(findings)));
        rankFindings(findings, window);
        shareSavings(findings);
        expectSavings(context, stepGlob, findings);
        tellPerStep(context, findings);
        tellLoneRank(context, findings);
        throwIfStopped(stop);
    } catch (const Stopped&) {
        return {};
    }
    for (Finding& finding : findings)
        finding.claims = {};
    return findings;
}

} // namespace warpline
