#pragma once

#include "core/budget/budget_parts.h"
#include "core/compare/step_noise.h"
#include "core/findings/rule.h"
#include "core/operators/work_sums.h"
#include "core/store/event_kind.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

// Result of comparing two runs: a plain value, the same for the window, the command line and pages. A is the
// run before a change, B the one after it. Differences are B minus A: negative is faster.

/// One of the two runs.
enum class Side : std::uint8_t { A, B };
std::string_view nameOf(Side side); ///< "A", "B"

/// The same of A and of B.
template <typename T> struct Both {
    T a{};
    T b{};
    T& operator[](Side side) { return side == Side::A ? a : b; }
    const T& operator[](Side side) const { return side == Side::A ? a : b; }
    friend bool operator==(const Both&, const Both&) = default;
};

/// The compared quantity.
enum class CompareUnit : std::uint8_t {
    Step, ///< one step of the program on the GPU: the median of the compared steps
    /// No steps that both sides have: a chosen range as it is, else all from the first to the last GPU work.
    Whole,
};
std::string_view keyOf(CompareUnit unit); ///< "step", "whole"

/// How B relates to A.
enum class CompareVerdict : std::uint8_t {
    Unknown, ///< not comparable, or the noise is unknown
    NoDifference, ///< none beyond the noise
    Faster,
    Slower,
};
std::string_view keyOf(CompareVerdict verdict); ///< "unknown", "no_difference", "faster", "slower"

/// Which value decided the verdict.
enum class CompareFigure : std::uint8_t {
    None, ///< there is no verdict, or no difference in any
    Median, ///< the median step
    Mean, ///< the mean step: stalls of a few steps change it, and the median not
};
std::string_view keyOf(CompareFigure figure); ///< "", "median", "mean"

/// Caveats about how the verdict was made.
enum class CompareCaveat : std::uint8_t {
    SingleRecordings, ///< one recording of a side: how much two of the same program differ is assumed
    Recorders, ///< recorded with different tools
    Options, ///< recorded with different options, one of which costs time
    Profiler, ///< recording costs one side more: see Comparison::plain
    Host, ///< the same work of GPU and host, of which the host did all more slowly or faster
    Part, ///< a side is a part of a recording, see ComparedSide::isPart
    SameRecording, ///< both sides are of one recording, and no ranges, steps or parts are chosen to differ
    Kernels, ///< most of the kernels' time has no partner: the kernel table is incomplete
};
/// "single_recordings", "same_recording", "part", "recorders", "options", "profiler", "host", "kernels"
std::string_view keyOf(CompareCaveat caveat);

/// A fact about both runs that decides whether they are comparable.
struct CompareFact {
    enum class State : std::uint8_t { Same, Different, NotKnown };

    std::string id; ///< "gpu_model", "gpu_count", "matched": in JSON
    Message title; ///< "GPU"
    Message a; ///< empty: not in the report
    Message b;
    State state = State::NotKnown;
    Message reason; ///< why it makes the runs not comparable, a sentence; empty: it does not
    Message story; ///< a sentence of Comparison::story, where it is different; may be empty
};
std::string_view keyOf(CompareFact::State state); ///< "same", "different", "not_known"

/// One step of one GPU of a side.
struct ComparedStep {
    std::string name; ///< "step_3"
    EventRef event; ///< the NVTX range, or the call that begins it; not valid() for the unit Whole
    TimeRange host;
    TimeRange gpu; ///< empty: it launched nothing there
    bool judged = false; ///< it counts: whole, steady, and chosen
};

/// One GPU of a side, as one process uses it: a rank of the run.
struct ComparedGpu {
    std::uint32_t report = 0; ///< place in ComparedSide::files
    std::uint32_t run = 0; ///< which recording of the side
    GlobalId process = 0;
    std::int32_t device = -1; ///< CUDA ordinal of the process
    std::int64_t rank = -1; ///< -1: the report does not name it
    std::string label; ///< "GPU 0", "rank1.sqlite, GPU 1"
    std::vector<ComparedStep> steps; ///< in order of time; for the unit Whole a single one, compared
};

