#include "core/findings/merge_findings.h"

#include "core/analysis/time_by_name.h"
#include "core/analysis/trace_analysis.h"
#include "core/base/share.h"
#include "core/coverage/interval_times.h"
#include "core/findings/evidence.h"
#include "core/findings/host_story.h"
#include "core/store/place_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

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

/// The part of `shared` time that `taker` can save: of the time that it claims it may save only a share.
double savedOf(const Finding& taker, Ns claimed, Ns shared)
{
    return static_cast<double>(shared) * std::min(1.0, shareOf(taker.saving + taker.once, claimed));
}

/// The time of `claims[general]` that `takers` also claim.
Ns timeTogether(
    const std::vector<PackedIntervals>& claims, std::size_t general, const std::vector<std::size_t>& takers)
{
    const TimeRange span{claims[general].front().start, claims[general].back().end};
    std::vector<TimeRange> together;
    for (const std::size_t i : takers) {
        for (const TimeRange range : claims[i].within(span))
            together.push_back(range);
    }
    return commonTime(claims[general], unionOf(std::move(together), span));
}

/// Which of the findings takes finding `general`.
std::optional<std::size_t> takerOf(const std::vector<Finding>& findings, const Absorbers& absorbers,
    const std::vector<PackedIntervals>& claims, std::size_t general)
{
    const auto all = static_cast<double>(totalTime(claims[general]));
    const bool isRange = findings[general].subject.kind == Subject::Kind::Range;
    std::vector<std::size_t> takers;
    double saved = 0; // by all of them, at most
    bool isLarger = false; // this range of the program, than what one of them saves
    std::pair<Ns, std::optional<std::size_t>> most; // shared time and the taker with it
    std::pair<Ns, std::optional<std::size_t>> mostAlone; // of those that may take it alone
    for (const std::size_t i : absorbers.of(findings[general])) {
        if (i == general)
            continue;
        if (findings[i].group == findings[general].group)
            return i;
        const Ns shared = sharedTime(claims[general], claims[i]);
        if (shared == 0)
            continue;
        takers.push_back(i);
        const double savable = savedOf(findings[i], totalTime(claims[i]), shared);
        saved += savable;
        if (shared > most.first)
            most = {shared, i};
        if (isRange && findings[general].saving > findings[i].saving && savable < sameCause * all)
            isLarger = true;
        else if (shared > mostAlone.first)
            mostAlone = {shared, i};
    }
    if (static_cast<double>(mostAlone.first) >= explained * all)
        return mostAlone.second;
    if (takers.size() < 2)
        return std::nullopt;
    const auto together = static_cast<double>(timeTogether(claims, general, takers));
    return (isLarger ? std::min(together, saved) >= sameCause * all : together >= explained * all)
        ? most.second
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

constexpr double latest = 0.5; ///< of the median of the others' waits: a rank that waits less is the late one

/// A rank of MPI, how long it waits in MPI over the measured time, and when.
struct RankWaits {
    MpiRank rank;
    Intervals waiting;
};

std::vector<RankWaits> waitsOfRanks(const RuleContext& context)
{
    TraceAnalysis& facts = context.facts;
    std::vector<RankWaits> ranks;
    for (const MpiRank& rank : context.trace.mpiRanks)
        ranks.push_back({rank, facts.host(rank.thread).within(IdleCause::OtherRanks, facts.measuredRange())});
    std::ranges::sort(ranks, {}, [](const RankWaits& each) { return totalTime(each.waiting); });
    return ranks;
}

/// "They wait for MPI rank 2, which waits only 17.50 ms itself and in the meantime is in assemble 95.05 ms";
/// empty: no rank is far behind all others.
Message lateRank(const RuleContext& context)
{
    const std::vector<RankWaits> ranks = waitsOfRanks(context);
    if (ranks.size() < 2)
        return {};
    const Ns least = totalTime(ranks.front().waiting);
    const Ns usual = totalTime(ranks[1 + (ranks.size() - 1) / 2].waiting);
    if (static_cast<double>(least) > latest * static_cast<double>(usual))
        return {};
    std::vector<TimeRange> others;
    for (std::size_t i = 1; i < ranks.size(); ++i)
        others.insert(others.end(), ranks[i].waiting.begin(), ranks[i].waiting.end());
    const TimeRange measured = context.facts.measuredRange();
    const Intervals meanwhile = difference(unionOf(std::move(others), measured), ranks.front().waiting);
    TimeByName doing;
    addOwnRanges(context.trace, ranks.front().rank.thread, meanwhile, doing, context.stop);
    std::vector<Message> named = longestTimes(context.trace, doing, 1);
    const Name any{named.empty() ? "none" : "some"};
    return {"finding.late_rank",
        "They wait for MPI rank {rank}, which waits only {wait} itself{named, select, none {} other { and is in {places} in that "
        "time}}",
        {{"rank", Ordinal{ranks.front().rank.rank}}, {"wait", Duration{least}}, {"named", any},
            {"places", std::move(named)}}};
}

/// "MPI rank 2" where the process is one, else its label.
Message shortName(const Trace& trace, GlobalId process)
{
    const auto rank = trace.mpiRank(process);
    return rank ? Message("finding.mpi_rank", "MPI rank {rank}", {{"rank", Ordinal{*rank}}})
                : Message("finding.process", "{process}", {{"process", processLabel(trace, process)}});
}

Finding together(const RuleContext& context, const std::vector<Finding>& alike)
{
    const Trace& trace = context.trace;
    const auto speaker = std::ranges::find(alike, false, &Finding::heldUp);
    Finding all = speaker != alike.end() ? *speaker : alike.front();
    const bool waits = std::ranges::any_of(alike, &Finding::heldUp);
    const std::size_t heldUp = static_cast<std::size_t>(std::ranges::count(alike, true, &Finding::heldUp));
    const bool ofRanks = std::ranges::all_of(
        alike, [&](const Finding& each) { return trace.mpiRank(each.process).has_value(); });
    // Findings far smaller than the largest are not mentioned.
    Ns most = 0;
    Ns second = 0;
    for (const Finding& each : alike) {
        second = std::max(second, std::min(each.saving, most));
        most = std::max(most, each.saving);
    }
    const bool isOne = !waits && all.saving == most && second * 2 < most;
    all.title = Message("finding.alike",
        "{are, select, ranks {{count, plural, one {# MPI rank} other {# MPI ranks}}} other {{count, plural, one "
        "{# process} other {# processes}}}}, {which} {place, select, first {first} alone {by far most} other {most}}: "
        "{finding}",
        {{"are", Name{ofRanks ? "ranks" : "processes"}}, {"count", Count{alike.size()}},
            {"which", shortName(trace, all.process)},
            {"place",
                Name{speaker != alike.end() && waits ? "first"
                        : isOne                      ? "alone"
                                                     : "most"}},
            {"finding", all.title}});
    std::vector<Message> list;
    std::vector<TimeRange> claims;
    for (const Finding& each : alike) {
        list.push_back(Message("finding.saving_of",
            "{process}{saves, select, yes { {saving}} once { {once} once} other {}}",
            {{"process", shortName(trace, each.process)},
                {"saves",
                    Name{each.saving > 0    ? "yes"
                            : each.once > 0 ? "once"
                                            : "no"}},
                {"saving", Duration{each.saving}}, {"once", Duration{each.once}}}));
        claims.insert(claims.end(), each.claims.begin(), each.claims.end());
        all.saving = std::max(all.saving, each.saving);
        all.once = std::max(all.once, each.once);
        all.severity = std::max(all.severity, each.severity);
    }
    all.message += isOne ? Message("finding.by_process", "By process: {list}.", {{"list", list}})
                         : Message("finding.of_each", "Alike: {list}.", {{"list", list}});
    if (heldUp == alike.size()) {
        if (const Message late = lateRank(context); !late.empty()) {
            all.message += Message("finding.sentence", "{sentence}.", {{"sentence", late}});
            all.title = Message("finding.and", "{finding}. {late}", {{"finding", all.title}, {"late", late}});
        }
    } else if (waits) {
        all.message += Message("finding.others_wait", "The others wait for it.");
    }
    all.claims = unionOf(std::move(claims), context.window, context.stop);
    for (const Finding& each : alike) {
        if (each.process == all.process)
            continue;
        all.evidenceTotal += each.evidenceTotal;
        const std::size_t room = maxEvidence - std::min(maxEvidence, all.evidence.size());
        all.evidence.insert(all.evidence.end(), each.evidence.begin(),
            each.evidence.begin() + static_cast<std::ptrdiff_t>(std::min(room, each.evidence.size())));
    }
    all.merged.clear();
    for (const Finding& each : alike) {
        Finding child = each;
        child.claims = {};
        all.merged.push_back(std::move(child));
    }
    all.process = 0;
    all.device = -1;
    return all;
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

std::vector<Finding> mergeByProcess(const RuleContext& context, std::vector<Finding> findings)
{
    std::map<std::pair<std::string_view, Subject>, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < findings.size(); ++i) {
        if (findings[i].process != 0)
            groups[{findings[i].rule, findings[i].subject}].push_back(i);
    }
    std::vector<bool> gone(findings.size());
    for (const auto& [key, members] : groups) {
        std::set<GlobalId> processes;
        for (const std::size_t i : members)
            processes.insert(findings[i].process);
        // Several findings of one process are about its GPUs or threads, and stay separate.
        if (members.size() < 2 || processes.size() != members.size())
            continue;
        std::vector<Finding> alike;
        for (const std::size_t i : members) {
            alike.push_back(std::move(findings[i]));
            gone[i] = true;
        }
        findings[members.front()] = together(context, alike);
        gone[members.front()] = false;
    }
    std::vector<Finding> left;
    for (std::size_t i = 0; i < findings.size(); ++i) {
        if (!gone[i])
            left.push_back(std::move(findings[i]));
    }
    return left;
}

} // namespace warpline
