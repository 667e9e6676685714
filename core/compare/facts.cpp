#include "core/compare/facts.h"

#include "core/base/format.h"
#include "core/base/median.h"
#include "core/base/message_names.h"
#include "core/derive/call_kinds.h"
#include "core/kernels/kernel_names.h"
#include "core/overview/program_name.h"
#include "core/steps/step_names.h"
#include "core/store/gpu_names.h"
#include "core/store/machine_facts.h"
#include "core/store/part_of_recording.h"
#include "core/store/range_words.h"
#include "core/store/recorder.h"
#include "core/store/track_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace warpline {

namespace {

constexpr double minMatchedShare = 0.5; // below it most of the time has no partner: another program

constexpr double minMatchedOfOtherCall = 0.1; // with other arguments a program may do anything
constexpr double sameBytes = 0.01;
constexpr double sameKernelPace = 0.02;
constexpr double sameHostPace = 0.1;
constexpr double sameCalls = 0.01;
constexpr double minCallShare = 0.02; // of the time of unchanged calls, below it chance decides
constexpr double maxWorkOfHost = 0.1; // of the difference, where the host makes it

using State = CompareFact::State;

std::string systemValue(const Trace& trace, std::string_view key)
{
    for (const auto& [name, value] : trace.info.system) {
        if (name == key)
            return value;
    }
    return {};
}

/// A text from the reports as a message; empty where they have none.
Message inWordsOfReport(std::string text)
{
    return text.empty() ? Message() : Message("compare.text", "{text}", {{"text", Name{std::move(text)}}});
}

/// A value of each report of a side, each once.
template <typename Of> std::set<std::string> ofReports(const SideMeasure& measure, Of&& of)
{
    std::set<std::string> values;
    for (const MeasuredReport& report : measure.reports)
        values.insert(of(*report.trace));
    values.erase(std::string());
    return values;
}

bool hasRecorded(const SideMeasure& measure, EventKind kind)
{
    return std::ranges::any_of(
        measure.reports, [kind](const MeasuredReport& report) { return !report.trace->table(kind).empty(); });
}

/// Recording options other than GPU tracing, which cost the program time.
Message recordedOf(const SideMeasure& measure)
{
    static constexpr std::array kinds{EventKind::Kernel, EventKind::GraphTrace, EventKind::ApiCall,
        EventKind::Nvtx, EventKind::OsRuntime, EventKind::Library, EventKind::ThreadState, EventKind::Sample,
        EventKind::GpuMemory, EventKind::PageFault};
    std::vector<Message> present;
    for (const EventKind kind : kinds) {
        if (hasRecorded(measure, kind))
            present.push_back(kindText(kind));
    }
    return present.empty() ? Message() : Message("compare.kinds", "{kinds}", {{"kinds", present}});
}

/// What was recorded, and which tables are left out because one side did not record theirs.
CompareFact recordedFact(const Both<const SideMeasure*>& measures)
{
    CompareFact made = factOf(
        "recorded", {"compare.fact_recorded", "Recorded"}, recordedOf(*measures.a), recordedOf(*measures.b));
    for (const EventKind kind : {EventKind::Nvtx, EventKind::ApiCall}) {
        if (isOfOneSide(measures, kind))
            made.story += {"compare.not_recorded",
                "{side} has no {kind, select, nvtx {NVTX ranges} other {API calls}}: they are not compared.",
                {{"side", Name{hasRecorded(*measures.a, kind) ? "B" : "A"}},
                    {"kind", Name{kind == EventKind::Nvtx ? "nvtx" : "api"}}}};
    }
    return made;
}

Message recording(const char* which)
{
    return {"compare.recording", "{which, select, same {the same} one {one} other {another}}",
        {{"which", Name{which}}}};
}

CompareFact sameReport(const CompareRequest& request)
{
    bool same = false;
    for (const SideReport& a : request.a.reports) {
        for (const SideReport& b : request.b.reports)
            same = same || isSameReport(*a.trace, *b.trace);
    }
    CompareFact made = factOf("same_report", {"compare.fact_recording", "Recording"},
        recording(same ? "same" : "one"), recording(same ? "same" : "another"));
    made.state = same ? State::Same : State::Different;
    return made;
}

/// Whether both sides are of the same recordings, in any order, and neither the request nor `cut` chose
/// another part or other steps of B than of A.
bool isSamePart(const CompareRequest& request, const Both<const SideMeasure*>& measures)
{
    using Reports = std::vector<SideReport>;
    const SideRequest& a = request.a;
    const SideRequest& b = request.b;
    const auto areSame = [](const SideReport& one, const SideReport& other) {
        const auto partA = partOf(one.trace->info);
        const auto partB = partOf(other.trace->info);
        const bool areOtherParts = partA && partB && partA->kept != partB->kept;
        return !areOtherParts && isSameReport(*one.trace, *other.trace);
    };
    const auto areSameRuns = [&](const Reports& one, const Reports& other) {
        return std::ranges::is_permutation(one, other, areSame);
    };
    const auto runsOf = [](const SideRequest& side) {
        std::vector<Reports> runs = side.repeats;
        runs.push_back(side.reports);
        return runs;
    };
    return a.range == b.range && a.steps.first == b.steps.first && a.steps.end == b.steps.end
        && globOfPattern(measures.a->side.pattern) == globOfPattern(measures.b->side.pattern)
        && measures.a->side.judged == measures.b->side.judged
        && std::ranges::is_permutation(runsOf(a), runsOf(b), areSameRuns);
}

/// Its name, or a key for recorderName().
std::string recorderText(const Trace& trace)
{
    switch (recorderOf(trace.info)) {
    case Recorder::NsightSystems:
        return trace.info.captureVersion.empty() ? "nsys" : "nsys " + trace.info.captureVersion;
    case Recorder::PyTorchProfiler:
        return "PyTorch";
    case Recorder::OtherTracer:
        break;
    }
    return "another";
}

Message recorders(const SideMeasure& measure)
{
    std::vector<Message> names;
    for (const std::string& recorder : ofReports(measure, recorderText))
        names.push_back({"compare.recorder",
            "{recorder, select, PyTorch {PyTorch's profiler} another {another tracer} other {{recorder}}}",
            {{"recorder", Name{recorder}}}});
    return {"compare.recorders", "{recorders}", {{"recorders", std::move(names)}}};
}

Message number(std::size_t count)
{
    return {"compare.number", "{number}", {{"number", Ordinal{static_cast<std::int64_t>(count)}}}};
}

Message gpusText(std::size_t gpus, std::size_t users)
{
    return {"compare.gpus", "{gpus}{shared, select, yes { (shared by {processes} processes)} other {}}",
        {{"gpus", number(gpus)}, {"shared", yesOrNo(users > gpus)}, {"processes", number(users)}}};
}

CompareFact countFact(const CompareRequest& request, const Both<const SideMeasure*>& measures)
{
    const std::size_t a = usedGpus(*measures.a);
    const std::size_t b = usedGpus(*measures.b);
    const Both<std::size_t> users{measures.a->side.gpuCount(), measures.b->side.gpuCount()};
    CompareFact made
        = factOf("gpu_count", {"compare.fact_gpus", "GPUs used"}, gpusText(a, users.a), gpusText(b, users.b));
    if (a == 0 && b == 0 && isSamePart(request, measures))
        return made; // nothing differs
    if (a == 0 || b == 0)
        made.reason = {"compare.no_gpu_work",
            "{side, select, both {Neither side has} other {{side} has no}} GPU work in the compared part.",
            {{"side",
                Name{a == 0 && b == 0 ? "both"
                        : a == 0      ? "A"
                                      : "B"}}}};
    else if (a != b)
        made.reason
            = {"compare.gpu_counts", "A uses {a} and B {b} GPUs.", {{"a", number(a)}, {"b", number(b)}}};
    else if (users.a != users.b) // who shares a GPU waits for others in each step
        made.reason = {"compare.process_counts",
            "A runs {a, plural, one {# process} other {# processes}} and B {b} on "
            "{gpus, plural, one {the same GPU} other {# GPUs}}: "
            "the steps of one process do not show how much work the GPU does.",
            {{"a", Count{users.a}}, {"b", number(users.b)}, {"gpus", Count{a}}}};
    for (const Side side : {Side::A, Side::B}) {
        const ComparedSide& of = measures[side]->side;
        if (made.reason.empty() && of.gpus.size() != of.gpuCount() * of.runs.size())
            made.reason
                = {"compare.gpus_of_recordings", "The recordings of {side} use different numbers of GPUs.",
                    {{"side", Name{std::string(nameOf(side))}}}};
    }
    return made;
}

/// How many steps there are to choose from.
std::size_t stepCount(const SideMeasure& measure)
{
    std::size_t most = 0;
    for (const MeasuredReport& report : measure.reports) {
        for (const StepBudgets& steps : report.steps)
            most = std::max(most, steps.steps.size());
    }
    return most;
}

Message stepsText(const SideMeasure& measure, const SideRequest& asked)
{
    if (measure.side.gpus.empty())
        return {};
    // A single step has to do: whether it is steady is unknown.
    const std::string_view which = !asked.steps.empty() ? "chosen"
        : measure.side.judged > 1                       ? "steady"
                                                        : "one";
    const bool isWhole = measure.unit == CompareUnit::Whole;
    return {"compare.compared",
        "{which, select, whole {{part, select, all {no steps: whole recording} whole {whole recording} other {range from {start} to {end}}}} "
        "other {{steps} {which, select, chosen {chosen } steady {steady } other {}}'{pattern}'"
        "{part, select, all {} other { from {start} to {end}}}}}",
        {{"which", Name{isWhole ? "whole" : std::string(which)}},
            {"part",
                Name{!asked.range.empty()                   ? "range"
                        : isWhole && stepCount(measure) > 0 ? "whole" // the other side has none
                                                            : "all"}},
            {"start", Instant{asked.range.start, 1000}}, {"end", Instant{asked.range.end, 1000}},
            {"steps", number(measure.side.judged)}, {"pattern", Name{measure.side.pattern}}}};
}

CompareFact stepsFact(const CompareRequest& request, const Both<const SideMeasure*>& measures)
{
    CompareFact made = factOf("steps", {"compare.fact_compared", "Compared"},
        stepsText(*measures.a, request.a), stepsText(*measures.b, request.b));
    const ComparedSide& a = measures.a->side;
    const ComparedSide& b = measures.b->side;
    const bool isSame = a.pattern == b.pattern && a.isRange == b.isRange
        && (!a.isRange || request.a.range == request.b.range);
    if (made.state != State::NotKnown) // of a side without GPU work
        made.state = isSame ? State::Same : State::Different;
    for (const Side side : {Side::A, Side::B}) {
        const Name name{std::string(nameOf(side))};
        if (const std::size_t count = stepCount(*measures[side]); measures[side]->missingSteps)
            made.reason = {"compare.missing_steps",
                "{side} does not have the chosen steps: its steps are {any, select, no {none} other {0 to {last}}}.",
                {{"side", name}, {"any", yesOrNo(count > 0)}, {"last", number(count - 1)}}};
        else if (!measures[side]->missingGlob.empty())
            made.reason
                = {"compare.no_such_steps", "{side} has no steady steps with GPU work named '{steps}'.",
                    {{"side", name}, {"steps", Name{measures[side]->missingGlob}}}};
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

/// The same for certainly equal work; for one program every partner counts.
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

/// Whether both have the same command-line arguments.
bool areCalledAlike(const Both<const SideMeasure*>& measures)
{
    const auto command = [](const Trace& trace) { return commandOf(trace.info); };
    return ofReports(*measures.a, command) == ofReports(*measures.b, command);
}

/// Commands that differ may look the same: most arguments are not shown.
CompareFact commandFact(const Both<const SideMeasure*>& measures)
{
    const auto command = [](const SideMeasure& measure) {
        return inWordsOfReport(
            joined(ofReports(measure, [](const Trace& trace) { return trace.info.commandLine; })));
    };
    CompareFact made
        = factOf("command", {"compare.fact_command", "Command"}, command(*measures.a), command(*measures.b));
    if (made.state == CompareFact::State::Same && !areCalledAlike(measures)) {
        made.state = CompareFact::State::Different;
        made.b = {"compare.fact_hidden_arguments", "arguments differ (hidden)"};
    }
    return made;
}

/// A hint how the user can declare that both do the same work, where the reports do not show it.
Message sameWorkHint(const Both<const SideMeasure*>& measures, const Comparison& comparison)
{
    if (comparison.lacksSteps)
        return {}; // its own hints explain it
    const bool steps = hasNamedSteps(*measures.a) && hasNamedSteps(*measures.b);
    const std::string& a = measures.a->side.pattern;
    const std::string& b = measures.b->side.pattern;
    return {"compare.say_so",
        "If they do, {by, select, steps {name the steps (command line: --nvtx '{a}')} both {name the steps of both "
        "(command line: --a-nvtx '{a}' --b-nvtx '{b}')} other {choose ranges that do the same work "
        "(command line: --a-range and --b-range FROM:TO)}}.",
        {{"by",
             Name{!steps      ? "ranges"
                     : a == b ? "steps"
                              : "both"}},
            {"a", Name{a}}, {"b", Name{b}}}};
}

/// Steps of one program are compared whatever the names of their kernels, and so are steps with equally named
/// ranges inside: kernels without a partner limit only the kernel table. The same holds for steps and ranges
/// that the user named on each side.
CompareFact matchedFact(
    const CompareRequest& request, const Both<const SideMeasure*>& measures, const Comparison& comparison)
{
    const MatchedShares& shares = comparison.matched;
    const auto shareText = [](double share) {
        return Message("compare.share", "{share}", {{"share", Share{share}}});
    };
    CompareFact made = factOf("matched", {"compare.fact_matched", "Matched kernel time"},
        shareText(shares.all.a), shareText(shares.all.b));
    made.state = isMatched(comparison) ? State::Same : State::Different;
    const bool sameProgram = areOfOneProgram(measures);
    const bool steps = comparison.unit == CompareUnit::Step;
    const bool samePattern = steps && measures.a->side.pattern == measures.b->side.pattern;
    const bool sameSteps = samePattern
        && (areCalledAlike(measures) || std::max(shares.all.a, shares.all.b) >= minMatchedOfOtherCall);
    const bool sameRanges = samePattern && std::min(shares.ranges.a, shares.ranges.b) >= minMatchedShare;
    const bool declared = steps ? areStepsDeclared(request) : areRangesChosen(request);
    if (declared || isSurelyMatched(comparison, sameProgram) || (sameProgram && (sameSteps || sameRanges)))
        return made;
    for (const Side side : {Side::A, Side::B}) {
        if (measures[side]->graphs == GraphTracing::Whole && measures.a->graphs != measures.b->graphs) {
            made.reason = {"compare.graphs_as_whole",
                "CUDA graphs of {side} are traced as a whole, which hides their kernels: record "
                "with --cuda-graph-trace=node.",
                {{"side", Name{std::string(nameOf(side))}}}};
            return made;
        }
    }
    const Both<double> share = isMatched(comparison) ? shares.sure : shares.all;
    const bool both = share.a < minMatchedShare && share.b < minMatchedShare;
    const Side few = share.a < share.b ? Side::A : Side::B;
    made.reason = {"compare.other_work",
        "{side, select, both {Only {a} of A's and {b} of B's kernel time} other {Only {few} of {side}'s kernel time}} "
        "is matched, which does not tell whether they do the same work.",
        {{"side", Name{both ? "both" : std::string(nameOf(few))}}, {"a", Share{share.a}},
            {"b", Share{share.b}}, {"few", Share{share[few]}}}};
    made.reason += sameWorkHint(measures, comparison);
    return made;
}

CompareFact graphFact(const Both<const SideMeasure*>& measures)
{
    const auto text = [](const SideMeasure& measure) {
        return Message("compare.graphs", "{graphs, select, whole {as a whole} nodes {by node} other {none}}",
            {{"graphs",
                Name{measure.graphs == GraphTracing::Whole      ? "whole"
                        : measure.graphs == GraphTracing::Nodes ? "nodes"
                                                                : "none"}}});
    };
    return factOf("graphs", {"compare.fact_graphs", "CUDA graphs"}, text(*measures.a), text(*measures.b));
}

/// The median step of each GPU of a process.
std::vector<std::pair<const ComparedGpu*, Ns>> mediansOf(const SideMeasure& measure)
{
    std::vector<std::pair<const ComparedGpu*, Ns>> medians;
    for (const ComparedGpu& gpu : measure.side.gpus) {
        std::vector<Ns> lengths;
        for (const StepSample& sample : measure.samples) {
            if (sample.run == gpu.run)
                lengths.push_back(gpu.steps[sample.step].gpu.duration());
        }
        medians.emplace_back(&gpu, middleOf(std::move(lengths)));
    }
    return medians;
}

Message medianText(const std::pair<const ComparedGpu*, Ns>& median)
{
    return {"compare.slowest", "{gpu}: {time}",
        {{"gpu", Name{median.first->label}}, {"time", Name{formatDuration(median.second)}}}};
}

/// The GPU with the longest steps of several: "rank1.sqlite, GPU 1: 73.83 ms".
Message slowestOf(const SideMeasure& measure)
{
    if (measure.side.gpuCount() < 2 || measure.samples.empty())
        return {};
    const auto medians = mediansOf(measure);
    return medianText(*std::ranges::max_element(medians, {}, [](const auto& each) { return each.second; }));
}

/// The steps of each process that shares a GPU, of which the table has the mean.
Message stepsByProcess(const SideMeasure& measure)
{
    constexpr std::size_t most = 4;
    if (usedGpus(measure) >= measure.side.gpuCount() || measure.samples.empty())
        return {};
    auto medians = mediansOf(measure);
    std::erase_if(medians, [](const auto& median) { return median.first->run != 0; });
    std::ranges::stable_sort(medians, std::greater{}, [](const auto& median) { return median.second; });
    std::vector<Message> texts;
    for (const auto& median : std::span(medians).first(std::min(most, medians.size())))
        texts.push_back(medianText(median));
    return {"compare.by_process", "{steps}{more, plural, =0 {} other {, # more}}",
        {{"steps", std::move(texts)}, {"more", Count{medians.size() - std::min(most, medians.size())}}}};
}

/// The number of streams that run kernels in the compared steps of the first recording.
std::size_t streamsOf(const SideMeasure& measure, const SideKernels& kernels)
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
    return streams.size();
}

/// Whether both copy equally much: equal work in other pieces.
bool movesTheSame(const Comparison& comparison)
{
    const CompareTable* const copied = comparison.table("copied");
    return copied && copied->perStep.a > 0 && std::abs(copied->perStep.b / copied->perStep.a - 1) < sameBytes;
}

CompareFact streamsFact(std::size_t a, std::size_t b)
{
    const auto text = [](std::size_t count) { return count > 0 ? number(count) : Message(); };
    CompareFact made = factOf("streams", {"compare.fact_streams", "Streams with kernels"}, text(a), text(b));
    made.story = {"compare.streams",
        "Kernels run in {a, plural, one {# stream} other {# streams}} in A, in {b} in B.",
        {{"a", Ordinal{static_cast<std::int64_t>(a)}}, {"b", number(b)}}};
    return made;
}

/// Whether CUDA graphs traced as a whole run in the compared steps: they hide how many kernels run.
bool hasWholeGraphs(const SideKernels& kernels)
{
    return std::ranges::any_of(
        kernels.uses, [](const KernelUse& use) { return use.event.kind == EventKind::GraphTrace; });
}

CompareFact workFact(const CompareRequest& request, const Both<const SideMeasure*>& measures,
    const Both<const SideKernels*>& sideKernels, const Comparison& comparison)
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
    const Both<bool> isHidden{hasWholeGraphs(*sideKernels.a), hasWholeGraphs(*sideKernels.b)};
    const auto countText = [&](double count, bool hidden) {
        return Message("compare.kernels",
            "{hidden, select, yes {not known (in a CUDA graph)} other {{count}}}",
            {{"hidden", yesOrNo(hidden)}, {"count", Number{count, count < 100 && step ? 1 : 0}}});
    };
    CompareFact made = factOf("kernels",
        {"compare.fact_kernels",
            "{each, select, step {Kernels per step} step_gpu {Kernels per step and GPU} gpu {Kernels per GPU} other {Kernels}}",
            {{"each",
                Name{
                    std::string(valuesOf("kernels", comparison.unit, measures.a->side, measures.b->side))}}}},
        countText(a, isHidden.a), countText(b, isHidden.b));
    if (isHidden.a || isHidden.b)
        made.state = State::NotKnown;
    if (!step && !areRangesChosen(request) && !comparison.lacksSteps && ratio > 0 && isMatched(comparison)
        && !isSameWork(ratio) && !movesTheSame(comparison))
        made.reason = {"compare.more_work",
            "B runs the common kernels {ratio} times as often as A, and there are no steps to compare. Choose ranges that do the same work.",
            {{"ratio", Number{ratio, 2}}}};
    return made;
}

/// The time of events in B for each ns in A, over the rows that `counts` selects, with equal numbers of
/// events; 0: there are none.
template <typename Counts> double paceOf(const CompareTable* table, Counts&& counts)
{
    Both<double> time;
    for (std::size_t i = 0; table && i < table->rows.size(); ++i) {
        const CompareRow& row = table->rows[i];
        if (!counts(row))
            continue;
        const double count = std::min(row.a.countPerStep, row.b.countPerStep);
        time.a += count * row.a.average;
        time.b += count * row.b.average;
    }
    return time.a > 0 ? time.b / time.a : 0;
}

CompareFact paceFact(std::string id, Message title, double ratio, double same)
{
    const auto text = [](double of) {
        return Message("compare.pace_of", "{ratio}×", {{"ratio", Number{of, 3}}});
    };
    CompareFact made = factOf(std::move(id), std::move(title), ratio > 0 ? text(1) : Message(),
        ratio > 0 ? text(ratio) : Message());
    if (ratio > 0)
        made.state = std::abs(ratio - 1) < same ? State::Same : State::Different;
    return made;
}

/// The pace of the GPU, by its clocks and by concurrent work: kernels that compute, of equal name and shape.
/// Kernels that communicate also wait and do not count.
CompareFact kernelPaceFact(const Comparison& comparison)
{
    const double ratio = paceOf(comparison.table("kernels"), [](const CompareRow& row) {
        return row.matchedBy == MatchedBy::NameAndShape && !isCommunication(row.a.name);
    });
    CompareFact made = paceFact(
        "pace", {"compare.fact_pace", "Time of kernels of the same name and shape"}, ratio, sameKernelPace);
    made.story = {"compare.pace", "Compute kernels of the same name and shape take {ratio}× the time in B.",
        {{"ratio", Number{ratio, 3}}}};
    return made;
}

bool isCalledAsOften(const CompareRow& row)
{
    return std::abs(row.a.countPerStep - row.b.countPerStep)
        < sameCalls * std::max(row.a.countPerStep, row.b.countPerStep);
}

/// Whether a row of the API table is a call that both make equally often and that takes only host time: it
/// neither waits for the GPU nor depends on memory.
bool isUnchangedCall(const CompareRow& row)
{
    const CallKind kind = callKindOf(row.a.name);
    const bool ofHost = kind == CallKind::Launch || kind == CallKind::Set || startsNothing(kind);
    return row.matchedBy != MatchedBy::Nothing && ofHost && isCalledAsOften(row);
}

/// Whether only the host's speed differs: equal GPU work in equal time, and all API calls differ by more than
/// between equal runs, enough to explain most of the change of the mean step from `a` to `b`.
bool isPacedByHost(const Comparison& comparison, double a, double b)
{
    const double delta = b - a;
    const CompareTable* const calls = comparison.table("api");
    if (comparison.unit != CompareUnit::Step || !calls || !isMatched(comparison))
        return false;
    double work = 0; // change of the GPU work
    for (const BudgetLine& line : comparison.budget)
        work += line.group == BudgetGroup::Idle ? 0 : static_cast<double>(std::abs(line.delta()));
    const double pace = apiPaceOf(comparison);
    if (work > maxWorkOfHost * std::abs(delta) || pace <= 0 || a <= 0 || b <= 0
        || std::abs(std::log(pace)) < std::abs(std::log(b / a)) / 2)
        return false;
    double all = 0;
    for (const CompareRow& row : calls->rows)
        all += isUnchangedCall(row) ? row.a.perStep : 0;
    std::size_t kinds = 0;
    for (const CompareRow& row : calls->rows) {
        if (std::max(row.a.perStep, row.b.perStep) < minCallShare * all)
            continue;
        if (row.change == RowChange::MoreCalls || row.change == RowChange::FewerCalls
            || (row.change == RowChange::Cut && !isCalledAsOften(row)) || row.matchedBy == MatchedBy::Nothing)
            return false;
        if (!isUnchangedCall(row))
            continue;
        const double ratio = row.b.average / row.a.average;
        if (delta > 0 ? ratio < 1 + sameHostPace : ratio > 1 / (1 + sameHostPace))
            return false;
        ++kinds;
    }
    return kinds > 1;
}

} // namespace

