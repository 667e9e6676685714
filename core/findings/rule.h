#pragma once

#include "core/base/ids.h"
#include "core/base/message.h"
#include "core/base/time.h"
#include "core/coverage/packed_intervals.h"
#include "core/replay/cure.h"
#include "core/store/event_kind.h"
#include "core/store/event_loops.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpline {

class TraceAnalysis;
class Trace;
struct AcrossFinding;
struct GpuFacts;
struct Judging;

/// The subject of a finding, which distinguishes it from others of its rule, with process and GPU.
struct Subject {
    enum class Kind : std::uint8_t {
        Whole, ///< all that the rule looks at
        Part, ///< one of several patterns of the rule; `name` is the rule's key
        Cause, ///< of idle time: the key of gpu_idle_cause
        Range, ///< NVTX ranges: their pattern, see StepSeries::pattern
        Steps, ///< steps by name
        Call, ///< a function of an API
        Kernel,
        Function, ///< of the program
        Direction, ///< of copies
    };
    Kind kind = Kind::Whole;
    std::string name; ///< without parts that change from run to run; empty for Whole
    std::string thread = {}; ///< the thread, when several have the same problem; else empty

    friend bool operator==(const Subject&, const Subject&) = default;
    friend auto operator<=>(const Subject&, const Subject&) = default;
};

/// "range:load", "call:cudaMalloc, thread [524] worker"; empty for the whole.
std::string keyOf(const Subject& subject);

/// Identifies a finding within a report: a rule has one finding per subject. Independent of its texts.
struct FindingId {
    std::string_view rule;
    GlobalId process = 0;
    std::int32_t device = -1;
    Subject subject;

    friend bool operator==(const FindingId&, const FindingId&) = default;
    friend auto operator<=>(const FindingId&, const FindingId&) = default;
};

/// How much attention a finding deserves.
enum class Severity : std::uint8_t { Info, Low, Medium, High };
std::string_view keyOf(Severity severity); ///< "info", "low", "medium", "high"
Message wordOf(Severity severity); ///< the same to read
/// By the share that `saving` has of `whole`, a length of time.
Severity severityFor(Ns saving, Ns whole);

/// How sure a rule is that the pattern it found is the cause it names.
enum class Confidence : std::uint8_t { Possible, Likely, Certain };
std::string_view keyOf(Confidence confidence);
Message wordOf(Confidence confidence);

/// The part of the list in which a finding appears, see rankFindings(). The first are to be read first,
/// whatever their severity, which is only a share of the GPU's time.
enum class FindingPlace : std::uint8_t {
    TooSmall, ///< the problem is too small for its GPU: nothing else matters
    RunItself, ///< host-only work that is most of the run
    LargestInDoubt, ///< uncertain, but its saving is ten times that of all certain findings
    Usual,
    Little, ///< a tiny saving compared with the largest, a small one-time cost, or not about time
    Free, ///< costs nothing
};

/// One piece of proof: a place, and the event there when it is one event.
struct Evidence {
    TimeRange range;
    EventRef event; ///< not valid() for a stretch of time, such as a gap
    Message note; ///< "67.1 MB, Pageable to Device"
};

