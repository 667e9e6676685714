#pragma once

#include "core/across/across_report.h"
#include "core/across/judge_ranks.h"

#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

// State that the steps of judgeSummaries() share, and those steps, in this order: choose_run.cpp,
// join_steps.cpp, match_collectives.cpp, match_messages.cpp, clocks.cpp, measure_waits.cpp, kinds.cpp,
// verdict.cpp, missing_ranks.cpp.

/// Ranks that arrive within this time of each other (ns) count as arriving together: durations are no more
/// precise.
inline constexpr Ns togetherWithin = 25'000;

/// A rank that is analyzed.
struct JudgedRank {
    std::uint32_t report = 0; ///< place of its report
    const ParticipantSummary* facts = nullptr;
    std::int64_t rank = -1;
    RankSource foundBy = RankSource::Unknown;
    std::vector<std::uint32_t> stepOf; ///< of each of its steps: place in AcrossReport::steps, or noIndex
};

/// One rank's exchange.
struct ExchangeAt {
    std::uint32_t rank = 0; ///< index among the analyzed ranks
    std::uint32_t exchange = 0; ///< index into ParticipantSummary::exchanges
    friend bool operator==(ExchangeAt, ExchangeAt) = default;
};

/// Exchanges that are one: those of a collective, or the two ends of a message.
struct Match {
    std::uint32_t group = 0; ///< place in AcrossReport::groups
    std::vector<ExchangeAt> members; ///< by rank; more than one
    bool pointToPoint = false;
    /// For an MPI wait for a message: how long the first member waits for the second (ns). -1: durations
    /// decide.
    Ns knownWait = -1;
    Ns knownLead = 0; ///< where it does not wait: how long the second was there before the first
    /// Further ranks that the first member waits for, which came before the second.
    std::vector<std::uint32_t> others{};
};

/// Maps times of a report to the clock of the first analyzed report.
struct ClockFit {
    bool aligned = false;
    bool contradicts = false; ///< no clock makes its exchanges end with those of the others
    Ns offset = 0; ///< at `middle`
    double drift = 0; ///< ns gained for each ns
    Ns middle = 0; ///< on the report's clock
    Ns toCommon(Ns time) const
    {
        return time + offset + static_cast<Ns>(std::llround(drift * static_cast<double>(time - middle)));
    }
};

struct Judging {
    std::span<const ReportSummary> reports;
    std::stop_token stop;
    std::vector<JudgedRank> ranks;
    std::vector<ClockFit> clocks; ///< by report
    std::vector<Match> matches;
    std::vector<std::size_t> strangers; ///< reports that are left out: unreadable, or of another run
    AcrossReport out;
    std::map<std::string, std::uint32_t, std::less<>> groupPlaces; ///< in AcrossReport::groups, by key

    const Exchange& exchange(ExchangeAt at) const { return ranks[at.rank].facts->exchanges[at.exchange]; }
    const ExchangeType& type(ExchangeAt at) const { return ranks[at.rank].facts->types[exchange(at).type]; }
    const ClockFit& clock(ExchangeAt at) const { return clocks[ranks[at.rank].report]; }
    Ns commonStart(ExchangeAt at) const { return clock(at).toCommon(exchange(at).range.start); }
    Ns commonEnd(ExchangeAt at) const { return clock(at).toCommon(exchange(at).range.end); }
    /// Place in AcrossReport::steps; noIndex: in none.
    std::uint32_t step(ExchangeAt at) const
    {
        const std::uint32_t own = exchange(at).step;
        const auto& places = ranks[at.rank].stepOf;
        return own < places.size() ? places[own] : noIndex;
    }
};

