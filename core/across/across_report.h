#pragma once

#include "core/across/rank_summary.h"
#include "core/findings/rule.h"
#include "core/workspace/clock_offset.h"
#include "core/workspace/event_id.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

// Results for reports that belong together. Plain values that the window, the command line and fleets share.
// Ranks, groups, kinds and steps are indexes into the lists below.

/// One of the analyzed reports.
struct ReportAcross {
    ReportId report{};
    std::string file;
    std::string name; ///< the shortest unique name of the file, for the user
    std::string host; ///< empty: unknown
    /// Offset to the clock of the first analyzed report, whose own offset is 0. ClockMethod::Own: not
    /// aligned, and not used in the analysis.
    ClockOffset clock;
    std::size_t matches = 0; ///< ends of exchanges that the offset was found or checked by
    /// By how much its offset grows with its own time, where that was seen: `clock` holds at `clockMiddle`,
    /// and its uncertainty covers the rest.
    double driftPpm = 0;
    Ns clockMiddle = 0; ///< on the report's clock
    bool judged = false; ///< false: left out, `note` gives the reason
    Message note; ///< a sentence; may be empty
};

/// One rank.
struct AcrossRank {
    ReportId report{};
    GlobalId process = 0;
    std::int32_t device = -1; ///< CUDA ordinal of the process; -1: all that it uses
    std::int64_t rank = -1; ///< its number; never -1 in an analyzed report
    RankSource foundBy = RankSource::Unknown;
    std::string label; ///< "rank 3"
    std::string gpu; ///< its model and number, "NVIDIA H200 (GPU 1)"; empty: none

    /// Matched ones that it took part in: its own calls and kernels, and the waits of others for its
    /// messages.
    std::size_t exchanges = 0;
    std::size_t lastCount = 0; ///< how many of those it came last to
    Ns wait = 0; ///< in all exchanges, until the last rank arrives
    Ns exposedWait = 0; ///< the part of it in which no kernel of the rank computed
    Ns blame = 0; ///< time that the others waited for it, summed over them
    Ns transfer = 0; ///< of the exchanges, the time that is no waiting
    Ns computeAlone = 0; ///< kernels that computed while the rank did not communicate
    double clockMHz = 0; ///< median clock of the multiprocessors while busy; 0: not sampled
};

/// A communicator: ranks that exchange with one another.
struct AcrossGroup {
    std::string key; ///< "nccl:6727538562120142276", "mpi:world", "stream:0"
    Message label; ///< "NCCL communicator 5d5d...", "MPI_COMM_WORLD"
    std::vector<std::uint32_t> ranks; ///< places in AcrossReport::ranks
};

/// One rank's part in an exchange.
struct ExchangeMember {
    std::uint32_t rank = 0; ///< place in AcrossReport::ranks
    EventId event;
    TimeRange range; ///< on the clock of its report; it waits first, then transfers
    Ns wait = 0; ///< the first part of `range`
    Ns exposedWait = 0; ///< the part of `wait` in which no kernel of the rank computed
};

/// An exchange as all who took part have recorded it.
struct MatchedExchange {
    std::uint32_t group = 0;
    std::uint32_t kind = 0; ///< place in AcrossReport::kinds
    std::uint32_t step = noIndex; ///< place in AcrossReport::steps; noIndex: in none
    std::uint32_t last = noIndex; ///< place in AcrossReport::ranks of who came last; noIndex: see isTogether
    bool isTogether
        = false; ///< all arrived so close together that none was last; false also where no rank waits for all
    /// The rank that the others waited for: `last`, or the rank that `last` had waited for before. noIndex:
    /// none.
    std::uint32_t blamed = noIndex;
    Ns transfer = 0; ///< the shortest duration of any rank: an upper bound
    Ns wait = 0; ///< of all members together
    std::vector<ExchangeMember> members; ///< by rank; more than one
};

/// Exchanges of one operation and size in one group.
struct AcrossKind {
    std::uint32_t group = 0;
    std::string operation; ///< "all-reduce", "MPI_Allreduce"
    std::string element; ///< "f32", "bytes" for untyped data; empty: unknown
    std::int64_t bytes = -1; ///< of one message as its library gives it; -1: not recorded
    std::int64_t ranks = 0; ///< that take part
    std::size_t count = 0;
    Ns transferMedian = 0;
    Ns transferWorst = 0;
    Ns transferTotal = 0;
    Ns wait = 0; ///< of all ranks
    double waitShare = 0; ///< 0..1, of the time that all ranks spend in them
    /// In GB/s by the median transfer, as nccl-tests counts; 0: no size is recorded.
    double algorithmBandwidth = 0;
    double busBandwidth = 0;
    Ns slow = 0; ///< sum of the transfer time above the fastest tenth's
};

/// One step of the run, the same on all ranks.
struct AcrossStep {
    std::string name; ///< "step_3"; "step 3" where only the order identifies steps
    bool warmUp = false; ///< on any rank: then it counts as warm-up on all
    std::uint32_t warmUpRanks = 0; ///< on how many ranks it is detected as warm-up
    std::uint32_t late = noIndex; ///< index of the rank with most blame; noIndex: nobody waited long
};

/// One rank in one step.
struct StepCell {
    bool known = false; ///< false: the rank's report does not have the step
    TimeRange time; ///< on the clock of its report: on the GPU, without GPU on the host
    TimeRange host; ///< its range on the host, on the same clock: the cause of a late rank lies in it
    Ns wait = 0;
    Ns exposedWait = 0;
    Ns blame = 0;
    Ns busy = 0; ///< GPU work of any kind, in `time`
    Ns length() const { return time.duration(); }
};

