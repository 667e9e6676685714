#include "core/findings/lost_work.h"

#include "core/analysis/scope.h"
#include "core/analysis/trace_analysis.h"
#include "core/base/message_names.h"
#include "core/base/words.h"
#include "core/findings/recording_advice.h"
#include "core/store/library_domains.h"
#include "core/store/part_of_recording.h"
#include "core/store/problem.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

constexpr std::string_view kernelTable = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr std::string_view jsonEvents = "traceEvents";

/// nsys' message about an unknown driver, or about lost events; empty: there is none.
Message reasonOf(const Trace& trace)
{
    for (const DiagnosticLine& line : trace.info.diagnostics) {
        const std::string& text = line.text;
        if (containsWord(text, "not supported by this build") || containsWord(text, "could not parse")
            || containsWord(text, "incomplete cupti"))
            return {"no_work.it_says", " It says: {text}{ends, select, yes {} other {.}}",
                {{"text", Name{text}}, {"ends", yesOrNo(text.ends_with('.'))}}};
    }
    return {};
}

/// `what` is missing, why, and how to get it: `table` is the one that holds it.
LostWork withRemedy(const Trace& trace, Message what, std::string_view table)
{
    if (trace.info.isCut)
        return {std::move(what),
            {"no_work.why_cut",
                "The file is incomplete: copy it again, or record again and let the profiler finish writing."}};
    if (isLeftOut(trace.info, table))
        return {std::move(what) + selectedTables(trace), exportAgain()};
    const RecordingAdvice& advice = recordingAdvice(trace);
    Message reason = reasonOf(trace);
    // nsys records all work with the calls. Others have an option for each kind.
    if (reason.empty() && recorderOf(trace.info) != Recorder::NsightSystems)
        return {std::move(what),
            {"no_work.not_recorded", "It may not have been recorded. To record it: {how}.",
                {{"how", Message(advice.cudaCalls)}}}};
    return {std::move(what)
            + Message("no_work.why_lost", "{recorder} lost what the GPU did.{reason}",
                {{"recorder", advice.recorder()}, {"reason", std::move(reason)}}),
        {"no_work.newer", "Record again with a version that knows the driver."}};
}

/// Whether the calls of `trace` prove that work is lost, where other work of the GPU is there. A few never
/// do: some copies are no work of a GPU, and some work is still to come when the recording ends.
bool isProof(const Trace& trace, std::uint64_t calls)
{
    constexpr std::uint64_t minCalls = 20;
    return calls >= minCalls && !partOf(trace.info);
}

/// That kernels, or all work of graphs, is missing from a report with other work of the GPU.
LostWork lostKernels(TraceAnalysis& facts)
{
    constexpr std::uint64_t launchesPerGraph
        = 20; // at most: where few launches are of graphs, little is lost
    const Trace& trace = facts.trace();
    const bool hasKernels = !trace.kernels().empty() || !trace.table(EventKind::GraphTrace).empty();
    const StartedWork& started = facts.startedWork();
    if (!hasKernels && isProof(trace, started.launches))
        return withRemedy(trace,
            {"no_work.no_kernels",
                "No kernel is in this report, although {launches, plural, one {# launch was} other {# launches were}} called.",
                {{"launches", Count{started.launches}}}},
            kernelTable);
    if (!started.mayHaveGraphs && started.graphs * launchesPerGraph >= started.launches
        && isProof(trace, started.graphs))
        return withRemedy(trace,
            {"no_work.no_graphs",
                "No work of CUDA graphs is in this report, although {launches, plural, one {# graph was} other {# graphs were}} launched.",
                {{"launches", Count{started.graphs}}}},
            "CUPTI_ACTIVITY_KIND_GRAPH_TRACE");
    return {};
}

/// The rows of `table` of a report; of the events of a JSON trace, those of all its categories.
std::uint64_t rowsOf(const ReportInfo& info, std::string_view table)
{
    std::uint64_t rows = 0;
    for (const SourceTable& each : info.tables)
        rows += each.name == table || table == jsonEvents ? each.rows : 0;
    return rows;
}

/// Whether no result is made of what `kind` leaves out. CaptureUnreadable is about another file.
bool isOfNoResult(ProblemKind kind)
{
    return kind == ProblemKind::CaptureUnreadable || kind == ProblemKind::EventRecordNotPlaced
        || kind == ProblemKind::CounterWithoutNumber || kind == ProblemKind::RangeEndWithoutStart;
}

