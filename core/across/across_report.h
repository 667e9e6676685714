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

// What reports that belong together say of one another. Plain values: the window, the command line and fleets
// show the same. Ranks, groups, kinds and steps are named by their places in the lists below.

/// One of the reports that were asked about.
struct ReportAcross {
    ReportId report{};
    std::string file;
    std::string name; ///< of the file, as short as tells it from the others: what the user reads
    std::string host; ///< empty: not said
    /// From its clock to that of the first judged report, whose offset is 0. With ClockMethod::Own it is not
    /// aligned, and nothing is judged by it.
    ClockOffset clock;
    std::size_t matches = 0; ///< ends of exchanges that the offset was found or checked by
    /// By how much its offset grows with its own time, where that was seen: `clock` holds at `clockMiddle`,
    /// and its uncertainty covers the rest.
    double driftPpm = 0;
    Ns clockMiddle = 0; ///< on the report's clock
    bool judged = false; ///< false: left out, `note` says why
    Message note; ///< a sentence; may be empty
};

/// One rank.
struct AcrossRank {
    ReportId report{};
    GlobalId process = 0;
    std::int32_t device = -1; ///< CUDA ordinal of the process; -1: all that it uses
    std::int64_t rank = -1; ///< its number; never -1 in a judged report
    RankSource foundBy = RankSource::Unknown;
    std::string label; ///< "rank 3"
    std::string gpu; ///< its model and number, "NVIDIA H200 (GPU 1)"; empty: none

    /// Matched ones that it took part in: its own calls and kernels, and the waits of others for its
    /// messages.
    std::size_t exchanges = 0;
    std::size_t lastCount = 0; ///< how many of those it came last to
    Ns wait = 0; ///< in all of them, for the last to come
    Ns exposedWait = 0; ///< the part of it in which no kernel of the rank computed
    Ns blame = 0; ///< what the others waited for it, summed over them
    Ns transfer = 0; ///< of the exchanges, the time that is no waiting
    Ns computeAlone = 0; ///< kernels that computed while the rank did not communicate
    double clockMHz = 0; ///< median clock of the multiprocessors while busy; 0: not sampled
};

/// Ranks that exchange with one another: a communicator.
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
        = false; ///< all were there so close that nobody came last; false also where no rank waits for all
    /// Who the others waited for: `last`, or whoever that one had waited for before. noIndex: nobody.
    std::uint32_t blamed = noIndex;
    Ns transfer = 0; ///< the shortest duration of any rank: an upper bound
    Ns wait = 0; ///< of all members together
    std::vector<ExchangeMember> members; ///< by rank; more than one
};

/// Exchanges of one operation and size in one group.
struct AcrossKind {
    std::uint32_t group = 0;
    std::string operation; ///< "all-reduce", "MPI_Allreduce"
    std::string element; ///< "f32", "bytes" that are moved as they are; empty: not said
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
    Ns slow = 0; ///< transfers beyond what the fastest tenth takes, summed
};

/// One step of the run, the same on all ranks.
struct AcrossStep {
    std::string name; ///< "step_3"; "step 3" where the reports only tell their order
    bool warmUp = false; ///< on any rank: then it counts as warm-up on all
    std::uint32_t warmUpRanks = 0; ///< on how many it is by itself
    std::uint32_t late = noIndex; ///< place of the rank with most blame; noIndex: nobody waited long
};

/// One rank in one step.
struct StepCell {
    bool known = false; ///< false: the rank's report does not have the step
    TimeRange time; ///< on the clock of its report: on the GPU, without GPU on the host
    TimeRange host; ///< its range on the host, on the same clock: what makes a rank late lies in it
    Ns wait = 0;
    Ns exposedWait = 0;
    Ns blame = 0;
    Ns busy = 0; ///< GPU work of any kind, in `time`
    Ns length() const { return time.duration(); }
};

/// Whether the same rank always comes late.
enum class LatePattern : std::uint8_t {
    None, ///< nobody waits long for anybody
    Persistent, ///< one rank, in most steps
    Rotating, ///< now this one, now that one: uneven work or jitter, no bad machine
    Unknown, ///< ranks wait, but some are missing: one of those may be late, see AcrossReport::lacksRanks
};
std::string_view keyOf(LatePattern pattern); ///< "none", "persistent", "rotating", "unknown"

