#pragma once

#include "core/across/across_report.h"
#include "core/across/judge_ranks.h"

#include <cmath>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

// What the steps of judgeSummaries() hand on to one another.

/// Ranks that arrive within this time of one another arrive together: durations tell no more.
inline constexpr Ns togetherWithin = 25'000;

/// A rank that is judged.
struct JudgedRank {
    std::uint32_t report = 0; ///< place of its report
    const ParticipantSummary* facts = nullptr;
    std::int64_t rank = -1;
    RankSource foundBy = RankSource::Unknown;
    std::vector<std::uint32_t> stepOf; ///< of each of its steps: place in AcrossReport::steps, or noIndex
};

/// One rank's exchange.
struct ExchangeAt {
    std::uint32_t rank = 0; ///< place among the judged ranks
    std::uint32_t exchange = 0; ///< index into ParticipantSummary::exchanges
    friend bool operator==(ExchangeAt, ExchangeAt) = default;
};

/// Exchanges that are one: those of a collective, or the two ends of a message.
struct Match {
    std::uint32_t group = 0; ///< place in AcrossReport::groups
    std::vector<ExchangeAt> members; ///< by rank; more than one
    bool pointToPoint = false;
    /// Of a wait of MPI for a message: how long the first member waits, for the second. -1: durations tell.
    Ns knownWait = -1;
    Ns knownLead = 0; ///< where it does not wait: how long the second was there before the first
    /// Further ranks that the first member waits for, which came before the second.
    std::vector<std::uint32_t> others{};
};

/// How times of a report become those of the first judged one.
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
    std::size_t strangers
        = 0; ///< reports that are left out and may be ranks of the run: unreadable, of another run
    AcrossReport out;

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
/// Decides which reports are of one run, and who is which rank: sets ReportAcross::judged and notes, and
/// Judging::ranks.
void chooseRun(Judging& judging, std::span<const RankChoice> choices);
/// Makes the steps of all ranks one list.
void joinSteps(Judging& judging);
/// Finds the collectives that are one, by communicator and order. With `byTime` also those whose order does
/// not tell, by the clocks; without it they are left.
void matchCollectives(Judging& judging, bool byTime);
/// Finds the two ends of messages: kernels that send and receive, calls of MPI. Needs the clocks.
void matchMessages(Judging& judging);
/// The place of the group with `key` in AcrossReport::groups, added when new.
std::uint32_t groupPlace(Judging& judging, const std::string& key);
/// Sets the clocks from start times and from the matches so far. Reports whose exchanges do not run when
/// those of the others run are left out again: then it returns false, and matches must be made anew.
bool alignClocks(Judging& judging, std::span<const RankChoice> choices);
/// Waits, transfers, blame and kinds: fills AcrossReport::exchanges, kinds and the sums of ranks and cells.
void measureWaits(Judging& judging);
/// The kinds of exchanges, with their bandwidths.
void findKinds(Judging& judging);
/// The steps that the verdict is about: known to two ranks or more, and no warm-up, unless nothing else is
/// there. Empty: no steps are known, and it is about the whole recording.
std::vector<std::uint32_t> judgedSteps(const AcrossReport& out);
/// Sets which ranks of the run are not among the judged ones.
void findMissingRanks(Judging& judging);
/// Where AcrossReport::lacksRanks: takes from the verdict what a missing rank explains as well.
void withholdUnsupported(Judging& judging);
/// The rank that most of the waits are for, where ranks are late in turn.
struct MainBlame {
    std::uint32_t rank = noIndex; ///< noIndex: no rank has half of the blame, and twice that of any other
    double share = 0; ///< of all blame in the judged steps
};
MainBlame mainBlame(const AcrossReport& out);
/// Who is late, and why.
void findVerdict(Judging& judging);
/// What the part of the steps is that rank `rank` spends more time in than the others: over `steps`, which
/// ascend.
LateCause causeOf(const Judging& judging, std::uint32_t rank, std::span<const std::uint32_t> steps);

/// By how much the GPU of `rank` idles longer than those of the others in the middle one of `steps`, for all
/// reasons together; named by the largest.
LateCause idleLead(const Judging& judging, std::uint32_t rank, std::span<const std::uint32_t> steps);

/// Sets what `cause` of `rank`, where one is found, adds up to over `steps`, which ascend: of the parts of
/// its kind that are called `name`; empty: of all of its kind together.
void addUp(const Judging& judging, std::uint32_t rank, std::span<const std::uint32_t> steps,
    std::string_view name, LateCause& cause);

/// The number of the rank at `place` of AcrossReport::ranks.
Ordinal numberOf(const AcrossReport& out, std::uint32_t place);
/// Of two ranks the number of the one that is not at `rank`; nothing: there are more.
std::optional<Ordinal> onlyOther(const AcrossReport& out, std::uint32_t rank);
/// "rank 0", of two ranks the other one; "the other ranks" of more.
Message othersThan(const AcrossReport& out, std::uint32_t rank);
/// While what a GPU idles most in the steps that are no warm-up.
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
