#include "core/findings/merge_findings.h"

#include "core/coverage/interval_times.h"

#include <algorithm>
#include <optional>
#include <span>

namespace warpline {

namespace {

constexpr double explained = 0.5; ///< of the claimed time
/// Overlap from which the rest is the fringe of one cause, because rules draw borders differently.
constexpr double sameCause = 0.8;
constexpr std::size_t nsysRules = 6; ///< these rules come first: they show symptoms, of which a cause is a
                                     ///< part

/// The time of a finding's evidence, where it claims no other.
Intervals timeOfEvidence(const Finding& finding)
{
    std::vector<TimeRange> ranges;
    for (const Evidence& proof : finding.evidence)
        ranges.push_back(proof.range);
    TimeRange all;
    for (const TimeRange& range : ranges)
        all = all.empty() ? range : all.unitedWith(range);
    return unionOf(std::move(ranges), all);
}

bool isAboutTheSame(const Finding& a, const Finding& b)
{
    const bool device = a.device < 0 || b.device < 0 || a.device == b.device;
    return device && (a.process == 0 || b.process == 0 || a.process == b.process);
}

bool absorbs(const Finding& specific, const Finding& general)
{
    const Rule* const rule = findRule(specific.rule);
    return rule && std::ranges::find(rule->absorbs, general.rule) != rule->absorbs.end()
        && isAboutTheSame(specific, general);
}

/// Which of the findings takes finding `general`.
std::optional<std::size_t> takerOf(
    const std::vector<Finding>& findings, const std::vector<PackedIntervals>& claims, std::size_t general)
{
    std::vector<std::size_t> takers;
    std::optional<std::size_t> taker;
    Ns most = 0;
    for (std::size_t i = 0; i < findings.size(); ++i) {
        if (i == general || !absorbs(findings[i], findings[general]))
            continue;
        if (findings[i].group == findings[general].group)
            return i;
        const Ns shared = commonTime(claims[general], claims[i]);
        if (shared > 0)
            takers.push_back(i);
        if (shared > most) {
            most = shared;
            taker = i;
        }
    }
    const double needed = explained * static_cast<double>(totalTime(claims[general]));
    if (takers.size() < 2 || static_cast<double>(most) >= needed)
        return most > 0 && static_cast<double>(most) >= needed ? taker : std::nullopt;
    PackedIntervals together = claims[takers.front()];
    for (const std::size_t i : std::span(takers).subspan(1))
        together = united(together, claims[i]);
    return static_cast<double>(commonTime(claims[general], together)) >= needed ? taker : std::nullopt;
}

/// Whether the bound of `merged`, which goes into `head`, also holds for `head`.
bool raises(const Finding& merged, const PackedIntervals& its, const Finding& head, const PackedIntervals& of)
{
    const auto symptoms = allRules().first(nsysRules);
    if (merged.saving <= head.saving || (!merged.lowered.empty() && head.lowered.empty())
        || std::ranges::find(symptoms, merged.rule, [](const Rule* rule) { return rule->id; })
            != symptoms.end())
        return false;
    return static_cast<double>(commonTime(its, of)) >= sameCause * static_cast<double>(totalTime(its));
}

} // namespace

std::vector<Finding> mergeByCause(std::vector<Finding> findings)
{
    std::vector<PackedIntervals> claims;
    for (const Finding& finding : findings)
        claims.push_back(finding.claims.empty() ? timeOfEvidence(finding) : finding.claims);
    std::vector<std::optional<std::size_t>> takers;
    for (std::size_t i = 0; i < findings.size(); ++i)
        takers.push_back(takerOf(findings, claims, i));
    // Chains of absorption end in the last finding: absorption has no cycles, as a test checks.
    for (std::size_t i = findings.size(); i-- > 0;) {
        if (!takers[i])
            continue;
        std::size_t taker = *takers[i];
        while (takers[taker])
            taker = *takers[taker];
        // raiseBounds() needs these claims.
        findings[i].claims
            = raises(findings[i], claims[i], findings[taker], claims[taker]) ? claims[i] : PackedIntervals();
        auto& merged = findings[taker].merged;
        merged.insert(merged.begin(), findings[i]);
    }
    std::vector<Finding> left;
    for (std::size_t i = 0; i < findings.size(); ++i) {
        if (!takers[i])
            left.push_back(std::move(findings[i]));
    }
    return left;
}

void raiseBounds(std::vector<Finding>& findings)
{
    for (Finding& head : findings) {
        const Ns before = head.saving;
        for (Finding& merged : head.merged) {
            if (!merged.claims.empty() && merged.saving > head.saving) {
                head.saving = merged.saving;
                head.claims = head.claims.empty() ? head.claims : united(head.claims, merged.claims);
            }
            merged.claims = {};
        }
        if (head.saving == before)
            continue;
        if (head.lowered.empty())
            head.severity = std::max(head.severity, severityFor(head.saving, head.measured));
        head.message += Message("finding.with_merged",
            "With what is merged here, it could save up to {saving}.", {{"saving", Duration{head.saving}}});
    }
}

} // namespace warpline