/// One thing worth the user's attention, with its values, evidence and remedy.
struct Finding {
    std::string_view rule; ///< Rule::id
    Severity severity = Severity::Low;
    FindingPlace place = FindingPlace::Usual; ///< set by rankFindings()
    bool leadsMoreSevere = false; ///< more severe ones come after it; set by rankFindings()
    Confidence confidence = Confidence::Likely;
    Message title; ///< "GPU 0 idle for 34% of the steps while data is loaded"
    Message message; ///< what was found, with values; messageOf() is what is shown
    Message alone; ///< behind the message while the other ranks' reports, which know better, are not open
    bool ofLoneRank = false; ///< `saving` is an upper bound for the same reason: see tellLoneRank()
    Message why; ///< why it costs time; empty: the rule's text
    Message remedy; ///< what to do; empty: the rule's text. adviceFor() adds to it
    Message caveat; ///< when it may be wrong; empty: the rule's text
    std::string_view topic; ///< which advice belongs to it; empty: the rule's id
    TimeRange where; ///< a click zooms the timeline to this
    Ns saving = 0; ///< upper bound of the saving in ns; findings rank by it; 0: not about time
    /// The program change that fixes it: set by rules and replayed by expectSavings(). Empty: a replay cannot
    /// show it.
    Cure cure;
    /// The expected saving in the measured time, at most `saving`. Nothing: it has no cure, or cannot be
    /// replayed.
    std::optional<ExpectedTime> expected;
    /// The same without the profiler, of a step: under it both take another time. Nothing where `expected`
    /// is.
    std::optional<ExpectedShare> plainShare;
    /// One-time cost in ns, before the first steady step or after the last GPU work: not part of the measured
    /// time, nor of `saving`.
    Ns once = 0;
    /// The part of `saving` that no other finding claims with priority; the sum is the joint saving: see
    /// savingTogether().
    Ns added = 0;
    Ns perStep = 0; ///< the part of `saving` per steady step, see sharePerStep(); 0: there are none
    Message lowered; ///< why `severity` is lower than `saving` implies; empty: it is not
    std::string group; ///< findings of one cause share it; empty: the rule's id
    /// The subject, part of its id. Findings of several processes with the same subject are merged, see
    /// mergeByProcess().
    Subject subject;
    bool heldUp = false; ///< by other processes: of findings that are alike one that is not speaks for all
    GlobalId process = 0; ///< 0: the whole report
    /// -1: no device in particular. Rules give the CUDA ordinal of the process; runRules() hands out the
    /// machine's number, see gpuNumber().
    std::int32_t device = -1;
    std::vector<Evidence> evidence; ///< worst first
    std::uint64_t evidenceTotal = 0; ///< how many there were in all, when `evidence` was cut
    /// All the time that the finding accounts for, when that is more than its evidence; decides merging.
    /// Findings of the same time share it.
    PackedIntervals claims;
    Ns measured
        = 0; ///< the time that severity, and shares of the saving, are of; see TraceAnalysis::measured()
    /// Findings of other rules with the same cause, or of other processes, merged into this one: see
    /// mergeByCause() and mergeByProcess().
    std::vector<Finding> merged;
};

/// Its id within its report.
inline FindingId idOf(const Finding& finding)
{
    return {finding.rule, finding.process, finding.device, finding.subject};
}

/// Whether lists and files show the expected saving of `finding`, and rank by it. For one of several ranks
/// the bound counts, because collectives keep their length in a replay although other ranks get faster, too.
inline bool showsExpected(const Finding& finding)
{
    return finding.expected && !finding.ofLoneRank;
}

/// Why `finding` stands before more severe ones, or first, as a sentence; empty: it does not.
Message reasonOf(const Finding& finding);

/// A list with only `finding`, moved: its claims may be millions.
inline std::vector<Finding> only(Finding&& finding)
{
    std::vector<Finding> findings;
    findings.push_back(std::move(finding));
    return findings;
}

/// One number a user may change, with the default the rule was tuned for.
struct Threshold {
    std::string_view key; ///< "min_gap_ns"
    std::string_view title; ///< "Shortest gap"
    std::string_view unit; ///< "ns", "%", "B", "" for a count
    double value;

    /// The largest value of a user; it fits 64 bits as ns or bytes.
    double most() const { return unit == "%" ? 1e6 : 1e15; }
};

/// All inputs of a rule.
struct RuleContext {
    const Trace& trace;
    TimeRange window; ///< the requested range: the session, or the user's selection
    std::span<const Threshold> overrides; ///< key is "rule-id.threshold-key"
    std::stop_token stop; ///< loops over events look at it: stoppable(), everyEvent(), throwIfStopped()
    TraceAnalysis& facts; ///< of the trace and the window; the rules of a run share them
    bool asNsys = false; ///< rules with a namesake in nsys count as that does, not as Warpline ranks