/// The note of `report` behind its name.
Message noteOf(const ReportAcross& report);
/// Selects the reports of one run and assigns ranks: sets ReportAcross::judged and notes, and Judging::ranks.
void chooseRun(Judging& judging, std::span<const RankChoice> choices);
/// Makes the steps of all ranks one list.
void joinSteps(Judging& judging);
/// Matches collectives across ranks, by communicator and order. `byTime`: also those whose order is
/// ambiguous, by the clocks; without it they stay unmatched.
void matchCollectives(Judging& judging, bool byTime);
/// Finds the two ends of messages: kernels that send and receive, calls of MPI. Needs the clocks.
void matchMessages(Judging& judging);
/// The place of the group with `key` in AcrossReport::groups, added when new.
std::uint32_t groupPlace(Judging& judging, const std::string& key);
/// Sets the clocks from start times and the matches so far. Returns false when it leaves out reports whose
/// exchanges run at other times than the others': then match again.
bool alignClocks(Judging& judging, std::span<const RankChoice> choices);
/// Waits, transfers, blame and kinds: fills AcrossReport::exchanges, kinds and the sums of ranks and cells.
void measureWaits(Judging& judging);
/// The kinds of exchanges, with their bandwidths.
void findKinds(Judging& judging);
/// The steps of the verdict: known to at least two ranks, and without warm-up unless there is nothing else.
/// Empty: no steps are known, and the verdict covers the whole recording.
std::vector<std::uint32_t> judgedSteps(const AcrossReport& out);
/// The numbers of the missing ranks: "2, 5", at most 16 of them.
Message missingText(const AcrossReport& across);
/// Lists the ranks of the run that are not analyzed, and notes them.
void findMissingRanks(Judging& judging);
/// For AcrossReport::lacksRanks: removes from the verdict what a missing rank may also explain.
void withholdUnsupported(Judging& judging);
/// The time that the others wait for `rank` in `steps`, summed over them; without steps in the whole
/// recording.
Ns blameIn(const AcrossReport& out, std::uint32_t rank, std::span<const std::uint32_t> steps);
/// The rank with most blame, for runs whose ranks are late in turn.
struct MainBlame {
    std::uint32_t rank = noIndex; ///< noIndex: no rank has half of the blame and twice that of any other
    double share = 0; ///< of all blame in the analyzed steps
};
MainBlame mainBlame(const AcrossReport& out);
/// Finds the late rank and the cause.
void findVerdict(Judging& judging);
/// The part of a step in which rank `rank` spends more time than the others over `steps`, which ascend.
LateCause causeOf(const Judging& judging, std::uint32_t rank, std::span<const std::uint32_t> steps);

/// How much longer the GPU of `rank` idles than the others' in the median of `steps`, for all reasons
/// together; named by the largest.
LateCause idleLead(const Judging& judging, std::uint32_t rank, std::span<const std::uint32_t> steps);

/// Sets the totals of `cause` of `rank`, where one is found, over `steps`, which ascend: of the parts of its
/// kind with `name`; empty: of all parts of its kind.
void addUp(const Judging& judging, std::uint32_t rank, std::span<const std::uint32_t> steps,
    std::string_view name, LateCause& cause);

/// The number of the rank at `place` of AcrossReport::ranks.
Ordinal numberOf(const AcrossReport& out, std::uint32_t place);
/// The number of the only other rank when there are two; nothing: there are more.
std::optional<Ordinal> onlyOther(const AcrossReport& out, std::uint32_t rank);
/// "rank 0", of two ranks the other one; "the other ranks" of more.
Message othersThan(const AcrossReport& out, std::uint32_t rank);
/// The reason for which a GPU idles longest in the steps without warm-up.
struct IdleReason {
    std::string_view part; ///< StepPart::name: "idle_between_launches"
    double share = 0; ///< of these steps' time; 0: it does not idle
    double all = 0; ///< the share for whatever reason
    Ns time = 0; ///< that share's time
};
IdleReason usualIdle(const JudgedRank& rank);
/// "The GPU of rank 1 idles for 85.7% of its steps' time, the largest part 62.5%: the host prepares the next
/// launch."
Message idleSentence(Ordinal rank, const IdleReason& idle);

} // namespace warpline
