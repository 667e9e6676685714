// What the launching thread was doing while the GPU had nothing to do, from samples: the functions that it
// was in, callers included, over the gaps in which it made no call that says so. Samples of Python name the
// functions of the program; those of the CPU see the interpreter, so they stand in where there are no others.

#include "core/analysis/idle_gaps.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/findings/evidence.h"
#include "core/findings/sampled_functions.h"
#include "core/query/event_text.h"
#include "core/store/python_samples.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace warpline::gap_functions {

namespace {

constexpr std::string_view id = "gap_functions";
constexpr Threshold minGap{"min_gap_ns", "Minimum gap that is looked into", "ns", shortestCause};
constexpr Threshold minSamples{"min_samples", "Minimum number of samples in the gaps", "", 20};
constexpr Threshold minShare{"min_share", "Minimum share of them in one function", "%", 25};
constexpr std::array thresholds{minGap, minSamples, minShare};
constexpr std::array<std::string_view, 1> absorbed{"gpu_idle_cause"};
constexpr std::size_t named = 5;
constexpr double minIdleShare = 0.01; ///< of the measured time
constexpr double mostly = 0.5; ///< of the time without calls on a CPU, for the thread to run its own code

/// The samples of a thread in its gaps.
struct Sampled {
    std::vector<EventRef> samples;
    std::map<StringId, std::size_t> inside; ///< samples with the function anywhere on the stack
    Intervals time; ///< of the gaps, without calls
};

/// CPython's own ways from one function to the next, by how their names begin: every program in Python is in
/// them all the time.
bool isOfInterpreter(std::string_view function)
{
    constexpr std::array<std::string_view, 24> beginnings{"cfunction_", "_PyEval_", "PyEval_", "_PyObject_",
        "PyObject_Call", "PyObject_Vectorcall", "_PyFunction_", "_PyVectorcall_", "PyVectorcall_",
        "method_vectorcall", "method_call", "slot_tp_", "type_call", "vectorcall_", "object_vacall",
        "builtin_exec", "run_mod", "run_eval_code", "pymain_", "Py_Run", "Py_Bytes", "PyRun_", "_PyRun_",
        "partial_"};
    return std::ranges::any_of(
        beginnings, [&](std::string_view beginning) { return function.starts_with(beginning); });
}

/// Functions that begin a thread or run an interpreter are on every stack and say nothing.
bool saysNothing(std::string_view function)
{
    if (isOfInterpreter(function))
        return true;
    constexpr std::array<std::string_view, 15> frames{"<module>", "main", "_start", "__libc_start_main",
        "__libc_start_call_main", "start_thread", "__clone", "clone", "clone3", "[Unknown]",
        "[Broken backtraces]", "[Max depth]", "_PyEval_", "PyEval_", "Py_"};
    return function.empty()
        || std::ranges::any_of(frames,
            [&](std::string_view frame) {
                return function == frame || (frame.ends_with('_') && function.starts_with(frame));
            })
        || function.starts_with("__libc_start") || function.starts_with("0x");
}

/// Adds the samples of `lane` that lie in `range`.
void addSamples(const Trace& trace, EventKind kind, const Lane& lane, TimeRange range,
    const std::stop_token& stop, Sampled& found)
{
    const auto [first, last] = trace.table(kind).touching(lane, range);
    for (const EventIndex i : stoppable(first, last, stop)) {
        const EventRef event{kind, i};
        if (trace.stackOf(event).empty() && kind == EventKind::Nvtx)
            continue; // the export left it out
        found.samples.push_back(event);
        std::set<StringId> seen;
        for (const StackFrame& frame : trace.stackOf(event)) {
            if (frame.unresolved || saysNothing(trace.text(frame.symbol)))
                continue;
            if (seen.insert(frame.symbol).second)
                ++found.inside[frame.symbol];
        }
    }
}

std::map<GlobalId, Sampled> sampleGaps(const RuleContext& context, const GpuFacts& gpu)
{
    TraceAnalysis& facts = context.facts;
    const Ns shortest = static_cast<Ns>(context.threshold(id, minGap));
    const TimeRange measured = facts.measuredRange();
    std::map<GlobalId, std::vector<TimeRange>> parts;
    const auto take = [&](const IdleGap& gap) {
        if (gap.range.duration() < shortest || !measured.overlaps(gap.range))
            return;
        const GapCause cause = causeOf(context.trace, facts, gap);
        if (!cause.known)
            return;
        // CPU samples are taken on the CPU: those in calls of the operating system are work, not sleep.
        for (const IdleCause doing : {IdleCause::OwnCode, IdleCause::OsCall}) {
            for (const TimeRange& own :
                facts.host(cause.thread).within(doing, cause.host.clippedTo(measured)))
                parts[cause.thread].push_back(own);
        }
    };
    const IdleGaps gaps = gpu.gaps();
    for (const IdleGap& gap : stoppableItems(gaps, context.stop))
        take(gap);
    for (const IdleGap& edge : edgeGaps(context.trace, facts, gpu))
        take(edge);
    std::map<GlobalId, Sampled> found;
    for (auto& [thread, ranges] : parts) {
        Sampled& sampled = found[thread];
        sampled.time = unionOf(std::move(ranges), measured, context.stop);
        const SampleLanes samples = sampleLanesOf(context.trace, thread);
        for (const TimeRange& range : sampled.time) {
            for (const Lane& lane : samples.lanes)
                addSamples(context.trace, samples.kind, lane, range, context.stop, sampled);
        }
    }
    return found;
}

/// How often the profiler looks at `thread`, by the usual distance of its samples while it runs; 0: unknown.
/// A thread that sleeps is not looked at, so the short distances are those that count.
Ns samplingPeriod(const Trace& trace, GlobalId thread, const std::stop_token& stop)
{
    const auto [kind, lanes] = sampleLanesOf(trace, thread);
    const EventTable& samples = trace.table(kind);
    std::vector<Ns> distances;
    for (const Lane& lane : lanes) {
        for (const EventIndex i : stoppable(lane.first + 1, lane.first + lane.count, stop))
            distances.push_back(samples.start[i] - samples.start[i - 1]);
    }
    if (distances.empty())
        return 0;
    const auto quarter = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 4);
    std::ranges::nth_element(distances, quarter);
    return *quarter;
}

