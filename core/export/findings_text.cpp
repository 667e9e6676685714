#include "core/export/findings_text.h"

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/export/checklist_text.h"
#include "core/findings/savings.h"
#include "core/store/trace.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace warpline {

namespace {

Json eventJson(const Trace& trace, const Evidence& proof)
{
    const EventTable& table = trace.table(proof.event.kind);
    return {{"kind", keyOf(proof.event.kind)}, {"name", toUtf8(trace.name(proof.event))},
        {"table", toUtf8(trace.text(table.trackOf(proof.event.index).source))},
        {"row", table.sourceRow[proof.event.index]}, {"start_ns", proof.range.start},
        {"duration_ns", proof.range.duration()}, {"note", proof.note}};
}

} // namespace

std::string findingsJson(
    const Trace& trace, std::span<const Finding> findings, std::span<const ChecklistAnswer> checklist)
{
    Json list = Json::array();
    for (const Finding& finding : findings) {
        Json json;
        json["rule"] = finding.rule;
        json["severity"] = keyOf(finding.severity);
        json["confidence"] = keyOf(finding.confidence);
        json["title"] = finding.title;
        json["message"] = finding.message;
        json["why"] = finding.why;
        json["remedy"] = finding.remedy;
        json["saving_ns"] = finding.saving;
        json["saving_added_ns"] = finding.added;
        json["once_ns"] = finding.once;
        json["lowered_because"] = finding.lowered.empty() ? Json() : Json(finding.lowered);
        json["range_ns"] = {finding.where.start, finding.where.end};
        json["pid"] = finding.process != 0 ? Json(pidOf(finding.process)) : Json();
        json["device"] = finding.device >= 0 ? Json(finding.device) : Json();
        json["ranges"] = Json::array();
        json["events"] = Json::array();
        for (const Evidence& proof : finding.evidence) {
            json["ranges"].push_back({proof.range.start, proof.range.end});
            if (proof.event.valid())
                json["events"].push_back(eventJson(trace, proof));
        }
        json["evidence_total"] = finding.evidenceTotal;
        list.push_back(std::move(json));
    }
    Json document;
    document["checklist"] = checklistJson(checklist);
    document["findings"] = std::move(list);
    document["savings"] = {{"together_ns", savingTogether(findings)},
        {"measured_ns", findings.empty() ? Json() : Json(findings.front().measured)}};
    return documentOf(document);
}

std::string findingsTable(
    const Trace&, std::span<const Finding> findings, std::span<const ChecklistAnswer> checklist)
{
    std::string text = checklistTable(checklist);
    if (findings.empty())
        return text + "Nothing found.\n";
    text += fmt::format("{:<9}{:>14}  {:<24}{}\n", "Severity", "Saves up to", "Rule", "Finding");
    for (const Finding& finding : findings)
        text += fmt::format("{:<9}{:>14}  {:<24}{}\n", keyOf(finding.severity), savingText(finding),
            finding.rule, finding.title);
    if (const std::string together = savingsSentence(findings); !together.empty())
        text += fmt::format("\n{}\n", together);
    return text;
}

std::string findingsMarkdown(
    const Trace& trace, std::span<const Finding> findings, std::span<const ChecklistAnswer> checklist)
{
    constexpr std::size_t shown = 5;
    std::string text = fmt::format("# Findings in {}\n", toUtf8(trace.info.path));
    text += checklistMarkdown(checklist);
    if (const std::string together = savingsSentence(findings); !together.empty())
        text += fmt::format("\n{}\n", together);
    for (const Finding& finding : findings) {
        text += fmt::format(
            "\n## {}\n\n{}\n\n- Severity: {}\n- Could save at most: {}{}\n- Why: {}\n- What to do: {}\n",
            finding.title, finding.message, keyOf(finding.severity), formatDuration(finding.saving),
            finding.once > 0 ? fmt::format(" (and {} once)", formatDuration(finding.once)) : std::string(),
            finding.why, finding.remedy);
        if (finding.evidence.empty())
            continue;
        text += "\n| Start | Duration | What |\n|---:|---:|---|\n";
        for (std::size_t i = 0; i < std::min(shown, finding.evidence.size()); ++i) {
            const Evidence& proof = finding.evidence[i];
            const std::string name
                = proof.event.valid() ? toUtf8(trace.displayName(proof.event)) : std::string();
            text += fmt::format("| {} | {} | {} {} |\n", formatTime(proof.range.start),
                formatDuration(proof.range.duration()), name, proof.note);
        }
        if (finding.evidenceTotal > shown)
            text += fmt::format("\nand {} more.\n", formatCount(finding.evidenceTotal - shown));
    }
    return text + (findings.empty() ? "\nNothing found.\n" : "");
}

} // namespace warpline
