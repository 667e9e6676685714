#include "core/export/findings_html.h"

#include "core/base/format.h"
#include "core/base/message_names.h"
#include "core/base/rounded.h"
#include "core/base/utf8.h"
#include "core/export/checklist_text.h"
#include "core/export/findings_text.h"
#include "core/export/html_text.h"
#include "core/export/overview_text.h"
#include "core/export/page_words.h"
#include "core/findings/evidence.h"
#include "core/findings/finding_words.h"
#include "core/findings/lost_work.h"
#include "core/findings/savings.h"
#include "core/render/render.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpline {

namespace {

constexpr std::size_t evidenceShown = 10; // of each finding; a page is for reading, JSON has all

constexpr std::string_view findingsPageStyle = R"(
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark; }
h2 { margin-top: 2.5rem; }
table { border-collapse: collapse; }
td, th { padding: .2rem .8rem .2rem 0; text-align: left; border-bottom: 1px solid #8886; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
.facts { color: #777; }
.answer td:nth-child(2) { font-weight: bold; white-space: nowrap; }
.answer.yes td:nth-child(2) { color: #27ae60; }
.answer.no td:nth-child(2) { color: #c0392b; }
)";

constexpr std::string_view styleOfFinding = R"(
.high { border-left: 5px solid #c0392b; padding-left: .7rem; }
.medium { border-left: 5px solid #d68910; padding-left: .7rem; }
.low { border-left: 5px solid #2e86c1; padding-left: .7rem; }
.info { border-left: 5px solid #888; padding-left: .7rem; }
)";

std::string evidenceTable(const Trace& trace, const Finding& finding)
{
    if (finding.evidence.empty())
        return {};
    const EvidenceHeads heads;
    std::string html = fmt::format(
        "<table><tr><th>{}</th><th>{}</th><th>{}</th></tr>\n", heads.start, heads.duration, heads.what);
    const std::size_t shown = std::min(evidenceShown, finding.evidence.size());
    for (const Evidence& proof : std::span(finding.evidence).first(shown)) {
        const std::string name
            = proof.event.valid() ? htmlText(evidenceName(trace, proof.event)) : std::string();
        html += fmt::format(
            "<tr><td class=\"number\">{}</td><td class=\"number\">{}</td><td>{} {}</td></tr>\n",
            formatTime(proof.range.start), formatDuration(proof.range.duration()), name,
            render(proof.note, Markup::Html));
    }
    html += "</table>\n";
    if (const std::uint64_t total = std::max<std::uint64_t>(finding.evidenceTotal, finding.evidence.size());
        total > shown)
        html += fmt::format("<p class=\"facts\">{}</p>\n", plain(moreText(total - shown)));
    return html;
}

} // namespace

std::string_view findingStyle()
{
    return styleOfFinding;
}

std::string findingHtml(const Trace& trace, const Finding& finding)
{
    const Message facts("findings.facts",
        "{severity} severity, {confidence}{saves, select, yes {, potential saving: up to {saving}} other {}}{any, select, yes {, {once} once} other {}} ({rule})",
        {{"severity", severityText(finding.severity)}, {"confidence", wordOf(finding.confidence)},
            {"saves", yesOrNo(finding.saving > 0)}, {"saving", Duration{finding.saving}},
            {"any", yesOrNo(finding.once > 0)}, {"once", Duration{finding.once}},
            {"rule", Name{std::string(finding.rule)}}});
    std::string withIt;
    for (const Finding& merged : finding.merged)
        withIt
            += fmt::format("<li>{} ({})</li>\n", render(merged.title, Markup::Html), htmlText(merged.rule));
    if (!withIt.empty())
        withIt = fmt::format("<p><b>{}</b></p>\n<ul>\n{}</ul>\n",
            plain(Message("findings.merged_list", "Merged findings:")), withIt);
    return fmt::format("<h2 class=\"{0}\">{1}</h2>\n<p class=\"facts\">{2}</p>\n<p>{3}</p>\n"
                       "<p style=\"white-space: pre-line\"><b>{4}</b> {5}</p>\n<p><b>{6}</b> {7}</p>\n{8}{9}",
        keyOf(finding.severity), render(finding.title, Markup::Html), render(facts, Markup::Html),
        render(messageOf(finding), Markup::Html), plain(Message("findings.what_to_do", "What to do.")),
        render(finding.remedy, Markup::Html), plain(Message("findings.why_it_matters", "Why it matters.")),
        render(finding.why, Markup::Html), withIt, evidenceTable(trace, finding));
}

std::string findingsHtml(const Trace& trace, std::span<const Finding> findings,
    std::span<const ChecklistAnswer> checklist, const RunOverview* overview)
{
    const std::string title = render(
        Message("findings.in_report", "Findings in {report}", {{"report", Name{toUtf8(trace.info.path)}}}),
        Markup::Html);
    std::string html = fmt::format("<!DOCTYPE html>\n<html lang=\"{5}\"><head><meta charset=\"utf-8\">\n"
                                   "<title>{0}</title>\n<style>{1}{3}</style></head>\n<body>\n"
                                   "<h1>{4}</h1>\n<p class=\"facts\">{6}, {2}</p>\n",
        title, findingsPageStyle, formatDuration(trace.session.duration()), styleOfFinding,
        plain(findingsTitle()), pageLanguage(), htmlText(trace.info.path));
    html += (overview ? overviewHtml(*overview) : std::string()) + checklistHtml(checklist);
    const std::string none = plain(noGpuWork(trace));
    if (!none.empty() && !overview) // the overview mentions it first
        html += "<p>" + htmlText(none) + "</p>\n";
    if (const Message together = savingsSentence(findings); !together.empty())
        html += fmt::format("<p>{}</p>\n", render(together, Markup::Html));
    for (const Finding& finding : findings)
        html += findingHtml(trace, finding);
    return html + (none.empty() && findings.empty() ? "<p>" + plain(nothingFound()) + "</p>\n" : "")
        + "</body></html>\n";
}

} // namespace warpline