/// The part of `sampled` in which the thread ran: samples of the CPU are taken on one only. Those of Python
/// come whether it runs or waits: then all of it.
Ns runningTime(const Trace& trace, GlobalId thread, const Sampled& sampled, const std::stop_token& stop)
{
    const Ns all = totalTime(sampled.time);
    const Ns period = samplingPeriod(trace, thread, stop);
    return period > 0 ? std::min(all, static_cast<Ns>(sampled.samples.size()) * period) : all;
}

using Ranked = std::vector<std::pair<StringId, std::size_t>>;

Ranked ranked(const Trace& trace, const std::map<StringId, std::size_t>& functions)
{
    Ranked list(functions.begin(), functions.end());
    std::ranges::sort(list, [&](const auto& a, const auto& b) {
        return a.second != b.second ? a.second > b.second : trace.text(a.first) < trace.text(b.first);
    });
    return list;
}

/// The functions with at least `least` samples, the outermost first. One that all samples are in says nothing
/// where others say more.
Ranked tellingOnes(const Ranked& functions, std::size_t samples, double least)
{
    Ranked telling;
    for (const auto& entry : functions) {
        if (static_cast<double>(entry.second) >= least)
            telling.push_back(entry);
    }
    const bool more = std::ranges::any_of(telling, [&](const auto& entry) { return entry.second < samples; });
    if (more)
        std::erase_if(telling, [&](const auto& entry) { return entry.second == samples; });
    return telling;
}

/// "CLUEAlgo::verboseResults" for a function's full name: without arguments, return type and templates.
std::string readable(std::string_view function)
{
    std::string text;
    int depth = 0;
    for (const char c : function) {
        if (c == '(' && depth == 0 && !text.empty())
            break;
        depth += c == '<' ? 1 : 0;
        if (depth == 0)
            text += c;
        depth -= c == '>' && depth > 0 ? 1 : 0;
    }
    if (text.empty()) // "<lambda>" of Python
        return toUtf8(function);
    const std::size_t space = text.rfind(' ');
    return toUtf8(space == std::string::npos || space + 1 == text.size() ? text : text.substr(space + 1));
}

