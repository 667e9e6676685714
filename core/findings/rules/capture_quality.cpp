// Quality of the recording: data missing for an analysis, with the option that records it; lost events; and
// the profiler's overhead inside the range.

#include "core/analysis/scope.h"
#include "core/base/message_names.h"
#include "core/base/share.h"
#include "core/coverage/migrations.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/findings/lost_work.h"
#include "core/findings/recording_advice.h"
#include "core/steps/steps.h"
#include "core/store/event_loops.h"
#include "core/store/gpu_names.h"
#include "core/store/python_samples.h"
#include "core/store/recorder.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace warpline::capture_quality {

namespace {

constexpr std::string_view id = "capture_quality";
constexpr Threshold maxOverhead{
    "max_overhead", "Maximum profiler overhead (share of the GPU's time span)", "%", 2};
constexpr std::array thresholds{maxOverhead};

struct Missing {
    Literal whatKey;
    Literal what;
    Literal useKey;
    Literal use; ///< what the data shows
    std::string_view option;
    std::string_view table; ///< of nsys that holds the data; empty: none of its own
    bool (*isMissing)(const Trace&, const std::stop_token&);
    Literal moreKey = ""; ///< empty: the option is enough
    Literal more = "";
};

bool hasOwnRanges(const Trace& trace)
{
    return std::ranges::any_of(
        trace.nvtx().tracks, [&](const Track& track) { return trace.text(track.family).empty(); });
}

/// True when the program has managed memory but the report no migration, which nsys does not record by
/// default.
bool lacksMigrations(const Trace& trace, const std::stop_token& stop)
{
    return usesManagedMemory(trace, stop) && !hasMigrations(trace, stop);
}

/// True when kernels miss pages but the report has no fault.
bool lacksPageFaults(const Trace& trace, const std::stop_token& stop)
{
    return trace.pageFaults().empty() && hasFaultMigrations(trace, stop);
}

bool hasMetrics(const Trace& trace)
{
    return std::ranges::any_of(
        trace.counters, [](const CounterSeries& series) { return series.kind == CounterKind::GpuMetric; });
}

constexpr std::array missing{
    Missing{"capture_quality.what_nvtx", "NVTX ranges of the program", "capture_quality.use_nvtx",
        "steps and phases", "--trace=cuda,nvtx", "NVTX_EVENTS",
        [](const Trace& trace, const std::stop_token&) { return !hasOwnRanges(trace); },
        "capture_quality.with_ranges",
        "{option}, with ranges in the program: nvtxRangePush(\"load\") ... nvtxRangePop()"},
    Missing{"capture_quality.what_calls", "CUDA API calls", "capture_quality.use_calls",
        "what launched the GPU's work", "--trace=cuda", "CUPTI_ACTIVITY_KIND_RUNTIME",
        [](const Trace& trace, const std::stop_token&) {
            return trace.apiCalls().empty()
                && (!lifeOfGpus(trace).empty() || !wasCudaTraced(trace.info).value_or(false));
        }},
    Missing{"capture_quality.what_metrics", "GPU metrics", "capture_quality.use_metrics",
        "SM, tensor and memory use inside kernels", "--gpu-metrics-devices=all", "GPU_METRICS",
        [](const Trace& trace, const std::stop_token&) { return !hasMetrics(trace); }},
    Missing{"capture_quality.what_graphs", "kernels inside CUDA graphs", "capture_quality.use_graphs",
        "which kernels a replay runs, and the gaps between them", "--cuda-graph-trace=node", "",
        [](const Trace& trace, const std::stop_token&) {
            return !trace.table(EventKind::GraphTrace).empty();
        }},
    Missing{"capture_quality.what_migrations", "unified memory migrations", "capture_quality.use_migrations",
        "pages that kernels or the host wait for",
        "--cuda-um-gpu-page-faults=true --cuda-um-cpu-page-faults=true", "CUPTI_ACTIVITY_KIND_MEMCPY",
        lacksMigrations, "capture_quality.not_on_windows", "{option} (not on Windows)"},
    Missing{"capture_quality.what_faults", "unified memory page faults", "capture_quality.use_faults",
        "how long kernels wait for the first pages", "--cuda-um-gpu-page-faults=true",
        "CUDA_UM_GPU_PAGE_FAULT_EVENTS", lacksPageFaults, "capture_quality.not_on_windows",
        "{option} (not on Windows)"},
    Missing{"capture_quality.what_samples", "CPU samples", "capture_quality.use_samples",
        "what the host computes between launches", "--sample=process-tree", "COMPOSITE_EVENTS",
        [](const Trace& trace, const std::stop_token&) { return trace.table(EventKind::Sample).empty(); }},
    Missing{"capture_quality.what_states", "thread states", "capture_quality.use_states",
        "threads that lose the CPU", "--cpuctxsw=process-tree", "SCHED_EVENTS",
        [](const Trace& trace, const std::stop_token&) {
            return trace.table(EventKind::ThreadState).empty();
        }},
    Missing{"capture_quality.what_osrt", "OS runtime calls", "capture_quality.use_osrt",
        "waits, locks, sleeps and file access", "--trace=cuda,nvtx,osrt", "OSRT_API",
        [](const Trace& trace, const std::stop_token&) { return trace.table(EventKind::OsRuntime).empty(); }},
    Missing{"capture_quality.what_memory", "GPU memory use", "capture_quality.use_memory",
        "allocation and growth", "--cuda-memory-usage=true", "CUDA_GPU_MEMORY_USAGE_EVENTS",
        [](const Trace& trace, const std::stop_token&) { return trace.gpuMemory().empty(); }},
};

/// An option of torch.profiler that was on: its data may still be missing, but recommending it would not
/// help.
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

/// Data that torch.profiler can record. Recommending other data would not help.
constexpr std::array missingOfTorch{
    Missing{"capture_quality.what_annotations", "annotations of the program",
        "capture_quality.use_annotations", "steps and phases",
        "with torch.profiler.record_function(\"load\")", "",
        [](const Trace& trace, const std::stop_token&) { return !hasOwnRanges(trace); },
        "capture_quality.around_parts", "{option} around parts of the program, and p.step() after each step"},
    Missing{"capture_quality.what_gpu_calls", "CUDA or HIP calls", "capture_quality.use_gpu_calls",
        "what launched the GPU's work", "activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]", "",
        [](const Trace& trace, const std::stop_token&) { return trace.apiCalls().empty(); }},
    Missing{"capture_quality.what_shapes", "input shapes", "capture_quality.use_shapes",
        "which sizes an operator is slow for", "record_shapes=True", "", lacksShapes},
    Missing{"capture_quality.what_python", "Python functions and modules", "capture_quality.use_python",
        "what the host does between operators", "with_stack=True", "", lacksPython},
    Missing{"capture_quality.what_allocator", "allocator memory", "capture_quality.use_allocator",
        "allocation and growth", "profile_memory=True", "",
        [](const Trace& trace, const std::stop_token&) {
            return !wasOn(trace, "profile_memory") && trace.gpuMemory().empty();
        }},
};

/// The entries of the lists above for this recorder.
std::span<const Missing> missingFor(Recorder recorder)
{
    if (recorder == Recorder::PyTorchProfiler)
        return missingOfTorch;
    return recorder == Recorder::NsightSystems ? std::span<const Missing>(missing)
                                               : std::span<const Missing>();
}

Message remedyFor(const Trace& trace, Message options)
{
    if (recorderOf(trace.info) != Recorder::PyTorchProfiler)
        return {"capture_quality.nsys_options", "Options of nsys profile for the next recording: {options}.",
            {{"options", std::move(options)}}};
    const GpuMaker maker = gpuMakerOf(trace);
    return Message("capture_quality.torch_options",
               "For the next recording with torch.profiler.profile: {options}.",
               {{"options", std::move(options)}})
        + Message("capture_quality.not_in_torch",
            "It does not record GPU metrics, thread samples, thread states or system calls{maker, select, nvidia {; nsys "
            "profile does} amd {; rocprof-sys of ROCm does} other {}}.",
            {{"maker",
                Name{maker == GpuMaker::Nvidia   ? "nvidia"
                        : maker == GpuMaker::Amd ? "amd"
                                                 : "other"}}});
}

/// Whether the export left out the data, recorded or not.
bool isExcluded(const Trace& trace, const Missing& each)
{
    return !each.table.empty() && isLeftOut(trace.info, each.table);
}

/// One finding for all that was not recorded: it is a hint for the next time.
void findMissing(const RuleContext& context, std::vector<Finding>& findings)
{
    const Recorder recorder = recorderOf(context.trace.info);
    std::vector<Message> names;
    std::vector<Message> list;
    Message options;
    bool namesTrace = false;
    for (const Missing& each : missingFor(recorder)) {
        if (isExcluded(context.trace, each) || !each.isMissing(context.trace, context.stop))
            continue;
        names.push_back(Message(each.whatKey, each.what));
        list.push_back(Message("capture_quality.lacks", "{what} ({use})",
            {{"what", Message(each.whatKey, each.what)}, {"use", Message(each.useKey, each.use)}}));
        // nsys uses only the last --trace: combine all options, including those of this recording.
        const bool isTrace = each.option.starts_with("--trace=");
        if (isTrace && std::exchange(namesTrace, true))
            continue;
        const std::string own = isTrace ? traceOption(context.trace) : std::string(each.option);
        Message option = each.more.text().empty() ? nameMessage(own)
                                                  : Message(each.moreKey, each.more, {{"option", Name{own}}});
        options = options.empty() ? std::move(option)
                                  : Message("capture_quality.options", "{before}; {option}",
                                      {{"before", std::move(options)}, {"option", std::move(option)}});
    }
    if (names.empty())
        return;
    Finding finding = findingWith(Severity::Info, Confidence::Certain);
    finding.subject = {Subject::Kind::Part, "not_recorded"};
    finding.title = Message("capture_quality.not_recorded",
        "{cut, select, yes {Not in this file, which is incomplete} other {Not recorded}}: {names}",
        {{"cut", yesOrNo(context.trace.info.isCut)}, {"names", std::move(names)}});
    finding.message = Message(
        "capture_quality.does_not_hold", "The report does not contain: {list}.", {{"list", std::move(list)}});
    finding.why = Message("capture_quality.see_only_recorded", "Rules only see what was recorded.")
        + Message("capture_quality.silent",
            "A rule without its data stays silent, which does not mean that all is well.");
    finding.remedy = remedyFor(context.trace, std::move(options));
    findings.push_back(std::move(finding));
}

/// Work that the program's calls started and that is not in the file.
void findLostWork(const RuleContext& context, std::vector<Finding>& findings)
{
    if (lifeOfGpus(context.trace).empty())
        return;
    for (const auto& [key, lost] : {std::pair("lost_kernels", lostGpuWork(context.facts)),
             std::pair("lost_copies", lostCopies(context.facts))}) {
        if (lost.what.empty())
            continue;
        const bool areKernels = key == std::string_view("lost_kernels");
        Finding finding = findingWith(areKernels ? Severity::High : Severity::Medium, Confidence::Certain);
        finding.subject = {Subject::Kind::Part, key};
        finding.title
            = Message("capture_quality.lost_work", "Part of the GPU's work is missing from this report");
        finding.message = lost.what;
        finding.why = Message("capture_quality.lost_work_why",
            "Where work is missing, the GPU seems idle: how busy it is and what could be saved is unknown.");
        finding.remedy = lost.remedy;
        findings.push_back(std::move(finding));
    }
}

/// Tables that the export was told to leave out: a new export is enough, without a new recording.
void findLeftOutTables(const RuleContext& context, std::vector<Finding>& findings)
{
    constexpr std::array<std::string_view, 4> workTables{"CUPTI_ACTIVITY_KIND_KERNEL",
        "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET", "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"};
    const Trace& trace = context.trace;
    std::vector<Message> names;
    for (const Missing& each : missing) {
        if (isExcluded(trace, each) && each.isMissing(trace, context.stop))
            names.push_back(Message(each.whatKey, each.what));
    }
    if (names.empty() && std::ranges::none_of(workTables, [&](std::string_view table) {
            return isLeftOut(trace.info, table);
        }))
        return;
    Finding finding = findingWith(Severity::Info, Confidence::Certain);
    finding.subject = {Subject::Kind::Part, "left_out_tables"};
    finding.title = Message("capture_quality.selected_tables", "The export left out tables of the recording");
    finding.message = selectedTables(trace);
    if (!names.empty())
        finding.message += Message("capture_quality.left_out_kinds",
            "Not in the file, even if recorded: {names}.", {{"names", std::move(names)}});
    finding.remedy = exportAgain();
    findings.push_back(std::move(finding));
}

/// Data that was recorded but is not in the file: a new export is enough, without a new recording.
void findLeftOut(const RuleContext& context, std::vector<Finding>& findings)
{
    findLeftOutTables(context, findings);
    if (!lacksPythonStacks(context.trace))
        return;
    Finding finding = findingWith(Severity::Info, Confidence::Certain);
    finding.subject = {Subject::Kind::Part, "left_out"};
    finding.title
        = Message("capture_quality.no_python_stacks", "The export left out the stacks of its Python samples");
    finding.message = Message("capture_quality.samples_without_functions",
        "The file has the times and threads of Python samples, but not the functions that were running.");
    finding.why = Message("capture_quality.no_functions",
        "Without them, neither findings nor the flame graph can name the host's functions.");
    finding.remedy = Message("capture_quality.export_again",
        "Export the recording again with the stacks: {command} RECORDING.nsys-rep. You need not record again.",
        {{"command", Name{std::string(keepsPythonStacks)}}});
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
        // Memory marks take no time.
        if (overhead.duration[i] <= 0 || !isProfilersOwn(context.trace.text(overhead.name[i]))
            || !work.touches(overhead.start[i], overhead.end(i)))
            continue;
        events.push_back({EventKind::Overhead, i});
        ranges.push_back(overhead.range(i));
    }
    const Intervals all = unionOf(std::move(ranges), work);
    const Ns total = totalTime(all);
    if (events.empty() || !context.reachesShare(id, maxOverhead, total, work.duration()))
        return;
    sortLongestFirst(context.trace, events);
    Finding finding = findingWith(Severity::Low, Confidence::Certain);
    finding.subject = {Subject::Kind::Part, "overhead"};
    finding.title = Message("capture_quality.overhead", "Profiler overhead: {time} of the GPU's time span",
        {{"time", Duration{total}}});
    finding.message = Message("capture_quality.activities",
        "{activities, plural, one {# profiler activity takes} other {# profiler activities take}} {time} ({share}) between "
        "the first and the last GPU work.",
        {{"activities", Count{events.size()}}, {"time", Duration{total}},
            {"share", Share{shareOf(total, work.duration())}}});
    finding.why
        = Message("capture_quality.overhead_only_here", "Without the profiler, the program saves this time.")
        + Message("capture_quality.too_high", "Measured times in these intervals are too high.");
    finding.remedy = recorderOf(context.trace.info) == Recorder::PyTorchProfiler
        ? Message("capture_quality.less_of_torch",
            "Record less at a time: with_stack=False, profile_memory=False, fewer steps, and warm-up steps in the "
            "profiler's schedule.")
        : Message("capture_quality.less_of_nsys",
              "Record less at a time: fewer traces (--trace), no backtraces (--backtrace=none --cudabacktrace=none), and "
              "--cuda-graph-trace=graph.")
            + Message("capture_quality.shorter",
                "Use a shorter capture range, and --cuda-flush-interval for fewer flushes.");
    setEvidence(finding, context.trace, events);
    findings.push_back(std::move(finding));
}

