#include "core/export/findings_text.h"

#include "core/across/across_rule.h"
#include "core/analysis/scope.h"
#include "core/analysis/trace_analysis.h"
#include "core/base/format.h"
#include "core/base/message_names.h"
#include "core/base/rounded.h"
#include "core/base/utf8.h"
#include "core/export/analysis_head.h"
#include "core/export/checklist_text.h"
#include "core/export/envelope.h"
#include "core/export/overview_text.h"
#include "core/export/page_words.h"
#include "core/export/wrapped_text.h"
#include "core/findings/evidence.h"
#include "core/findings/expected_savings.h"
#include "core/findings/finding_order.h"
#include "core/findings/finding_words.h"
#include "core/findings/lost_work.h"
#include "core/findings/savings.h"
#include "core/render/render.h"
#include "core/store/trace.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace warpline {

namespace {

/// "GPU 0 waits 3 ms a step in load (gpu_idle_cause)".
Message lineOf(const Finding& finding)
{
    return Message("findings.line",
        "{title} ({rule}{lone, select, yes {, as one rank alone sees it} other {}})",
        {{"title", finding.title}, {"rule", Name{std::string(finding.rule)}},
            {"lone", yesOrNo(finding.ofLoneRank)}});
}

Message topText(const Finding& finding)
{
    return {"findings.top", "Top finding: {finding}.", {{"finding", lineOf(finding)}}};
}

/// What to look at first; without a large finding, a sentence about that and where the time went.
std::string leadText(const RunOverview& overview, std::span<const Finding> findings)
{
    const auto leading = leadingFindings(findings, 2);
    const bool any = !leading.empty();
    if (any && (overview.steps || !isNothingLarge(findings, overview.window))) {
        Message text = topText(*leading.front());
        if (leading.size() > 1 && leading[0]->saving == 0 && leading[1]->saving > 0)
            text += {"findings.top_by_time", "Top finding by GPU time: {finding}.",
                {{"finding", lineOf(*leading[1])}}};
        return plain(text);
    }
    Message text = nothingLargeText(overview);
    if (!any)
        return plain(text + Message("findings.no_savings", "No savings found."));
    text += topText(*leading.front());
    if (leading.front()->saving == 0 && leading.size() > 1)
        text += {"findings.then", "Then: {finding}.", {{"finding", lineOf(*leading[1])}}};
    return plain(text);
}

Json eventJson(const Trace& trace, const Evidence& proof)
{
    const EventTable& table = trace.table(proof.event.kind);
    return {{"kind", keyOf(proof.event.kind)}, {"name", toUtf8(trace.name(proof.event))},
        {"table", toUtf8(trace.text(table.trackOf(proof.event.index).source))},
        {"row", table.sourceRow[proof.event.index]}, {"start_ns", proof.range.start},
        {"duration_ns", proof.range.duration()}, {"note", plain(proof.note)}};
}

/// Text in an item of a list: its further lines, which are code, belong to it and stay lines.
std::string indented(std::string_view text)
{
    std::string lines;
    for (const char c : text)
        lines += c == '\n' ? std::string("  \n  ") : std::string(1, c);
    return lines;
}

/// Message, reason and remedy of `finding` below its line of the table, with the merged findings.
std::string explained(const Finding& finding, std::size_t width)
{
    const auto paragraph
        = [width](const std::string& text) { return "  " + wrappedText(text, width - 2, 2) + "\n"; };
    const Message first = reasonOf(finding);
    std::string text = paragraph(plain(messageOf(finding))) + (first.empty() ? "" : paragraph(plain(first)));
    if (const Message expected = expectedText(finding); !expected.empty())
        text += paragraph(plain(Message("findings.expected",
            "Expected saving, from a replay of the steps: {saving}", {{"saving", expected}})));
    text += paragraph(plain(Message("findings.remedy", "What to do: {remedy}", {{"remedy", finding.remedy}})))
        + paragraph(plain(Message("findings.why", "Why it matters: {why}", {{"why", finding.why}})))
        + paragraph(plain(Message("findings.caveat", "Caveat: {caveat}", {{"caveat", caveatOf(finding)}})));
    for (const Finding& merged : finding.merged)
        text += paragraph(plain(Message("findings.merged", "Merged ({rule}): {title}",
            {{"rule", Name{std::string(merged.rule)}}, {"title", merged.title}})));
    return text + "\n";
}

Json findingJson(
    const Trace& trace, const Finding& finding, const FindingsGate& gate, const AnalysisText& text)
{
    Json json;
    json["id"] = toUtf8(stableId(trace, finding));
    json["rule"] = finding.rule;
    json["severity"] = keyOf(finding.severity);
    json["stands_first_because"] = jsonTextOrNull(plain(reasonOf(finding)));
    json["confidence"] = keyOf(finding.confidence);
    json["title"] = plain(finding.title);
    json["message"] = plain(messageOf(finding));
    json["why"] = plain(finding.why);
    json["remedy"] = plain(finding.remedy);
    json["may_be_wrong"] = plain(caveatOf(finding));
    json["ask_on"] = askOn(trace, finding, text.window, text.stepGlob);
    json["saving_ns"] = finding.saving;
    json["saving_percent"] = finding.measured > 0
        ? Json(100 * static_cast<double>(finding.saving) / static_cast<double>(finding.measured))
        : Json();
    const bool isExpected = showsExpected(finding);
    json["saving_expected_ns"] = isExpected ? Json(finding.expected->expected) : Json();
    json["saving_expected_range_ns"]
        = isExpected ? Json{{"low", finding.expected->low}, {"high", finding.expected->high}} : Json();
    json["saving_without_profiler_percent"] = isExpected && finding.plainShare
        ? Json{{"low", 100 * finding.plainShare->low}, {"expected", 100 * finding.plainShare->expected},
            {"high", 100 * finding.plainShare->high}}
        : Json();
    json["saving_added_ns"] = finding.added;
    json["once_ns"] = finding.once;
    json["lowered_because"] = finding.lowered.empty() ? Json() : Json(plain(finding.lowered));
    json["since_baseline"] = jsonTextOrNull(gate.sinceBaseline(trace, finding));
    json["range_ns"] = jsonRange(finding.where);
    json["pid"] = finding.process != 0 ? Json(pidOf(finding.process)) : Json();
    json["device"] = finding.device >= 0 ? Json(finding.device) : Json();
    json["ranges"] = Json::array();
    json["events"] = Json::array();
    for (const Evidence& proof : finding.evidence) {
        json["ranges"].push_back(jsonRange(proof.range));
        if (proof.event.valid())
            json["events"].push_back(eventJson(trace, proof));
    }
    json["evidence_total"] = finding.evidenceTotal;
    json["merged"] = Json::array(); // shares of it; not part of the list's sums
    for (const Finding& merged : finding.merged)
        json["merged"].push_back(findingJson(trace, merged, gate, text));
    return json;
}

bool isFoundBy(const Rule& rule, std::span<const Finding> findings)
{
    return std::ranges::any_of(findings,
        [&](const Finding& finding) { return finding.rule == rule.id || isFoundBy(rule, finding.merged); });
}

/// The result of each rule, so that an empty result is not ambiguous.
Json rulesJson(const Trace& trace, const AnalysisText& text, const FindingsGate& gate)
{
    Json list = Json::array();
    const std::vector<const Rule*> all
        = text.acrossRanks ? namedRules() : std::vector<const Rule*>(allRules().begin(), allRules().end());
    for (const Rule* const rule : text.rules.empty() ? all : text.rules) {
        const bool isExcluded = gate.excluded.contains(rule->id);
        const bool isFound = !isExcluded && isFoundBy(*rule, text.findings);
        const bool looked = isFound || (rule->checkRanks ? text.acrossRanks : rule->applies(trace, {}));
        Json json{{"id", rule->id},
            {"state",
                isExcluded    ? "excluded"
                    : isFound ? "found"
                    : looked  ? "nothing"
                              : "not_recorded"}};
        json["abstained_because"] = isExcluded
            ? Json(plain(Message("findings.excluded", "Excluded on the command line.")))
            : looked ? Json()
                     : Json(plain(Message("findings.no_data", "The report has no data for this rule.")));
        list.push_back(std::move(json));
    }
    return list;
}

/// The facts of `finding` as a Markdown list.
std::string factsMarkdown(const Trace& trace, const Finding& finding, const AnalysisText& analysis)
{
    std::string text;
    const auto add = [&text](const Message& line, Markup markup) {
        text += "- " + indented(render(line, markup)) + "\n";
    };
    const Message reason = reasonOf(finding);
    add({"findings.item_severity", "Severity: {severity}{because, select, yes {. {reason}} other {}}",
            {{"severity", severityText(finding.severity)}, {"because", Name{reason.empty() ? "no" : "yes"}},
                {"reason", reason}}},
        Markup::Plain);
    add({"findings.item_confidence", "Confidence: {confidence}",
            {{"confidence", wordOf(finding.confidence)}}},
        Markup::Plain);
    if (finding.saving > 0 || finding.once > 0)
        add({"findings.item_saving",
                "Potential saving: {saves, select, yes {up to {saving}{any, select, yes { (and {once} once)} other {}}} other {{once} once}}",
                {{"saves", yesOrNo(finding.saving > 0)}, {"saving", Duration{finding.saving}},
                    {"any", yesOrNo(finding.once > 0)}, {"once", Duration{finding.once}}}},
            Markup::Plain);
    if (showsExpected(finding))
        add({"findings.item_expected", "Expected saving: {saving}", {{"saving", expectedText(finding)}}},
            Markup::Plain);
    add({"findings.remedy", "What to do: {remedy}", {{"remedy", finding.remedy}}}, Markup::Markdown);
    add({"findings.item_why", "Why: {why}", {{"why", finding.why}}}, Markup::Markdown);
    add({"findings.caveat", "Caveat: {caveat}", {{"caveat", caveatOf(finding)}}}, Markup::Markdown);
    add({"findings.item_ask", "Ask on: `{command}`",
            {{"command", Name{askOn(trace, finding, analysis.window, analysis.stepGlob)}}}},
        Markup::Plain);
    for (const Finding& merged : finding.merged)
        add({"findings.item_merged", "Merged (`{rule}`): {title}",
                {{"rule", Name{std::string(merged.rule)}}, {"title", merged.title}}},
            Markup::Markdown);
    return text;
}

} // namespace

