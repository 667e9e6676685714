#include "core/across/found_in_reports.h"

#include "core/across/across_rule.h"
#include "core/across/exact_waits.h"
#include "core/across/late_findings.h"
#include "core/analysis/trace_analysis.h"
#include "core/findings/finding_order.h"
#include "core/store/trace.h"

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

/// The report that shows `found`, or that of the rank concerned; `otherwise`: there is none.
ReportId reportOf(const AcrossReport& across, const AcrossFinding& found, ReportId otherwise)
{
    return found.event.valid()             ? found.event.report
        : found.rank < across.ranks.size() ? across.ranks[found.rank].report
                                           : otherwise;
}

/// `found` as a finding of the report with `trace`.
Finding findingOf(const AcrossFinding& found, const Trace& trace)
{
    Finding finding;
    finding.rule = found.rule;
    finding.severity = found.severity;
    finding.title = found.title;
    finding.message = found.message;
    finding.remedy = found.remedy;
    if (const Rule* const rule = findNamedRule(found.rule)) {
        finding.why = rule->whyText();
        finding.caveat = rule->caveatText();
    }
    finding.saving = found.saving;
    finding.subject = found.subject;
    if (found.event.valid() && found.event.event.index < trace.table(found.event.event.kind).size()) {
        finding.where = trace.range(found.event.event);
        finding.evidence.push_back({finding.where, found.event.event, {}});
        finding.evidenceTotal = 1;
    }
    return finding;
}

class Finder {
public:
    explicit Finder(std::vector<JudgedReport> parts) { m_found.parts = std::move(parts); }

    void addOf(std::size_t part, std::vector<Finding> found, const std::stop_token& stop)
    {
        const JudgedReport& of = m_found.parts[part];
        // Some rules search millions of events for the data that they need.
        std::vector<const Rule*>& missing = m_found.notRecorded;
        std::ranges::copy_if(allRules(), std::back_inserter(missing), [&](const Rule* rule) {
            return (part == 0 || std::ranges::find(missing, rule) == missing.end())
                && !rule->applies(*of.trace, stop);
        });
        for (Finding& finding : found)
            add(std::move(finding), part, false);
    }

    /// Adds findings across ranks: to the report that shows them, or that of the rank concerned.
    void addAcross(const AcrossReport& across)
    {
        for (const AcrossFinding& found : across.findings) {
            const ReportId report = reportOf(across, found, m_found.parts.front().report);
            const auto part = std::ranges::find(m_found.parts, report, &JudgedReport::report);
            if (part == m_found.parts.end())
                continue;
            if (found.rule == "late_rank" && found.rank == across.verdict.rank && m_late == noPlace)
                m_late = m_places.size();
            add(findingOf(found, *part->trace), static_cast<std::size_t>(part - m_found.parts.begin()), true);
        }
    }

    /// Folds findings with the cause of the late rank into the finding about it: one cause is one line.
    void foldIntoLate(const AcrossReport& across)
    {
        if (m_late == noPlace)
            return;
        Finding& late = m_found.findings[m_places[m_late].finding];
        std::vector<Place> left;
        for (const Place& place : m_places) {
            const JudgedReport& of = m_found.parts[place.part];
            Finding& finding = m_found.findings[place.finding];
            if (place.isAcross || !hasCauseOfVerdict(finding, *of.trace, of.report, across)) {
                left.push_back(place);
                continue;
            }
            if (of.report == across.ranks[across.verdict.rank].report && late.saving < finding.saving)
                finding.message += Message("across.as_others",
                    "If it were as short as on the other ranks, it would save up to {saving}: they have the rest, too.",
                    {{"saving", Duration{late.saving}}});
            if (finding.lowered.empty())
                late.added = std::min(late.saving, late.added + finding.added); // that time is now said there
            late.merged.push_back(std::move(finding));
            m_partsOfLate.push_back(place.part);
        }
        m_late = static_cast<std::size_t>(
            std::ranges::find(left, m_places[m_late].finding, &Place::finding) - left.begin());
        m_places = std::move(left);
    }