/// The measures of one recording of a side with several.
struct ComparedRun {
    std::size_t judged = 0;
    Ns median = 0;
    double mean = 0;
};

/// The measures of one side.
struct ComparedSide {
    std::vector<std::string> files; ///< as they were given, of all recordings
    /// By recording, then by rank. Several GPUs of a recording: a step is their mean. Ranks in step take the
    /// same time in the long run; which begins a step slightly later is jitter, which the mean removes.
    std::vector<ComparedGpu> gpus;
    std::vector<ComparedRun> runs; ///< the recordings; of the unit Whole each is one step
    bool isPart = false; ///< one of its reports is a part of a recording
    bool isRange = false; ///< of the unit Whole: a chosen range, from its start to its end
    std::string pattern; ///< of the steps, "step_#"; empty: none
    std::size_t judged = 0; ///< steps that count, of all recordings; 1 each for the unit Whole
    /// Steps that count before the first that the other side names alike ("step_3"), an eighth at most:
    /// they have no partner. The others are paired in their order.
    std::size_t ahead = 0;
    Ns median
        = 0; ///< length of a step on the GPU: the median, of several recordings the mean of their medians
    double mean = 0;
    Ns total = 0; ///< of all compared steps
    Ns spread = 0; ///< median absolute deviation of the steps from their median
    double error = 0; ///< standard error of the median in ns; negative: a single step, unknown
    Ns hostMedian = 0; ///< the same of their ranges on the host; 0: none
    StepPeriod period; ///< stalls that come back
    LevelChange change; ///< of the steps that count
    LevelChange settled; ///< from the steps that were left out as warm-up to those that count
    /// Divides sums of rows to get values per step: compared steps times GPUs.
    double divisor = 1;

    /// GPUs of the first recording.
    std::size_t gpuCount() const;
    /// Processes of the first recording, in all of its reports.
    std::size_t processCount() const;
};

/// What the values of table `id`, or of the budget with another text, are of: "step", "all", or where that is
/// a mean "step_gpu", "gpu", "step_process", "process". Tables of the host are means over processes.
std::string_view valuesOf(
    std::string_view id, CompareUnit unit, const ComparedSide& a, const ComparedSide& b);

/// A part of a step's time: its mean over the compared steps. The parts of a side add up to its mean step, to
/// the nanosecond.
struct BudgetLine {
    std::string part; ///< BudgetPart::id, "compute_gemm"
    Message title; ///< BudgetPart::title
    Message name; ///< BudgetPart::name
    BudgetGroup group = BudgetGroup::Idle;
    Both<Ns> time; ///< a step
    Ns noise = -1; ///< the largest difference (ns) that is noise; -1: unknown
    /// For sides with equally many GPUs: the index in ComparedSide::gpus of the GPU whose part changed by far
    /// more than the mean of all; -1: none.
    std::int32_t mostGpu = -1;
    Both<Ns> ofMostGpu; ///< the part of its mean step
    Ns delta() const { return time.b - time.a; }
    bool isBeyondNoise() const { return noise >= 0 && (delta() > noise || -delta() > noise); }
};

/// How strictly a row of A and its partner in B match: the strictest that holds.
enum class MatchedBy : std::uint8_t {
    Nothing, ///< only one side has it
    NameAndShape, ///< kernels: name, grid and block
    Name,
    NameWithoutArguments, ///< kernels: without template arguments and sizes; copies: without the memory
    Operator, ///< kernels: launched by the same operator of the framework
    NvtxPath, ///< kernels: under one NVTX path, of one class, in the same order of launching
    StepOrder, ///< kernels: in the step, of one class, in the same order of launching
    Fused, ///< kernels: a few of one side replace many of the other under one NVTX path
    Graph, ///< a CUDA graph traced as a whole replaces kernels of the other side
    Order, ///< steps: the same index among the compared steps behind ComparedSide::ahead
};
/// "", "name_and_shape", "name", "name_without_arguments", "operator", "nvtx_path", "step_order", "fused",
/// "graph", "order"
std::string_view keyOf(MatchedBy by);
Message labelOf(MatchedBy by); ///< empty, "name and shape", ...
inline constexpr std::size_t matchedByCount = 10;