/// The rows of `table` that are in no result.
std::uint64_t lostRows(const ReportInfo& info, std::string_view table)
{
    std::uint64_t rows = 0;
    for (const Problem& problem : info.problems) {
        const bool isLost
            = severityOf(problem.kind) == ProblemSeverity::DataLoss && !isOfNoResult(problem.kind);
        rows += isLost && problem.table == table ? problem.count : 0;
    }
    return rows;
}

/// Whether results lack something because of `problem`: names, a table, or with its other problems more than
/// a hundredth of its rows.
bool isLoss(const ReportInfo& info, const Problem& problem)
{
    if (isOfNoResult(problem.kind))
        return false;
    if (severityOf(problem.kind) != ProblemSeverity::DataLoss)
        return severityOf(problem.kind) == ProblemSeverity::Error;
    // The rows of other tables are not counted: their losses count against all rows.
    const std::uint64_t rows = rowsOf(info, problem.table == otherTables ? jsonEvents : problem.table);
    return rows > 0 && lostRows(info, problem.table) > rows / 100;
}

/// Whether `table` holds GPU work or the calls that start it; or events that may be such.
bool holdsWork(std::string_view table)
{
    static constexpr std::array tables = std::to_array<std::string_view>(
        {kernelTable, "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET",
            "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_DRIVER",
            // Categories of JSON traces.
            "kernel", "gpu_memcpy", "gpu_memset", "cuda_runtime", "cuda_driver", "Kernel", "Memcpy", "Memset",
            "Runtime", "mtia_runtime", "mtia_ccp_events", "memcpy", "memset", "graph", "cuda_api", jsonEvents,
            "events without a category", otherTables,
            // Lists of rocprofv3.
            "kernel_dispatch", "memory_copy", "counter_collection", "hip_api", "hsa_api"});
    // Of these each process has its own, with its id as ending.
    static constexpr std::array<std::string_view, 5> beginnings{
        "rocpd_kernel_dispatch", "rocpd_memory_copy", "rocpd_region", "rocpd_op", "rocpd_api"};
    return std::ranges::count(tables, table) > 0
        || std::ranges::any_of(
            beginnings, [table](std::string_view beginning) { return table.starts_with(beginning); });
}

} // namespace

Message selectedTables(const Trace& trace)
{
    return {"no_work.selected_tables", "The file was exported with selected tables only: {tables}.",
        {{"tables", Name{std::string(exportedTables(trace.info))}}}};
}

Message exportAgain()
{
    return {"no_work.export_again",
        "Export the recording again with all tables: nsys export --type sqlite RECORDING.nsys-rep. You need not record again."};
}

Message cutOffNote(const Trace& trace)
{
    if (!trace.info.isCut)
        return {};
    return {"file.cut_off",
        "{path} is incomplete: later events are missing. Copy it again, or record again and let the profiler finish writing.",
        {{"path", Name{trace.info.path}}}};
}

LostWork lostCopies(TraceAnalysis& facts)
{
    const Trace& trace = facts.trace();
    if (!trace.memcpys().empty() || lifeOfGpus(trace).empty())
        return {};
    // A graph copies without a call of its own for each copy.
    const StartedWork& started = facts.startedWork();
    return started.graphs > 0 || !isProof(trace, started.copies)
        ? LostWork()
        : withRemedy(trace,
            {"no_work.no_copies",
                "No copy is in this report, although {copies, plural, one {# copy was} other {# copies were}} called.",
                {{"copies", Count{started.copies}}}},
            "CUPTI_ACTIVITY_KIND_MEMCPY");
}

Message unreadNote(const Trace& trace)
{
    const bool isUnread = std::ranges::any_of(
        trace.info.problems, [&](const Problem& problem) { return isLoss(trace.info, problem); });
    if (!isUnread || trace.info.isCut)
        return {};
    return {"file.unread_parts",
        "Parts of {path} could not be read, and the results may lack them. Run warpline-cli info to list them.",
        {{"path", Name{trace.info.path}}}};
}

bool lacksWork(const Trace& trace)
{
    return trace.info.isCut || std::ranges::any_of(trace.info.problems, [&](const Problem& problem) {
        return holdsWork(problem.table) && isLoss(trace.info, problem);
    });
}

std::vector<Message> incompleteNotes(const Trace& trace)
{
    std::vector<Message> notes{partNote(trace.info), cutOffNote(trace), unreadNote(trace)};
    std::erase_if(notes, [](const Message& note) { return note.empty(); });
    return notes;
}

