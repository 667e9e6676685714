// One cause that shows in every rank of a job is one finding. A rank that is late makes all others wait: they
// say for whom.

#include "core/findings/merge_ranks.h"

#include "core/base/ascii_case.h"
#include "core/base/format.h"
#include "core/findings/evidence.h"
#include "core/findings/run_facts.h"
#include "core/findings/savings.h"
#include "core/store/place_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace warpline {

namespace {

constexpr std::array<std::string_view, 9> units{"ns", "µs", "ms", "s", "B", "kB", "MB", "GB", "TB"};
constexpr double latest = 0.5; ///< of what the middle one of the others waits: who waits less is the late one

/// A rank of MPI, how long it waits in MPI over the measured time, and when.
struct RankWaits {
    MpiRank rank;
    Intervals waiting;
};

std::vector<RankWaits> waitsOfRanks(const RuleContext& context)
{
    RunFacts& facts = context.facts;
    std::vector<RankWaits> ranks;
    for (const MpiRank& rank : context.trace.mpiRanks)
        ranks.push_back(
            {rank, facts.host(rank.thread).within(HostDoing::Communicating, facts.measuredRange())});
    std::ranges::sort(ranks, {}, [](const RankWaits& each) { return totalTime(each.waiting); });
    return ranks;
}

/// " They wait for MPI rank 2, which itself waits 17.50 ms only and is in assemble 95.05 ms meanwhile.";
/// empty: no rank is far behind all others.
std::string lateRank(const RuleContext& context)
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
    const std::string named = longestOf(context.trace, doing, 1);
    return fmt::format("They wait for MPI rank {}, which waits only {} itself{}{}.", ranks.front().rank.rank,
        formatDuration(least), named.empty() ? "" : " and meanwhile is in ", named);
}

/// "MPI rank 2" where the process is one, else its label.
std::string shortName(const Trace& trace, GlobalId process)
{
    const auto rank = trace.mpiRank(process);
    return rank ? fmt::format("MPI rank {}", *rank) : processLabel(trace, process);
}

/// The title of `finding` without its process, which the title of all names.
std::string titleOfOne(const Trace& trace, const Finding& finding)
{
    const std::string process = processLabel(trace, finding.process);
    std::string title = finding.title;
    for (const std::string& part : {" of " + process, process + ": "}) {
        if (const std::size_t at = title.find(part); at != std::string::npos)
            return title.erase(at, part.size());
    }
    return title;
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
    // Far behind the worst one, the others are not what it is about.
    Ns most = 0;
    Ns second = 0;
    for (const Finding& each : alike) {
        second = std::max(second, std::min(each.saving, most));
        most = std::max(most, each.saving);
    }
    const bool isOne = !waits && all.saving == most && second * 2 < most;
    all.title = fmt::format("{}, {} {}: {}",
        counted(alike.size(), ofRanks ? "MPI rank" : "process", ofRanks ? "MPI ranks" : "processes"),
        shortName(trace, all.process),
        speaker != alike.end() && waits ? "first"
            : isOne                     ? "by far most"
                                        : "most",
        titleOfOne(trace, all));
    std::string list;
    std::vector<TimeRange> claims;
    for (const Finding& each : alike) {
        const std::string saving = savingText(each);
        list += fmt::format("{}{}{}{}", list.empty() ? "" : ", ", shortName(trace, each.process),
            saving.empty() ? "" : " ", saving);
        claims.insert(claims.end(), each.claims.begin(), each.claims.end());
        all.saving = std::max(all.saving, each.saving);
        all.once = std::max(all.once, each.once);
        all.severity = std::max(all.severity, each.severity);
    }
    all.message += fmt::format(" {}: {}.", isOne ? "By process" : "Alike", list);
    if (heldUp == alike.size()) {
        const std::string late = lateRank(context);
        all.message += late.empty() ? "" : " " + late;
        all.title += late.empty() ? "" : ". " + late.substr(0, late.size() - 1);
    } else if (waits) {
        all.message += " The others wait for it.";
    }
    all.claims = unionOf(std::move(claims), context.window, context.stop);
    for (const Finding& each : alike) {
        if (each.process == all.process)
            continue;
        all.evidenceTotal += each.evidenceTotal;
        const std::size_t room = mostEvidence - std::min(mostEvidence, all.evidence.size());
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

std::string withoutFigures(std::string_view title)
{
    std::string text;
    bool afterNumber = false;
    for (std::size_t at = 0; at < title.size();) {
        const std::size_t space = std::min(title.find(' ', at), title.size());
        std::string_view word = title.substr(at, space - at);
        at = space + 1;
        if (!word.empty() && (isDigit(word.front()) || word.front() == '<')) {
            text += "# ";
            afterNumber = true;
            continue;
        }
        std::string_view bare = word;
        while (!bare.empty() && (bare.back() == ',' || bare.back() == '.' || bare.back() == ':'))
            bare.remove_suffix(1);
        const bool unit = afterNumber && std::ranges::find(units, bare) != units.end();
        afterNumber = false;
        if (!unit)
            text += withoutNumbers(word) + " ";
    }
    return text;
}

std::vector<Finding> mergeByProcess(const RuleContext& context, std::vector<Finding> findings)
{
    std::map<std::string, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < findings.size(); ++i) {
        if (findings[i].process != 0)
            groups[findings[i].alike].push_back(i);
    }
    std::vector<bool> gone(findings.size());
    for (const auto& [key, members] : groups) {
        std::set<GlobalId> processes;
        for (const std::size_t i : members)
            processes.insert(findings[i].process);
        // Several of one process are about its GPUs or threads, and are told one by one.
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