/// Whether the same rank always comes late.
enum class LatePattern : std::uint8_t {
    None, ///< no long waits
    Persistent, ///< one rank, in most steps
    Rotating, ///< now this one, now that one: uneven work or jitter, no bad machine
    Unknown, ///< ranks wait, but some are missing and may be the late one, see AcrossReport::lacksRanks
};
std::string_view keyOf(LatePattern pattern); ///< "none", "persistent", "rotating", "unknown"

/// Why a rank came late: the part of its steps that takes longer than on the others.
struct LateCause {
    std::string part; ///< StepPart::name: "data_load", "kernels", "idle_launch"; empty: not found
    PartKind kind = PartKind::Range;
    Ns perStep = 0; ///< its median over the steps, less the median of the others' medians
    Ns inAll = 0; ///< its lead over the median of the other ranks, summed over the analyzed steps in which it
                  ///< leads
    std::size_t stepsLonger = 0; ///< number of analyzed steps in which it leads
    bool found() const { return !part.empty(); }
    Message label() const; ///< "data_load", "kernels", "a launch is on its way to the GPU"
};

/// A step that another rank than the verdict's held up.
struct LateStep {
    std::uint32_t step = 0; ///< place in AcrossReport::steps
    std::uint32_t rank = 0; ///< place in AcrossReport::ranks
    Ns blame = 0;
    LateCause cause; ///< the values are of this step only
};

struct LateVerdict {
    LatePattern pattern = LatePattern::None;
    std::uint32_t rank = noIndex; ///< place of the late rank when persistent, else noIndex
    LateCause cause; ///< when persistent
    Ns perStep = 0; ///< mean wait of each other rank per step
    Ns exposedPerStep = 0; ///< the part of `perStep` in which they computed nothing: the potential saving per
                           ///< step
    std::size_t stepsLate = 0; ///< in how many of `stepsJudged` it has most of the blame
    std::size_t stepsJudged = 0;
    std::vector<LateStep> exceptions; ///< steps held up by another one, the worst first
    Message sentence; ///< "Rank 1 comes 23.4 ms late in each step: data_load." Never empty
    Message headline; ///< its beginning, "Rank 1 is late in 6 of 6 steps"; empty: only `sentence` is known
    Message details; ///< text of `sentence` after the headline
};

/// Potential saving of fixing the cause, over the analyzed steps: at most LateCause::inAll, because waits
/// with other causes stay. Nothing: no cause or no steps are found.
std::optional<Ns> gainOfCause(const LateVerdict& verdict);
/// "131.4 ms over the 6 steps": the total of the cause of `verdict`, which must have one.
Message inAllText(const LateVerdict& verdict);

/// Something across ranks that deserves attention.
struct AcrossFinding {
    std::string_view rule; ///< Rule::id
    Severity severity = Severity::Info;
    Message title;
    Message message;
    Message remedy;
    std::uint32_t rank = noIndex; ///< place of the rank that it is about; noIndex: of none in particular
    std::uint32_t step = noIndex; ///< place of the step that shows it best
    Ns saving = 0; ///< potential saving over the analyzed steps; 0: the finding is not about time
    EventId event; ///< where to look; not valid(): nowhere in particular
    Subject subject; ///< see Finding::subject; a rule that sets none is about `rank`
};

/// The most ranks of a run. A larger number in a report is no world size.
inline constexpr std::int64_t maxWorldSize = 100'000;

/// The result for all reports together.
struct AcrossReport {
    std::vector<ReportAcross> reports; ///< as they were given
    std::vector<Message> notes; ///< sentences: what was left out and why; that ranks share GPUs
    bool judged = false; ///< false: no two ranks belong to one run; `notes` give the reason

    std::vector<AcrossRank> ranks; ///< of analyzed reports, by rank
    std::int64_t worldSize = 0; ///< ranks of the run; at least as many as are known
    std::vector<std::int64_t> missingRanks; ///< their numbers, ascending; they are not in `ranks`
    /// Ranks are or may be missing: a report was left out and no report records the number of ranks.
    bool lacksRanks = false;
    std::vector<AcrossGroup> groups;
    std::vector<AcrossKind> kinds; ///< those with most time first
    std::vector<MatchedExchange> exchanges; ///< in order of time
    std::uint64_t matched = 0; ///< exchanges that at least two ranks recorded: the size of `exchanges`
    std::uint64_t unmatched = 0; ///< kernels and calls of ranks without a counterpart: they are in no sum

    std::vector<AcrossStep> steps; ///< in order of time
    std::vector<StepCell> cells; ///< by rank, then step: see cell()
    LateVerdict verdict;
    std::vector<AcrossFinding> findings; ///< by severity, then saving

    const StepCell& cell(std::size_t rank, std::size_t step) const
    {
        return cells[rank * steps.size() + step];
    }
};

/// Sentences: how many exchanges are matched, how many had no last rank, and which waits the verdict leaves
/// out (warm-up steps, time outside of steps).
Message sumsSentences(const AcrossReport& across);
/// "step_20 was held up by rank 0: assemble +20.11 ms.", for one of LateVerdict::exceptions.
Message exceptionSentence(const AcrossReport& across, const LateStep& late);

} // namespace warpline