/// Why a rank came late: the part of its steps that takes longer than on the others.
struct LateCause {
    std::string part; ///< StepPart::name: "data_load", "kernels", "idle_launch"; empty: not found
    PartKind kind = PartKind::Range;
    Ns perStep = 0; ///< its median over the steps, less the median of the others' medians
    Ns inAll = 0; ///< by how much it leads the middle one of the others in each of the judged steps, added up
                  ///< over the steps in which it leads
    std::size_t stepsLonger = 0; ///< in how many of the judged steps it leads
    bool found() const { return !part.empty(); }
    Message label() const; ///< "data_load", "kernels", "a launch is on its way to the GPU"
};

/// A step that another rank held up than the one of the verdict.
struct LateStep {
    std::uint32_t step = 0; ///< place in AcrossReport::steps
    std::uint32_t rank = 0; ///< place in AcrossReport::ranks
    Ns blame = 0;
    LateCause cause; ///< its figures are of this one step
};

struct LateVerdict {
    LatePattern pattern = LatePattern::None;
    std::uint32_t rank = noIndex; ///< place of the late rank when persistent, else noIndex
    LateCause cause; ///< when persistent
    Ns perStep = 0; ///< what each of the others waits for it in a step, on average
    Ns exposedPerStep = 0; ///< the part of `perStep` in which they computed nothing: what a step could gain
    std::size_t stepsLate = 0; ///< in how many of `stepsJudged` it has most of the blame
    std::size_t stepsJudged = 0;
    std::vector<LateStep> exceptions; ///< steps held up by another one, the worst first
    Message sentence; ///< "Rank 1 comes 23.4 ms late in each step: data_load." Never empty
    Message headline; ///< its beginning, "Rank 1 is late in 6 of 6 steps"; empty: only `sentence` is known
    Message details; ///< what `sentence` says after the headline
};

/// What mending the cause could gain over the judged steps at most, LateCause::inAll: what it does not
/// explain stays when it is gone. Nothing: no cause is found, or no steps are, and it does not tell.
std::optional<Ns> gainOfCause(const LateVerdict& verdict);
/// "131.4 ms over the 6 steps": what the cause of `verdict`, which is found, adds up to.
Message inAllText(const LateVerdict& verdict);

/// Something across ranks that deserves attention.
struct AcrossFinding {
    std::string_view rule; ///< Rule::id
    Severity severity = Severity::Low;
    Message title;
    Message message;
    Message remedy;
    std::uint32_t rank = noIndex; ///< place of the rank that it is about; noIndex: of none in particular
    std::uint32_t step = noIndex; ///< place of the step that shows it best
    Ns saving = 0; ///< upper bound of what the run could save over its judged steps; 0: not a matter of time
    EventId event; ///< where to look; not valid(): nowhere in particular
};

/// What the reports say together.
struct AcrossReport {
    std::vector<ReportAcross> reports; ///< as they were given
    std::vector<Message> notes; ///< what was not judged, and why; that ranks share GPUs: sentences
    bool judged = false; ///< false: there are no two ranks of one run; `notes` say why

    std::vector<AcrossRank> ranks; ///< of judged reports, by rank
    std::int64_t worldSize = 0; ///< ranks of the run; at least as many as are known
    std::vector<std::int64_t> missingRanks; ///< their numbers, ascending: not among `ranks`
    /// Ranks are missing, or may be: a report was left out and no report tells how many ranks there are.
    bool lacksRanks = false;
    std::vector<AcrossGroup> groups;
    std::vector<AcrossKind> kinds; ///< those with most time first
    std::vector<MatchedExchange> exchanges; ///< in order of time
    std::uint64_t matched = 0; ///< exchanges that two ranks or more have recorded: as many as `exchanges`
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

/// How many exchanges are matched, to how many nobody came last, and what of the sums of ranks the verdict
/// leaves out: warm-up steps, and what lies outside of steps. Sentences.
Message sumsSentences(const AcrossReport& across);
/// "step_20 was held up by rank 0: assemble +20.11 ms.", of one of LateVerdict::exceptions.
Message exceptionSentence(const AcrossReport& across, const LateStep& late);

} // namespace warpline
