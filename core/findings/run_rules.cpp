#include "core/findings/rule.h"

#include "core/findings/merge_findings.h"
#include "core/findings/run_facts.h"
#include "core/findings/savings.h"
#include "core/store/trace.h"

#include <algorithm>

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

/// What one rule finds, with the rule's words where the finding has none of its own.
void check(const Rule& rule, const RuleContext& context, std::vector<Finding>& findings)
{
    for (Finding& finding : rule.check(context)) {
        finding.rule = rule.id;
        capSaving(context, finding);
        explainSeverity(context, finding);
        if (finding.why.empty())
            finding.why = rule.why;
        if (finding.remedy.empty())
            finding.remedy = rule.remedy;
        if (finding.group.empty())
            finding.group = rule.id;
        findings.push_back(std::move(finding));
    }
}

} // namespace

std::vector<Finding> runRules(const Trace& trace, TimeRange window, std::span<const Rule* const> rules,
    std::span<const Threshold> overrides, std::stop_token stop)
{
    std::vector<Finding> findings;
    if (window.empty())
        return findings;
    const RuleContext context{
        trace, window, overrides, stop, std::make_shared<RunFacts>(trace, window, stop)};
    try {
        for (const Rule* const rule : rules.empty() ? allRules() : rules) {
            throwIfStopped(stop);
            if (rule->applies(trace))
                check(*rule, context, findings);
        }
    } catch (const Stopped&) {
        return {};
    }
    std::ranges::stable_sort(findings, [](const Finding& a, const Finding& b) {
        return a.severity != b.severity ? a.severity > b.severity
            : a.saving != b.saving      ? a.saving > b.saving
                                        : a.once > b.once;
    });
    if (rules.empty())
        findings = mergeByCause(std::move(findings));
    shareSavings(findings);
    for (Finding& finding : findings)
        finding.claims = {};
    return findings;
}

} // namespace warpline
