#include "core/compare/facts.h"

#include "core/base/format.h"
#include "core/base/median.h"
#include "core/findings/kernel_totals.h"
#include "core/kernels/kernel_names.h"
#include "core/overview/program_name.h"
#include "core/store/gpu_names.h"
#include "core/store/machine_facts.h"
#include "core/store/recorder.h"
#include "core/store/track_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace warpline {

namespace {

constexpr double minMatchedShare = 0.5; // below it most of the time has no partner: another program

constexpr double minMatchedOfOtherCall = 0.1; // with other arguments a program may do anything
constexpr double sameBytes = 0.01;

using State = CompareFact::State;

std::string systemValue(const Trace& trace, std::string_view key)
{
    for (const auto& [name, value] : trace.info.system) {
        if (name == key)
            return value;
    }
    return {};
}

/// A value of each report of a side, each once.
template <typename Of> std::string ofReports(const SideMeasure& measure, Of&& of)
{
    std::set<std::string> values;
    for (const MeasuredReport& report : measure.reports)
        values.insert(of(*report.trace));
    values.erase(std::string());
    return joined(values);
}

/// What was recorded beside the GPU's work, which costs the program time.
std::string recordedOf(const Trace& trace)
{
    static constexpr std::array kinds{EventKind::Kernel, EventKind::GraphTrace, EventKind::ApiCall,
        EventKind::Nvtx, EventKind::OsRuntime, EventKind::Library, EventKind::ThreadState, EventKind::Sample,
        EventKind::GpuMemory, EventKind::PageFault};
    std::vector<std::string_view> present;
    for (const EventKind kind : kinds) {
        if (!trace.table(kind).empty())
            present.push_back(titleOf(kind));
    }
    return joined(present);
}

CompareFact sameReport(const CompareRequest& request)
{
    bool same = false;
    for (const SideReport& a : request.a.reports) {
        for (const SideReport& b : request.b.reports)
            same = same || isSameReport(*a.trace, *b.trace);
    }
    CompareFact made
        = factOf("same_report", "Recording", same ? "the same" : "one", same ? "the same" : "another");
    made.state = same ? State::Same : State::Different;
    return made;
}

/// Whether both sides are the same part of the same recording.
bool isSamePart(const CompareRequest& request)
{
    const SideRequest& a = request.a;
    const SideRequest& b = request.b;
    return a.reports.size() == 1 && b.reports.size() == 1 && a.range == b.range
        && a.steps.first == b.steps.first && a.steps.end == b.steps.end
        && isSameReport(*a.reports.front().trace, *b.reports.front().trace);
}

std::string recorderText(const Trace& trace)
{
    switch (recorderOf(trace.info)) {
    case Recorder::NsightSystems:
        return trace.info.captureVersion.empty() ? "nsys" : "nsys " + trace.info.captureVersion;
    case Recorder::PyTorchProfiler:
        return "PyTorch's profiler";
    case Recorder::OtherTracer:
        break;
    }
    return "another tracer";
}

CompareFact countFact(const CompareRequest& request, const Both<const SideMeasure*>& measures)
{
    const std::size_t a = measures.a->side.gpuCount();
    const std::size_t b = measures.b->side.gpuCount();
    CompareFact made = factOf("gpu_count", "GPUs used", std::to_string(a), std::to_string(b));
    if (a == 0 && b == 0 && isSamePart(request))
        return made; // nothing differs
    if (a == 0 || b == 0)
        made.reason = a == 0 && b == 0
            ? std::string("neither side has GPU work in the compared part.")
            : fmt::format("{} has no GPU work in the compared part.", a == 0 ? "A" : "B");
    else if (a != b)
        made.reason = fmt::format("A uses {} and B {} GPUs.", a, b);
    for (const Side side : {Side::A, Side::B}) {
        const ComparedSide& of = measures[side]->side;
        if (made.reason.empty() && of.gpus.size() != of.gpuCount() * of.runs.size())
            made.reason = fmt::format("the recordings of {} use different numbers of GPUs.", nameOf(side));
    }
    return made;
}

std::string stepsText(const SideMeasure& measure, const SideRequest& asked)
{
    if (measure.side.gpus.empty())
        return {};
    const std::string where = asked.range.empty()
        ? std::string()
        : fmt::format("{} to {}", formatTime(asked.range.start, 1000), formatTime(asked.range.end, 1000));
    if (measure.unit == CompareUnit::Whole)
        return where.empty() ? "no steps: whole recording" : "no steps: " + where;
    // A single step is what there is: whether it is steady nobody knows.
    const std::string_view which = !asked.steps.empty() ? "chosen "
        : measure.side.judged > 1                       ? "steady "
                                                        : "";
    return fmt::format("{} {}'{}'{}{}", measure.side.judged, which, measure.side.pattern,
        where.empty() ? "" : " from ", where);
}

/// "0 to 23": how steps are named by number.
std::string numbersOfSteps(const SideMeasure& measure)
{
    std::size_t most = 0;
    for (const MeasuredReport& report : measure.reports) {
        for (const StepBudgets& steps : report.steps)
            most = std::max(most, steps.steps.size());
    }
    return most > 0 ? fmt::format("0 to {}", most - 1) : "none";
}

CompareFact stepsFact(const CompareRequest& request, const Both<const SideMeasure*>& measures)
{
    CompareFact made
        = factOf("steps", "Compared", stepsText(*measures.a, request.a), stepsText(*measures.b, request.b));
    made.state = measures.a->side.pattern == measures.b->side.pattern ? State::Same : State::Different;
    for (const Side side : {Side::A, Side::B}) {
        if (measures[side]->missingSteps)
            made.reason = fmt::format("{} does not have the chosen steps: its steps are {}.", nameOf(side),
                numbersOfSteps(*measures[side]));
        else if (!measures[side]->missingGlob.empty())
            made.reason = fmt::format("{} has no steady steps with GPU work named '{}'.", nameOf(side),
                measures[side]->missingGlob);
    }
    return made;
}

/// Whether enough of the time of kernels has a partner; without kernels nothing lacks one.
bool isMatched(const Comparison& comparison)
{
    const MatchedShares& shares = comparison.matched;
    return !comparison.table("kernels")
        || (shares.all.a >= minMatchedShare && shares.all.b >= minMatchedShare);
}

/// The same by what is sure to be the same work; of one program every partner is.
bool isSurelyMatched(const Comparison& comparison, bool sameProgram)
{
    const MatchedShares& shares = comparison.matched;
    return !comparison.table("kernels") || (sameProgram && isMatched(comparison))
        || (shares.sure.a >= minMatchedShare && shares.sure.b >= minMatchedShare);
}

bool areOfOneProgram(const Both<const SideMeasure*>& measures)
{
    const std::string program = programsOf(*measures.a);
    return !program.empty() && program == programsOf(*measures.b);
}

/// Whether both were called with the same arguments.
bool areCalledAlike(const Both<const SideMeasure*>& measures)
{
    const auto command = [](const Trace& trace) { return commandOf(trace.info); };
    return ofReports(*measures.a, command) == ofReports(*measures.b, command);
}

/// Commands that differ may look the same: most arguments are not shown.
CompareFact commandFact(const Both<const SideMeasure*>& measures)
{
    const auto command = [](const Trace& trace) { return trace.info.commandLine; };
    CompareFact made
        = factOf("command", "Command", ofReports(*measures.a, command), ofReports(*measures.b, command));
    if (made.state == CompareFact::State::Same && !areCalledAlike(measures))
        made.state = CompareFact::State::Different;
    return made;
}

/// Steps of one program are compared whatever their
/// kernels are called: what has no partner limits the table of kernels, and not the verdict. Steps that the
/// user named on each side are the same, too.
CompareFact matchedFact(
    const CompareRequest& request, const Both<const SideMeasure*>& measures, const Comparison& comparison)
{
    const MatchedShares& shares = comparison.matched;
    CompareFact made
        = factOf("matched", "Matched kernel time", formatShare(shares.all.a), formatShare(shares.all.b));
    made.state = isMatched(comparison) ? State::Same : State::Different;
    const bool sameProgram = areOfOneProgram(measures);
    const bool steps = comparison.unit == CompareUnit::Step;
    const bool sameSteps = steps && measures.a->side.pattern == measures.b->side.pattern
        && (areCalledAlike(measures) || std::max(shares.all.a, shares.all.b) >= minMatchedOfOtherCall);
    if ((steps && areStepsDeclared(request)) || isSurelyMatched(comparison, sameProgram)
        || (sameProgram && sameSteps))
        return made;
    for (const Side side : {Side::A, Side::B}) {
        if (measures[side]->graphs == GraphTracing::Whole && measures.a->graphs != measures.b->graphs) {
            made.reason
                = fmt::format("CUDA graphs of {} are traced as a whole, which hides their kernels: record "
                              "with --cuda-graph-trace=node.",
                    nameOf(side));
            return made;
        }
    }
    const Both<double> share = isMatched(comparison) ? shares.sure : shares.all;
    const bool both = share.a < minMatchedShare && share.b < minMatchedShare;
    const Side few = share.a < share.b ? Side::A : Side::B;
    made.reason = both
        ? fmt::format(
            "only {} of A's and {} of B's kernel time is matched, so they do not run the same work.",
            formatShare(share.a), formatShare(share.b))
        : fmt::format("only {} of {}'s kernel time is matched, so they do not run the same work.",
            formatShare(share[few]), nameOf(few));
    return made;
}

CompareFact graphFact(const Both<const SideMeasure*>& measures)
{
    const auto text = [](const SideMeasure& measure) {
        switch (measure.graphs) {
        case GraphTracing::Whole:
            return std::string("as a whole");
        case GraphTracing::Nodes:
            return std::string("by node");
        case GraphTracing::None:
            break;
        }
        return std::string("none");
    };
    return factOf("graphs", "CUDA graphs", text(*measures.a), text(*measures.b));
}

/// The GPU with the longest steps of several: "rank1.sqlite, GPU 1: 73.83 ms".
std::string slowestOf(const SideMeasure& measure)
{
    if (measure.side.gpuCount() < 2 || measure.samples.empty())
        return {};
    const ComparedGpu* slowest = nullptr;
    Ns longest = -1;
    for (const ComparedGpu& gpu : measure.side.gpus) {
        std::vector<Ns> lengths;
        for (const StepSample& sample : measure.samples) {
            if (sample.run == gpu.run)
                lengths.push_back(gpu.steps[sample.step].gpu.duration());
        }
        const Ns median = middleOf(std::move(lengths));
        if (median > longest) {
            longest = median;
            slowest = &gpu;
        }
    }
    return fmt::format("{}: {}", slowest->label, formatDuration(longest));
}

/// How many streams of the GPUs run kernels in the judged steps of the first recording.
std::string streamsOf(const SideMeasure& measure, const SideKernels& kernels)
{
    std::vector<TrackCursor> tracks; // by GPU
    for (const ComparedGpu& gpu : measure.side.gpus)
        tracks.emplace_back(measure.reports[gpu.report].trace->kernels());
    std::set<std::pair<std::uint32_t, std::uint32_t>> streams;
    std::pair last{noIndex, noIndex};
    for (const KernelUse& use : kernels.uses) {
        if (use.event.kind != EventKind::Kernel || measure.side.gpus[use.gpu].run != 0)
            continue;
        const std::pair stream{use.gpu, tracks[use.gpu].indexOf(use.event.index)};
        if (std::exchange(last, stream) != stream)
            streams.insert(stream);
    }
    return streams.empty() ? std::string() : std::to_string(streams.size());
}

/// Whether both copy as much: then they do the same, cut into other pieces.
bool movesTheSame(const Comparison& comparison)
{
    const CompareTable* const copied = comparison.table("copied");
    return copied && copied->perStep.a > 0 && std::abs(copied->perStep.b / copied->perStep.a - 1) < sameBytes;
}

CompareFact workFact(const Comparison& comparison)
{
    const CompareTable* const kernels = comparison.table("kernels");
    const double ratio = kernels ? workRatio(*kernels) : 0;
    double a = 0;
    double b = 0;
    if (kernels) {
        for (const CompareRow& row : kernels->rows) {
            a += row.a.countPerStep;
            b += row.b.countPerStep;
        }
    }
    const bool step = comparison.unit == CompareUnit::Step;
    CompareFact made = factOf("kernels", step ? "Kernels per step" : "Kernels",
        formatReal(a, a < 100 && step ? 1 : 0), formatReal(b, b < 100 && step ? 1 : 0));
    if (!step && !comparison.lacksSteps && ratio > 0 && isMatched(comparison) && !isSameWork(ratio)
        && !movesTheSame(comparison))
        made.reason = fmt::format(
            "B runs the common kernels {} times as often as A, and there are no steps to compare. Choose ranges that do the same work.",
            formatReal(ratio, 2));
    return made;
}

/// How long the kernels that compute and are the same in name and shape take in B for each ns in A: as many
/// of each as both have. The pace of the GPU's clocks, and of what runs beside them. Kernels that communicate
/// also wait, which says nothing of that.
CompareFact paceFact(const Comparison& comparison)
{
    Both<double> time;
    if (const CompareTable* const kernels = comparison.table("kernels")) {
        for (const CompareRow& row : kernels->rows) {
            if (row.matchedBy != MatchedBy::NameAndShape || isCommunication(row.a.name))
                continue;
            const double count = std::min(row.a.countPerStep, row.b.countPerStep);
            time.a += count * row.a.average;
            time.b += count * row.b.average;
        }
    }
    if (time.a <= 0 || time.b <= 0)
        return {"pace", "Time of unchanged kernels", {}, {}, State::NotKnown, {}};
    const double ratio = time.b / time.a;
    return {"pace", "Time of unchanged kernels", "1.000", formatReal(ratio, 3),
        std::abs(ratio - 1) < 0.02 ? State::Same : State::Different, {}};
}

} // namespace

