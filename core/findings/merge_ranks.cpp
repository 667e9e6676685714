// One cause in every rank of a job is one finding. A late rank makes all others wait: their finding names it.

#include "core/findings/merge_ranks.h"

#include "core/analysis/time_by_name.h"
#include "core/analysis/trace_analysis.h"
#include "core/findings/evidence.h"
#include "core/findings/host_story.h"
#include "core/store/place_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace warpline {

namespace {

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
