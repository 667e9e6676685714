#include "core/findings/rule.h"

#include "core/analysis/scope.h"
#include "core/analysis/trace_analysis.h"
#include "core/base/enum_key.h"
#include "core/base/parallel.h"
#include "core/base/share.h"
#include "core/base/stop.h"
#include "core/findings/advice.h"
#include "core/findings/expected_savings.h"
#include "core/findings/finding_order.h"
#include "core/findings/host_calls.h"
#include "core/findings/lost_work.h"
#include "core/findings/merge_findings.h"
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
    return keyIn<Severity::High>({"info", "low", "medium", "high"}, severity);
}

Message wordOf(Severity severity)
{
    return {"finding.severity", "{severity, select, high {high} medium {medium} low {low} other {info}}",
        {{"severity", Name{std::string(keyOf(severity))}}}};
}

Message wordOf(Confidence confidence)
{
    return {"finding.confidence", "{confidence, select, certain {certain} likely {likely} other {possible}}",
        {{"confidence", Name{std::string(keyOf(confidence))}}}};
}

std::string_view keyOf(Confidence confidence)
{
    return keyIn<Confidence::Certain>({"possible", "likely", "certain"}, confidence);
}

Severity severityFor(Ns saving, Ns whole)
{
    const double share = shareOf(saving, whole);
    return share >= 0.10 ? Severity::High
        : share >= 0.02  ? Severity::Medium
        : share >= 0.001 ? Severity::Low
                         : Severity::Info;
}

Severity severityOf(const RuleContext& context, Ns saving)
{
    return severityFor(saving, context.facts.measured());
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
            return std::clamp(override.value, -asked.most(), asked.most());
    }
    return asked.value;
}

std::vector<Finding> Rule::find(const RuleContext& context) const
{
    if (check)
        return check(context);
    std::vector<Finding> findings;
    for (const GpuFacts& gpu : context.facts.gpus())
        checkGpu(context, gpu, findings);
    return findings;
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

/// Whether a finding of `process` need not name it: no other process works.
bool isAlone(const std::set<std::uint32_t>& atWork, GlobalId process)
{
    return atWork.size() <= 1 && (process == 0 || atWork.empty() || atWork.contains(pidOf(process)));
}

/// Names the process in the titles of `findings` and their merged findings: "[523] train: 2 of 20 steps ...".
void nameProcesses(const Trace& trace, const std::set<std::uint32_t>& atWork, std::vector<Finding>& findings)
{
    for (Finding& finding : findings) {
        nameProcesses(trace, atWork, finding.merged);
        if (finding.process != 0 && !isAlone(atWork, finding.process))
            finding.title = Message("finding.of_process", "{process}: {finding}",
                {{"process", processLabel(trace, finding.process)}, {"finding", finding.title}});
    }
}

/// The processes of the evidence of `finding`.
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

/// Finds the process of a finding in a report of several GPU processes; names several in its message.
void findProcesses(const Trace& trace, Finding& finding)
{
    const std::set<GlobalId> processes = processesIn(trace, finding);
    if (processes.size() == 1)
        finding.process = *processes.begin();
    std::vector<Message> names;
    for (const GlobalId process : processes)
        names.push_back(Message("finding.process", "{process}", {{"process", processLabel(trace, process)}}));
    if (processes.size() > 1)
        finding.message
            += Message("finding.processes", "In the processes {processes}.", {{"processes", names}});
}

/// The findings of one rule, with the rule's texts where a finding has none of its own. With `lost` kernels
/// nothing is known of how a GPU computes and idles, and so of savings in the measured time; costs that the
/// host pays once stay.
void check(const Rule& rule, const RuleContext& context, const std::set<std::uint32_t>& processes, bool lost,
    std::vector<Finding>& findings)
{
    if (!rule.applies(context.trace, context.stop) || (lost && rule.checkGpu))
        return;
    for (Finding& finding : rule.find(context)) {
        if (finding.device >= 0)
            finding.device = gpuNumber(context.trace, finding.process, finding.device);
        if (finding.process == 0 && !isAlone(processes, 0))
            findProcesses(context.trace, finding);
        finding.measured = context.facts.measured();
        finding.rule = rule.id;
        capSaving(context, finding);
        if (lost && (finding.saving > 0 || (finding.once > 0 && finding.device >= 0)))
            continue;
        explainSeverity(context, finding);
        if (finding.why.empty())
            finding.why = rule.whyText();
        if (finding.remedy.empty())
            finding.remedy = rule.remedyText();
        // The rule gives the remedy, the program's language the way.
        finding.remedy += adviceFor(finding.topic.empty() ? rule.id : finding.topic, context.facts.program());
        if (gpuApiOf(context.trace) == GpuApi::Hip) {
            for (Message* const text :
                {&finding.title, &finding.message, &finding.why, &finding.remedy, &finding.caveat})
                text->setOfHip();
        }
        if (finding.group.empty())
            finding.group = rule.id;
        findings.push_back(std::move(finding));
    }
}

/// Computes the most expensive shared facts first, in parallel, so that no rule waits for another.
void makeFacts(const RuleContext& context, std::size_t part)
{
    TraceAnalysis& facts = context.facts;
    if (part == 0) {
        facts.gpus();
    } else if (part == 1) {
        facts.replays();
    } else {
        facts.allSteps();
        facts.callKinds();
        for (const GlobalId thread : callingThreads(context.trace))
            facts.host(thread);
    }
}

/// The findings of `rules` in their order, on as many threads as worthwhile.
std::vector<Finding> checkAll(
    const RuleContext& context, std::span<const Rule* const> rules, const std::set<std::uint32_t>& processes)
{
    constexpr std::size_t factParts = 3;
    constexpr std::size_t minPerThread = 100'000; ///< events
    const std::size_t threads
        = std::min(threadsFor(context.trace.kernels().size() + context.trace.apiCalls().size(), minPerThread),
            rules.size());
    std::vector<std::vector<Finding>> found(rules.size());
    const bool lost = !lifeOfGpus(context.trace).empty() && !lostGpuWork(context.facts).what.empty();
    const std::size_t prepared = threads > 1 ? factParts : 0;
    handOut(threads, prepared + rules.size(), [&](std::size_t i) {
        throwIfStopped(context.stop);
        if (i < prepared)
            makeFacts(context, i);
        else
            check(*rules[i - prepared], context, processes, lost, found[i - prepared]);
    });
    throwIfStopped(context.stop);
    std::vector<Finding> findings;
    for (std::vector<Finding>& each : found)
        std::ranges::move(each, std::back_inserter(findings));
    return findings;
}

} // namespace