CompareFact factOf(std::string id, std::string title, std::string a, std::string b)
{
    const bool known = !a.empty() && !b.empty();
    const State state = !known ? State::NotKnown : a == b ? State::Same : State::Different;
    return {std::move(id), std::move(title), std::move(a), std::move(b), state, {}};
}

std::string modelsOf(const SideMeasure& measure)
{
    std::set<std::string> names;
    for (const ComparedGpu& gpu : measure.side.gpus) {
        const Device* const device = measure.reports[gpu.report].trace->device(gpu.process, gpu.device);
        if (device && !device->name.empty())
            names.insert(device->name);
    }
    return joined(names);
}

std::string programsOf(const SideMeasure& measure)
{
    return ofReports(measure, [](const Trace& trace) {
        const std::string command = commandOf(trace.info);
        return command.empty() ? std::string() : programOf(command.substr(launchedProgram(command)), {});
    });
}

bool isSameReport(const Trace& a, const Trace& b)
{
    if (&a == &b)
        return true;
    return a.session == b.session && a.info.startedUtcNs == b.info.startedUtcNs
        && a.eventCount() == b.eventCount() && a.kernels().start == b.kernels().start;
}

double workRatio(const CompareTable& kernels)
{
    std::vector<std::pair<double, double>> ratios;
    double all = 0;
    for (const CompareRow& row : kernels.rows) {
        const bool otherWork = row.matchedBy == MatchedBy::Fused || row.matchedBy == MatchedBy::Graph
            || row.matchedBy == MatchedBy::Operator;
        if (row.matchedBy == MatchedBy::Nothing || otherWork || row.a.countPerStep <= 0)
            continue;
        const double weight = row.a.perStep + row.b.perStep;
        ratios.emplace_back(row.b.countPerStep / row.a.countPerStep, weight);
        all += weight;
    }
    std::ranges::sort(ratios);
    double before = 0;
    for (const auto& [ratio, weight] : ratios) {
        before += weight;
        if (before >= all / 2)
            return ratio;
    }
    return 0;
}

