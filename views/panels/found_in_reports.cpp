#include "views/panels/found_in_reports.h"

#include "core/across/exact_waits.h"
#include "core/findings/finding_order.h"
#include "core/findings/run_facts.h"
#include "core/store/trace.h"
#include "views/panels/rule_settings.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace warpline {

namespace {

class Finder {
public:
    explicit Finder(std::vector<JudgedReport> parts) { m_found.parts = std::move(parts); }

    void addOf(std::size_t part, const std::shared_ptr<const AcrossReport>& across,
        const RuleSettings& settings, const std::stop_token& stop)
    {
        JudgedReport& of = m_found.parts[part];
        std::vector<Finding> found = runRules(*of.trace, of.window, {}, settings.overrides(), stop);
        if (across) // other ranks tell how long it really waited
            found = withExactWaits(std::move(found), *of.trace, of.window, *across, of.report);
        of.measured
            = found.empty() ? RunFacts(*of.trace, of.window, stop).measured() : found.front().measured;
        // Some rules look through millions of events for what they need.
        std::vector<const Rule*>& missing = m_found.notRecorded;
        std::ranges::copy_if(allRules(), std::back_inserter(missing), [&](const Rule* rule) {
            return (part == 0 || std::ranges::find(missing, rule) == missing.end())
                && !rule->applies(*of.trace, stop);
        });
        for (Finding& finding : found)
            add(std::move(finding), part, false);
    }

    /// What the ranks say together: at the report that shows it, or of the rank that it is about.
    void addAcross(const AcrossReport& across)
    {
        for (const AcrossFinding& found : across.findings) {
            const ReportId report = found.event.valid() ? found.event.report
                : found.rank < across.ranks.size()      ? across.ranks[found.rank].report
                                                        : m_found.parts.front().report;
            const auto part = std::ranges::find(m_found.parts, report, &JudgedReport::report);
            if (part == m_found.parts.end())
                continue;
            Finding finding;
            finding.rule = found.rule;
            finding.severity = found.severity;
            finding.title = found.title;
            finding.message = found.message;
            finding.remedy = found.remedy;
            finding.why = "Ranks that exchange data wait for the one that comes last, and their GPUs idle "
                          "meanwhile.";
            finding.saving = found.saving;
            if (found.event.valid()
                && found.event.event.index < part->trace->table(found.event.event.kind).size()) {
                finding.where = part->trace->range(found.event.event);
                finding.evidence.push_back({finding.where, found.event.event, {}});
                finding.evidenceTotal = 1;
            }
            add(std::move(finding), static_cast<std::size_t>(part - m_found.parts.begin()), true);
        }
    }

    FoundInReports ranked()
    {
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

    FoundInReports m_found;
    std::vector<Place> m_places;
};

} // namespace

FoundInReports findIn(std::vector<JudgedReport> parts, const std::shared_ptr<const AcrossReport>& across,
    const RuleSettings& settings, const std::stop_token& stop)
{
    const std::size_t count = parts.size();
    Finder finder(std::move(parts));
    for (std::size_t part = 0; part < count; ++part)
        finder.addOf(part, across, settings, stop);
    if (across && count > 1)
        finder.addAcross(*across);
    return finder.ranked();
}

} // namespace warpline