std::string findingsDocument(const Trace& trace, const AnalysisText& text)
{
    return documentOf("analyze", findingsJson(trace, text));
}

Json findingsJson(const Trace& trace, const AnalysisText& text)
{
    const FindingsGate none;
    const FindingsGate& gate = text.gate ? *text.gate : none;
    Json list = Json::array();
    Json failedBy = gate.failOn ? Json::array() : Json();
    for (const Finding& finding : text.findings) {
        list.push_back(findingJson(trace, finding, gate, text));
        if (gate.fails(trace, finding))
            failedBy.push_back(list.back()["id"]);
    }
    std::optional<TraceAnalysis> own;
    if (!text.facts)
        own.emplace(
            trace, text.window.empty() ? trace.session : text.window, std::stop_token(), text.stepGlob);
    Json document = analysisHead(own ? *own : *text.facts, text.overrides);
    document["overview"] = text.overview ? overviewJson(*text.overview) : Json();
    document["checklist"] = checklistJson(text.checklist);
    document["rules"] = rulesJson(trace, text, gate);
    document["failed_by"] = std::move(failedBy);
    document["findings"] = std::move(list);
    document["profiler"] = profilerJson(text.profiled);
    document["savings"]
        = {{"together_ns", savingTogether(text.findings)}, {"in_doubt_ns", savingInDoubt(text.findings)},
            {"measured_ns", text.findings.empty() ? Json() : Json(measuredOf(text.findings))}};
    return document;
}

