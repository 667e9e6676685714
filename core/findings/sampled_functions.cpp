#include "core/findings/sampled_functions.h"

#include "core/base/path_names.h"
#include "core/base/series.h"
#include "core/base/utf8.h"
#include "core/base/words.h"
#include "core/derive/tracks_of.h"
#include "core/store/event_loops.h"
#include "core/store/nvtx_types.h"
#include "core/store/python_samples.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

namespace warpline {

namespace {

constexpr std::size_t minSamples = 10;
constexpr std::size_t functionsShown = 3;
constexpr double minLeadingShare = 0.2; ///< of the samples: a smaller share explains nothing
constexpr double minNextShare = 0.1;
constexpr double minInterpretedShare = 0.3;
constexpr double minOverallShare = 0.03; ///< of the samples of all threads

/// True for functions in which a thread of a team waits for the others, by the libraries of GCC, LLVM, Intel
/// and NVIDIA.
bool waitsForTeam(std::string_view function, std::string_view module)
{
    if (!containsWord(module, "omp"))
        return false;
    return containsWord(function, "barrier") || containsWord(function, "wait")
        || containsWord(function, "do_spin");
}

/// "/usr/bin/python3.12", "libpython3.12.so.1.0"; no extension module, "_C.cpython-312-x86_64-linux-gnu.so".
bool isInterpreter(std::string_view module)
{
    module.remove_prefix(module.find_last_of('/') + 1);
    return module.starts_with("python") || module.starts_with("libpython");
}

/// Counts the innermost function of a Python sample.
void countPython(const Trace& trace, EventIndex sample, SampleCounts& counts)
{
    const auto stack = trace.stackOf({EventKind::Nvtx, sample});
    if (stack.empty())
        return; // the export left it out
    ++counts.all;
    ++counts.pythonFunctions[pythonFunction(trace, stack.front())];
}

/// What is counted of a stack, by its id: any number of samples may have one of any depth.
struct CountedStack {
    bool isInterpreted = false;
    std::string_view function; ///< the innermost with a name; empty: none
    bool isBarrier = false;
};
using CountedStacks = std::unordered_map<std::uint32_t, CountedStack>;

CountedStack countedOf(const Trace& trace, std::span<const StackFrame> stack)
{
    CountedStack counted;
    counted.isInterpreted = isInterpreter(trace.text(stack.front().module));
    const auto named
        = std::ranges::find_if(stack, [&](const StackFrame& frame) { return namesFunction(trace, frame); });
    if (named == stack.end())
        return counted;
    counted.function = trace.text(named->symbol);
    counted.isBarrier = waitsForTeam(counted.function, trace.text(named->module));
    return counted;
}

void countSample(const Trace& trace, EventIndex sample, CountedStacks& stacks, SampleCounts& counts)
{
    ++counts.all;
    const auto stack = trace.stackOf({EventKind::Sample, sample});
    if (stack.empty())
        return;
    const auto [at, isNew] = stacks.try_emplace(trace.table(EventKind::Sample).callchain[sample]);
    CountedStack& counted = at->second;
    if (isNew)
        counted = countedOf(trace, stack);
    counts.interpreter += counted.isInterpreted ? 1 : 0;
    if (counted.function.empty())
        return;
    ++counts.functions[counted.function];
    if (counted.isBarrier)
        ++counts.barriers[counted.function];
}

using Ranked = std::vector<std::pair<std::size_t, std::string>>;

/// By count.
Ranked rankedOf(const std::map<std::string, std::size_t>& functions)
{
    Ranked ranked;
    for (const auto& [function, count] : functions)
        ranked.emplace_back(count, function);
    std::ranges::stable_sort(ranked, std::greater{}, &Ranked::value_type::first);
    return ranked;
}

/// By count, functions of the same bare name as one.
Ranked rankedOf(const std::map<std::string_view, std::size_t>& functions)
{
    std::map<std::string, std::size_t> bare;
    for (const auto& [function, count] : functions)
        bare[bareFunction(function)] += count;
    return rankedOf(bare);
}

double shareOfAll(std::size_t count, const SampleCounts& counts)
{
    return static_cast<double>(count) / static_cast<double>(counts.all);
}

} // namespace

bool namesFunction(const Trace& trace, const StackFrame& frame)
{
    const std::string_view symbol = trace.text(frame.symbol);
    return !frame.unresolved && !symbol.empty() && symbol.front() != '[';
}

std::string pythonFunction(const Trace& trace, const StackFrame& frame)
{
    const std::string_view function = trace.text(frame.symbol);
    const std::string file = toUtf8(lastParts(trace.text(frame.module)));
    return function == "<module>" ? file : fmt::format("{} ({})", toUtf8(function), file);
}

SampleLanes sampleLanesOf(const Trace& trace, GlobalId thread)
{
    SampleLanes samples;
    const auto add = [&](EventKind kind, const Track& track) {
        const auto lanes = trace.table(kind).lanesOf(track);
        samples.kind = kind;
        samples.lanes.insert(samples.lanes.end(), lanes.begin(), lanes.end());
    };
    if (hasPythonStacks(trace)) {
        for (const Track& track : TracksOf(trace, EventKind::Nvtx, thread)) {
            if (trace.text(track.family) == pythonSamplesDomain)
                add(EventKind::Nvtx, track);
        }
    }
    if (samples.lanes.empty()) {
        for (const Track& track : trace.table(EventKind::Sample).tracks) {
            if (track.owner == thread)
                add(EventKind::Sample, track);
        }
    }
    return samples;
}

SampleCounts samplesIn(
    const Trace& trace, GlobalId thread, const Intervals& parts, const std::stop_token& stop)
{
    SampleCounts counts;
    CountedStacks stacks;
    const auto count = [&](EventKind kind, std::span<const Lane> lanes) {
        const EventTable& samples = trace.table(kind);
        const std::size_t before = counts.all;
        for (const Lane& lane : lanes) {
            for (const TimeRange& part : parts) {
                const auto [first, last] = samples.touching(lane, part);
                for (const EventIndex i : stoppable(first, last, stop)) {
                    if (counts.ofPython)
                        countPython(trace, i, counts);
                    else
                        countSample(trace, i, stacks, counts);
                }
            }
        }
        counts.threads += counts.all > before ? 1 : 0;
    };
    if (thread != 0) {
        const auto [kind, lanes] = sampleLanesOf(trace, thread);
        counts.ofPython = kind == EventKind::Nvtx;
        count(kind, lanes);
        return counts;
    }
    const EventTable& samples = trace.table(EventKind::Sample); // of Python those of threads that wait, too
    for (const Track& track : samples.tracks)
        count(EventKind::Sample, samples.lanesOf(track));
    return counts;
}

Message sampleText(const SampleCounts& counts)
{
    const Ranked ranked = counts.ofPython ? rankedOf(counts.pythonFunctions) : rankedOf(counts.functions);
    if (counts.all < minSamples || ranked.empty())
        return {};
    const std::size_t leading = ranked.front().first;
    if (counts.interpreter > leading && shareOfAll(counts.interpreter, counts) >= minInterpretedShare)
        return {"host.samples_in_interpreter",
            "{share} of its {samples} CPU samples are in the Python interpreter.",
            {{"share", Share{shareOfAll(counts.interpreter, counts)}}, {"samples", Count{counts.all}}}};
    std::vector<Message> functions;
    for (std::size_t i = 0; i < std::min(functionsShown, ranked.size()); ++i) {
        const double share = shareOfAll(ranked[i].first, counts);
        if (share < (i == 0 ? minLeadingShare : minNextShare))
            break;
        functions.push_back(Message("host.samples_in_function", "{share} in {function}",
            {{"share", Share{share}}, {"function", Name{std::string(ranked[i].second)}}}));
    }
    if (functions.empty())
        return {};
    return {"host.samples",
        "Its {samples} {kind, select, python {Python samples} other {CPU samples}}: {functions}.",
        {{"samples", Count{counts.all}}, {"kind", Name{counts.ofPython ? "python" : "cpu"}},
            {"functions", std::move(functions)}}};
}

Message sampledOnAllThreads(const Trace& trace, TimeRange window, const std::stop_token& stop)
{
    const SampleCounts counts = samplesIn(trace, 0, {window}, stop);
    if (counts.all < minSamples)
        return {};
    std::map<std::string_view, std::size_t> working = counts.functions;
    std::size_t waiting = 0;
    for (const auto& [function, count] : counts.barriers) {
        waiting += count;
        working.erase(function);
    }
    std::vector<Message> list;
    for (const auto& [count, function] : rankedOf(working)) {
        if (shareOfAll(count, counts) < minOverallShare || list.size() == functionsShown)
            break;
        list.push_back(Message("host.samples_in_function", "{share} in {function}",
            {{"share", Share{shareOfAll(count, counts)}}, {"function", Name{std::string(function)}}}));
    }
    Message text;
    if (!list.empty())
        text = Message("host.samples_on_threads",
            "Of {samples, plural, one {# CPU sample} other {# CPU samples}} on {threads, plural, one {# thread} other {# threads}}: {functions}.",
            {{"samples", Count{counts.all}}, {"threads", Count{counts.threads}},
                {"functions", seriesOf(std::move(list))}});
    if (waiting > 0 && shareOfAll(waiting, counts) >= minOverallShare)
        text += Message("host.samples_in_barriers",
            "Of the {samples, plural, one {# CPU sample} other {# CPU samples}} on all threads, {share} are in OpenMP's waits and barriers ({function}): threads wait there until the slowest is done, or for the next parallel region.",
            {{"samples", Count{counts.all}}, {"share", Share{shareOfAll(waiting, counts)}},
                {"function", Name{std::string(rankedOf(counts.barriers).front().second)}}});
    return text;
}

std::string bareFunction(std::string_view function)
{
    // Drops brackets: "(int)", "<float, 4>"; but "{lambda(int)#2}" keeps its number, and operators keep their
    // name.
    constexpr std::string_view call = "operator()";
    std::string bare;
    int depth = 0;
    for (std::size_t i = 0; i < function.size(); ++i) {
        const std::string_view rest = function.substr(i);
        if (depth == 0 && rest.starts_with(call)) {
            bare += call;
            i += call.size() - 1;
            continue;
        }
        const char c = function[i];
        const bool inOperator = bare.ends_with("operator") || bare.ends_with("operator<")
            || bare.ends_with("operator>") || bare.ends_with("operator-");
        if (!inOperator && (c == '(' || c == '<'))
            ++depth;
        else if (!inOperator && depth > 0 && (c == ')' || c == '>'))
            --depth;
        else if (depth == 0)
            bare += c;
    }
    std::string_view said = bare;
    for (const std::string_view end : {" const", " "}) {
        while (said.ends_with(end))
            said.remove_suffix(end.size());
    }
    while (said.starts_with(':')) // of "(anonymous namespace)::work"
        said.remove_prefix(1);
    return toUtf8(said.empty() ? function : said);
}

} // namespace warpline