/// Graphs traced as a whole hide their work from all other rules, which matters when they are most of the
/// GPU's time.
void findWholeGraphs(const RuleContext& context, std::vector<Finding>& findings)
{
    constexpr double most = 0.5; // of the time that the GPU computes
    for (const GpuFacts& gpu : context.facts.gpus()) {
        std::vector<EventRef> graphs;
        forEachOfKind(
            gpu, EventKind::GraphTrace, context.stop, [&](EventRef graph) { graphs.push_back(graph); });
        const Ns time = totalTime(timeOf(context.trace, graphs, context.window));
        const double share = shareOf(time, totalTime(gpu.compute));
        if (graphs.empty() || share < most)
            continue;
        Finding finding = findingWith(Severity::Medium, Confidence::Certain, gpu.process, gpu.device);
        finding.subject = {Subject::Kind::Part, "whole_graphs"};
        finding.title = Message("capture_quality.whole_graphs",
            "{gpu}: {share} of its work is in CUDA graphs recorded as a whole: record with --cuda-graph-trace=node",
            {{"gpu", Name{nameOf(context.trace, gpu)}}, {"share", Share{share}}});
        finding.message = Message("capture_quality.graph_launches",
            "{launches, plural, one {# graph launch takes} other {# graph launches take}} {time}.",
            {{"launches", Count{graphs.size()}}, {"time", Duration{time}}});
        finding.message += Message("capture_quality.graph_kernels",
            "The report has neither their kernels nor the gaps between them: to all rules, a graph is busy from start to "
            "end.");
        finding.why = Message("capture_quality.graph_is_block",
            "What a graph runs decides how fast the program is, and the report shows one block of time.");
        finding.remedy = Message("capture_quality.record_nodes",
                             "Record a short interval again with nsys profile --cuda-graph-trace=node.")
            + Message("capture_quality.compare_replay",
                "It slows the replay slightly: compare the time of a replay with this report.");
        sortLongestFirst(context.trace, graphs);
        setEvidence(finding, context.trace, graphs, {"capture_quality.graph", "a graph recorded as a whole"});
        findings.push_back(std::move(finding));
    }
}

