// Which of the reports belong together. Reports that were opened by mistake (another run, the same report
// twice, one without communication) would match by their look: programs repeat the same collectives. So they
// are told apart by communicators and by the time at which they ran, before anything is compared.

#include "core/across/judging.h"

#include "core/base/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace warpline {

namespace {

constexpr std::size_t shortestHash = 12; // of a group's key
constexpr Ns hostsApart = 10'000'000'000; // how far the clocks of two hosts may be from one another

bool isOfMpi(const ParticipantSummary& participant)
{
    return std::ranges::any_of(participant.types, &ExchangeType::onHost);
}

/// From the first to the last exchange, in UTC.
TimeRange spanOf(const ReportSummary& report)
{
    TimeRange span;
    bool first = true;
    for (const ParticipantSummary& each : report.participants) {
        if (each.exchanges.empty())
            continue;
        Ns end = each.exchanges.front().range.end;
        for (const Exchange& exchange : each.exchanges)
            end = std::max(end, exchange.range.end);
        const TimeRange own{each.exchanges.front().range.start, end};
        span = first ? own : span.unitedWith(own);
        first = false;
    }
    return shifted(span, report.utcOfZero);
}

std::set<std::string> communicatorsOf(const ReportSummary& report)
{
    std::set<std::string> ids;
    for (const ParticipantSummary& each : report.participants) {
        for (const ExchangeType& type : each.types) {
            // NCCL's ids are hashes; PyTorch's "0" and "1" are the same in every run.
            if (type.group.starts_with("nccl:") && type.group.size() > shortestHash)
                ids.insert(type.group);
        }
    }
    return ids;
}

/// What tells whether two reports are of one run, of each report once.
struct RunFeatures {
    TimeRange span;
    std::set<std::string> communicators;
    bool mpi = false;
};

/// Whether two reports can be of one run.
bool belongTogether(
    const ReportSummary& a, const RunFeatures& of, const ReportSummary& b, const RunFeatures& with)
{
    if (of.mpi != with.mpi)
        return false;
    const auto shared = [&](const std::string& id) { return with.communicators.contains(id); };
    if (std::ranges::any_of(of.communicators, shared))
        return true;
    if (a.utcOfZero == 0 || b.utcOfZero == 0)
        return true; // nothing speaks against it: the order of their exchanges will tell
    const Ns slack = a.host == b.host ? 0 : hostsApart;
    return of.span.start <= with.span.end + slack && with.span.start <= of.span.end + slack;
}

/// Leaves report `report` out, and says why.
void leaveOut(Judging& judging, std::size_t report, std::string note)
{
    judging.out.reports[report].judged = false;
    judging.out.reports[report].note = note;
    judging.out.notes.push_back(fmt::format("{}: {}", judging.reports[report].file, note));
}

/// Sets aside reports that cannot be judged on their own account.
void leaveOutUseless(Judging& judging)
{
    std::map<std::uint64_t, std::size_t> seen;
    for (std::size_t i = 0; i < judging.reports.size(); ++i) {
        const ReportSummary& report = judging.reports[i];
        if (!report.error.empty()) {
            leaveOut(judging, i, report.error);
            continue;
        }
        const auto [first, added] = seen.emplace(report.identity, i);
        const bool exchanges = std::ranges::any_of(
            report.participants, [](const ParticipantSummary& each) { return !each.exchanges.empty(); });
        if (!added)
            leaveOut(judging, i, "It is the same report as " + judging.reports[first->second].file + ".");
        else if (!exchanges && report.graphsAsWhole)
            leaveOut(judging, i,
                "It has no communication that can be seen: its CUDA graphs were traced as a whole "
                "(--cuda-graph-trace=node shows what is in them).");
        else if (!exchanges)
            leaveOut(judging, i, "It has no kernels that communicate and no calls of MPI that wait.");
        else
            judging.out.reports[i].judged = true;
    }
}

/// The reports by run: each list of reports that belong together, in their order.
std::vector<std::vector<std::size_t>> runsOf(const Judging& judging)
{
    std::vector<std::vector<std::size_t>> runs;
    std::vector<RunFeatures> features(judging.reports.size());
    for (std::size_t i = 0; i < judging.reports.size(); ++i) {
        const ReportSummary& report = judging.reports[i];
        if (!judging.out.reports[i].judged)
            continue;
        features[i]
            = {spanOf(report), communicatorsOf(report), std::ranges::any_of(report.participants, isOfMpi)};
        // With one of a run is with all of it: of each run the first is asked.
        const auto fits = std::ranges::find_if(runs, [&](const std::vector<std::size_t>& run) {
            return belongTogether(report, features[i], judging.reports[run.front()], features[run.front()]);
        });
        if (fits == runs.end())
            runs.push_back({i});
        else
            fits->push_back(i);
    }
    return runs;
}

std::size_t participantsIn(const Judging& judging, const std::vector<std::size_t>& run)
{
    return std::accumulate(run.begin(), run.end(), std::size_t{0}, [&](std::size_t sum, std::size_t report) {
        return sum + judging.reports[report].participants.size();
    });
}

/// Adds the ranks of the judged reports, the sure numbers first; of two that claim the same number the later
/// one's report is left out, unless its number was a guess.
void addRanks(Judging& judging, std::span<const RankChoice> choices)
{
    std::map<std::int64_t, std::uint32_t> taken;
    std::vector<JudgedRank> open;
    for (std::uint32_t i = 0; i < judging.reports.size(); ++i) {
        if (!judging.out.reports[i].judged)
            continue;
        for (const ParticipantSummary& each : judging.reports[i].participants) {
            JudgedRank rank{i, &each, each.rank, each.foundBy, {}};
            if (i < choices.size() && choices[i].rank >= 0 && judging.reports[i].participants.size() == 1) {
                rank.rank = choices[i].rank;
                rank.foundBy = RankSource::Manual;
            }
            const bool isFree = rank.rank >= 0 && taken.emplace(rank.rank, i).second;
            const bool guess = rank.foundBy == RankSource::FileName || rank.rank < 0;
            if (isFree) {
                judging.ranks.push_back(std::move(rank));
            } else if (guess) {
                open.push_back(std::move(rank));
            } else {
                leaveOut(judging, i,
                    fmt::format("It says that it is rank {}, as {} does.", rank.rank,
                        judging.reports[taken[rank.rank]].file));
                break;
            }
        }
    }
    std::ranges::stable_sort(
        open, {}, [](const JudgedRank& rank) { return std::pair(rank.report, rank.facts->device); });
    std::int64_t next = 0;
    for (JudgedRank& rank : open) {
        while (taken.contains(next))
            ++next;
        taken.emplace(next, rank.report);
        rank.rank = next;
        rank.foundBy = RankSource::Order;
        judging.ranks.push_back(std::move(rank));
    }
    std::erase_if(
        judging.ranks, [&](const JudgedRank& rank) { return !judging.out.reports[rank.report].judged; });
    std::ranges::sort(judging.ranks, {}, &JudgedRank::rank);
}

std::string otherRunNote(const Judging& judging, std::size_t report, std::size_t chosen)
{
    const ReportSummary& a = judging.reports[report];
    const ReportSummary& b = judging.reports[chosen];
    if (a.utcOfZero == 0 || b.utcOfZero == 0 || communicatorsOf(a).empty() != communicatorsOf(b).empty())
        return "It is not of the same run as " + b.file + ".";
    const TimeRange own = spanOf(a);
    const TimeRange other = spanOf(b);
    const Ns apart = own.start > other.end ? own.start - other.end : other.start - own.end;
    if (apart <= 0)
        return "It is not of the same run as " + b.file + ": they share no communicator.";
    return fmt::format("It is not of the same run as {}: it was recorded {} {}.", b.file,
        formatDuration(apart), own.start > other.end ? "later" : "earlier");
}

} // namespace

void chooseRun(Judging& judging, std::span<const RankChoice> choices)
{
    leaveOutUseless(judging);
    const auto runs = runsOf(judging);
    if (runs.empty())
        return;
    const auto largest
        = std::ranges::max_element(runs, {}, [&](const auto& run) { return participantsIn(judging, run); });
    const bool alone = participantsIn(judging, *largest) < 2;
    for (const auto& run : runs) {
        if (&run == &*largest)
            continue;
        for (const std::size_t report : run)
            leaveOut(judging, report, otherRunNote(judging, report, largest->front()));
    }
    if (alone) {
        const std::size_t only = largest->front();
        judging.out.reports[only].judged = false;
        judging.out.reports[only].note = "It is the only rank of its run among these reports.";
        judging.out.notes.push_back(judging.reports[only].file + ": " + judging.out.reports[only].note);
        return;
    }
    addRanks(judging, choices);
}

} // namespace warpline