    /// The user's value for `threshold` of rule `rule`, else its default.
    double threshold(std::string_view rule, const Threshold& threshold) const;
    /// Whether `number` is no less than `least` of rule `rule`. 0 never is: the user may set `least` to 0.
    template <typename Number>
    bool reaches(std::string_view rule, const Threshold& least, Number number) const
    {
        return number > 0 && static_cast<double>(number) >= threshold(rule, least);
    }
    /// Whether `part` is no less of `whole` than the percentage `least` of rule `rule`. 0 never is.
    template <typename Part, typename Whole>
    bool reachesShare(std::string_view rule, const Threshold& least, Part part, Whole whole) const
    {
        return part > 0
            && static_cast<double>(part) * 100 >= threshold(rule, least) * static_cast<double>(whole);
    }
};

/// severityFor() of the measured time.
Severity severityOf(const RuleContext& context, Ns saving);

/// Detects one pattern, in one report or across the ranks of a run. Its texts (reason, remedy) are shared by
/// the panel, exported pages and the documentation.
struct Rule {
    std::string_view id; ///< "gpu_gaps": in settings, tests and links; nsys' name where nsys has the rule
    std::string_view title;
    std::string_view why;
    std::string_view remedy;
    std::string_view caveat; ///< when it may be wrong: what to check before acting on it
    std::span<const Threshold> thresholds = {};
    /// False: the report lacks the data; shown as "not recorded". Throws Stopped when the token is requested.
    bool (*applies)(const Trace&, const std::stop_token&) = nullptr;
    std::vector<Finding> (*check)(const RuleContext&) = nullptr; ///< of a rule of one report
    /// Instead of check(), for a rule that examines each GPU separately: adds the findings of one GPU.
    void (*checkGpu)(const RuleContext&, const GpuFacts&, std::vector<Finding>&) = nullptr;
    std::vector<AcrossFinding> (*checkRanks)(const Judging&) = nullptr; ///< of a rule across ranks
    /// Ids of rules that see the same trouble with less of its cause: their findings merge into this one's.
    std::span<const std::string_view> absorbs = {};

    /// The findings of check() or checkGpu().
    std::vector<Finding> find(const RuleContext& context) const;

    // The texts as messages, with keys such as "launch_bound.rule_why".
    Message titleText() const { return {id, "rule_title", title}; }
    Message whyText() const { return {id, "rule_why", why}; }
    Message remedyText() const { return {id, "rule_remedy", remedy}; }
    Message caveatText() const { return {id, "rule_caveat", caveat}; }
    Message titleOf(const Threshold& threshold) const
    {
        return {id, "threshold_" + std::string(threshold.key), threshold.title};
    }
};

/// All rules of one report. The list is in rules.cpp and nowhere else; allAcrossRules() has those across
/// ranks.
std::span<const Rule* const> allRules();
const Rule* findRule(std::string_view id);

/// Runs `rules` over `window`, on several threads where worthwhile, and ranks the findings: rankFindings().
/// Empty `rules`: all rules, with findings of one cause merged (mergeByCause()). Explicit rules stay
/// separate, and those of nsys behave like nsys' (RuleContext::asNsys). With several GPU processes each title
/// names its process. `stepGlob` names the NVTX ranges of the steps; empty: they are detected, see
/// findSteps(). Sets `profiled` to the recording overhead; nothing: no step was replayed. Empty when `stop`
/// is requested.
std::vector<Finding> runRules(const Trace& trace, TimeRange window, std::span<const Rule* const> rules = {},
    std::span<const Threshold> overrides = {}, std::stop_token stop = {}, const std::string& stepGlob = {},
    std::optional<ProfiledStep>* profiled = nullptr);
/// The same over the window of `facts`, whose cached data callers can use afterwards.
std::vector<Finding> runRules(TraceAnalysis& facts, std::span<const Rule* const> rules = {},
    std::span<const Threshold> overrides = {}, std::optional<ProfiledStep>* profiled = nullptr);

} // namespace warpline