/// A warning of nsys, with its meaning for the reader.
struct Warning {
    std::string_view key;
    std::span<const std::string_view> words; ///< any of them in a line of its diagnostics
    Literal titleKey;
    Literal title;
    Literal whyKey;
    Literal why;
    Literal remedyKey;
    Literal remedy;
    bool ofCuda; ///< irrelevant for a program without CUDA
};

constexpr std::array<std::string_view, 5> lossWords{
    "might have been collected", "dropped", "lost", "buffer is full", "could not parse"};
constexpr std::array<std::string_view, 1> driverWords{"not supported by this build"};
constexpr std::array<std::string_view, 1> startWords{"might have not been started correctly"};
constexpr std::array warnings{
    Warning{"events_missing", lossWords, "capture_quality.lost", "nsys warns that events may be missing",
        "capture_quality.lost_why", "Where events are missing, gaps may not be real and sums are too small.",
        "capture_quality.lost_remedy",
        "Let the program end by itself, or stop the capture before (cudaProfilerStop, --capture-range-end=stop). Call "
        "cudaDeviceSynchronize at the end, and record less at a time.",
        false},
    Warning{"old_nsys", driverWords, "capture_quality.old", "nsys is older than the CUDA driver",
        "capture_quality.old_why", "nsys cannot trace what is new in the driver. What it traced is correct.",
        "capture_quality.old_remedy", "Record with an nsys that is as new as the driver, or newer.", true},
    Warning{"late_start", startWords, "capture_quality.late",
        "nsys warns that its CUDA trace may not have started correctly", "capture_quality.late_why",
        "Some CUDA work may be missing; sums are then too small.", "capture_quality.late_remedy",
        "Record again, and let the process that uses CUDA run for a while before the recording ends.", true},
};