/// Graphs as a whole against graphs by node, whose tracing costs time.
static bool areTracedOtherwise(const SideMeasure& a, const SideMeasure& b)
{
    return a.graphs != GraphTracing::None && b.graphs != GraphTracing::None && a.graphs != b.graphs;
}

std::vector<CompareCaveat> caveatsOf(
    const CompareRequest& request, const Both<const SideMeasure*>& measures, const Comparison& comparison)
{
    Both<std::set<Recorder>> recorders;
    Both<std::set<EventKind>> kinds;
    for (const Side side : {Side::A, Side::B}) {
        for (const MeasuredReport& report : measures[side]->reports) {
            recorders[side].insert(recorderOf(report.trace->info));
            for (const EventKind kind :
                {EventKind::ApiCall, EventKind::OsRuntime, EventKind::ThreadState, EventKind::Sample}) {
                if (!report.trace->table(kind).empty())
                    kinds[side].insert(kind);
            }
        }
    }
    std::vector<CompareCaveat> caveats;
    if (recorders.a != recorders.b)
        caveats.push_back(CompareCaveat::Recorders);
    else if (kinds.a != kinds.b || areTracedOtherwise(*measures.a, *measures.b))
        caveats.push_back(CompareCaveat::Options);
    if (!isMatched(comparison))
        caveats.push_back(CompareCaveat::Kernels);
    if (isSamePart(request))
        caveats.push_back(CompareCaveat::SameRecording);
    else if (comparison.assumedNoise > 0)
        caveats.push_back(CompareCaveat::SingleRecordings);
    return caveats;
}