/// The functions with most samples.
std::vector<Message> listOf(const Trace& trace, const Ranked& functions)
{
    std::vector<Message> list;
    for (std::size_t i = 0; i < std::min(named, functions.size()); ++i)
        list.push_back(Message("gap_functions.function", "{function} ({samples})",
            {{"function", Name{readable(trace.text(functions[i].first))}},
                {"samples", Count{functions[i].second}}}));
    return list;
}

void findFunctions(const RuleContext& context, const GpuFacts& gpu, std::vector<Finding>& findings)
{
    const Trace& trace = context.trace;
    TraceAnalysis& facts = context.facts;
    for (const auto& [thread, sampled] : sampleGaps(context, gpu)) {
        const auto samples = static_cast<double>(sampled.samples.size());
        const Ranked inside = tellingOnes(ranked(trace, sampled.inside), sampled.samples.size(),
            context.threshold(id, minShare) / 100 * samples);
        if (samples < context.threshold(id, minSamples) || inside.empty()
            || static_cast<double>(totalTime(sampled.time))
                < minIdleShare * static_cast<double>(facts.measured()))
            continue;
        const Ns ran = runningTime(trace, thread, sampled, context.stop);
        if (static_cast<double>(ran) < mostly * static_cast<double>(totalTime(sampled.time)))
            continue; // it sleeps or waits for most of it: samples do not say where
        const auto& [function, often] = inside.front();
        Finding finding;
        finding.process = gpu.process;
        finding.device = gpu.device;
        finding.claims = sampled.time;
        finding.saving = static_cast<Ns>(
            static_cast<double>(ran) * static_cast<double>(inside.front().second) / samples);
        finding.severity = severityOf(context, finding.saving);
        finding.confidence = Confidence::Likely;
        finding.subject = {Subject::Kind::Function, toUtf8(trace.text(function))};
        finding.title = Message("gap_functions.title",
            "{gpu} idle while the launching thread runs {function}: {hits} of {samples, plural, one {# sample} other "
            "{# samples}} in the gaps",
            {{"gpu", Name{nameOf(trace, gpu)}}, {"function", Name{readable(trace.text(function))}},
                {"hits", Count{often}}, {"samples", Count{sampled.samples.size()}}});
        finding.message = Message("gap_functions.own_code",
            "For {time} of the gaps, the thread that launches the next work runs its own code.",
            {{"time", Duration{totalTime(sampled.time)}}});
        finding.message += Message("gap_functions.functions",
            "Of its {samples, plural, one {# sample} other {# samples}} there, most are in these functions or "
            "their callees: {functions}.",
            {{"samples", Count{sampled.samples.size()}}, {"functions", listOf(trace, inside)}});
        setEvidence(finding, trace, sampled.samples, [&](EventRef event) {
            const auto stack = trace.stackOf(event);
            return stack.empty() ? Message()
                                 : Message("gap_functions.sample", "{function}",
                                     {{"function", Name{toUtf8(trace.text(stack.front().symbol))}}});
        });
        findings.push_back(std::move(finding));
    }
}

} // namespace

extern constinit const Rule gapFunctions{
    .id = id,
    .title = "Functions that run while the GPU is idle",
    .why
    = "While the GPU is idle, the program waits for this code. Samples show where the thread was while it ran, "
      "about a thousand times per second: the share of samples is the share of that time.",
    .remedy
    = "Make this code cheaper, move it to another thread, or run it less often (above all printing and "
      "logging). Or start it while the GPU works: launch first, then compute on the host.",
    .caveat = "Samples are few: the rule may name a function that is in the gaps by chance.",
    .thresholds = thresholds,
    .applies =
        [](const Trace& trace, const std::stop_token&) {
            const bool hasStacks = !trace.table(EventKind::Sample).empty() && trace.samplingChains;
            return (hasStacks || hasPythonStacks(trace)) && !trace.kernels().empty();
        },
    .checkGpu = findFunctions,
    .absorbs = absorbed,
};

} // namespace warpline::gap_functions
