// Idle stretches of a GPU by their cause: what the thread that launched the next work did meanwhile. Time
// before the first steady step is told apart: it is paid once, however long it is.

#include "core/base/format.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/coverage/interval_times.h"
#include "core/findings/evidence.h"
#include "core/findings/first_launches.h"
#include "core/findings/idle_gaps.h"
#include "core/findings/idle_parts.h"
#include "core/findings/idle_places.h"
#include "core/findings/idle_remedies.h"
#include "core/findings/migrations.h"
#include "core/findings/recording_advice.h"
#include "core/query/event_text.h"
#include "core/store/event_loops.h"
#include "core/store/gpu_names.h"
#include "core/store/range_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace warpline {

namespace {

constexpr std::string_view id = "gpu_idle_cause";
constexpr Threshold minGap{"min_gap_ns", "Minimum gap that is looked into", "ns", shortestCause};
constexpr Threshold minShare{"min_share", "Minimum share of the measured time", "%", 1};
constexpr std::array thresholds{minGap, minShare};
constexpr std::array<std::string_view, 2> absorbed{"gpu_gaps", "gpu_time_util"};

constexpr double nearlyAll = 0.8; ///< of the time of a cause
constexpr std::size_t fewGapsWithSteps = 2;
using Cause = IdleParts;

struct IdleTime {
    std::array<Cause, hostDoings> steady;
    std::array<Ns, hostDoings> paced{}; ///< left out there, see isLaunchPace()
    std::vector<IdleGap> before; ///< gaps before the first steady step
};

/// The part of `gap` before the first steady step goes to `before`; what remains is returned.
IdleGap cutAtFirstStep(const StepSeries& steps, const IdleGap& gap, std::vector<IdleGap>& before)
{
    const Ns first = steps.empty() ? gap.range.start : steps.ranges[steps.firstSteady].start;
    if (gap.range.start >= first)
        return gap;
    before.push_back({{gap.range.start, std::min(first, gap.range.end)}, gap.next});
    return {{std::min(first, gap.range.end), gap.range.end}, gap.next};
}

/// Adds the stretches of `gap` in which the launching thread did `doing` to `parts`.
void addParts(RunFacts& facts, const GapCause& cause, const IdleGap& gap, HostDoing doing,
    std::vector<TimeRange>& parts)
{
    const Intervals within = facts.host(cause.thread).within(doing, cause.host);
    parts.insert(parts.end(), within.begin(), within.end());
    if (doing == HostDoing::Launched && cause.host.end < gap.range.end)
        parts.push_back({cause.host.end, gap.range.end});
}

IdleTime sortByCause(const RuleContext& context, const GpuFacts& gpu)
{
    RunFacts& facts = context.facts;
    const Ns shortest = static_cast<Ns>(context.threshold(id, minGap));
    const StepSeries& steps = facts.steps(gpu.process);
    IdleTime idle;
    const IdleGaps gaps = gpu.gaps();
    for (const IdleGap& whole : stoppableItems(gaps, context.stop)) {
        if (whole.range.duration() < shortest)
            continue;
        const IdleGap gap = cutAtFirstStep(steps, whole, idle.before);
        if (gap.range.empty())
            continue;
        const GapCause cause = causeOf(context.trace, facts, gap);
        if (!cause.known)
            continue;
        for (std::size_t i = 0; i < hostDoings; ++i) {
            const auto doing = static_cast<HostDoing>(i);
            if (isLaunchPace(doing, gap.range.duration()))
                idle.paced[i] += cause.parts[i];
            if (cause.parts[i] == 0 || isLaunchPace(doing, gap.range.duration()))
                continue;
            idle.steady[i].add(gap.range, cause.parts[i]);
            addParts(facts, cause, gap, doing, idle.steady[i].parts[cause.thread]);
            idle.steady[i].leads |= doing == cause.main;
        }
        if (context.stop.stop_requested())
            break;
    }
    return idle;
}

/// The gaps as proof, those with most of the cause first. The parts are what the finding sums up, so they are
/// told beside the gaps, which are longer.
void setGaps(Finding& finding, std::vector<PartOfGap> gaps)
{
    const std::size_t listed = std::min(gaps.size(), mostEvidence);
    std::ranges::partial_sort(
        gaps, gaps.begin() + static_cast<std::ptrdiff_t>(listed), [](const PartOfGap& a, const PartOfGap& b) {
            return a.part != b.part ? a.part > b.part : a.gap.start < b.gap.start;
        });
    finding.evidenceTotal = gaps.size();
    for (const auto& [gap, part] : std::span(gaps).first(listed)) {
        const std::string some = formatDuration(part);
        const std::string all = formatDuration(gap.duration());
        finding.evidence.push_back(
            {gap, {}, some == all ? "nothing runs for " + all : fmt::format("{} of a gap of {}", some, all)});
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

std::string titleOf(const Trace& trace, const GpuFacts& gpu, HostDoing doing, const Cause& cause,
    const HostPlaces& where, bool isIdle)
{
    static const std::string noName;
    const bool communicates = doing == HostDoing::Communicating;
    const std::string phrase = communicates
        ? fmt::format("the host waits in {}", communicationOf(trace, cause.parts.begin()->first))
        : fmt::format("the launching thread {}",
            where.operators.empty() ? std::string(phraseOf(doing, gpuApiOf(trace))) : operatorPhrase(where));
    const std::string& named = communicates               ? where.calls
        : where.operators.empty()                         ? where.ranges
        : where.operators.find(", ") != std::string::npos ? where.operators
                                                          : noName;
    const std::size_t second = named.find(',', named.find(',') + 1); // two names, as far as there are
    return fmt::format("{} {} for {} while {}{}{}", nameOf(trace, gpu), isIdle ? "idle" : "computes nothing",
        formatDuration(cause.total), phrase, named.empty() ? "" : ": ", named.substr(0, second));
}

/// " It waits only 19.40 ms in MPI itself ...", for the thread of a rank that hardly waits; else empty.
std::string lateText(const RuleContext& context, const Cause& cause)
{
    RunFacts& facts = context.facts;
    for (const auto& [thread, parts] : cause.parts) {
        const Ns waits
            = totalTime(facts.host(thread).within(HostDoing::Communicating, facts.measuredRange()));
        if (waits > 0 && waits * 4 < cause.total)
            return fmt::format(" It waits only {} in {} itself: if other ranks wait, they wait for this one.",
                formatDuration(waits), communicationOf(context.trace, thread));
    }
    return {};
}

/// Says of loading that it is nearly all the first launch of each kernel, which loads its code: once, however
/// many kernels there are.
void tellFirstLaunches(const RuleContext& context, Finding& finding)
{
    RunFacts& facts = context.facts;
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
    finding.message += fmt::format(" For {} of it {} is launched for the first time, which loads its code "
                                   "(lazy loading).",
        formatDuration(loading), counted(count, "kernel"));
    finding.severity = std::min(finding.severity, Severity::Low);
    finding.lowered = "the first launch of a kernel loads its code: that is paid once";
}

/// Says of a GPU that has not begun what was launched that it may be drawing: a program that hands buffers to
/// OpenGL, Vulkan or Direct3D shares it with what no CUDA report has.
void tellGraphics(const RuleContext& context, Finding& finding)
{
    const Trace& trace = context.trace;
    const auto maps = [&](StringId name) {
        return trace.text(name).find("GraphicsMapResources") != std::string_view::npos;
    };
    if (!anyName(trace.apiCalls(), context.stop, maps))
        return;
    finding.message
        += " The program draws what it computes (it maps resources of graphics): the GPU is "
           "probably busy drawing, or waits for the display, which a report of CUDA does not show.";
    finding.severity = std::min(finding.severity, Severity::Low);
    finding.lowered = "the GPU may be drawing meanwhile";
    finding.confidence = Confidence::Possible;
    finding.remedy = "Record what graphics do as well (nsys profile --trace=cuda,opengl,vulkan, "
                     "--gpu-metrics-devices=all): only if the GPU idles then, there is something to mend.";
}

/// What to do where the thread is in a framework's operators and not in code of the program.
void adviseOnOperators(const HostPlaces& where, Finding& finding)
{
    finding.subject = {Subject::Kind::Part, "operators"};
    if (where.inCudnnAttention) {
        finding.message += " cuDNN most probably builds its attention anew for each length of the sequence.";
        finding.remedy = "Keep shapes constant so that what was built is found again: pad or bucket lengths, "
                         "keep caches of one size. Or switch off what is built for each length.";
        finding.topic = "code_loaded_in_loop";
        return;
    }
    finding.remedy
        = "The time passes inside the operator, in the library: it may choose, build or load a kernel for a "
          "shape that is new, wait for a lock, or compute on the CPU. Keep shapes constant, run each of them "
          "once as a warm-up, and see the operator's input shapes and the lines that call it "
          "(record_shapes=True, with_stack=True of torch.profiler.profile).";
}

Finding steadyFinding(const RuleContext& context, const GpuFacts& gpu, HostDoing doing, const Cause& cause)
{
    const Trace& trace = context.trace;
    Finding finding;
    finding.process = gpu.process;
    finding.device = gpu.device;
    finding.saving = cause.total;
    finding.severity = severityOf(context, cause.total);
    const HostPlaces where = whereHostWas(context, gpu, doing, cause);
    const bool guessed
        = (doing == HostDoing::OwnCode && where.operators.empty()) || doing == HostDoing::OsCalls;
    finding.confidence = guessed ? Confidence::Possible : Confidence::Likely;
    finding.claims = timeOf(context, cause);
    setGaps(finding, cause.gaps);
    // Pages that move are work of a GPU, though the program launched none: then it is not idle.
    const Ns moving = hasFaultMigrations(trace, context.stop)
        ? commonTime(
            migrationTime(trace, gpu.process, gpu.device, context.facts.measuredRange(), context.stop),
            finding.claims)
        : 0;
    const bool isIdle = moving * 50 < cause.total;
    finding.title = titleOf(trace, gpu, doing, cause, where, isIdle);
    finding.message
        = fmt::format("In {} the GPU ran nothing while the thread that launched the next work {}: {} in all, "
                      "{} in the longest.",
            counted(cause.count, "gap"),
            doing == HostDoing::Communicating
                ? fmt::format("waits in {}", communicationOf(trace, cause.parts.begin()->first))
                : where.operators.empty() ? std::string(phraseOf(doing, gpuApiOf(context.trace)))
                                          : operatorPhrase(where),
            formatDuration(cause.total), formatDuration(cause.longest.front()));
    if (!isIdle)
        finding.message += fmt::format(
            " Pages of unified memory move for {} of that; for the rest it is idle.", formatDuration(moving));
    if (!where.calls.empty())
        finding.message += fmt::format(" By call: {}.", where.calls);
    if (!where.operators.empty())
        finding.message += fmt::format(" By the innermost operator: {}.", where.operators);
    if (!where.ranges.empty())
        finding.message += fmt::format(" By the program's own ranges: {}.", where.ranges);
    // Memory that went to and fro comes back with the loop that uses it.
    if (doing != HostDoing::FetchingPages && happensOnce(cause, !context.facts.steps(gpu.process).empty())
        && !comesBack(context, gpu, cause)) {
        finding.severity = std::min(finding.severity, Severity::Low);
        finding.lowered
            = fmt::format("nearly all of it lies in {}, too few to be sure that a loop makes them",
                counted(std::min(cause.count, fewGaps), "gap"));
    }
    finding.remedy = doing == HostDoing::OwnCode && !where.ranges.empty()
        ? std::string(
            "The ranges say what it is: move it off the launching thread or onto the GPU, or prepare it "
            "one round ahead where the next work does not need its result.")
        : idleRemedyFor(doing, context.facts.program());
    finding.topic = idleTopicFor(doing);
    finding.subject = {Subject::Kind::Cause, std::string(keyOf(doing))};
    if (!where.operators.empty())
        adviseOnOperators(where, finding);
    finding.heldUp = doing == HostDoing::Communicating;
    if (doing == HostDoing::OwnCode)
        finding.message += lateText(context, cause);
    if (doing == HostDoing::OwnCode)
        tellSamples(context, cause, finding);
    if (doing == HostDoing::LoadingCode)
        tellFirstLaunches(context, finding);
    if (doing == HostDoing::Launched)
        tellGraphics(context, finding);
    return finding;
}

/// The GPU idles in most steps while the launching thread is in one range of the program.
/// What a steady step has of `idle` in the median; without steps a gap. One long pause among many rounds, a
/// finding of its own, makes the mean of all too large.
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
    return parts.empty() ? 0 : medianOf(std::move(parts));
}

/// " In between, pages of unified memory come to the host 3,000 times ...": own code that touches pages which
/// are on a GPU stops at each of them. Empty: none, or too few to matter.
std::string pagesText(const RuleContext& context, const GpuFacts& gpu, const IdleParts& idle)
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
                    if (!isFaultMigration(copies.copy(i)) || copies.copy(i).kind != CopyKind::UnifiedDtoH)
                        continue;
                    ++moves;
                    time += copies.range(i).clippedTo(gap.gap).duration();
                }
            }
        }
    }
    return time * 50 < idle.total
        ? std::string()
        : fmt::format(
            " In between, pages of unified memory come to the host {}: what it waits for them is no part of that.",
            counted(moves, "time"));
}