bool isOfOneSide(const Both<const SideMeasure*>& measures, EventKind kind)
{
    return hasRecorded(*measures.a, kind) != hasRecorded(*measures.b, kind);
}

CompareFact factOf(std::string id, Message title, Message a, Message b)
{
    const bool known = !a.empty() && !b.empty();
    const State state = !known ? State::NotKnown : a == b ? State::Same : State::Different;
    return {std::move(id), std::move(title), std::move(a), std::move(b), state, {}, {}};
}

std::size_t usedGpus(const SideMeasure& measure)
{
    std::set<std::tuple<std::uint32_t, GlobalId, std::int32_t>> gpus;
    for (const ComparedGpu& gpu : measure.side.gpus) {
        const Trace& trace = *measure.reports[gpu.report].trace;
        if (gpu.run == 0)
            gpus.emplace(gpu.report, trace.ordinals.empty() ? gpu.process : 0,
                gpuNumber(trace, gpu.process, gpu.device));
    }
    return gpus.size();
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
    return joined(ofReports(measure, [](const Trace& trace) { return programOf(trace); }));
}

bool isSameReport(const Trace& a, const Trace& b)
{
    if (&a == &b)
        return true;
    if (a.info.startedUtcNs != b.info.startedUtcNs || recordedSession(a) != recordedSession(b))
        return false;
    if (partOf(a.info) || partOf(b.info))
        return a.info.startedUtcNs > 0; // they hold other events of it
    return a.eventCount() == b.eventCount() && a.kernels().start == b.kernels().start;
}