    FoundInReports ranked()
    {
        const std::size_t late = m_late == noPlace ? noPlace : m_places[m_late].finding;
        std::vector<Place> order = std::move(m_places);
        std::ranges::stable_sort(order, [&](const Place& a, const Place& b) {
            const Finding& first = m_found.findings[a.finding];
            const Finding& second = m_found.findings[b.finding];
            if (first.place != second.place || first.severity != second.severity || a.isAcross == b.isAcross)
                return ranksHigher(first, second);
            return a.isAcross;
        });
        std::vector<Finding> findings;
        for (const Place& place : order) {
            findings.push_back(std::move(m_found.findings[place.finding]));
            m_found.partOf.push_back(place.part);
            m_found.partsOfMerged.push_back(
                place.finding == late ? m_partsOfLate : std::vector<std::size_t>());
        }
        m_found.findings = std::move(findings);
        return std::move(m_found);
    }

private:
    struct Place {
        std::size_t finding = 0;
        std::size_t part = 0;
        bool isAcross = false;
    };

    void add(Finding finding, std::size_t part, bool isAcross)
    {
        m_places.push_back({m_found.findings.size(), part, isAcross});
        m_found.findings.push_back(std::move(finding));
    }

    static constexpr std::size_t noPlace = ~std::size_t{0};

    FoundInReports m_found;
    std::vector<Place> m_places;
    std::size_t m_late = noPlace; ///< place of the finding about the late rank
    std::vector<std::size_t> m_partsOfLate; ///< folded into the finding about the late rank
};

} // namespace

std::vector<Finding> findInReport(JudgedReport& of, const std::shared_ptr<const AcrossReport>& across,
    std::span<const Threshold> overrides, const std::stop_token& stop)
{
    const auto shared = std::exchange(of.facts, nullptr);
    TraceAnalysis facts
        = shared ? TraceAnalysis(*shared, stop) : TraceAnalysis(*of.trace, of.window, stop, of.stepGlob);
    std::vector<Finding> found = runRules(facts, {}, overrides);
    of.measured = facts.measured();
    return across ? withExactWaits(std::move(found), *of.trace, of.window, *across, of.report) : found;
}

std::vector<Finding> findAcross(
    const JudgedReport& of, const AcrossReport& across, std::span<const Rule* const> rules)
{
    std::vector<Finding> findings;
    for (const AcrossFinding& found : across.findings) {
        if (reportOf(across, found, across.ranks.front().report) == of.report
            && std::ranges::find(rules, found.rule, &Rule::id) != rules.end())
            findings.push_back(findingOf(found, *of.trace));
    }
    return findings;
}

FoundInReports findIn(std::vector<JudgedReport> parts, const std::shared_ptr<const AcrossReport>& across,
    std::span<const Threshold> overrides, const std::stop_token& stop,
    const std::optional<JudgedReport>& late)
{
    const std::size_t count = parts.size();
    std::vector<std::vector<Finding>> found;
    for (JudgedReport& part : parts)
        found.push_back(findInReport(part, across, overrides, stop));
    if (across && hasLateRank(*across)) {
        const auto own
            = std::ranges::find(parts, across->ranks[across->verdict.rank].report, &JudgedReport::report);
        std::vector<Finding> ofLate;
        if (own != parts.end()) {
            ofLate = found[static_cast<std::size_t>(own - parts.begin())];
        } else if (late) {
            JudgedReport other = *late;
            ofLate = other.found ? *other.found : findInReport(other, across, overrides, stop);
        }
        for (std::size_t i = 0; i < count && (late || own != parts.end()); ++i)
            boundByLateRank(found[i], *parts[i].trace, parts[i].window, parts[i].report, *across, ofLate);
    }
    const ReportId first = parts.front().report;
    Finder finder(std::move(parts));
    for (std::size_t part = 0; part < count; ++part)
        finder.addOf(part, std::move(found[part]), stop);
    const auto ranksOf
        = [&](ReportId report) { return std::ranges::count(across->ranks, report, &AcrossRank::report); };
    if (across && across->judged && (count > 1 || ranksOf(first) > 1)) {
        finder.addAcross(*across);
        finder.foldIntoLate(*across);
    }
    return finder.ranked();
}

} // namespace warpline