LostWork lostGpuWork(TraceAnalysis& facts)
{
    const Trace& trace = facts.trace();
    if (!lifeOfGpus(trace).empty())
        return lostKernels(facts);
    if (isLeftOut(trace.info, kernelTable) && wasCudaTraced(trace.info).value_or(true))
        return {
            Message("no_work.tables", "No GPU work in this report.") + selectedTables(trace), exportAgain()};
    if (std::ranges::any_of(trace.info.problems,
            [](const Problem& problem) { return problem.kind == ProblemKind::WorkInTwoEvents; }))
        return {
            {"no_work.two_events",
                "No GPU work in this report: its kernels have a begin and an end event each, which are shown as ranges of the host. Write complete events (phase X) instead."},
            {}};
    if (trace.info.isCut)
        return {
            {"no_work.cut",
                "No GPU work in this report: the file is incomplete. Copy it again, or record again and let the profiler finish writing before the program ends."},
            {}};
    const std::uint64_t launches = facts.startedWork().launches;
    if (launches == 0 && (trace.apiCalls().empty() || reasonOf(trace).empty()))
        return {};
    return withRemedy(trace,
        {"no_work.lost",
            "No GPU work in this report, although {launches, plural, =0 {CUDA functions were} one {# launch was} other {# launches were}} called.",
            {{"launches", Count{launches}}}},
        kernelTable);
}

NoGpuWork explainNoGpuWork(const Trace& trace)
{
    if (!lifeOfGpus(trace).empty())
        return {};
    TraceAnalysis facts(trace, trace.session, {});
    if (const LostWork lost = lostGpuWork(facts); !lost.what.empty())
        return {lost.text(), {}};
    const RecordingAdvice& advice = recordingAdvice(trace);
    const bool ofNsys = recorderOf(trace.info) == Recorder::NsightSystems;
    if (trace.eventCount() == 0)
        return {
            {"no_work.empty",
                "This report holds no events: the recording ended before the program did anything, or its export "
                "was cut off. {nsys, select, yes {Record and export it again: nsys profile "
                "--trace=cuda,nvtx,osrt -o report ./program; nsys export --type sqlite -o report.sqlite "
                "report.nsys-rep.} other {Record again with {recorder}.}}",
                {{"nsys", yesOrNo(ofNsys)}, {"recorder", advice.recorder()}}},
            {}};
    const bool draws = std::ranges::any_of(trace.table(EventKind::Library).tracks,
        [&](const Track& track) { return isGraphicsFamily(trace.text(track.family)); });
    if (draws && trace.apiCalls().empty())
        return {{"no_work.graphics", "This report holds graphics or video, and no CUDA work."}, {}};
    const Message what{"no_work.seen", "No GPU work in this report: {recorder} saw no kernel, copy or graph.",
        {{"recorder", advice.recorder()}}};
    const std::optional<bool> traced = wasCudaTraced(trace.info);
    if (traced.value_or(false))
        return {what,
            {"no_work.no_call",
                "CUDA was traced, but the program made no CUDA call. It may have ended before its first launch: see what it printed. It may have found no GPU. It may be built for the CPU (nvc++ -stdpar=multicore instead of -stdpar=gpu, OpenACC or OpenMP without a GPU as target, PyTorch without CUDA). Or another program was profiled (a script or make)."}};
    const Name option{traceOption(trace)};
    if (traced)
        return {what,
            {"no_work.not_traced",
                "CUDA was not traced. Record again: nsys profile {option} -o report ./program.",
                {{"option", option}}}};
    return {what,
        {"no_work.maybe",
            "The program may have ended before its first launch (check cudaGetLastError()). Another program may have been profiled (a script or make). {calls} may be missing, or there was no GPU to use."
            "{nsys, select, yes { Try: nsys profile {option} -o report ./program.} other {}}",
            {{"calls", ofNsys ? nameMessage("--trace=cuda") : Message(advice.cudaCalls)},
                {"nsys", yesOrNo(ofNsys)}, {"option", option}}}};
}

Message noGpuWork(const Trace& trace)
{
    const NoGpuWork why = explainNoGpuWork(trace);
    return why.causes.empty() ? why.what
                              : Message("no_work.why", "{what} If a GPU should have worked: {causes}",
                                  {{"what", why.what}, {"causes", why.causes}});
}

} // namespace warpline