/// How a row changed.
enum class RowChange : std::uint8_t {
    Same,
    Varies, ///< another average by far, but the single values differ too much to call it slower or faster
    Cut, ///< a range cuts events, and only that explains the difference: whole ones do not differ, or
         ///< otherwise
    Slower,
    Faster,
    MoreCalls,
    FewerCalls,
    New,
    Gone
};
/// "same", "varies", "cut", "slower", "faster", "more_calls", "fewer_calls", "new", "gone"
std::string_view keyOf(RowChange change);

/// An event of a side.
struct SideEvent {
    std::uint32_t report = 0; ///< place in ComparedSide::files
    EventRef event;
};

/// One side of a row.
struct RowFigures {
    std::string name; ///< in full; empty: the side does not have it
    std::string label; ///< the same for little room; of several names with their number
    std::string shape; ///< kernels matched by it: "<<<128, 256>>>"; else empty
    std::uint64_t count = 0; ///< in all compared steps
    Ns total = 0; ///< bytes in a table of bytes
    double countPerStep = 0;
    double perStep = 0; ///< time in ns (bytes) a step
    double average = 0; ///< of one event
    bool isCut = false; ///< a range cuts some of the events: `total` has their time inside, `average` all
    std::vector<SideEvent> events; ///< in order of time; empty unless asked for
    WorkSums work; ///< operators: sums over the compared steps, like `total`; 0: unknown

    double flopsPerSecond() const { return rateOf(work.flops); } ///< 0: not known
    double bytesPerSecond() const { return rateOf(work.bytes); }
    double rooflineShare() const { return rateOf(work.rooflineNs) / 1e9; } ///< 0..1, above from a cache

private:
    double rateOf(double amount) const { return work.knownNs > 0 ? amount * 1e9 / work.knownNs : 0; }
};

/// A row of a table: the values of A and B for one item.
struct CompareRow {
    RowFigures a;
    RowFigures b;
    MatchedBy matchedBy = MatchedBy::Nothing;
    RowChange change = RowChange::Same;
    std::string group; ///< kernels: the title of their class; else empty
    std::string where; ///< kernels matched by NVTX path: the path with most of their time

    const RowFigures& operator[](Side side) const { return side == Side::A ? a : b; }
    double delta() const { return b.perStep - a.perStep; }
    /// The part of delta() due to another number of events, at A's average. For new and gone rows all of it.
    /// The rest is due to events that take longer or shorter. Nothing: a range cuts events, a third reason.
    std::optional<double> byCount() const;
};

/// A table of rows: those that changed most first.
struct CompareTable {
    std::string id; ///< "kernels", "operators", "nvtx_gpu", "nvtx", "api", "copies", "copied", "collectives",
                    ///< "memory", "steps"
    std::string title; ///< "Kernels"
    bool bytes = false; ///< values are bytes, not times
    std::vector<CompareRow> rows;
    bool isWork = false; ///< rows have RowFigures::work
    Both<double> perStep; ///< of all rows
};

/// How much of the time of a side's kernels has a partner on the other: shares, 0..1.
struct MatchedShares {
    Both<double> by[matchedByCount]; ///< by MatchedBy; Nothing: those without a partner
    Both<double> name; ///< in all stages that look at names
    Both<double> all; ///< in all stages
    Both<double> sure; ///< in rows of certainly equal work: by name, operator or NVTX path
    /// Launched under an NVTX path that the other side's kernels have too; negative: no such paths at all, or
    /// one side alone recorded ranges.
    Both<double> nvtxPath{-1, -1};
    Both<double> ranges; ///< launched inside such ranges, of one name or more, inside the step
};

