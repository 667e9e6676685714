#include "core/base/utf8.h"
#include "core/budget/edge_budgets.h"
#include "core/export/analysis_head.h"
#include "core/export/budget_text.h"
#include "core/render/render.h"
#include "core/replay/replay.h"
#include "core/steps/repeated_ranges.h"
#include "core/store/gpu_names.h"
#include "core/store/trace.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace warpline {

namespace {

/// The parts that have time.
Json budgetJson(const Budget& budget, const BudgetParts& parts)
{
    Json json = Json::object();
    for (std::size_t part = 0; part < budget.size(); ++part) {
        if (budget[part] != 0)
            json[parts[part].id] = budget[part];
    }
    return json;
}

Json partsJson(const std::vector<StepBudgets>& all, const BudgetParts& parts)
{
    Json json = Json::object();
    for (const std::size_t part : usedParts(all, parts))
        json[parts[part].id] = {{"title", jsonOf(parts[part].title)}, {"group", keyOf(parts[part].group)}};
    return json;
}

Json spreadJson(const StepSummary& summary)
{
    return {{"median_ns", jsonNs(summary.medianNs)}, {"p90_ns", jsonNs(summary.p90Ns)},
        {"p99_ns", jsonNs(summary.p99Ns)}, {"mean_ns", jsonNs(summary.meanNs)}};
}

Json foundJson(const Trace& trace, const GpuSteps& found)
{
    return {{"pattern", toUtf8(found.host.pattern)}, {"found_by", keyOf(found.foundBy)},
        {"pid", pidOf(found.process)}, {"tid", tidOf(found.host.thread)},
        {"device", gpuNumber(trace, found.process, found.device)}};
}

Json summaryOfOne(
    const Trace& trace, const StepBudgets& steps, const BudgetParts& parts, const StepAmounts& facts)
{
    const StepSummary summary = summaryOf(steps, parts);
    Json json = foundJson(trace, steps.found);
    json["count"] = steps.steps.size();
    json["steady"] = summary.steady;
    json["gpu"] = spreadJson(summary);
    json["median_host_ns"] = jsonNs(summary.medianHostNs);
    Json shares = Json::object();
    for (std::size_t part = 0; part < parts.size(); ++part) {
        if (steps.mean[part] != 0 && summary.meanNs > 0)
            shares[parts[part].id] = static_cast<double>(steps.mean[part]) / summary.meanNs;
    }
    json["shares"] = std::move(shares);
    json["compute"] = summary.compute;
    json["exposed_communication"] = summary.exposedCommunication;
    json["idle"] = summary.idle;
    const double seconds = summary.medianNs / 1e9;
    const auto perSecond
        = [&](double each) { return each > 0 && seconds > 0 ? Json(each / seconds) : Json(); };
    json["tokens_per_second"] = perSecond(facts.tokens);
    json["samples_per_second"] = perSecond(facts.samples);
    json["mfu"] = facts.peakFlops > 0 && facts.flops > 0 && seconds > 0
        ? Json(facts.flops / seconds / facts.peakFlops)
        : Json();
    return json;
}

template <typename Number> Json jsonUnlessNegative(Number value)
{
    return value >= 0 ? Json(value) : Json();
}

Json groupJson(const ServingGroup& group)
{
    return {{"phase", group.kind == StepKind::Plain ? "other" : labelOf(group.kind)},
        {"requests", jsonUnlessNegative(group.requests)}, {"steps", group.steps.size()},
        {"prompt_tokens", jsonUnlessNegative(group.promptTokens)},
        {"output_tokens", jsonUnlessNegative(group.outputTokens)}, {"total_ns", group.total},
        {"median_host_ns", group.median}, {"first_token_ns", jsonUnlessNegative(group.firstToken)},
        {"per_token_ns", jsonUnlessNegative(group.perToken)},
        {"tokens_per_second", jsonUnlessNegative(group.tokensPerSecond())}};
}

/// [{pid, tid, pattern, first_token_ns, per_token_ns, tokens_per_second, output_tokens, groups: [{phase,
/// requests, steps, prompt_tokens, output_tokens, total_ns, median_host_ns, first_token_ns, per_token_ns,
/// tokens_per_second}]}]: one per thread that runs a model server, like Serving; unknown values are null.
/// Null: there is none.
Json servingJson(const std::vector<Serving>& all)
{
    if (all.empty())
        return {};
    Json list = Json::array();
    for (const Serving& serving : all) {
        Json groups = Json::array();
        for (const ServingGroup& group : serving.groups)
            groups.push_back(groupJson(group));
        list.push_back({{"pid", pidOf(serving.thread)}, {"tid", tidOf(serving.thread)},
            {"pattern", toUtf8(serving.pattern)}, {"first_token_ns", jsonUnlessNegative(serving.firstToken)},
            {"per_token_ns", jsonUnlessNegative(serving.perToken)},
            {"tokens_per_second", jsonUnlessNegative(serving.tokensPerSecond())},
            {"output_tokens", jsonUnlessNegative(serving.outputTokens)}, {"groups", std::move(groups)}});
    }
    return list;
}

/// The keys of stepBudgetsJson() where there are none.
Json emptyBudgets()
{
    return {{"pattern", nullptr}, {"found_by", nullptr}, {"pid", nullptr}, {"tid", nullptr},
        {"device", nullptr}, {"steps", Json::array()}, {"median_gpu_ns", nullptr},
        {"median_host_ns", nullptr}, {"steady", nullptr}, {"budget_mean", nullptr}, {"profiler", nullptr},
        {"unlike_others", nullptr}};
}

} // namespace