Finding rangeFinding(const RuleContext& context, const GpuFacts& gpu, const IdleRange& range)
{
    const StepSeries& steps = context.facts.steps(gpu.process);
    const Cause& idle = range.idle;
    Finding finding;
    finding.saving = idle.total;
    finding.severity = severityOf(context, idle.total);
    finding.process = gpu.process;
    finding.device = gpu.device;
    finding.claims = timeOf(context, idle);
    setGaps(finding, idle.gaps);
    const std::string name = toUtf8(range.pattern);
    const std::size_t times = steps.empty() ? range.steps : steps.steady(); // three at least
    const Ns mean = idle.total / static_cast<Ns>(times);
    const Ns usual = usualPart(steps, idle);
    const Ns each = usual > 0 ? usual : mean;
    finding.title = steps.empty()
        ? fmt::format("{} waits {} each time in `{}`, {} in all", nameOf(context.trace, gpu),
            formatDuration(each), name, formatDuration(idle.total))
        : fmt::format("{} waits {} a step in `{}`", nameOf(context.trace, gpu), formatDuration(each), name);
    const HostDoing main = mainDoing(range);
    if (main != HostDoing::OwnCode)
        finding.title
            += fmt::format(" while the launching thread {}", phraseOf(main, gpuApiOf(context.trace)));
    finding.message = fmt::format(
        "In {} of {} the GPU ran nothing while the thread that launched the next work was in its {} "
        "`{}`: {} in all, {} in the longest gap. There it {}.",
        formatCount(range.steps), steps.empty() ? counted(times, "range") : counted(times, "steady step"),
        rangeWordOf(context.trace), name, formatDuration(idle.total), formatDuration(idle.longest.front()),
        doingsIn(range));
    if (std::abs(mean - each) * 10 > mean)
        finding.message += fmt::format(" {} is the median; the mean, {}, holds what is far from it.",
            formatDuration(each), formatDuration(mean));
    finding.remedy = idleRemedyFor(main, context.facts.program());
    finding.message += pagesText(context, gpu, idle);
    finding.topic = idleTopicFor(main);
    finding.subject = {Subject::Kind::Range, range.pattern};
    finding.message += lateText(context, idle);
    return finding;
}

