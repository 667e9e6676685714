// What the launching thread did while the GPU idled, from samples: its functions with their callers, in gaps
// without explaining calls. Python samples name the program's functions; CPU samples only see the
// interpreter, and are used where there are no others. PyTorch's traces have the calls of Python functions
// themselves.

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
#include <iterator>
#include <map>
#include <ranges>
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
constexpr double nearlyAll = 0.9; ///< of a function's time: then its callee is more specific
constexpr double mostly = 0.5; ///< of the time without calls, on a CPU: the thread runs its own code

/// Samples that contain a function anywhere on the stack.
struct Inside {
    std::int64_t weight = 0; ///< samples, or time of calls
    std::size_t depths = 0; ///< sum of how deep it is, over `seen`
    std::size_t seen = 0;

    void add(std::int64_t more, std::size_t depth, std::size_t times = 1)
    {
        weight += more;
        depths += depth * times;
        seen += times;
    }
    double depth() const { return static_cast<double>(depths) / static_cast<double>(seen); }
};

/// The samples of a thread in its gaps.
struct Sampled {
    bool isTimed = false; ///< calls of Python's functions instead: their weight is time
    std::vector<EventRef> samples; ///< or calls
    /// The first and the number of samples of each stack, by its id: any number may share one of any depth.
    std::map<std::uint32_t, std::pair<EventRef, std::size_t>> stacks;
    std::map<StringId, Inside> inside;
    Intervals time; ///< of the gaps, without calls