std::vector<Finding> runRules(const Trace& trace, TimeRange window, std::span<const Rule* const> rules,
    std::span<const Threshold> overrides, std::stop_token stop, const std::string& stepGlob,
    std::optional<ProfiledStep>* profiled)
{
    TraceAnalysis facts(trace, window, std::move(stop), stepGlob);
    return runRules(facts, rules, overrides, profiled);
}

std::vector<Finding> runRules(TraceAnalysis& facts, std::span<const Rule* const> rules,
    std::span<const Threshold> overrides, std::optional<ProfiledStep>* profiled)
{
    const Trace& trace = facts.trace();
    const TimeRange window = facts.window();
    const std::stop_token& stop = facts.stop();
    std::vector<Finding> findings;
    if (window.empty())
        return findings;
    const RuleContext context{trace, window, overrides, stop, facts, !rules.empty()};
    try {
        const std::set<std::uint32_t> processes = processesAtWork(trace);
        findings = checkAll(context, rules.empty() ? allRules() : rules, processes);
        std::ranges::stable_sort(findings, ranksHigher);
        if (rules.empty())
            findings = mergeByProcess(context, mergeByCause(std::move(findings)));
        tellLoneRank(context, findings);
        expectSavings(context, findings);
        raiseBounds(findings);
        if (profiled && !facts.replays().empty())
            *profiled = facts.replays().front().replay.profiledStep();
        rankFindings(findings, window);
        shareSavings(findings);
        nameProcesses(trace, processes, findings);
        sharePerStep(context, findings);
        throwIfStopped(stop);
    } catch (const Stopped&) {
        return {};
    }
    for (Finding& finding : findings)
        finding.claims = {};
    return findings;
}

} // namespace warpline