std::string findingsTable(const Trace& trace, std::span<const Finding> findings,
    std::span<const ChecklistAnswer> checklist, bool explain, const RunOverview* overview, std::size_t width)
{
    const std::size_t room = width > 0 ? std::max<std::size_t>(40, width) : 124;
    const std::size_t lineWidth = std::min<std::size_t>(118, room - 6); // before indentation
    std::string text = overview ? overviewTable(*overview, lineWidth) : std::string();
    if (overview && !overview->life.empty())
        text += wrappedText(leadText(*overview, findings), lineWidth, 2) + "\n\n";
    else if (const auto leading = leadingFindings(findings, 1); overview && !leading.empty())
        text += plain(topText(*leading.front())) + "\n\n";
    text += width > 0 ? checklistTable(checklist, room) : checklistTable(checklist);
    const std::string none = plain(noGpuWork(trace));
    if (!none.empty() && !overview) // the overview mentions it first
        text += none + "\n" + (findings.empty() ? "" : "\n");
    else if (none.empty() && findings.empty())
        return text + plain(nothingFound()) + "\n";
    if (findings.empty())
        return text;
    std::size_t ruleColumn = 24;
    for (const Finding& finding : findings)
        ruleColumn = std::max(ruleColumn, finding.rule.size() + 2);
    const auto line = [&text, ruleColumn, width](std::string_view severity, std::string_view expected,
                          std::string_view saving, std::string_view rule, std::string_view title) {
        const std::size_t before = 9 + 10 + 16 + 2 + ruleColumn;
        const bool isBelow = width > 0 && before + columnsOf(title) > width;
        if (isBelow)
            text += fmt::format("{:<9}{:>10}{:>16}  {}\n    {}\n", severity, expected, saving, rule,
                wrappedText(title, width - std::min<std::size_t>(4, width), 4));
        else
            text += fmt::format(
                "{:<9}{:>10}{:>16}  {:<{}}{}\n", severity, expected, saving, rule, ruleColumn, title);
    };
    line(plain(Message("findings.head_severity", "Severity")),
        plain(Message("findings.head_expected", "Expected")),
        plain(Message("findings.head_saving", "Saves up to")), plain(Message("findings.head_rule", "Rule")),
        plain(Message("findings.head_finding", "Finding")));
    for (const Finding& finding : findings) {
        const std::string expected
            = showsExpected(finding) ? formatDuration(finding.expected->expected) : std::string();
        line(plain(severityText(finding.severity)), expected, plain(savingText(finding)), finding.rule,
            plain(finding.title));
        if (explain)
            text += explained(finding, std::min<std::size_t>(122, room));
    }
    if (const std::string together = plain(savingsSentence(findings)); !together.empty())
        text += fmt::format("\n{}\n", together);
    if (!explain)
        text += "\n"
            + plain(Message(
                "findings.add_explain", "For reasons and remedies, add --explain or --format markdown."))
            + "\n";
    return text;
}

