#include "core/findings/merge_findings.h"

#include "core/coverage/interval_times.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

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

/// commonTime() of lists of which one may be far longer. O(shorter log longer).
Ns sharedTime(const PackedIntervals& a, const PackedIntervals& b)
{
    const PackedIntervals& few = a.size() < b.size() ? a : b;
    const PackedIntervals& many = a.size() < b.size() ? b : a;
    if (few.size() >= many.size() / 32)
        return commonTime(a, b);
    Ns total = 0;
    for (const TimeRange range : few)
        total += many.timeIn(range);
    return total;
}

/// The findings that absorb others, by rule, process and GPU.
class Absorbers {
public:
    explicit Absorbers(const std::vector<Finding>& findings)
    {
        for (const Rule* const rule : allRules()) {
            for (const std::string_view general : rule->absorbs)
                m_rules[general].push_back(rule->id);
        }
        for (std::size_t i = 0; i < findings.size(); ++i)
            m_findings[findings[i].rule][findings[i].process][std::max(findings[i].device, -1)].push_back(i);
    }

    /// Those of which the rules absorb that of `general`, and that are about the same GPU and process where
    /// both have one; in order.
    std::vector<std::size_t> of(const Finding& general) const
    {
        std::vector<std::size_t> found;
        const auto rules = m_rules.find(general.rule);
        if (rules == m_rules.end())
            return found;
        for (const std::string_view rule : rules->second) {
            if (const auto ofRule = m_findings.find(rule); ofRule != m_findings.end())
                visitAlike(ofRule->second, general.process, GlobalId{0}, [&](const auto& ofProcess) {
                    visitAlike(ofProcess, std::max(general.device, -1), -1,
                        [&](const auto& alike) { found.insert(found.end(), alike.begin(), alike.end()); });
                });
        }
        std::ranges::sort(found);
        return found;
    }

private:
    /// Visits what `all` has of `key` and of `any`; everything when `key` is `any`.
    template <typename Map, typename Visit>
    static void visitAlike(
        const Map& all, typename Map::key_type key, typename Map::key_type any, Visit visit)
    {
        for (auto place = key == any ? all.begin() : all.find(key); place != all.end(); ++place) {
            visit(place->second);
            if (key != any)
                break;
        }
        if (const auto place = all.find(any); key != any && place != all.end())
            visit(place->second);
    }

    std::map<std::string_view, std::vector<std::string_view>> m_rules; ///< that absorb a rule
    std::map<std::string_view, std::map<GlobalId, std::map<int, std::vector<std::size_t>>>> m_findings;
};

/// Which of the findings takes finding `general`.
std::optional<std::size_t> takerOf(const std::vector<Finding>& findings, const Absorbers& absorbers,
    const std::vector<PackedIntervals>& claims, std::size_t general)
{
    std::vector<std::size_t> takers;
    std::optional<std::size_t> taker;
    Ns most = 0;
    for (const std::size_t i : absorbers.of(findings[general])) {
        if (i == general)
            continue;
        if (findings[i].group == findings[general].group)
            return i;
        const Ns shared = sharedTime(claims[general], claims[i]);
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
    const TimeRange span{claims[general].front().start, claims[general].back().end};
    std::vector<TimeRange> together;
    for (const std::size_t i : takers) {
        for (const TimeRange range : claims[i].within(span))
            together.push_back(range);
    }
    return static_cast<double>(commonTime(claims[general], unionOf(std::move(together), span))) >= needed
        ? taker
        : std::nullopt;
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
    const Absorbers absorbers(findings);
    std::vector<std::optional<std::size_t>> takers;
    for (std::size_t i = 0; i < findings.size(); ++i)
        takers.push_back(takerOf(findings, absorbers, claims, i));
    // Chains of absorption end in the last finding: absorption has no cycles, as a test checks.
    for (std::size_t i = 0; i < findings.size(); ++i) {
        if (!takers[i])
            continue;
        std::size_t taker = *takers[i];
        while (takers[taker])
            taker = *takers[taker];
        // raiseBounds() needs these claims.
        findings[i].claims
            = raises(findings[i], claims[i], findings[taker], claims[taker]) ? claims[i] : PackedIntervals();
        findings[taker].merged.push_back(std::move(findings[i]));
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