    std::int64_t weight() const
    {
        return isTimed ? totalTime(time) : static_cast<std::int64_t>(samples.size());
    }
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

/// Functions that start a thread or run an interpreter are on every stack.
bool saysNothing(std::string_view function)
{
    if (isOfInterpreter(function))
        return true;
    constexpr std::array<std::string_view, 15> frames{"<module>", "main", "_start", "__libc_start_main",
        "__libc_start_call_main", "start_thread", "__clone", "clone", "clone3", "[Unknown]",
        "[Broken backtraces]", "[Max depth]", "_PyEval_", "PyEval_", "Py_"};
    return function.empty() || function.ends_with(": <module>") // "train.py(12): <module>"
        || std::ranges::any_of(frames,
            [&](std::string_view frame) {
                return function == frame || (frame.ends_with('_') && function.starts_with(frame));
            })
        || function.starts_with("__libc_start") || function.starts_with("0x");
}

/// Adds the samples of `lane` that lie in `range`; see addStacks().
void addSamples(const Trace& trace, EventKind kind, const Lane& lane, TimeRange range,
    const std::stop_token& stop, Sampled& found)
{
    const auto [first, last] = trace.table(kind).touching(lane, range);
    for (const EventIndex i : stoppable(first, last, stop)) {
        const EventRef event{kind, i};
        if (trace.stackOf(event).empty() && kind == EventKind::Nvtx)
            continue; // the export left it out
        found.samples.push_back(event);
        if (!trace.stackOf(event).empty())
            ++found.stacks.try_emplace(trace.table(kind).callchain[i], event, 0).first->second.second;
    }
}

/// Adds the functions of the samples.
void addStacks(const Trace& trace, const std::stop_token& stop, Sampled& found)
{
    for (const auto& [event, samples] : found.stacks | std::views::values) {
        throwIfStopped(stop);
        std::set<StringId> seen;
        std::size_t depth = trace.stackOf(event).size();
        for (const StackFrame& frame : trace.stackOf(event)) {
            --depth;
            if (frame.unresolved || saysNothing(trace.text(frame.symbol)))
                continue;
            if (seen.insert(frame.symbol).second)
                found.inside[frame.symbol].add(static_cast<std::int64_t>(samples), depth, samples);
        }
    }
}

/// Functions of PyTorch: operators and ranges, which gpu_idle_cause names, are more specific.
bool isOfFramework(std::string_view function)
{
    return function.starts_with("torch/") || function.starts_with("nn.Module: ")
        || function.starts_with("<eval_with_key>") || function.find("torch._C") != std::string_view::npos;
}

bool isFunctionTrack(const Trace& trace, const Track& track, GlobalId thread)
{
    return track.owner == thread && trace.text(track.source) == pythonFunctionSource;
}

/// Adds the calls of Python's functions on `thread` that lie in `range`.
void addFunctions(
    const Trace& trace, GlobalId thread, TimeRange range, const std::stop_token& stop, Sampled& found)
{
    const EventTable& table = trace.nvtx();
    for (const Track& track : table.tracks) {
        if (!isFunctionTrack(trace, track, thread))
            continue;
        const std::span<const Lane> lanes = table.lanesOf(track);
        std::map<StringId, std::map<Ns, Ns>> counted; // the outermost calls of each name: start and end
        for (std::size_t depth = 0; depth < lanes.size(); ++depth) {
            const auto [first, last] = table.touching(lanes[depth], range);
            for (const EventIndex i : stoppable(first, last, stop)) {
                const TimeRange piece = table.range(i).clippedTo(range);
                if (piece.empty() || saysNothing(trace.text(table.name[i])))
                    continue;
                // For recursion only the outermost call counts.
                std::map<Ns, Ns>& outermost = counted[table.name[i]];
                const auto after = outermost.lower_bound(piece.end);
                if (after != outermost.begin() && std::prev(after)->second > piece.start)
                    continue;
                outermost.emplace(piece.start, piece.end);
                found.samples.push_back({EventKind::Nvtx, i});
                found.inside[table.name[i]].add(piece.duration(), depth);
            }
        }
    }
}

std::map<GlobalId, Sampled> sampleGaps(const RuleContext& context, const GpuFacts& gpu)
{
    TraceAnalysis& facts = context.facts;
    const Ns shortest = static_cast<Ns>(context.threshold(id, minGap));
    const TimeRange measured = facts.measuredRange();
    std::map<GlobalId, std::vector<TimeRange>> parts;
    struct Usual {
        Ns time = 0;
        Ns gaps = 0;
    };
    std::map<GlobalId, Usual> usual;
    std::map<GlobalId, Sampled> found;
    const auto take = [&](const IdleGap& gap, bool isEdge, bool isFirst) {
        if (gap.range.duration() < shortest || !measured.overlaps(gap.range))
            return;
        const GapCause cause = causeOf(context.trace, facts, gap);
        if (!cause.known)
            return;
        const auto [place, isNew] = found.try_emplace(cause.thread);
        if (isNew)
            place->second.isTimed = sampleLanesOf(context.trace, cause.thread).lanes.empty();
        // Python code between launches is launch pace.
        if (place->second.isTimed && isLaunchPace(IdleCause::OwnCode, gap.range.duration()))
            return;
        // CPU samples are taken on the CPU: those in calls of the operating system are work, not sleep.
        std::vector<TimeRange> ran;
        for (const IdleCause doing : {IdleCause::OwnCode, IdleCause::OsCall}) {
            const Intervals own = facts.host(cause.thread).within(doing, cause.host.clippedTo(measured));
            ran.insert(ran.end(), own.begin(), own.end());
        }
        std::vector<TimeRange>& all = parts[cause.thread];
        Usual& known = usual[cause.thread];
        if (isEdge) {
            std::ranges::sort(ran, {}, &TimeRange::start);
            cutToUsual(ran, known.time / std::max<Ns>(1, known.gaps), isFirst);
        }
        for (const TimeRange& own : ran)
            known.time += own.duration();
        known.gaps += ran.empty() ? 0 : 1;
        all.insert(all.end(), ran.begin(), ran.end());
    };
    const auto gaps = gpu.gaps();
    for (const IdleGap& gap : stoppableItems(gaps, context.stop))
        take(gap, false, false);
    for (const IdleGap& edge : edgeGaps(context.trace, facts, gpu))
        take(edge, true, edge.range.start < gpu.busy.front().start);
    for (auto& [thread, ranges] : parts) {
        Sampled& sampled = found[thread];
        sampled.time = unionOf(std::move(ranges), measured, context.stop);
        const SampleLanes samples = sampleLanesOf(context.trace, thread);
        for (const TimeRange& range : sampled.time) {
            if (sampled.isTimed)
                addFunctions(context.trace, thread, range, context.stop, sampled);
            for (const Lane& lane : samples.lanes)
                addSamples(context.trace, samples.kind, lane, range, context.stop, sampled);
        }
        addStacks(context.trace, context.stop, sampled);
    }
    return found;
}

/// The sampling period of `thread`, by the typical distance of its samples while it runs; 0: unknown. A
/// sleeping thread is not sampled, so the short distances count.
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

/// The part of `sampled` in which the thread ran: CPU samples are only taken on a CPU; Python samples also
/// while it waits, so then all of it counts.
Ns runningTime(const Trace& trace, GlobalId thread, const Sampled& sampled, const std::stop_token& stop)
{
    const Ns all = totalTime(sampled.time);
    if (sampled.isTimed)
        return all;
    const Ns period = samplingPeriod(trace, thread, stop);
    return period > 0 ? std::min(all, static_cast<Ns>(sampled.samples.size()) * period) : all;
}

using Ranked = std::vector<std::pair<StringId, Inside>>;

Ranked ranked(const Trace& trace, const std::map<StringId, Inside>& functions)
{
    Ranked list(functions.begin(), functions.end());
    std::ranges::sort(list, [&](const auto& a, const auto& b) {
        if (a.second.weight != b.second.weight)
            return a.second.weight > b.second.weight;
        return a.second.depth() != b.second.depth() ? a.second.depth() > b.second.depth()
                                                    : trace.text(a.first) < trace.text(b.first);
    });
    return list;
}

/// The functions with at least `least` of `all`, the most specific first: among those with as much as the
/// leading one the innermost, because the others are its callers. For calls nearly as much is enough; samples
/// also see library functions, which are less useful than their callers. A function that covers everything is
/// left out if there are others.
Ranked informativeFunctions(const Ranked& functions, std::int64_t all, double least, bool isTimed)
{
    Ranked informative;
    for (const auto& entry : functions) {
        if (static_cast<double>(entry.second.weight) >= least)
            informative.push_back(entry);
    }
    const auto isAll = [&](const auto& entry) { return entry.second.weight == all; };
    if (!std::ranges::all_of(informative, isAll))
        std::erase_if(informative, isAll);
    if (informative.empty())
        return informative;
    const double enough = (isTimed ? nearlyAll : 1) * static_cast<double>(informative.front().second.weight);
    const auto end = std::ranges::find_if(
        informative, [&](const auto& entry) { return static_cast<double>(entry.second.weight) < enough; });
    const auto innermost = std::max_element(informative.begin(), end,
        [](const auto& a, const auto& b) { return a.second.depth() < b.second.depth(); });
    std::rotate(informative.begin(), innermost, std::next(innermost));
    return informative;
}

/// "<built-in method get of dict object>" for a function of Python: without its address.
std::string withoutAddress(std::string_view function)
{
    return toUtf8(function.substr(0, function.find(" at 0x")))
        + (function.find(" at 0x") < function.size() ? ">" : "");
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

std::string nameOf(const Trace& trace, StringId function, bool isTimed)
{
    return isTimed ? withoutAddress(trace.text(function)) : readable(trace.text(function));
}

/// A weight of samples or of time.
Value valueOf(std::int64_t weight, bool isTimed)
{
    return isTimed ? Value(Duration{weight}) : Value(Count{static_cast<std::uint64_t>(weight)});
}

/// The functions with most samples.
std::vector<Message> listOf(const Trace& trace, const Ranked& functions, bool isTimed)
{
    std::vector<Message> list;
    for (std::size_t i = 0; i < std::min(named, functions.size()); ++i)
        list.push_back(Message("gap_functions.function", "{function} ({samples})",
            {{"function", Name{nameOf(trace, functions[i].first, isTimed)}},
                {"samples", valueOf(functions[i].second.weight, isTimed)}}));
    return list;
}

/// Adds the samples or calls, and the evidence.
void tell(
    const Trace& trace, const GpuFacts& gpu, const Sampled& sampled, const Ranked& inside, Finding& finding)
{
    const bool isTimed = sampled.isTimed;
    const auto& [function, weight] = inside.front();
    const std::string name = nameOf(trace, function, isTimed);
    finding.subject = {Subject::Kind::Function, isTimed ? name : toUtf8(trace.text(function))};
    finding.message = Message("gap_functions.own_code",
        "For {time} of the gaps, the thread that launches the next work runs its own code.",
        {{"time", Duration{totalTime(sampled.time)}}});
    if (isTimed) {
        finding.title = Message("gap_functions.title_of_calls",
            "{gpu} idle while the launching thread runs {function}: {time} of {all} in the gaps",
            {{"gpu", Name{nameOf(trace, gpu)}}, {"function", Name{name}}, {"time", Duration{weight.weight}},
                {"all", Duration{totalTime(sampled.time)}}});
        finding.message += Message("gap_functions.calls",
            "Most of it is in these functions or their callees: {functions}.",
            {{"functions", listOf(trace, inside, isTimed)}});
        std::vector<EventRef> calls;
        std::ranges::copy_if(sampled.samples, std::back_inserter(calls),
            [&](EventRef call) { return trace.nvtx().name[call.index] == function; });
        longestToFront(trace, calls);
        setEvidence(
            finding, trace, calls, {"gap_functions.sample", "{function}", {{"function", Name{name}}}});
        return;
    }
    finding.title = Message("gap_functions.title",
        "{gpu} idle while the launching thread runs {function}: {hits} of {samples, plural, one {# sample} other "
        "{# samples}} in the gaps",
        {{"gpu", Name{nameOf(trace, gpu)}}, {"function", Name{name}},
            {"hits", valueOf(weight.weight, isTimed)}, {"samples", Count{sampled.samples.size()}}});
    finding.message += Message("gap_functions.functions",
        "Of its {samples, plural, one {# sample} other {# samples}} there, most are in these functions or "
        "their callees: {functions}.",
        {{"samples", Count{sampled.samples.size()}}, {"functions", listOf(trace, inside, isTimed)}});
    setEvidence(finding, trace, sampled.samples, [&](EventRef event) {
        const auto stack = trace.stackOf(event);
        return stack.empty() ? Message()
                             : Message("gap_functions.sample", "{function}",
                                 {{"function", Name{toUtf8(trace.text(stack.front().symbol))}}});
    });
}

void findFunctions(const RuleContext& context, const GpuFacts& gpu, std::vector<Finding>& findings)
{
    const Trace& trace = context.trace;
    TraceAnalysis& facts = context.facts;
    for (const auto& [thread, sampled] : sampleGaps(context, gpu)) {
        const auto all = static_cast<double>(sampled.weight());
        const Ranked inside = informativeFunctions(ranked(trace, sampled.inside), sampled.weight(),
            context.threshold(id, minShare) / 100 * all, sampled.isTimed);
        if ((!sampled.isTimed && all < context.threshold(id, minSamples)) || inside.empty()
            || (sampled.isTimed && isOfFramework(trace.text(inside.front().first)))
            || static_cast<double>(totalTime(sampled.time))
                < minIdleShare * static_cast<double>(facts.measured()))
            continue;
        const Ns ran = runningTime(trace, thread, sampled, context.stop);
        if (static_cast<double>(ran) < mostly * static_cast<double>(totalTime(sampled.time)))
            continue; // it mostly sleeps or waits: samples do not show where
        Finding finding = findingOn(context, gpu.process, gpu.device,
            static_cast<Ns>(
                static_cast<double>(ran) * static_cast<double>(inside.front().second.weight) / all));
        finding.claims = sampled.time;
        tell(trace, gpu, sampled, inside, finding);
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
    .caveat
    = "Few samples may name a function by chance. A profiler that records every call slows short functions down.",
    .thresholds = thresholds,
    .applies =
        [](const Trace& trace, const std::stop_token&) {
            const bool hasStacks = !trace.table(EventKind::Sample).empty() && trace.samplingChains;
            return (hasStacks || hasPythonStacks(trace) || hasPythonFunctions(trace))
                && !trace.kernels().empty();
        },
    .checkGpu = findFunctions,
    .absorbs = absorbed,
};

} // namespace warpline::gap_functions
