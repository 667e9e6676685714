// Idle time of a GPU by cause: what the thread did that launched the next work. Time before the first steady
// step is separate, because it is a one-time cost.

#include "core/analysis/first_launches.h"
#include "core/analysis/idle_gaps.h"
#include "core/base/format.h"
#include "core/base/median.h"
#include "core/base/message_names.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/coverage/interval_times.h"
#include "core/coverage/migrations.h"
#include "core/findings/evidence.h"
#include "core/findings/idle_parts.h"
#include "core/findings/idle_places.h"
#include "core/findings/recording_advice.h"
#include "core/query/event_text.h"
#include "core/store/event_loops.h"
#include "core/store/gpu_names.h"
#include "core/store/python_samples.h"
#include "core/store/range_words.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

namespace warpline::gpu_idle_cause {

namespace {

constexpr std::string_view id = "gpu_idle_cause";
constexpr Threshold minGap{"min_gap_ns", "Minimum gap that is looked into", "ns", shortestCause};
constexpr Threshold minShare{"min_share", "Minimum share of the measured time", "%", 1};
constexpr std::array thresholds{minGap, minShare};
constexpr std::array<std::string_view, 2> absorbed{"gpu_gaps", "gpu_time_util"};

constexpr double nearlyAll = 0.8; ///< of the time of a cause
constexpr std::size_t fewGapsWithSteps = 2;
using Cause = IdleParts;

/// By IdleCause: keys of the launching thread's activity. Ids of findings contain them, so never change them.
constexpr std::array<std::string_view, idleCauses> doingKeys{"", "", "communicating", "loading_data",
    "loading_code", "allocating", "waiting", "copying", "launching", "other_calls", "os_calls",
    "fetching_pages", "off_cpu", "", "own_code", "", "launched", "", ""};

struct IdleTime {
    std::array<Cause, idleCauses> steady;
    std::array<Ns, idleCauses> paced{}; ///< left out there, see isLaunchPace()
    std::vector<IdleGap> before; ///< gaps before the first steady step
};

/// Moves the part of `gap` before the first steady step to `before` and returns the rest.
IdleGap cutAtFirstStep(const StepSeries& steps, const IdleGap& gap, std::vector<IdleGap>& before)
{
    const Ns first = steps.empty() ? gap.range.start : steps.ranges[steps.firstSteady].start;
    if (gap.range.start >= first)
        return gap;
    before.push_back({{gap.range.start, std::min(first, gap.range.end)}, gap.next});
    return {{std::min(first, gap.range.end), gap.range.end}, gap.next};
}

/// Adds the stretches of `gap` in which the launching thread did `doing` to `parts`.
void addParts(TraceAnalysis& facts, const GapCause& cause, const IdleGap& gap, IdleCause doing,
    std::vector<TimeRange>& parts)
{
    const Intervals within = facts.host(cause.thread).within(doing, cause.host);
    parts.insert(parts.end(), within.begin(), within.end());
    if (doing == IdleCause::Queued && cause.host.end < gap.range.end)
        parts.push_back({cause.host.end, gap.range.end});
}

/// Adds an edge, see edgeGaps(), shortened to the mean of gaps between steps.
void addEdge(const RuleContext& context, const IdleGap& edge, bool isFirst, IdleTime& idle)
{
    const GapCause cause = causeOf(context.trace, context.facts, edge);
    for (std::size_t i = 0; cause.known && i < idleCauses; ++i) {
        const auto doing = static_cast<IdleCause>(i);
        Cause& known = idle.steady[i];
        if (known.gaps.empty() || isLaunchPace(doing, edge.range.duration()))
            continue;
        std::vector<TimeRange> parts;
        addParts(context.facts, cause, edge, doing, parts);
        const Ns part = cutToUsual(parts, known.total / static_cast<Ns>(known.gaps.size()), isFirst);
        if (part == 0)
            continue;
        known.add(edge.range, part);
        if (isFirst)
            std::ranges::rotate(known.gaps, std::prev(known.gaps.end())); // in order of time
        std::vector<TimeRange>& all = known.parts[cause.thread];
        all.insert(isFirst ? all.begin() : all.end(), parts.begin(), parts.end());
    }
}

IdleTime sortByCause(const RuleContext& context, const GpuFacts& gpu)
{
    TraceAnalysis& facts = context.facts;
    const Ns shortest = static_cast<Ns>(context.threshold(id, minGap));
    const StepSeries& steps = facts.steps(gpu.process);
    IdleTime idle;
    const auto take = [&](const IdleGap& whole) {
        if (whole.range.duration() < shortest)
            return;
        const IdleGap gap = cutAtFirstStep(steps, whole, idle.before);
        if (gap.range.empty())
            return;
        const GapCause cause = causeOf(context.trace, facts, gap);
        if (!cause.known)
            return;
        for (std::size_t i = 0; i < idleCauses; ++i) {
            const auto doing = static_cast<IdleCause>(i);
            if (isLaunchPace(doing, gap.range.duration()))
                idle.paced[i] += cause.parts[i];
            if (cause.parts[i] == 0 || isLaunchPace(doing, gap.range.duration()))
                continue;
            idle.steady[i].add(gap.range, cause.parts[i]);
            addParts(facts, cause, gap, doing, idle.steady[i].parts[cause.thread]);
            idle.steady[i].leads |= doing == cause.main;
        }
    };
    const auto gaps = gpu.gaps();
    for (const IdleGap& gap : stoppableItems(gaps, context.stop))
        take(gap);
    for (const IdleGap& edge : edgeGaps(context.trace, facts, gpu)) {
        if (edge.range.duration() >= shortest)
            addEdge(context, edge, edge.range.start < gpu.busy.front().start, idle);
    }
    return idle;
}

/// The gaps as evidence, those with most of the cause first. The finding sums their parts, which are shown
/// next to the longer gaps.
void setGaps(Finding& finding, std::vector<PartOfGap> gaps)
{
    const std::size_t listed = std::min(gaps.size(), maxEvidence);
    std::ranges::partial_sort(
        gaps, gaps.begin() + static_cast<std::ptrdiff_t>(listed), [](const PartOfGap& a, const PartOfGap& b) {
            return a.part != b.part ? a.part > b.part : a.gap.start < b.gap.start;
        });
    finding.evidenceTotal = gaps.size();
    for (const auto& [gap, part] : std::span(gaps).first(listed)) {
        // Where both look alike, one is enough.
        const bool isAll = formatDuration(part) == formatDuration(gap.duration());
        finding.evidence.push_back({gap, {},
            isAll ? Message(
                "gpu_idle_cause.gap", "nothing runs for {time}", {{"time", Duration{gap.duration()}}})
                  : Message("gpu_idle_cause.part_of_gap", "{part} of a gap of {time}",
                      {{"part", Duration{part}}, {"time", Duration{gap.duration()}}})});
    }
    if (!gaps.empty())
        finding.where = gaps.front().gap;
}

/// True when a few gaps make up nearly all of the time: not the pattern of a loop.
bool happensOnce(const Cause& cause, bool hasSteps)
{
    const std::size_t few = hasSteps ? fewGapsWithSteps : fewGaps;
    Ns inFew = 0;
    for (std::size_t i = 0; i < few; ++i)
        inFew += cause.longest[i];
    return static_cast<double>(inFew) >= nearlyAll * static_cast<double>(cause.total);
}

/// The launching thread's activity, to follow "the launching thread ".
Message doingText(IdleCause doing, GpuApi api)
{
    return {"gpu_idle_cause.doing",
        "{doing, select, communicating {waits in MPI, UCX or NVSHMEM} loading_data {loads data} loading_code {loads or "
        "compiles GPU code} allocating {allocates or frees memory} waiting {waits in a synchronizing call} copying {is "
        "inside a memcpy or memset call} launching {is inside a launch call} other_calls {is inside other {api} calls} "
        "os_calls {is inside system calls} fetching_pages {waits for pages of unified memory that are on the GPU} launched "
        "{has already launched the next work, which the GPU has not started} off_cpu {sleeps or waits, on no CPU} other "
        "{runs its own code and launches nothing}}",
        {{"doing", Name{std::string(doingKeys[indexOf(doing)])}},
            {"api",
                Name{api == GpuApi::Mtia     ? "accelerator"
                        : api == GpuApi::Hip ? "HIP"
                                             : "CUDA"}}}};
}

/// The host's activity during `cause`, to follow "while ".
Message causeText(const Trace& trace, IdleCause doing, const Cause& cause, const HostPlaces& where)
{
    const bool communicates = doing == IdleCause::OtherRanks;
    return {"gpu_idle_cause.cause",
        "{kind, select, communicates {the host waits in {library}} operator {the launching thread is inside the operator "
        "{operator}} operators {the launching thread is inside operators of PyTorch} other {the launching thread {doing}}}",
        {{"kind",
             Name{communicates                    ? "communicates"
                     : where.operators.empty()    ? "doing"
                     : where.operatorName.empty() ? "operators"
                                                  : "operator"}},
            {"library",
                Name{communicates ? std::string(communicationOf(trace, cause.parts.begin()->first))
                                  : std::string()}},
            {"operator", Name{where.operatorName}}, {"doing", doingText(doing, gpuApiOf(trace))}}};
}

Message titleOf(const Trace& trace, const GpuFacts& gpu, IdleCause doing, const Cause& cause,
    const HostPlaces& where, bool isIdle)
{
    const std::vector<Message>& names = doing == IdleCause::OtherRanks ? where.calls
        : where.operators.empty()                                      ? where.ranges
                                                                       : where.operators;
    // One operator is named by the cause.
    const bool areNamed = !names.empty() && (&names != &where.operators || names.size() > 1);
    return {"gpu_idle_cause.title",
        "{gpu} {idle, select, yes {idle} other {computes nothing}} for {time} while {cause}{named, select, yes {: {names}} "
        "other {}}",
        {{"gpu", Name{nameOf(trace, gpu)}}, {"idle", yesOrNo(isIdle)}, {"time", Duration{cause.total}},
            {"cause", causeText(trace, doing, cause, where)}, {"named", yesOrNo(areNamed)},
            {"names", names}}};
}

/// A sentence when the thread of a rank hardly waits; else empty.
Message lateText(const RuleContext& context, const Cause& cause)
{
    TraceAnalysis& facts = context.facts;
    for (const auto& [thread, parts] : cause.parts) {
        const Ns waits = totalTime(facts.host(thread).within(IdleCause::OtherRanks, facts.measuredRange()));
        if (waits > 0 && waits * 4 < cause.total)
            return {"gpu_idle_cause.late",
                "It waits only {time} in {library}: if other ranks wait, they wait for this one.",
                {{"time", Duration{waits}},
                    {"library", Name{std::string(communicationOf(context.trace, thread))}}}};
    }
    return {};
}

/// Mentions when loading is mostly the first launch of each kernel, which loads its code once.
void tellFirstLaunches(const RuleContext& context, Finding& finding)
{
    TraceAnalysis& facts = context.facts;
    const EventTable& calls = context.trace.apiCalls();
    std::vector<TimeRange> ranges;
    for (const EventIndex call : firstLaunches(context.trace, facts.callKinds(), context.stop)) {
        if (totalTime(finding.claims, calls.range(call)) > 0)
            ranges.push_back(calls.range(call));
    }
    const std::size_t count = ranges.size();
    const Ns loading = commonTime(unionOf(std::move(ranges), context.window, context.stop), finding.claims);
    if (static_cast<double>(loading) < nearlyAll * static_cast<double>(totalTime(finding.claims)))
        return;
    finding.message += Message("gpu_idle_cause.first_launches",
        "For {time} of it, {kernels, plural, one {# kernel is} other {# kernels are}} launched for the first time, which loads "
        "the code (lazy loading).",
        {{"time", Duration{loading}}, {"kernels", Count{count}}});
    finding.severity = std::min(finding.severity, Severity::Low);
    finding.lowered = Message("gpu_idle_cause.lowered_loading",
        "the first launch of a kernel loads its code, which is a one-time cost");
}

/// Mentions when a GPU that does not begin its launches may be drawing: a program with OpenGL, Vulkan or
/// Direct3D interoperability shares it with work that no CUDA report shows.
void tellGraphics(const RuleContext& context, Finding& finding)
{
    const Trace& trace = context.trace;
    const auto maps = [&](StringId name) {
        return trace.text(name).find("GraphicsMapResources") != std::string_view::npos;
    };
    if (!anyName(trace.apiCalls(), context.stop, maps))
        return;
    finding.message
        += Message("gpu_idle_cause.draws", "The program draws what it computes: it maps graphics resources.")
        + Message("gpu_idle_cause.busy_drawing",
            "The GPU is probably busy drawing, or waits for the display, which a CUDA report does not show.");
    finding.severity = std::min(finding.severity, Severity::Low);
    finding.lowered = Message("gpu_idle_cause.lowered_drawing", "the GPU may be drawing in that time");
    finding.confidence = Confidence::Possible;
    finding.remedy
        = Message("gpu_idle_cause.record_graphics",
              "Record graphics as well (nsys profile --trace=cuda,opengl,vulkan, --gpu-metrics-devices=all).")
        + Message("gpu_idle_cause.only_if_idle", "Only if the GPU is idle then is there something to fix.");
}

/// The remedy where the thread is in a framework's operators and not in the program's code.
void adviseOnOperators(const HostPlaces& where, Finding& finding)
{
    finding.subject = {Subject::Kind::Part, "operators"};
    if (where.inCudnnAttention) {
        finding.message += Message("gpu_idle_cause.cudnn_attention",
            "cuDNN probably builds its attention again for each sequence length.");
        finding.remedy = Message("gpu_idle_cause.constant_shapes",
                             "Keep shapes constant: pad or bucket lengths, and keep caches of one size.")
            + Message("gpu_idle_cause.no_specializing", "Or turn off what is built for each length.");
        finding.topic = "code_loaded_in_loop";
        return;
    }
    finding.remedy
        = Message("gpu_idle_cause.in_operator",
              "The library may select, build or load a kernel for a new shape, wait for a lock, or compute on the CPU.")
        + Message(
            "gpu_idle_cause.warm_shapes", "Keep shapes constant, and run each of them once as a warm-up.")
        + Message("gpu_idle_cause.see_operator",
            "See the operator's input shapes and callers (record_shapes=True, with_stack=True of "
            "torch.profiler.profile).");
}

Finding steadyFinding(const RuleContext& context, const GpuFacts& gpu, IdleCause doing, const Cause& cause)
{
    const Trace& trace = context.trace;
    Finding finding = findingOn(context, gpu.process, gpu.device, cause.total);
    const HostPlaces where = whereHostWas(context, gpu, doing, cause);
    const bool guessed
        = (doing == IdleCause::OwnCode && where.operators.empty()) || doing == IdleCause::OsCall;
    finding.confidence = guessed ? Confidence::Possible : Confidence::Likely;
    finding.claims = timeOf(context, cause);
    setGaps(finding, cause.gaps);
    // Pages that move are work of a GPU, though the program launched none: then it is not idle.
    const Ns moving = hasFaultMigrations(trace, context.stop)
        ? commonTime(migrationTime(trace, gpu.process, context.facts.pageWaits({gpu.process, gpu.device}),
                         context.facts.measuredRange(), context.stop),
            finding.claims)
        : 0;
    const bool isIdle = moving * 50 < cause.total;
    finding.title = titleOf(trace, gpu, doing, cause, where, isIdle);
    finding.message = Message("gpu_idle_cause.gaps",
        "In {gaps, plural, one {# gap} other {# gaps}}, the GPU is idle while {cause}: {time} in all, {longest} in the "
        "longest.",
        {{"gaps", Count{cause.count}}, {"cause", causeText(trace, doing, cause, where)},
            {"time", Duration{cause.total}}, {"longest", Duration{cause.longest.front()}}});
    if (!isIdle)
        finding.message += Message("gpu_idle_cause.pages_move",
            "Pages of unified memory move for {time} of that; for the rest it is idle.",
            {{"time", Duration{moving}}});
    if (!where.calls.empty())
        finding.message += Message("gpu_idle_cause.by_call", "By call: {calls}.", {{"calls", where.calls}});
    if (!where.operators.empty())
        finding.message += Message("gpu_idle_cause.by_operator", "By innermost operator: {operators}.",
            {{"operators", where.operators}});
    if (!where.ranges.empty())
        finding.message += Message(
            "gpu_idle_cause.by_range", "By the program's own ranges: {ranges}.", {{"ranges", where.ranges}});
    // Memory that went to and fro comes back with the loop that uses it.
    if (doing != IdleCause::HostPages && happensOnce(cause, !context.facts.steps(gpu.process).empty())
        && !comesBack(context, gpu, cause)) {
        finding.severity = std::min(finding.severity, Severity::Low);
        finding.lowered = Message("gpu_idle_cause.lowered_few",
            "nearly all of it is in {gaps, plural, one {# gap} other {# gaps}}, too few to prove a loop",
            {{"gaps", Count{std::min(cause.count, fewGaps)}}});
    }
    finding.remedy = doing == IdleCause::OwnCode && !where.ranges.empty()
        ? Message("gpu_idle_cause.ranges_say",
              "The ranges show what it is: move it off the launching thread or to the GPU.")
            + Message("gpu_idle_cause.prepare",
                "Or prepare it one iteration ahead where the next work does not need its result.")
        : idleRemedyFor(doing, context.facts.program(), hasPythonFunctions(trace));
    finding.topic = idleTopicFor(doing);
    finding.subject = {Subject::Kind::Cause, std::string(doingKeys[indexOf(doing)])};
    if (!where.operators.empty())
        adviseOnOperators(where, finding);
    finding.heldUp = doing == IdleCause::OtherRanks;
    if (doing == IdleCause::OwnCode)
        finding.message += lateText(context, cause);
    if (doing == IdleCause::OwnCode)
        tellSamples(context, cause, finding);
    if (doing == IdleCause::CodeLoading)
        tellFirstLaunches(context, finding);
    if (doing == IdleCause::Queued)
        tellGraphics(context, finding);
    return finding;
}

/// The median of `idle` per steady step, or without steps per gap, where the GPU idles in most steps while
/// the launching thread is in one range. A single long pause, which has its own finding, would distort the
/// mean.
Ns usualPart(const StepSeries& steps, const IdleParts& idle)
{
    std::vector<Ns> parts;
    if (!steps.empty())
        parts.resize(steps.steady(), 0);
    for (const PartOfGap& gap : idle.gaps) {
        const std::size_t step = steps.empty() ? 0 : steps.at(gap.gap.start);
        if (steps.empty())
            parts.push_back(gap.part);
        else if (step < steps.size() && step >= steps.firstSteady)
            parts[step - steps.firstSteady] += gap.part;
    }
    return middleOf(std::move(parts));
}

/// Own code that touches pages which are on a GPU stops at each of them: how often, as a sentence. Empty:
/// none, or too few to matter.
Message pagesText(const RuleContext& context, const GpuFacts& gpu, const IdleParts& idle)
{
    const MemcpyTable& copies = context.trace.memcpys();
    if (!hasFaultMigrations(context.trace, context.stop))
        return {};
    std::uint64_t moves = 0;
    Ns time = 0;
    for (const Track& track : copies.tracks) {
        if (pidOf(track.owner) != pidOf(gpu.process))
            continue;
        for (const Lane& lane : copies.lanesOf(track)) {
            for (const PartOfGap& gap : stoppableItems(idle.gaps, context.stop)) {
                const auto [first, last] = copies.touching(lane, gap.gap);
                for (EventIndex i = first; i < last; ++i) {
                    if (!stallsHost(copies.copy(i)))
                        continue;
                    ++moves;
                    time += copies.range(i).clippedTo(gap.gap).duration();
                }
            }
        }
    }
    return time * 50 < idle.total
        ? Message()
        : Message("gpu_idle_cause.pages_between",
            "In between, pages of unified memory come to the host {times, plural, one {# time} other {# times}}, which is not "
            "part of that.",
            {{"times", Count{moves}}});
}

Finding rangeFinding(const RuleContext& context, const GpuFacts& gpu, const IdleRange& range)
{
    const StepSeries& steps = context.facts.steps(gpu.process);
    const Cause& idle = range.idle;
    Finding finding = findingOn(context, gpu.process, gpu.device, idle.total);
    finding.claims = timeOf(context, idle);
    setGaps(finding, idle.gaps);
    const Name name{range.name};
    const std::size_t times = steps.empty() ? range.steps : steps.steady(); // three at least
    const Ns mean = idle.total / static_cast<Ns>(times);
    // The mean, as the saving per step is, unless outliers distort it.
    const Ns usual = usualPart(steps, idle);
    const bool isDistorted = usual > 0 && std::abs(mean - usual) * 10 > mean;
    const Ns each = isDistorted ? usual : mean;
    const IdleCause main = mainDoing(range);
    const Name isNamed = yesOrNo(main != IdleCause::OwnCode);
    const Message doing = doingText(main, gpuApiOf(context.trace));
    finding.title = steps.empty()
        ? Message("gpu_idle_cause.range_title",
            "{gpu} waits {each} each time in {range}, {time} in all{named, select, yes { while the launching thread {doing}} "
            "other {}}",
            {{"gpu", Name{nameOf(context.trace, gpu)}}, {"each", Duration{each}}, {"range", name},
                {"time", Duration{idle.total}}, {"named", isNamed}, {"doing", doing}})
        : Message("gpu_idle_cause.range_of_steps_title",
            "{gpu} waits {each} per step in {range}{named, select, yes { while the launching thread {doing}} other {}}",
            {{"gpu", Name{nameOf(context.trace, gpu)}}, {"each", Duration{each}}, {"range", name},
                {"named", isNamed}, {"doing", doing}});
    finding.message = Message("gpu_idle_cause.range",
        "In {ranges} of {unit, select, steps {{count, plural, one {# steady step} other {# steady steps}}} other {{count, "
        "plural, one {# range} other {# ranges}}}}, the GPU is idle while the launching thread is in {range}.",
        {{"ranges", Count{range.steps}}, {"unit", Name{steps.empty() ? "ranges" : "steps"}},
            {"count", Count{times}}, {"range", name}});
    finding.message
        += Message("gpu_idle_cause.range_time", "That is {time} in all, {longest} in the longest gap.",
            {{"time", Duration{idle.total}}, {"longest", Duration{idle.longest.front()}}});
    finding.message += Message("gpu_idle_cause.there", "There it {doings}.", {{"doings", doingsIn(range)}});
    if (isDistorted)
        finding.message += Message("gpu_idle_cause.mean",
            "{median} is the median; the mean is {mean}, because of outliers.",
            {{"median", Duration{each}}, {"mean", Duration{mean}}});
    finding.remedy = idleRemedyFor(main, context.facts.program(), hasPythonFunctions(context.trace));
    finding.message += pagesText(context, gpu, idle);
    finding.topic = idleTopicFor(main);
    finding.subject = {Subject::Kind::Range, range.pattern};
    finding.message += lateText(context, idle);
    return finding;
}

/// The launching thread's activity in own code of `gaps`, to follow "the launching thread ".
Message ownCodeBefore(const RuleContext& context, const GpuFacts& gpu, const std::vector<IdleGap>& gaps)
{
    IdleParts ownCode;
    for (const IdleGap& gap : stoppableItems(gaps, context.stop)) {
        const GapCause cause = causeOf(context.trace, context.facts, gap);
        const Ns part = cause.known ? cause.parts[indexOf(IdleCause::OwnCode)] : 0;
        if (part == 0)
            continue;
        ownCode.add(gap.range, part);
        addParts(context.facts, cause, gap, IdleCause::OwnCode, ownCode.parts[cause.thread]);
    }
    const HostPlaces where = whereHostWas(context, gpu, IdleCause::OwnCode, ownCode);
    return where.operators.empty()
        ? doingText(IdleCause::OwnCode, gpuApiOf(context.trace))
        : Message("gpu_idle_cause.mostly_in_operators", "is mostly inside operators ({operators})",
            {{"operators", where.operators}});
}

Finding startupFinding(const RuleContext& context, const GpuFacts& gpu, const std::vector<IdleGap>& gaps)
{
    const Trace& trace = context.trace;
    TraceAnalysis& facts = context.facts;
    CauseTimes parts{};
    Finding finding = findingWith(Severity::Low, Confidence::Possible, gpu.process, gpu.device);
    for (const IdleGap& gap : stoppableItems(gaps, context.stop)) {
        finding.once += gap.range.duration();
        const GapCause cause = causeOf(trace, facts, gap);
        for (std::size_t i = 0; cause.known && i < idleCauses; ++i)
            parts[i] += cause.parts[i];
    }
    const auto main = static_cast<IdleCause>(std::ranges::max_element(parts) - parts.begin());
    PackedIntervals::Builder time;
    for (const IdleGap& gap : gaps)
        time.add(gap.range);
    finding.claims = time.done();
    setClaimedStretches(finding, "gpu_idle_cause.gap", "nothing runs for {time}");
    finding.title
        = Message("gpu_idle_cause.start_title", "{gpu} idle for {time} before the first steady step",
            {{"gpu", Name{nameOf(trace, gpu)}}, {"time", Duration{finding.once}}});
    finding.message = Message("gpu_idle_cause.start_idle",
        "Between its first work and the first steady step ({pattern}), the GPU is idle for {time} in {gaps, plural, one {# "
        "gap} other {# gaps}}.",
        {{"pattern", Name{facts.steps(gpu.process).pattern}}, {"time", Duration{finding.once}},
            {"gaps", Count{gaps.size()}}});
    finding.message
        += Message("gpu_idle_cause.start_doing", "For {time} of that, the launching thread {doing}.",
            {{"time", Duration{parts[indexOf(main)]}},
                {"doing",
                    main == IdleCause::OwnCode ? ownCodeBefore(context, gpu, gaps)
                                               : doingText(main, gpuApiOf(trace))}});
    finding.why = Message("gpu_idle_cause.start_once",
                      "Start-up is a one-time cost: it matters for short runs and tests, not for long runs.")
        + Message("gpu_idle_cause.start_averages",
            "It also distorts averages over the whole report, so measure over the steps alone.");
    finding.remedy
        = Message("gpu_idle_cause.start_select", "Record only steady steps ({option}), or select them here.",
              {{"option", Message(recordingAdvice(trace).steadySteps)}})
        + Message("gpu_idle_cause.start_shorten",
            "To shorten start-up, load less, cache compiled code, and open the data at the same time.");
    finding.topic = "gpu_idle_cause.start";
    finding.subject = {Subject::Kind::Part, "start"};
    return finding;
}

void findCauses(const RuleContext& context, const GpuFacts& gpu, std::vector<Finding>& findings)
{
    TraceAnalysis& facts = context.facts;
    const double least = context.threshold(id, minShare) / 100 * static_cast<double>(facts.measured());
    IdleTime idle = sortByCause(context, gpu);
    const auto nextRange = [&] { return takeIdleRange(context, gpu, static_cast<Ns>(least), idle.steady); };
    for (IdleRange range = nextRange(); !range.pattern.empty(); range = nextRange())
        findings.push_back(rangeFinding(context, gpu, range));
    for (std::size_t i = 0; i < idleCauses; ++i) {
        // Pages come between the lines of the program's own code, messages between its rounds: they need
        // not fill a gap.
        const auto doing = static_cast<IdleCause>(i);
        // Queued work does not need it either.
        const bool leads = idle.steady[i].leads || doing == IdleCause::HostPages
            || doing == IdleCause::OtherRanks || doing == IdleCause::Queued;
        if (static_cast<double>(idle.steady[i].total) < least || !leads)
            continue;
        findings.push_back(steadyFinding(context, gpu, doing, idle.steady[i]));
        if (idle.paced[i] * 20 >= idle.steady[i].total) // overview and Budget show it, too
            findings.back().message += Message("gpu_idle_cause.paced",
                "Another {time}, in gaps shorter than {gap}, is launch pace and not part of that.",
                {{"time", Duration{idle.paced[i]}}, {"gap", Duration{launchPace}}});
    }
    Ns before = 0;
    for (const IdleGap& gap : stoppableItems(idle.before, context.stop))
        before += gap.range.duration();
    if (static_cast<double>(before) >= least && before > 0)
        findings.push_back(startupFinding(context, gpu, idle.before));
}

} // namespace

extern constinit const Rule gpuIdleCause{
    .id = id,
    .title = "GPU idle, by what the host does",
    .why
    = "An idle GPU costs the same as a busy one. Look at the thread that launches its work: the GPU can only start what "
      "that thread has launched.",
    .remedy = "Move what the thread does in the gaps to another thread, or start it earlier.",
    .caveat
    = "Only the launching thread is considered. It may itself wait for another thread that does the work.",
    .thresholds = thresholds,
    .applies =
        [](const Trace& trace, const std::stop_token&) {
            return trace.kernels().size() + trace.memcpys().size() > 1 && !trace.apiCalls().empty();
        },
    .checkGpu = findCauses,
    .absorbs = absorbed,
};

} // namespace warpline::gpu_idle_cause
