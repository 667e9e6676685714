// Selects the reports that belong together. Reports opened by mistake (another run, the same report twice,
// one without communication) would match by their exchanges, because programs repeat the same collectives. So
// communicators and the time of the run distinguish them first.

#include "core/across/judging.h"

#include "core/base/message_names.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace warpline {

namespace {

constexpr std::size_t shortestHash = 12; // of a group's key
constexpr Ns hostsApart = 10'000'000'000; // how far the clocks of two hosts may differ

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

/// The features of a report that decide to which run it belongs.
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
        return true; // no contradiction: the order of their exchanges decides
    const Ns slack = a.host == b.host ? 0 : hostsApart;
    return of.span.start <= with.span.end + slack && with.span.start <= of.span.end + slack;
}

/// Leaves report `report` out and notes the reason.
void leaveOut(Judging& judging, std::size_t report, Message note)
{
    ReportAcross& left = judging.out.reports[report];
    left.judged = false;
    left.note = std::move(note);
    // Why a file cannot be read begins with its name.
    judging.out.notes.push_back(
        judging.reports[report].error.starts_with(left.name) ? left.note : noteOf(left));
}

/// Leaves out reports that cannot be analyzed at all.
void leaveOutUseless(Judging& judging)
{
    std::map<std::uint64_t, std::size_t> seen;
    for (std::size_t i = 0; i < judging.reports.size(); ++i) {
        const ReportSummary& report = judging.reports[i];
        if (!report.error.empty()) {
            leaveOut(judging, i, report.error);
            judging.strangers.push_back(i);
            continue;
        }
        const auto [first, added] = seen.emplace(report.identity, i);
        const bool exchanges = std::ranges::any_of(
            report.participants, [](const ParticipantSummary& each) { return !each.exchanges.empty(); });
        if (!added)
            leaveOut(judging, i,
                {"across.given_twice",
                    "{same, select, yes {It is given twice.} other {It is the same report as {other}.}}",
                    {{"same", yesOrNo(report.file == judging.reports[first->second].file)},
                        {"other", Name{judging.out.reports[first->second].name}}}});
        else if (!exchanges)
            leaveOut(judging, i,
                {"across.no_exchanges",
                    "{graphs, select, yes {Its communication is hidden in CUDA graphs that were traced as a whole. Record with --cuda-graph-trace=node.} "
                    "other {No collectives or blocking MPI calls found.}}",
                    {{"graphs", yesOrNo(report.graphsAsWhole)}}});
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
        // All reports of a run fit together, so comparing with the first of each run is enough.
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

/// The participants, those whose rank the user set first: they take precedence.
std::vector<JudgedRank> claimsOf(const Judging& judging, std::span<const RankChoice> choices)
{
    std::vector<JudgedRank> claims;
    for (std::uint32_t i = 0; i < judging.reports.size(); ++i) {
        if (!judging.out.reports[i].judged)
            continue;
        for (const ParticipantSummary& each : judging.reports[i].participants) {
            JudgedRank rank{i, &each, each.rank, each.foundBy, {}};
            if (i < choices.size() && choices[i].rank >= 0 && judging.reports[i].participants.size() == 1) {
                rank.rank = choices[i].rank;
                rank.foundBy = RankSource::Manual;
            }
            claims.push_back(std::move(rank));
        }
    }
    std::ranges::stable_partition(
        claims, [](const JudgedRank& claim) { return claim.foundBy == RankSource::Manual; });
    return claims;
}

/// Adds the ranks of the analyzed reports. When two claim the same number, the later report is left out. But
/// if its number was a guess, or the user set the other one's, it takes the next free number.
void addRanks(Judging& judging, std::span<const RankChoice> choices)
{
    std::map<std::int64_t, JudgedRank> taken;
    std::vector<JudgedRank> open;
    for (JudgedRank& rank : claimsOf(judging, choices)) {
        ReportAcross& report = judging.out.reports[rank.report];
        if (!report.judged)
            continue;
        const auto [holder, isFree]
            = rank.rank >= 0 ? taken.try_emplace(rank.rank, rank) : std::pair(taken.end(), false);
        if (isFree) {
            judging.ranks.push_back(std::move(rank));
            continue;
        }
        const std::string_view other
            = holder != taken.end() ? judging.out.reports[holder->second.report].name : std::string_view();
        const bool byHand = holder != taken.end() && holder->second.foundBy == RankSource::Manual;
        if (rank.rank < 0 || rank.foundBy == RankSource::FileName) {
            open.push_back(std::move(rank));
        } else if (byHand && rank.foundBy != RankSource::Manual) {
            report.note = {"across.rank_set_for_other",
                "It is rank {rank}, but that rank was set for {other} by hand.",
                {{"rank", Ordinal{rank.rank}}, {"other", Name{std::string(other)}}}};
            open.push_back(std::move(rank));
        } else {
            leaveOut(judging, rank.report,
                {"across.same_rank",
                    "{by_hand, select, yes {Its rank {rank} was set by hand, as for {other}.} other {It is rank {rank}, like {other}.}}",
                    {{"by_hand", yesOrNo(byHand)}, {"rank", Ordinal{rank.rank}},
                        {"other", Name{std::string(other)}}}});
            std::erase_if(taken, [&](const auto& each) { return each.second.report == rank.report; });
            std::erase_if(open, [&](const JudgedRank& each) { return each.report == rank.report; });
        }
    }
    std::ranges::stable_sort(
        open, {}, [](const JudgedRank& rank) { return std::pair(rank.report, rank.facts->device); });
    std::int64_t next = 0;
    for (JudgedRank& rank : open) {
        while (taken.contains(next))
            ++next;
        taken.emplace(next, rank);
        rank.rank = next;
        rank.foundBy = RankSource::Order;
        judging.ranks.push_back(std::move(rank));
    }
    std::erase_if(
        judging.ranks, [&](const JudgedRank& rank) { return !judging.out.reports[rank.report].judged; });
    std::ranges::sort(judging.ranks, {}, &JudgedRank::rank);
}

Message otherRunNote(const Judging& judging, std::size_t report, std::size_t chosen)
{
    const ReportSummary& a = judging.reports[report];
    const ReportSummary& b = judging.reports[chosen];
    const bool isUnknown
        = a.utcOfZero == 0 || b.utcOfZero == 0 || communicatorsOf(a).empty() != communicatorsOf(b).empty();
    const TimeRange own = spanOf(a);
    const TimeRange other = spanOf(b);
    const Ns apart = own.start > other.end ? own.start - other.end : other.start - own.end;
    return {"across.other_run",
        "It is of a different run than {other}{why, select, unknown {} communicators {: they share no communicator} "
        "later {: it was recorded {apart} later} other {: it was recorded {apart} earlier}}.",
        {{"other", Name{judging.out.reports[chosen].name}},
            {"why",
                Name{isUnknown                  ? "unknown"
                        : apart <= 0            ? "communicators"
                        : own.start > other.end ? "later"
                                                : "earlier"}},
            {"apart", Duration{apart}}}};
}

} // namespace

Message noteOf(const ReportAcross& report)
{
    return {"across.note", "{report}: {note}", {{"report", Name{report.name}}, {"note", report.note}}};
}

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
        judging.strangers.insert(judging.strangers.end(), run.begin(), run.end());
    }
    if (alone) {
        const std::size_t only = largest->front();
        judging.out.reports[only].judged = false;
        judging.out.reports[only].note
            = {"across.only_rank", "It is the only rank of its run among these reports."};
        judging.out.notes.push_back(noteOf(judging.out.reports[only]));
        return;
    }
    addRanks(judging, choices);
}

} // namespace warpline