/// What the launching thread did in the own code of `gaps`: "is inside the operator aten::mm".
std::string ownCodeBefore(const RuleContext& context, const GpuFacts& gpu, const std::vector<IdleGap>& gaps)
{
    IdleParts ownCode;
    for (const IdleGap& gap : stoppableItems(gaps, context.stop)) {
        const GapCause cause = causeOf(context.trace, context.facts, gap);
        const Ns part = cause.known ? cause.parts[indexOf(HostDoing::OwnCode)] : 0;
        if (part == 0)
            continue;
        ownCode.add(gap.range, part);
        addParts(context.facts, cause, gap, HostDoing::OwnCode, ownCode.parts[cause.thread]);
    }
    const HostPlaces where = whereHostWas(context, gpu, HostDoing::OwnCode, ownCode);
    return where.operators.empty() ? std::string(phraseOf(HostDoing::OwnCode, gpuApiOf(context.trace)))
                                   : fmt::format("is mostly inside operators ({})", where.operators);
}

Finding startupFinding(const RuleContext& context, const GpuFacts& gpu, const std::vector<IdleGap>& gaps)
{
    const Trace& trace = context.trace;
    RunFacts& facts = context.facts;
    HostSplit parts{};
    Finding finding;
    for (const IdleGap& gap : stoppableItems(gaps, context.stop)) {
        finding.once += gap.range.duration();
        const GapCause cause = causeOf(trace, facts, gap);
        for (std::size_t i = 0; cause.known && i < hostDoings; ++i)
            parts[i] += cause.parts[i];
    }
    const auto main = static_cast<HostDoing>(std::ranges::max_element(parts) - parts.begin());
    finding.process = gpu.process;
    finding.device = gpu.device;
    finding.severity = Severity::Low; // paid once, not in every step
    finding.confidence = Confidence::Possible;
    PackedIntervals::Builder time;
    for (const IdleGap& gap : gaps)
        time.add(gap.range);
    finding.claims = time.done();
    setClaimedStretches(
        finding, [](TimeRange gap) { return "nothing runs for " + formatDuration(gap.duration()); });
    finding.title = fmt::format(
        "{} idle for {} before the first steady step", nameOf(trace, gpu), formatDuration(finding.once));
    finding.message = fmt::format(
        "Between its first work and the first steady step ({}) the GPU runs nothing for {} in {} gaps. For "
        "{} of that the launching thread {}.",
        facts.steps(gpu.process).pattern, formatDuration(finding.once), formatCount(gaps.size()),
        formatDuration(parts[indexOf(main)]),
        main == HostDoing::OwnCode ? ownCodeBefore(context, gpu, gaps)
                                   : std::string(phraseOf(main, gpuApiOf(trace))));
    finding.why = "Start-up is paid once a run: it matters for short runs and for tests, not for a long one. "
                  "It also hides in averages over the whole report, so measure over the steps alone.";
    finding.remedy = fmt::format(
        "Record only steady steps ({}), or select them here. To shorten start-up: load less, keep "
        "what was compiled, and open the data meanwhile.",
        recordingAdvice(trace).steadySteps);
    finding.topic = "gpu_idle_cause.start";
    finding.subject = {Subject::Kind::Part, "start"};
    return finding;
}