/// Losses and failures that nsys reports.
void findLosses(const Trace& trace, std::vector<Finding>& findings)
{
    const bool usesCuda = !trace.apiCalls().empty() || !trace.kernels().empty() || !trace.memcpys().empty();
    bool lost = false;
    for (const Warning& warning : warnings) {
        Finding finding = findingWith(Severity::Info, Confidence::Possible);
        std::set<std::string_view> told;
        // A trace that may not have started implies no more than missing events.
        if ((warning.ofCuda && !usesCuda) || (lost && warning.words.data() == startWords.data()))
            continue;
        for (const DiagnosticLine& line : trace.info.diagnostics) {
            const bool says = std::ranges::any_of(
                warning.words, [&](std::string_view word) { return containsWord(line.text, word); });
            // Ignore losses of features that the program does not use.
            if (!says || line.severity < 2 || containsWord(line.text, "opengl"))
                continue;
            // nsys' messages are in English only.
            const Message note("capture_quality.line", "{line}", {{"line", Name{line.text}}});
            if (told.insert(line.text).second)
                finding.message += note;
            finding.evidence.push_back({{line.time, line.time}, {}, note});
        }
        if (finding.evidence.empty())
            continue;
        lost = lost || warning.words.data() == lossWords.data();
        finding.subject = {Subject::Kind::Part, std::string(warning.key)};
        finding.title = Message(warning.titleKey, warning.title);
        finding.why = Message(warning.whyKey, warning.why);
        finding.remedy = Message(warning.remedyKey, warning.remedy);
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
    findLostWork(context, findings);
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
    .title = "Recording quality",
    .why = "Rules cannot see what was not recorded, and profiler overhead is part of the measured times.",
    .remedy = "Record again with the options named.",
    .caveat = "Your question may not need the data that is missing.",
    .thresholds = thresholds,
    .applies = [](const Trace&, const std::stop_token&) { return true; },
    .check = judgeCapture,
};

} // namespace warpline::capture_quality
