// Analyses as SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/), which code hosts show next to
// changes: one run with a result per finding.

#include "core/across/across_rule.h"
#include "core/base/path_names.h"
#include "core/base/version.h"
#include "core/export/analysis_format.h"
#include "core/render/render.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace warpline {

namespace {

/// `path` as a URI reference (RFC 3986): relative stays relative.
std::string uriOf(const std::string& path)
{
    return (path.starts_with('/') ? "file://" : "") + percentEncoded(path, "-.~/:@!$&'()*+,;=");
}

std::string_view levelOf(const Json& severity)
{
    return severity == "high" ? "error" : severity == "medium" ? "warning" : "note";
}

Json baselineStateOf(const Json& state)
{
    return state == "new" ? "new" : state == "grown" ? "updated" : "unchanged";
}

std::string sarifBegin()
{
    Json rules = Json::array();
    for (const Rule* const rule : namedRules())
        rules.push_back({{"id", rule->id}, {"shortDescription", {{"text", plain(rule->titleText())}}},
            {"fullDescription", {{"text", plain(rule->whyText())}}},
            {"help", {{"text", plain(rule->remedyText())}}}});
    const Json driver{{"name", "warpline-cli"}, {"version", programVersion()}, {"rules", std::move(rules)}};
    return fmt::format(
        "{{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\","
        "\"runs\":[{{\"tool\":{{\"driver\":{}}},\"results\":[",
        compactText(driver));
}

Json resultOf(const Json& report, const Json& finding)
{
    Json result{{"ruleId", finding["rule"]}, {"level", levelOf(finding["severity"])},
        {"message",
            {{"text",
                fmt::format(
                    "{}. {}", finding["title"].get<std::string>(), finding["remedy"].get<std::string>())}}},
        {"locations",
            {{{"physicalLocation",
                {{"artifactLocation", {{"uri", uriOf(report["file"].get<std::string>())}}},
                    {"region", {{"startLine", 1}}}}}}}},
        {"partialFingerprints", {{"findingId/v1", finding["id"]}}},
        {"properties",
            {{"saving_ns", finding["saving_ns"]}, {"confidence", finding["confidence"]},
                {"range_ns", finding["range_ns"]}, {"ask_on", finding["ask_on"]}}}};
    if (!finding["since_baseline"].is_null())
        result["baselineState"] = baselineStateOf(finding["since_baseline"]);
    return result;
}

std::string sarifResults(const Json& report, std::size_t place)
{
    std::string text;
    for (const Json& finding : report["findings"])
        text += (text.empty() ? "" : ",\n") + compactText(resultOf(report, finding));
    // A report without findings leaves no comma behind: the list begins with an empty line.
    return text.empty() ? text : (place == 0 ? "\n" : ",\n") + text;
}

std::string sarifEnd(std::span<const OutputError> errors)
{
    Json notes = Json::array();
    for (const OutputError& error : errors)
        notes.push_back(
            {{"level", error.code == "note" ? "note" : "error"}, {"message", {{"text", error.message}}}});
    const bool done
        = std::ranges::all_of(errors, [](const OutputError& error) { return error.code == "note"; });
    const Json invocation{{"executionSuccessful", done}, {"toolExecutionNotifications", std::move(notes)}};
    return fmt::format("],\"invocations\":[{}]}}]}}\n", compactText(invocation));
}

} // namespace

extern constinit const AnalysisFormat analysisSarif{.name = "sarif",
    .meaning = "SARIF 2.1.0 for code hosts: a result for each finding",
    .begin = sarifBegin,
    .report = sarifResults,
    .end = sarifEnd};

} // namespace warpline