std::vector<Finding> findCauses(const RuleContext& context)
{
    std::vector<Finding> findings;
    RunFacts& facts = context.facts;
    const double least = context.threshold(id, minShare) / 100 * static_cast<double>(facts.measured());
    for (const GpuFacts& gpu : facts.gpus()) {
        IdleTime idle = sortByCause(context, gpu);
        const IdleRange range = takeIdleRange(context, gpu, static_cast<Ns>(least), idle.steady);
        if (!range.pattern.empty())
            findings.push_back(rangeFinding(context, gpu, range));
        for (std::size_t i = 0; i < hostDoings; ++i) {
            // Pages come between the lines of the program's own code, messages between its rounds: they need
            // not fill a gap.
            const auto doing = static_cast<HostDoing>(i);
            // Nor need what waits in the queue.
            const bool leads = idle.steady[i].leads || doing == HostDoing::FetchingPages
                || doing == HostDoing::Communicating || doing == HostDoing::Launched;
            if (static_cast<double>(idle.steady[i].total) < least || !leads)
                continue;
            findings.push_back(steadyFinding(context, gpu, doing, idle.steady[i]));
            if (idle.paced[i] * 20 >= idle.steady[i].total) // the overview and Budget tell it, too
                findings.back().message += fmt::format(
                    " {} more, in gaps of under {}, is the pace of launching, and no part of that.",
                    formatDuration(idle.paced[i]), formatDuration(launchPace));
        }
        Ns before = 0;
        for (const IdleGap& gap : stoppableItems(idle.before, context.stop))
            before += gap.range.duration();
        if (static_cast<double>(before) >= least && before > 0)
            findings.push_back(startupFinding(context, gpu, idle.before));
    }
    return findings;
}

} // namespace

extern constinit const Rule gpuIdleCause{
    .id = id,
    .title = "GPU idle, and what the host did meanwhile",
    .why = "While the GPU runs nothing, it costs the same as a busy one. The thread that launches its work "
           "is the place to look: the GPU can only start what that thread has launched.",
    .remedy = "Take what the thread does in the gaps off its path, or begin it earlier.",
    .caveat
    = "Only the launching thread is looked at; it may itself wait for another thread that does the work.",
    .thresholds = thresholds,
    .applies =
        [](const Trace& trace, const std::stop_token&) {
            return trace.kernels().size() + trace.memcpys().size() > 1 && !trace.apiCalls().empty();
        },
    .check = findCauses,
    .absorbs = absorbed,
};

} // namespace warpline