Json stepBudgetsJson(const Trace& trace, const StepBudgets& steps, const BudgetParts& parts)
{
    Json list = Json::array();
    for (const StepBudget& step : steps.steps) {
        list.push_back({{"name", jsonText(step.name)}, {"host_range_ns", jsonRange(step.host)},
            {"gpu_range_ns", step.gpu.empty() ? Json() : jsonRange(step.gpu)}, {"whole", step.whole},
            {"warm_up", step.warmUp}, {"outlier", step.outlier},
            {"budget", budgetJson(step.budget.whole(), parts)}});
    }
    Json json = foundJson(trace, steps.found);
    json["steps"] = std::move(list);
    json["median_gpu_ns"] = steps.found.median;
    json["median_host_ns"] = steps.medianHost;
    json["steady"] = steps.steady;
    json["budget_mean"] = budgetJson(steps.mean, parts);
    const std::optional<Replay> replay = Replay::ofSteps(trace, steps.found, limitsOfMany);
    json["profiler"]
        = profilerJson(replay ? std::optional<ProfiledStep>(replay->profiledStep()) : std::nullopt);
    json["unlike_others"] = jsonOf(edgeSentences(trace, parts, steps));
    return json;
}

Message textOfNoSteps(const Trace& trace)
{
    constexpr std::size_t maxNames = 3;
    std::vector<Message> names;
    for (const RepeatedRanges& repeated : repeatedRanges(trace)) {
        if (names.size() < maxNames)
            names.push_back({"steps.repeated", "{glob} ({count} times)",
                {{"glob", Name{repeated.glob}},
                    {"count", Ordinal{static_cast<std::int64_t>(repeated.count)}}}});
    }
    return {"steps.none",
        "{named, select, yes {No steps were found. If these NVTX ranges are steps, name them with --nvtx: {names}.} "
        "other {No steps were found: no repeating NVTX ranges, launches of CUDA graphs, or sequences of kernels.}}",
        {{"named", Name{names.empty() ? "no" : "yes"}}, {"names", std::move(names)}}};
}

Json stepsJson(const Trace& trace, const std::vector<StepBudgets>& all, const BudgetParts& parts,
    const std::vector<Serving>& serving)
{
    const StepBudgets* const main = mainOf(all);
    Json json;
    json["file"] = jsonText(trace.info.path);
    if (main)
        json.update(stepBudgetsJson(trace, *main, parts));
    else
        json.update(emptyBudgets());
    json["abstained_because"] = main ? Json() : jsonOf(textOfNoSteps(trace));
    json["serving"] = servingJson(serving);
    json["parts"] = partsJson(all, parts);
    json["others"] = Json::array();
    for (const StepBudgets& steps : all) {
        if (&steps != main)
            json["others"].push_back(stepBudgetsJson(trace, steps, parts));
    }
    return json;
}

Json summaryJson(const Trace& trace, const std::vector<StepBudgets>& all, const BudgetParts& parts,
    const StepAmounts& facts)
{
    Json json = recordingJson(trace);
    json["steps"] = Json::array();
    for (const StepBudgets& steps : all)
        json["steps"].push_back(summaryOfOne(trace, steps, parts, facts));
    return json;
}

Json hostStepsJson(const Trace& trace, const StepBreakdown& steps)
{
    Json list = Json::array();
    for (const Step& step : steps.steps) {
        const EventRef event{EventKind::Nvtx, step.range};
        list.push_back({{"name", jsonText(trace.name(event))},
            {"host_range_ns", jsonRange(trace.range(event))}, {"gpu_range_ns", nullptr}, {"whole", false},
            {"warm_up", step.warmUp}, {"outlier", step.outlier}, {"budget", Json::object()}});
    }
    const GlobalId thread = trace.nvtx().trackOf(steps.steps.front().range).owner;
    Json json;
    json["file"] = jsonText(trace.info.path);
    json.update(emptyBudgets());
    json["pattern"] = toUtf8(steps.pattern);
    json["found_by"] = "nvtx";
    json["pid"] = pidOf(thread);
    json["tid"] = tidOf(thread);
    json["steps"] = std::move(list);
    json["median_host_ns"] = jsonNs(steps.steady.median);
    json["steady"] = steps.steady.count;
    json["budget_mean"] = Json::object();
    json["abstained_because"] = nullptr;
    json["serving"] = nullptr;
    json["parts"] = Json::object();
    json["others"] = Json::array();
    return json;
}

} // namespace warpline