std::string findingsMarkdown(const Trace& trace, const AnalysisText& analysis)
{
    constexpr std::size_t shown = 5;
    const EvidenceHeads heads;
    std::string text = "# "
        + plain(Message(
            "findings.in_report", "Findings in {report}", {{"report", Name{toUtf8(trace.info.path)}}}))
        + "\n";
    text += (analysis.overview ? overviewMarkdown(*analysis.overview) : std::string())
        + checklistMarkdown(analysis.checklist);
    if (const std::string together = plain(savingsSentence(analysis.findings)); !together.empty())
        text += fmt::format("\n{}\n", together);
    for (const Finding& finding : analysis.findings) {
        text += fmt::format("\n## {}\n\n{}\n\n", render(finding.title, Markup::Markdown),
            render(messageOf(finding), Markup::Markdown));
        text += factsMarkdown(trace, finding, analysis);
        if (finding.evidence.empty())
            continue;
        text += fmt::format("\n| {} | {} | {} |\n|---:|---:|---|\n", heads.start, heads.duration, heads.what);
        for (std::size_t i = 0; i < std::min(shown, finding.evidence.size()); ++i) {
            const Evidence& proof = finding.evidence[i];
            const std::string name
                = proof.event.valid() ? toUtf8(evidenceName(trace, proof.event)) : std::string();
            text += fmt::format("| {} | {} | {} {} |\n", formatTime(proof.range.start),
                formatDuration(proof.range.duration()), markdownCell(name), markdownCell(plain(proof.note)));
        }
        if (finding.evidenceTotal > shown)
            text += "\n" + plain(moreText(finding.evidenceTotal - shown)) + ".\n";
    }
    const std::string none = plain(noGpuWork(trace));
    return text
        + (analysis.findings.empty() || !none.empty()
                ? "\n" + (none.empty() ? plain(nothingFound()) : none) + "\n"
                : "");
}

} // namespace warpline