std::vector<CompareFact> compareFacts(const CompareRequest& request, const Both<const SideMeasure*>& measures,
    const Both<const SideKernels*>& kernels, const Comparison& comparison)
{
    const SideMeasure& a = *measures.a;
    const SideMeasure& b = *measures.b;
    std::vector<CompareFact> facts;
    facts.push_back(sameReport(request));
    facts.push_back(factOf("gpu_model", "GPU", modelsOf(a), modelsOf(b)));
    facts.push_back(countFact(request, measures));
    facts.push_back(rankFact(request));
    const auto driver = [](const Trace& trace) { return systemValue(trace, "NvDriverVersion"); };
    facts.push_back(factOf("driver", "Driver", ofReports(a, driver), ofReports(b, driver)));
    facts.push_back(
        factOf("recorder", "Recorded with", ofReports(a, recorderText), ofReports(b, recorderText)));
    facts.push_back(factOf("recorded", "Recorded", ofReports(a, recordedOf), ofReports(b, recordedOf)));
    facts.push_back(commandFact(measures));
    facts.push_back(graphFact(measures));
    facts.push_back(stepsFact(request, measures));
    if (a.side.gpuCount() > 1 || b.side.gpuCount() > 1)
        facts.push_back(factOf("slowest_gpu", "Longest median step", slowestOf(a), slowestOf(b)));
    facts.push_back(
        factOf("streams", "Streams with kernels", streamsOf(a, *kernels.a), streamsOf(b, *kernels.b)));
    facts.push_back(workFact(comparison));
    facts.push_back(matchedFact(request, measures, comparison));
    facts.push_back(paceFact(comparison));
    return facts;
}

} // namespace warpline
