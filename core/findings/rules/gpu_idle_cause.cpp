// Idle stretches of a GPU by their cause: what the thread that launched the next work did meanwhile. Time
// before the first steady step is told apart: it is paid once, however long it is.

#include "core/base/format.h"
#include "core/findings/evidence.h"
#include "core/findings/idle_gaps.h"
#include "core/query/event_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>

namespace warpline {

namespace {

constexpr std::string_view id = "gpu_idle_cause";
constexpr Threshold minGap{"min_gap_ns", "Minimum gap that is looked into", "ns", shortestCause};
constexpr Threshold minShare{"min_share", "Minimum share of the measured time", "%", 1};
constexpr std::array thresholds{minGap, minShare};
constexpr std::array<std::string_view, 2> absorbed{"gpu_gaps", "gpu_time_util"};

constexpr double nearlyAll = 0.8; ///< of the time of a cause
constexpr std::size_t fewGaps = 3; ///< that no loop has made; a recording of few steps has as many
constexpr std::size_t fewGapsWithSteps = 2;

/// A gap, and what of it a cause explains.
struct PartOfGap {
    TimeRange gap;
    Ns part = 0;
};

struct Cause {
    Ns total = 0;
    bool leads = false; ///< it is the largest part of a gap
    std::size_t count = 0; ///< gaps with some of it
    std::array<Ns, fewGaps> longest{}; ///< most of it in one gap, the next ...
    std::vector<PartOfGap> gaps; ///< those with some of it
    std::map<GlobalId, std::vector<TimeRange>> parts; ///< all of it, by launching thread
};

struct IdleTime {
    std::array<Cause, hostDoings> steady;
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

void add(Cause& cause, Ns part)
{
    cause.total += part;
    ++cause.count;
    for (Ns& longest : cause.longest) {
        if (part > longest)
            std::swap(part, longest);
    }
}

/// Adds the stretches of `gap` in which the launching thread did `doing` to `parts`.
void addParts(RunFacts& facts, const GapCause& cause, const IdleGap& gap, HostDoing doing,
    std::vector<TimeRange>& parts)
{
    const Intervals within = facts.host(cause.thread).within(doing, cause.host);
    parts.insert(parts.end(), within.begin(), within.end());
    if (doing == HostDoing::Launching && cause.host.end < gap.range.end)
        parts.push_back({cause.host.end, gap.range.end});
}

IdleTime sortByCause(const RuleContext& context, const GpuFacts& gpu)
{
    RunFacts& facts = factsOf(context);
    const Ns shortest = static_cast<Ns>(context.threshold(id, minGap));
    IdleTime idle;
    for (const IdleGap& whole : stoppableItems(gpu.gaps, context.stop)) {
        if (whole.range.duration() < shortest)
            continue;
        const IdleGap gap = cutAtFirstStep(facts.steps(gpu.process), whole, idle.before);
        if (gap.range.empty())
            continue;
        const GapCause cause = causeOf(context.trace, facts, gap);
        if (!cause.known)
            continue;
        for (std::size_t i = 0; i < hostDoings; ++i) {
            const auto doing = static_cast<HostDoing>(i);
            if (cause.parts[i] == 0 || isLaunchPace(doing, gap.range.duration()))
                continue;
            add(idle.steady[i], cause.parts[i]);
            addParts(facts, cause, gap, doing, idle.steady[i].parts[cause.thread]);
            idle.steady[i].gaps.push_back({gap.range, cause.parts[i]});
            idle.steady[i].leads |= doing == cause.main;
        }
        if (context.stop.stop_requested())
            break;
    }
    return idle;
}

std::string_view remedyFor(HostDoing doing, const ProgramKind& program)
{
    switch (doing) {
    case HostDoing::Communicating:
        return "See which rank comes last: a rank that waits little itself is the one that the others wait "
               "for, and its own finding says what it does meanwhile. Balance the work, let kernels run "
               "while messages travel (MPI_Isend, MPI_Irecv and MPI_Iallreduce before the kernel, MPI_Wait "
               "after it), send fewer and larger messages, and hand device pointers to a CUDA-aware MPI.";
    case HostDoing::LoadingData:
        return "Load the next input while this one computes: in other threads, ahead, from pinned memory, or "
               "keep the data on the GPU.";
    case HostDoing::LoadingCode:
        return "Load modules before the measured part: run each kernel once as a warm-up, set "
               "CUDA_MODULE_LOADING=EAGER to pay "
               "at the start, and ship code for this GPU's architecture so that nothing is compiled.";
    case HostDoing::Allocating:
        return "Allocate before the loop and reuse, or allocate from a pool (cudaMallocAsync).";
    case HostDoing::Waiting:
        return "Drop waits that only order GPU work (use cudaStreamWaitEvent), read results back one step "
               "late, and let the "
               "host run ahead.";
    case HostDoing::Copying:
        return "Copy from pinned memory with cudaMemcpyAsync in a stream of its own, one round ahead.";
    case HostDoing::Launching:
    case HostDoing::OtherCalls:
        return "Look at the CUDA API row under the gaps: a launch or call that takes long there loads code "
               "for the first "
               "time, waits for a lock of the driver, or fills the launch queue.";
    case HostDoing::OsCalls:
        return "Look at the OS runtime row under the gaps: locks, sleeps, file reads and waits for other "
               "processes. Move that "
               "work to other threads, or begin it a step earlier.";
    case HostDoing::OwnCode:
        break;
    }
    return program.python
        ? "Find out what the thread computes there (CPU samples: nsys profile --sample=process-tree; Python: "
          "--python-sampling=true) and move it off the launching thread, or prepare it one step ahead."
        : "Find out what the thread computes there (CPU samples: nsys profile --sample=process-tree) and "
          "move "
          "it off the launching thread or onto the GPU, or prepare it one round ahead.";
}

std::string_view topicFor(HostDoing doing)
{
    switch (doing) {
    case HostDoing::LoadingData:
        return "gpu_idle_cause.data";
    case HostDoing::Allocating:
        return "gpu_idle_cause.allocation";
    case HostDoing::Waiting:
        return "gpu_idle_cause.wait";
    case HostDoing::Copying:
        return "gpu_idle_cause.copy";
    default:
        return {};
    }
}

std::vector<TimeRange> rangesOf(const std::vector<IdleGap>& gaps)
{
    std::vector<TimeRange> ranges;
    for (const IdleGap& gap : gaps)
        ranges.push_back(gap.range);
    return ranges;
}

/// The gaps as proof, those with most of the cause first. The parts are what the finding sums up, so they are
/// told beside the gaps, which are longer.
void setGaps(Finding& finding, std::vector<PartOfGap> gaps)
{
    std::ranges::sort(gaps, [](const PartOfGap& a, const PartOfGap& b) {
        return a.part != b.part ? a.part > b.part : a.gap.start < b.gap.start;
    });
    finding.evidenceTotal = gaps.size();
    for (const auto& [gap, part] : std::span(gaps).first(std::min(gaps.size(), mostEvidence))) {
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

/// The library of communication calls on `thread`: "MPI".
std::string_view communicationOf(const Trace& trace, GlobalId thread)
{
    for (const EventKind kind : {EventKind::Library, EventKind::Nvtx}) {
        for (const Track& track : trace.table(kind).tracks) {
            if (track.owner == thread && isCommunicationLibrary(trace.text(track.family)))
                return trace.text(track.family);
        }
    }
    return "MPI";
}

/// What the thread was in during the time of a cause: calls of MPI, or the program's own NVTX ranges.
struct Where {
    std::string calls; ///< "Allreduce 130 ms, Waitall 4 ms"; only of communication
    std::string ranges; ///< "assemble 190 ms"
};

Where whereOf(const RuleContext& context, const GpuFacts& gpu, HostDoing doing, const Cause& cause)
{
    const Trace& trace = context.trace;
    TimeByName calls;
    TimeByName ranges;
    for (const auto& [thread, parts] : cause.parts) {
        const Intervals time = unionOf(parts, context.window);
        if (doing == HostDoing::Communicating)
            addCommunication(trace, thread, time, calls);
        addOwnRanges(trace, thread, time, ranges);
    }
    // The step as a whole says nothing of where in it.
    const std::string& step = factsOf(context).steps(gpu.process).pattern;
    std::erase_if(ranges, [&](const auto& each) { return withoutNumbers(trace.text(each.first)) == step; });
    Where where{longestOf(trace, calls, 2), longestOf(trace, ranges, 2)};
    for (std::size_t at = 0; (at = where.calls.find("MPI_", at)) != std::string::npos;)
        where.calls.erase(at, 4);
    return where;
}

std::string titleOf(
    const Trace& trace, const GpuFacts& gpu, HostDoing doing, const Cause& cause, const Where& where)
{
    const bool communicates = doing == HostDoing::Communicating;
    const std::string phrase = communicates
        ? fmt::format("the host waits in {}", communicationOf(trace, cause.parts.begin()->first))
        : fmt::format("the launching thread {}", phraseOf(doing));
    const std::string& named = communicates ? where.calls : where.ranges;
    return fmt::format("{} idle for {} while {}{}{}", nameOf(trace, gpu), formatDuration(cause.total), phrase,
        named.empty() ? "" : ": ", named.substr(0, named.find(',')));
}

Finding steadyFinding(const RuleContext& context, const GpuFacts& gpu, HostDoing doing, const Cause& cause)
{
    const Trace& trace = context.trace;
    Finding finding;
    finding.process = gpu.process;
    finding.device = gpu.device;
    finding.saving = cause.total;
    finding.severity = severityOf(context, cause.total);
    const bool guessed = doing == HostDoing::OwnCode || doing == HostDoing::OsCalls;
    finding.confidence = guessed ? Confidence::Possible : Confidence::Likely;
    std::vector<TimeRange> parts;
    for (const auto& [thread, each] : cause.parts)
        parts.insert(parts.end(), each.begin(), each.end());
    finding.claims = unionOf(std::move(parts), context.window);
    setGaps(finding, cause.gaps);
    const Where where = whereOf(context, gpu, doing, cause);
    finding.title = titleOf(trace, gpu, doing, cause, where);
    finding.message
        = fmt::format("In {} the GPU ran nothing while the thread that launched the next work {}: {} in all, "
                      "{} in the longest.",
            counted(cause.count, "gap"), phraseOf(doing), formatDuration(cause.total),
            formatDuration(cause.longest.front()));
    if (!where.calls.empty())
        finding.message += fmt::format(" By call: {}.", where.calls);
    if (!where.ranges.empty())
        finding.message += fmt::format(" By the program's own ranges: {}.", where.ranges);
    if (happensOnce(cause, !factsOf(context).steps(gpu.process).empty())) {
        finding.severity = std::min(finding.severity, Severity::Low);
        finding.lowered = "nearly all of it lies in a few gaps: it is probably paid once and not in a loop";
    }
    finding.remedy = remedyFor(doing, factsOf(context).program());
    finding.topic = topicFor(doing);
    return finding;
}

Finding startupFinding(const RuleContext& context, const GpuFacts& gpu, const std::vector<IdleGap>& gaps)
{
    const Trace& trace = context.trace;
    RunFacts& facts = factsOf(context);
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
    finding.claims = rangesOf(gaps);
    setStretches(finding, finding.claims,
        [](TimeRange gap) { return "nothing runs for " + formatDuration(gap.duration()); });
    finding.title = fmt::format(
        "{} idle for {} before the first steady step", nameOf(trace, gpu), formatDuration(finding.once));
    finding.message = fmt::format(
        "Between its first work and the first steady step ({}) the GPU runs nothing for {} in {} gaps. For "
        "{} of that the launching thread {}.",
        facts.steps(gpu.process).pattern, formatDuration(finding.once), formatCount(gaps.size()),
        formatDuration(parts[indexOf(main)]), phraseOf(main));
    finding.why = "Start-up is paid once a run: it matters for short runs and for tests, not for a long one. "
                  "It also hides in averages over the whole report, so measure over the steps alone.";
    finding.remedy
        = "Record only steady steps (nsys profile --capture-range=cudaProfilerApi), or select them "
          "here. To shorten start-up: load less, keep what was compiled, and open the data "
          "meanwhile.";
    finding.topic = "gpu_idle_cause.start";
    return finding;
}

std::vector<Finding> findCauses(const RuleContext& context)
{
    std::vector<Finding> findings;
    RunFacts& facts = factsOf(context);
    const double least = context.threshold(id, minShare) / 100 * static_cast<double>(facts.measured());
    for (const GpuFacts& gpu : facts.gpus()) {
        const IdleTime idle = sortByCause(context, gpu);
        for (std::size_t i = 0; i < hostDoings; ++i) {
            if (static_cast<double>(idle.steady[i].total) >= least && idle.steady[i].leads)
                findings.push_back(steadyFinding(context, gpu, static_cast<HostDoing>(i), idle.steady[i]));
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
           "is the place to "
           "look: the GPU can only start what that thread has launched.",
    .remedy = "Take what the thread does in the gaps off its path, or begin it earlier.",
    .thresholds = thresholds,
    .applies =
        [](const Trace& trace) {
            return trace.kernels().size() + trace.memcpys().size() > 1 && !trace.apiCalls().empty();
        },
    .check = findCauses,
    .absorbs = absorbed,
};

} // namespace warpline