bool hasNamedSteps(const SideMeasure& measure)
{
    const std::vector<StepBudgets>& steps = measure.reports.front().steps;
    return measure.unit == CompareUnit::Step && !steps.empty()
        && steps.front().found.foundBy == StepSource::Nvtx;
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

double apiPaceOf(const Comparison& comparison)
{
    return paceOf(comparison.table("api"), isUnchangedCall);
}

/// Graphs traced as a whole on one side, by node on the other; tracing by node costs time.
static bool areTracedOtherwise(const SideMeasure& a, const SideMeasure& b)
{
    return a.graphs != GraphTracing::None && b.graphs != GraphTracing::None && a.graphs != b.graphs;
}

std::optional<PlainChange> plainChangeOf(const Both<const SideMeasure*>& measures)
{
    constexpr double least = 0.05; // two recordings of a program differ by as much
    const std::optional<ProfiledStep>& a = measures.a->profiled;
    const std::optional<ProfiledStep>& b = measures.b->profiled;
    if (!a || !b)
        return std::nullopt;
    const auto change = [](Ns from, Ns to) {
        return static_cast<double>(to) / static_cast<double>(std::max<Ns>(from, 1)) - 1;
    };
    const ExpectedShare plain{change(a->plain.high, b->plain.low),
        change(a->plain.expected, b->plain.expected), change(a->plain.low, b->plain.high)};
    const double recorded = change(a->step, b->step);
    if (std::abs(plain.expected - recorded) < least * (1 + std::max(recorded, plain.expected)))
        return std::nullopt;
    return PlainChange{plain.expected > recorded ? Side::A : Side::B, plain};
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
    if (comparison.plain)
        caveats.push_back(CompareCaveat::Profiler);
    const Both<double> mean{measures.a->side.mean, measures.b->side.mean};
    const bool differs = comparison.isBeyondNoise(CompareFigure::Median)
        || std::abs(mean.b - mean.a) > static_cast<double>(comparison.meanNoise);
    if (comparison.assumedNoise > 0 && differs && isPacedByHost(comparison, mean.a, mean.b))
        caveats.push_back(CompareCaveat::Host);
    if (!isMatched(comparison))
        caveats.push_back(CompareCaveat::Kernels);
    if (measures.a->side.isPart || measures.b->side.isPart)
        caveats.push_back(CompareCaveat::Part);
    if (isSamePart(request, measures))
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
    const auto texts = [&](std::string id, Message title, auto&& of) {
        facts.push_back(factOf(std::move(id), std::move(title), inWordsOfReport(joined(ofReports(a, of))),
            inWordsOfReport(joined(ofReports(b, of)))));
    };
    facts.push_back(factOf("gpu_model", {"compare.fact_gpu", "GPU"}, inWordsOfReport(modelsOf(a)),
        inWordsOfReport(modelsOf(b))));
    facts.push_back(countFact(request, measures));
    facts.push_back(rankFact(measures));
    texts("driver", {"compare.fact_driver", "Driver"},
        [](const Trace& trace) { return systemValue(trace, "NvDriverVersion"); });
    facts.push_back(
        factOf("recorder", {"compare.fact_recorder", "Recorded with"}, recorders(a), recorders(b)));
    facts.push_back(recordedFact(measures));
    facts.push_back(commandFact(measures));
    facts.push_back(graphFact(measures));
    facts.push_back(stepsFact(request, measures));
    if (a.side.gpuCount() > 1 || b.side.gpuCount() > 1)
        facts.push_back(factOf(
            "slowest_gpu", {"compare.fact_slowest", "Longest median step"}, slowestOf(a), slowestOf(b)));
    if (Message ofA = stepsByProcess(a), ofB = stepsByProcess(b); !ofA.empty() || !ofB.empty())
        facts.push_back(factOf("process_steps", {"compare.fact_process_steps", "Median step by process"},
            std::move(ofA), std::move(ofB)));
    facts.push_back(streamsFact(streamsOf(a, *kernels.a), streamsOf(b, *kernels.b)));
    facts.push_back(workFact(request, measures, kernels, comparison));
    facts.push_back(matchedFact(request, measures, comparison));
    facts.push_back(kernelPaceFact(comparison));
    facts.push_back(paceFact("api_pace", {"compare.fact_api_pace", "Time of unchanged API calls"},
        apiPaceOf(comparison), sameHostPace));
    return facts;
}

} // namespace warpline
