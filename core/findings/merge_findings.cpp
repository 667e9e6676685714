#include "core/findings/merge_findings.h"

#include "core/coverage/interval_times.h"

#include <algorithm>
#include <optional>
#include <span>

namespace warpline {

namespace {

constexpr double explained = 0.5; ///< of the claimed time

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

} // namespace

std::vector<Finding> mergeByCause(std::vector<Finding> findings)
{
    std::vector<PackedIntervals> claims;
    for (const Finding& finding : findings)
        claims.push_back(finding.claims.empty() ? timeOfEvidence(finding) : finding.claims);
    std::vector<std::optional<std::size_t>> takers;
    for (std::size_t i = 0; i < findings.size(); ++i)
        takers.push_back(takerOf(findings, claims, i));
    // A finding that goes into one that goes into another lands in the last: absorption has no circles, see
    // the test.
    for (std::size_t i = findings.size(); i-- > 0;) {
        if (!takers[i])
            continue;
        std::size_t taker = *takers[i];
        while (takers[taker])
            taker = *takers[taker];
        findings[i].claims = {};
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

} // namespace warpline
