// The recording itself: what it lacks for an analysis, with the option that records it; what it lost; and
// what the profiler itself cost inside the range.

#include "core/base/format.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/findings/migrations.h"
#include "core/findings/recording_advice.h"
#include "core/steps/steps.h"
#include "core/store/event_loops.h"
#include "core/store/gpu_names.h"
#include "core/store/python_samples.h"
#include "core/store/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpline {

namespace {

constexpr std::string_view id = "capture_quality";
constexpr Threshold maxOverhead{
    "max_overhead", "Maximum profiler overhead (share of the GPU's time span)", "%", 2};
constexpr std::array thresholds{maxOverhead};

struct Missing {
    std::string_view what;
    std::string_view use;
    std::string_view option;
    bool (*isMissing)(const Trace&, const std::stop_token&);
};

bool hasOwnRanges(const Trace& trace)
{
    return std::ranges::any_of(
        trace.nvtx().tracks, [&](const Track& track) { return trace.text(track.family).empty(); });
}

/// True when the program has managed memory and the report no move of it, which nsys does not record on its
/// own.
bool lacksMigrations(const Trace& trace, const std::stop_token& stop)
{
    return usesManagedMemory(trace, stop) && !hasMigrations(trace, stop);
}

bool hasMetrics(const Trace& trace)
{
    return std::ranges::any_of(
        trace.counters, [](const CounterSeries& series) { return series.kind == CounterKind::GpuMetric; });
}

constexpr std::array missing{
    Missing{"NVTX ranges of the program", "steps and phases",
        "--trace=cuda,nvtx, with ranges in the program: nvtxRangePush(\"load\") ... nvtxRangePop()",
        [](const Trace& trace, const std::stop_token&) { return !hasOwnRanges(trace); }},
    Missing{"CUDA API calls", "what launched the GPU's work", "--trace=cuda",
        [](const Trace& trace, const std::stop_token&) {
            return trace.apiCalls().empty() && !wasCudaTraced(trace.info).value_or(false);
        }},
    Missing{"GPU metrics", "SM, tensor and memory use inside kernels", "--gpu-metrics-devices=all",
        [](const Trace& trace, const std::stop_token&) { return !hasMetrics(trace); }},
    Missing{"kernels inside CUDA graphs", "which kernels a replay runs, and the gaps between them",
        "--cuda-graph-trace=node",
        [](const Trace& trace, const std::stop_token&) {
            return !trace.table(EventKind::GraphTrace).empty();
        }},
    Missing{"moves of unified memory", "pages that kernels or the host wait for",
        "--cuda-um-gpu-page-faults=true --cuda-um-cpu-page-faults=true (not on Windows)", lacksMigrations},
    Missing{"CPU samples", "what the host computes between launches", "--sample=process-tree",
        [](const Trace& trace, const std::stop_token&) { return trace.table(EventKind::Sample).empty(); }},
    Missing{"thread states", "threads that lose the CPU", "--cpuctxsw=process-tree",
        [](const Trace& trace, const std::stop_token&) {
            return trace.table(EventKind::ThreadState).empty();
        }},
    Missing{"OS runtime calls", "waits, locks, sleeps and file access", "--trace=cuda,nvtx,osrt",
        [](const Trace& trace, const std::stop_token&) { return trace.table(EventKind::OsRuntime).empty(); }},
    Missing{"GPU memory use", "allocation and growth", "--cuda-memory-usage=true",
        [](const Trace& trace, const std::stop_token&) { return trace.gpuMemory().empty(); }},
};

/// An option of torch.profiler that was on: what it records may still be absent, and asking for it is no
/// advice.
bool wasOn(const Trace& trace, std::string_view option)
{
    return captureFact(trace.info, option) == "yes";
}

bool lacksShapes(const Trace& trace, const std::stop_token&)
{
    return !wasOn(trace, "record_shapes")
        && std::ranges::none_of(trace.nvtx().attributes, [&](const NvtxAttributes& attributes) {
               return trace.text(attributes.payload).find("\"Input Dims\"") != std::string_view::npos;
           });
}

bool lacksPython(const Trace& trace, const std::stop_token&)
{
    return !wasOn(trace, "with_stack") && std::ranges::none_of(trace.nvtx().tracks, [&](const Track& track) {
        return trace.text(track.family) == "Python";
    });
}

/// What torch.profiler can record. The rest it cannot: to say that it was not recorded would be no advice.
constexpr std::array missingOfTorch{
    Missing{"annotations of the program", "steps and phases",
        "with torch.profiler.record_function(\"load\") around parts of the program, and p.step() after each step",
        [](const Trace& trace, const std::stop_token&) { return !hasOwnRanges(trace); }},
    Missing{"calls of CUDA or HIP", "what launched the GPU's work",
        "activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]",
        [](const Trace& trace, const std::stop_token&) { return trace.apiCalls().empty(); }},
    Missing{"shapes of inputs", "which sizes an operator is slow for", "record_shapes=True", lacksShapes},
    Missing{"functions of Python and modules", "what the host does between operators", "with_stack=True",
        lacksPython},
    Missing{"memory of the allocator", "allocation and growth", "profile_memory=True",
        [](const Trace& trace, const std::stop_token&) {
            return !wasOn(trace, "profile_memory") && trace.gpuMemory().empty();
        }},
};

/// What of the lists above a report of this recorder can have.
std::span<const Missing> missingFor(Recorder recorder)
{
    if (recorder == Recorder::PyTorchProfiler)
        return missingOfTorch;
    return recorder == Recorder::NsightSystems ? std::span<const Missing>(missing)
                                               : std::span<const Missing>();
}

std::string remedyFor(const Trace& trace, const std::string& options)
{
    if (recorderOf(trace.info) == Recorder::PyTorchProfiler) {
        const GpuMaker maker = gpuMakerOf(trace);
        return fmt::format(
            "For the next recording with torch.profiler.profile: {}. Metrics of the GPU, samples "
            "and states of threads, and calls of the operating system are not its business{}",
            options,
            maker == GpuMaker::Nvidia    ? ": nsys profile records them."
                : maker == GpuMaker::Amd ? ": rocprof-sys of ROCm records them."
                                         : ".");
    }
    return "Options of nsys profile for the next recording: " + options + ".";
}

/// One finding for all that was not recorded: it is a hint for the next time.
void findMissing(const RuleContext& context, std::vector<Finding>& findings)
{
    const Recorder recorder = recorderOf(context.trace.info);
    std::string names;
    std::string list;
    std::string options;
    for (const Missing& each : missingFor(recorder)) {
        if (!each.isMissing(context.trace, context.stop))
            continue;
        names += fmt::format("{}{}", names.empty() ? "" : ", ", each.what);
        list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", each.what, each.use);
        // nsys takes the last --trace alone: one names all, with what this recording traced.
        std::string option(each.option);
        if (option.starts_with("--trace=")) {
            const std::size_t words = option.find(", with ");
            const std::string more = words == std::string::npos ? std::string() : option.substr(words);
            option = options.find("--trace=") == std::string::npos ? traceOption(context.trace) + more : more;
        }
        if (!option.empty())
            options += fmt::format("{}{}", options.empty() ? "" : "; ", option);
    }
    if (names.empty())
        return;
    Finding finding;
    finding.severity = Severity::Info;
    finding.confidence = Confidence::Certain;
    finding.subject = {Subject::Kind::Part, "not_recorded"};
    finding.title
        = (context.trace.info.isCut ? "Not in this file, which is cut off: " : "Not recorded: ") + names;
    finding.message = "The report does not hold: " + list + ".";
    finding.why = "Rules can only see what was recorded. Where something is missing they stay silent, which "
                  "does not mean that "
                  "all is well.";
    finding.remedy = remedyFor(context.trace, options);
    findings.push_back(std::move(finding));
}

/// What was recorded and yet is not in the file: no new recording is needed, only another export.
void findLeftOut(const RuleContext& context, std::vector<Finding>& findings)
{
    if (!lacksPythonStacks(context.trace))
        return;
    Finding finding;
    finding.severity = Severity::Info;
    finding.confidence = Confidence::Certain;
    finding.subject = {Subject::Kind::Part, "left_out"};
    finding.title = "The export left out the stacks of its samples of Python";
    finding.message = "Samples of Python were recorded; the file has their times and threads, and nothing of "
                      "the functions that were running.";
    finding.why
        = "The functions of the program that the host was in cannot be named: neither in findings nor "
          "in a flame graph.";
    finding.remedy = fmt::format("Export the recording once more with the stacks: {} RECORDING.nsys-rep. It "
                                 "need not be recorded again.",
        keepsPythonStacks);
    findings.push_back(std::move(finding));
}

void findOverhead(const RuleContext& context, std::vector<Finding>& findings)
{
    const EventTable& overhead = context.trace.table(EventKind::Overhead);
    TimeRange work;
    for (const GpuFacts& gpu : context.facts.gpus())
        work = work.empty() ? gpu.span() : work.unitedWith(gpu.span());
    if (work.empty())
        return;
    std::vector<EventRef> events;
    std::vector<TimeRange> ranges;
    for (const EventIndex i : everyEvent(overhead, context.stop)) {
        // Memory marks are nobody's time.
        if (overhead.duration[i] <= 0 || !isProfilersOwn(context.trace.text(overhead.name[i]))
            || !work.touches(overhead.start[i], overhead.end(i)))
            continue;
        events.push_back({EventKind::Overhead, i});
        ranges.push_back(overhead.range(i));
    }
    const Intervals all = unionOf(std::move(ranges), work);
    const Ns total = totalTime(all);
    if (events.empty()
        || static_cast<double>(total) * 100
            < context.threshold(id, maxOverhead) * static_cast<double>(work.duration()))
        return;
    std::ranges::stable_sort(
        events, std::greater{}, [&](EventRef event) { return context.trace.range(event).duration(); });
    Finding finding;
    finding.severity = Severity::Low;
    finding.confidence = Confidence::Certain;
    finding.subject = {Subject::Kind::Part, "overhead"};
    finding.title = fmt::format("The profiler itself takes {} of the GPU's time span", formatDuration(total));
    finding.message
        = fmt::format("{} of the profiler lie between the first and the last GPU work: {}, {} of it.",
            counted(events.size(), "activity", "activities"), formatDuration(total),
            formatShare(static_cast<double>(total) / static_cast<double>(work.duration())));
    finding.why = "Time that the profiler takes would not pass without it. Figures inside these stretches "
                  "are too high.";
    finding.remedy = recorderOf(context.trace.info) == Recorder::PyTorchProfiler
        ? "Record less at a time: with_stack=False and profile_memory=False, fewer steps, and warm-up steps of "
          "the profiler's schedule, in which it sets up what it needs."
        : "Record less at a time: fewer traces (--trace), no backtraces (--backtrace=none --cudabacktrace=none), "
          "--cuda-graph-trace=graph, a shorter capture range, and --cuda-flush-interval so that flushes come "
          "rarely.";
    setEvidence(finding, context.trace, events, [](EventRef) { return std::string(); });
    findings.push_back(std::move(finding));
}

/// A GPU that spends most of its time in graphs traced as a whole hides what it does from all other rules.
void findWholeGraphs(const RuleContext& context, std::vector<Finding>& findings)
{
    constexpr double most = 0.5; // of the time that the GPU computes
    for (const GpuFacts& gpu : context.facts.gpus()) {
        std::vector<EventRef> graphs;
        for (const std::uint32_t packed : gpu.work) {
            if (Links::unpack(packed).kind == EventKind::GraphTrace)
                graphs.push_back(Links::unpack(packed));
        }
        const Ns time = totalTime(timeOf(context.trace, graphs, context.window));
        const double share
            = static_cast<double>(time) / static_cast<double>(std::max<Ns>(1, totalTime(gpu.compute)));
        if (graphs.empty() || share < most)
            continue;
        Finding finding;
        finding.process = gpu.process;
        finding.device = gpu.device;
        finding.severity = Severity::Medium;
        finding.confidence = Confidence::Certain;
        finding.subject = {Subject::Kind::Part, "whole_graphs"};
        finding.title = fmt::format("{}: {} of its work lies in CUDA graphs recorded as a whole: record with "
                                    "--cuda-graph-trace=node",
            nameOf(context.trace, gpu), formatShare(share));
        finding.message = fmt::format("{} take {}. Their kernels, and the gaps between them, are not in the "
                                      "report: to all rules a graph is busy from its start to its end.",
            counted(graphs.size(), "graph launch", "graph launches"), formatDuration(time));
        finding.why
            = "What a graph runs decides how fast the program is. Recorded as a whole it is one block "
              "of time: no kernel can be named, and idle time inside it is not seen.";
        finding.remedy = "Record a short stretch again with nsys profile --cuda-graph-trace=node (it slows "
                         "the replay down a little), and compare the time of a replay with this report.";
        std::ranges::stable_sort(
            graphs, std::greater{}, [&](EventRef graph) { return context.trace.range(graph).duration(); });
        setEvidence(finding, context.trace, graphs,
            [](EventRef) { return std::string("a graph recorded as a whole"); });
        findings.push_back(std::move(finding));
    }
}

/// A kind of warning of nsys, with what it means for the reader.
struct Warning {
    std::string_view key;
    std::span<const std::string_view> words; ///< any of them in a line of its diagnostics
    std::string_view title;
    std::string_view why;
    std::string_view remedy;
    bool ofCuda; ///< says nothing of a program that does not use CUDA
};

constexpr std::array<std::string_view, 5> lossWords{
    "might have been collected", "dropped", "lost", "buffer is full", "could not parse"};
constexpr std::array<std::string_view, 1> driverWords{"not supported by this build"};
constexpr std::array<std::string_view, 1> startWords{"might have not been started correctly"};
constexpr std::array warnings{
    Warning{"events_missing", lossWords, "nsys warns that events may be missing",
        "Where events are missing, gaps may be no gaps and sums are too small.",
        "Let the program end by itself or stop the capture before it does (cudaProfilerStop, "
        "--capture-range-end=stop), call cudaDeviceSynchronize at the end, and record less at a time.",
        false},
    Warning{"old_nsys", driverWords, "nsys is older than the CUDA driver",
        "What is new in the driver it cannot trace; what it traced is right.",
        "Record with an nsys that is as new as the driver, or newer.", true},
    Warning{"late_start", startWords, "nsys warns that its trace of CUDA may not have started correctly",
        "What CUDA did may be missing in part, and then sums are too small.",
        "Record again, and let the process that uses CUDA run for a while before the recording ends.", true},
};

/// What nsys says it lost or could not do.
void findLosses(const Trace& trace, std::vector<Finding>& findings)
{
    const bool usesCuda = !trace.apiCalls().empty() || !trace.kernels().empty() || !trace.memcpys().empty();
    bool lost = false;
    for (const Warning& warning : warnings) {
        Finding finding;
        // A trace that may not have started says no more than that events may be missing.
        if ((warning.ofCuda && !usesCuda) || (lost && warning.words.data() == startWords.data()))
            continue;
        for (const DiagnosticLine& line : trace.info.diagnostics) {
            const bool says = std::ranges::any_of(
                warning.words, [&](std::string_view word) { return containsWord(line.text, word); });
            // Nothing was lost of what the program does not use.
            if (!says || line.severity < 2 || containsWord(line.text, "opengl"))
                continue;
            const bool told = std::ranges::any_of(
                finding.evidence, [&](const Evidence& proof) { return proof.note == line.text; });
            if (!told)
                finding.message += (finding.message.empty() ? "" : " ") + line.text;
            finding.evidence.push_back({{line.time, line.time}, {}, line.text});
        }
        if (finding.evidence.empty())
            continue;
        lost = lost || warning.words.data() == lossWords.data();
        finding.severity = Severity::Info;
        finding.confidence = Confidence::Possible;
        finding.subject = {Subject::Kind::Part, std::string(warning.key)};
        finding.title = warning.title;
        finding.why = warning.why;
        finding.remedy = warning.remedy;
        finding.evidenceTotal = finding.evidence.size();
        finding.where = finding.evidence.front().range;
        findings.push_back(std::move(finding));
    }
}

std::vector<Finding> judgeCapture(const RuleContext& context)
{
    std::vector<Finding> findings;
    if (context.trace.eventCount() == 0)
        return findings;
    findMissing(context, findings);
    findLeftOut(context, findings);
    findOverhead(context, findings);
    findWholeGraphs(context, findings);
    findLosses(context.trace, findings);
    for (Finding& finding : findings) {
        if (finding.where.empty())
            finding.where = context.window;
    }
    return findings;
}

} // namespace

extern constinit const Rule captureQuality{
    .id = id,
    .title = "The recording itself",
    .why = "What was not recorded cannot be seen, and what the profiler cost is in the figures.",
    .remedy = "Record again with the options named.",
    .caveat = "What is not recorded may not be needed for the question at hand.",
    .thresholds = thresholds,
    .applies = [](const Trace&, const std::stop_token&) { return true; },
    .check = judgeCapture,
};

} // namespace warpline
