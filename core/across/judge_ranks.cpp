#include "core/across/judge_ranks.h"

#include "core/across/across_rule.h"
#include "core/across/judging.h"
#include "core/base/message_names.h"
#include "core/base/near_names.h"
#include "core/base/path_names.h"
#include "core/base/stop.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace warpline {

namespace {

void listRanks(Judging& judging)
{
    for (const JudgedRank& rank : judging.ranks) {
        AcrossRank listed;
        listed.report = ReportId{static_cast<std::uint16_t>(rank.report)};
        listed.process = rank.facts->process;
        listed.device = rank.facts->device;
        listed.rank = rank.rank;
        listed.foundBy = rank.foundBy;
        listed.label = fmt::format("rank {}", rank.rank);
        listed.gpu = rank.facts->gpu;
        listed.computeAlone = rank.facts->computeAlone;
        listed.clockMHz = rank.facts->clockMHz;
        judging.out.ranks.push_back(std::move(listed));
    }
}

/// Kernels and calls that wait for others and have found no counterpart.
void countUnmatched(Judging& judging)
{
    std::vector<std::vector<bool>> matched(judging.ranks.size());
    for (std::size_t r = 0; r < matched.size(); ++r)
        matched[r].resize(judging.ranks[r].facts->exchanges.size());
    for (const Match& match : judging.matches) {
        for (const ExchangeAt at : match.members)
            matched[at.rank][at.exchange] = true;
    }
    for (std::uint32_t r = 0; r < matched.size(); ++r) {
        for (std::uint32_t i = 0; i < matched[r].size(); ++i)
            judging.out.unmatched
                += !matched[r][i] && judging.type({r, i}).kind != ExchangeKind::Post ? 1 : 0;
    }
    judging.out.matched = judging.matches.size();
}

/// The ranks that share a GPU of a host; empty: none do. "8 ranks share 2 GPUs (rank 0, rank 2, rank 4, rank
/// 6 the one at 0000:00:06.0): ..."
Message sharedGpusNote(const Judging& judging)
{
    std::map<std::pair<std::string_view, std::string_view>, std::vector<std::uint32_t>> ranksOf;
    for (std::uint32_t r = 0; r < judging.ranks.size(); ++r) {
        const JudgedRank& rank = judging.ranks[r];
        const std::string& host = judging.reports[rank.report].host;
        if (!host.empty() && !rank.facts->gpuPlace.empty())
            ranksOf[{host, rank.facts->gpuPlace}].push_back(r);
    }
    std::erase_if(ranksOf, [](const auto& each) { return each.second.size() < 2; });
    if (ranksOf.empty())
        return {};
    constexpr std::size_t maxNamed = 8;
    std::size_t sharing = 0;
    for (const auto& [gpu, ranks] : ranksOf)
        sharing += ranks.size();
    const auto& [gpu, first] = *ranksOf.begin();
    std::vector<Message> named;
    for (std::size_t i = 0; i < std::min(maxNamed, first.size()); ++i)
        named.push_back({"across.rank", "rank {rank}", {{"rank", numberOf(judging.out, first[i])}}});
    return {"across.shared_gpus",
        "{sharing} ranks share {gpus, plural, one {# GPU} other {# GPUs}} ({ranks}{more, plural, =0 {} other { and {more} more}} the one at {place}). "
        "They take turns, or run concurrently under MPS. While work of one rank is queued or its GPU is idle, work of another may run.",
        {{"sharing", Count{sharing}}, {"gpus", Count{ranksOf.size()}},
            {"more", Count{first.size() - named.size()}}, {"ranks", std::move(named)},
            {"place", Name{std::string(gpu.second.substr(0, gpu.second.find(' ')))}}}};
}

/// Matches and aligns until all that is left fits together.
void matchAll(Judging& judging, std::span<const RankChoice> choices)
{
    while (judging.ranks.size() > 1) {
        throwIfStopped(judging.stop);
        joinSteps(judging);
        matchCollectives(judging, false);
        if (!alignClocks(judging, choices))
            continue;
        matchCollectives(judging, true);
        matchMessages(judging);
        return;
    }
}

/// How many there are, each that was given more than once counted once.
std::size_t differentReports(std::span<const ReportSummary> reports)
{
    std::set<std::uint64_t> identities;
    for (const ReportSummary& report : reports) {
        if (report.error.empty())
            identities.insert(report.identity);
    }
    return identities.size();
}

} // namespace

AcrossReport judgeSummaries(
    std::span<const ReportSummary> reports, const std::stop_token& stop, std::span<const RankChoice> choices)
{
    Judging judging;
    judging.reports = reports;
    judging.stop = stop;
    const std::vector<std::string> names = shortNames(entryNames(reports, &ReportSummary::file));
    for (std::size_t i = 0; i < reports.size(); ++i) {
        ReportAcross report;
        report.name = names[i];
        report.report = ReportId{static_cast<std::uint16_t>(i)};
        report.file = reports[i].file;
        report.host = reports[i].host;
        judging.out.reports.push_back(std::move(report));
    }
    chooseRun(judging, choices);
    matchAll(judging, choices);
    AcrossReport& out = judging.out;
    for (const ReportAcross& report : out.reports) {
        if (report.judged && !report.note.empty())
            out.notes.push_back(noteOf(report));
    }
    out.judged = judging.ranks.size() > 1 && !judging.matches.empty();
    if (!out.judged) {
        if (judging.ranks.size() > 1)
            out.notes.push_back({"across.nothing_in_common",
                "Nothing to compare: the reports have no collectives in common."});
        else if (out.notes.empty())
            out.notes.push_back({"across.no_reports", "Nothing to compare: no reports."});
        for (ReportAcross& report : out.reports)
            report.judged = false;
        out.steps.clear();
        out.cells.clear();
        out.groups.clear();
        out.verdict.sentence = {"across.not_judged",
            "{one, select, yes {This report covers one rank. Add the reports of the other ranks to compare them.} "
            "other {These reports are not ranks of one run, so there is no verdict.}}",
            {{"one", yesOrNo(differentReports(judging.reports) == 1)}}};
        return std::move(judging.out);
    }
    listRanks(judging);
    findMissingRanks(judging);
    if (Message note = sharedGpusNote(judging); !note.empty())
        out.notes.push_back(std::move(note));
    measureWaits(judging);
    findKinds(judging);
    countUnmatched(judging);
    findVerdict(judging);
    out.findings = findingsAcross(judging);
    return std::move(judging.out);
}

RankChoice choiceOf(const OpenReport& report)
{
    RankChoice choice;
    if (report.participants.size() == 1)
        choice.rank = report.participants.front().rank;
    choice.hasClock = report.clock.method == ClockMethod::Manual;
    if (choice.hasClock)
        choice.clock = report.clock;
    return choice;
}

RankChoice choiceOf(const ReportChoices& choices)
{
    return {choices.rank.value_or(-1), choices.offset.has_value(),
        {choices.offset.value_or(0), 0, ClockMethod::Manual, {}}};
}

Workspace withClocks(const Workspace& workspace, const AcrossReport& across)
{
    Workspace aligned = workspace;
    for (const ReportAcross& report : across.reports) {
        const bool known = raw(report.report) < workspace.reports().size();
        if (known && workspace.report(report.report).clock.method != ClockMethod::Manual
            && report.clock != workspace.report(report.report).clock && isPossibleOffset(report.clock.offset))
            aligned = aligned.withClock(report.report, report.clock);
    }
    return aligned;
}

} // namespace warpline