/// How a finding changed.
enum class FindingState : std::uint8_t { Gone, New, Grown, Shrunk, Same };
std::string_view keyOf(FindingState state); ///< "gone", "new", "grown", "shrunk", "same"

/// A finding that one side has, or both have.
struct FindingChange {
    std::string id; ///< stableId(): the same on both sides; of slow steps A's, where it has any
    std::string_view rule; ///< a rule's id
    FindingState state = FindingState::Same;
    Both<Message> title; ///< empty: the side does not have it
    Both<double> saving; ///< in ns a step (of the unit Whole in all)
    Severity severity = Severity::Info; ///< the higher of both
    Both<SideEvent> event; ///< its first proof, where that is an event
    Both<TimeRange> where; ///< on the clock of its report
};

/// The change that replays of both sides estimate without the profiler's overhead.
struct PlainChange {
    Side costlier = Side::A; ///< which of them recording costs more
    ExpectedShare change; ///< of the step from A to B, as a share of A's
};

/// Two runs compared.
struct Comparison {
    bool comparable = false;
    std::vector<Message> reasons; ///< why not, whole sentences; empty when comparable
    bool lacksSteps = false; ///< only one side has steps, or theirs are of other names and work
    std::vector<Message> hints; ///< sentences: what would give a verdict where there is none
    std::vector<CompareFact> facts;
    CompareUnit unit = CompareUnit::Whole;
    CompareVerdict verdict = CompareVerdict::Unknown;
    CompareFigure decidedBy = CompareFigure::None;
    std::vector<CompareCaveat> caveats;
    Message sentence; ///< the whole story in one line; never empty
    std::vector<Message> story; ///< sentences: what changed, the largest first
    Both<ComparedSide> sides;
    Ns delta = 0; ///< median step of B minus that of A
    Ns noise = -1; ///< the largest difference of the medians that is noise (ns); -1: unknown
    Ns meanNoise = -1; ///< the same of the mean steps, which a few stalls make longer and the medians not
    /// The assumed part of `noise` and `meanNoise`, because one recording of each side does not show how much
    /// recordings differ; 0: nothing is assumed.
    Ns assumedNoise = 0;
    std::optional<PlainChange> plain; ///< with CompareCaveat::Profiler
    std::vector<BudgetLine> budget; ///< largest change first; empty: no GPU work
    MatchedShares matched;
    std::vector<CompareTable> tables; ///< those with rows
    /// Sections of tables whose events one side alone recorded: "nvtx", "api".
    std::vector<std::string_view> notCompared;
    std::vector<FindingChange> findings; ///< the most expensive first; empty until compareFindings()

    /// nullptr: no such table, or no rows.
    const CompareTable* table(std::string_view id) const;
    /// keyOf(unit), or "range": wholes of which one or both are chosen ranges.
    std::string_view unitKey() const;
    /// See warpline::valuesOf().
    std::string_view valuesOf(std::string_view id) const;
    /// "A per step and GPU": the title of the values of `side` in table `id`.
    Message sideTitle(Side side, std::string_view id) const;
    /// delta as a share of A's step; 0 without one.
    double relative() const;
    double meanDelta() const { return sides.b.mean - sides.a.mean; }
    /// The same of the means in whole ns, to which the lines of the budget add up.
    Ns wholeMeanDelta() const;
    /// meanDelta() as a share of A's mean step; 0 without one.
    double meanRelative() const;
    /// The change of the deciding value, or of the median where none decided.
    double change() const { return decidedBy == CompareFigure::Mean ? meanRelative() : relative(); }
    bool isBeyondNoise(CompareFigure figure) const;
    bool has(CompareCaveat caveat) const;
    /// Whether B is slower than A by more than `percent`: by the verdict and its deciding value.
    bool isRegression(double percent) const;
};

} // namespace warpline
