#include "core/steps/gpu_steps.h"

#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/derive/call_kinds.h"
#include "core/kernels/kernel_classes.h"
#include "core/steps/step_judge.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace warpline {

namespace {

constexpr std::size_t minSteps = 5;
constexpr Ns shortestStep = 20'000;
constexpr double sameAgain = 0.9; ///< of the launches must be followed by their like a period later
constexpr std::size_t maxTries = 8; ///< of symbols to take the period from
constexpr std::uint64_t graphMark = std::uint64_t{1} << 63U;

/// The launches of one thread, in order of time.
struct Launches {
    GlobalId thread = 0;
    std::vector<EventIndex> calls;
    std::vector<std::uint64_t> symbols; ///< the launched kernel's name, or graph
};

/// The name of a kernel, or the graph; 0 for copies and memsets, which vary.
std::uint64_t symbolOf(const Trace& trace, EventRef work)
{
    if (work.kind == EventKind::GraphTrace)
        return graphMark | trace.table(work.kind).attribute[work.index];
    if (work.kind != EventKind::Kernel)
        return 0;
    const std::uint64_t name = raw(trace.kernels().name[work.index]);
    return trace.kernels().launch(work.index).graphNodeId != 0 ? graphMark | name : name + 1;
}

/// The launches of each process' busiest thread.
std::map<GlobalId, Launches> busiestThreads(
    const Trace& trace, TimeRange window, const std::set<GlobalId>& known, const std::stop_token& stop)
{
    std::map<GlobalId, Launches> processes;
    const EventTable& calls = trace.apiCalls();
    for (const Track& track : calls.tracks) {
        if (!trace.links || known.contains(processOf(track.owner)))
            continue;
        Launches launches;
        launches.thread = track.owner;
        for (const EventIndex i : eventsIn(calls, track, window, stop)) {
            const std::uint32_t work = trace.links->firstWork[i];
            const std::uint64_t symbol = work != noIndex ? symbolOf(trace, Links::unpack(work)) : 0;
            if (symbol != 0) {
                launches.calls.push_back(i);
                launches.symbols.push_back(symbol);
            }
        }
        Launches& busiest = processes[processOf(track.owner)];
        if (launches.calls.size() > busiest.calls.size())
            busiest = std::move(launches);
    }
    return processes;
}

/// How many places each symbol has, of the last two thirds.
std::vector<std::pair<std::size_t, std::uint64_t>> rarestFirst(const std::vector<std::uint64_t>& symbols)
{
    std::unordered_map<std::uint64_t, std::size_t> counts;
    for (std::size_t i = symbols.size() / 3; i < symbols.size(); ++i)
        ++counts[symbols[i]];
    std::vector<std::pair<std::size_t, std::uint64_t>> ranked;
    for (const auto& [symbol, count] : counts) {
        if (count + 1 >= minSteps)
            ranked.emplace_back(count, symbol);
    }
    std::ranges::sort(ranked);
    return ranked;
}

/// The most frequent distance between neighbouring places of `symbol`.
std::size_t usualDistance(const std::vector<std::uint64_t>& symbols, std::uint64_t symbol)
{
    std::unordered_map<std::size_t, std::size_t> distances;
    std::size_t before = symbols.size();
    for (std::size_t i = symbols.size() / 3; i < symbols.size(); ++i) {
        if (symbols[i] != symbol)
            continue;
        if (before < i)
            ++distances[i - before];
        before = i;
    }
    const auto usual = std::ranges::max_element(
        distances, {}, [](const auto& each) { return std::pair(each.second, each.first); });
    return usual != distances.end() ? usual->first : 0;
}

bool repeatsAt(const std::vector<std::uint64_t>& symbols, std::size_t period)
{
    const std::size_t first = symbols.size() / 3;
    if (period == 0 || first + period * (minSteps - 1) > symbols.size())
        return false;
    std::size_t same = 0;
    for (std::size_t i = first; i + period < symbols.size(); ++i)
        same += symbols[i] == symbols[i + period] ? 1 : 0;
    const std::size_t all = symbols.size() - first - period;
    return static_cast<double>(same) >= sameAgain * static_cast<double>(all);
}

/// Places where periods begin, and where the last of them ends.
struct Begins {
    std::vector<std::size_t> places;
    std::size_t end = 0;
};

/// The begins of periods, counted back from the end, at the launch with the longest pause before it. Leaves
/// out those at either end that begin with another symbol.
Begins beginsOf(const Trace& trace, const Launches& launches, std::size_t period)
{
    const EventTable& calls = trace.apiCalls();
    const std::size_t n = launches.calls.size();
    std::vector<Ns> pause(period, 0);
    for (std::size_t i = n / 3 + 1; i < n; ++i)
        pause[i % period]
            += std::max<Ns>(0, calls.start[launches.calls[i]] - calls.end(launches.calls[i - 1]));
    const auto phase = static_cast<std::size_t>(std::ranges::max_element(pause) - pause.begin());
    std::vector<std::size_t> begins;
    for (std::size_t i = phase; i < n; i += period)
        begins.push_back(i);
    const std::uint64_t usual = launches.symbols[begins[begins.size() * 2 / 3]];
    std::size_t first = 0; // behind the last of the first half that begins otherwise
    for (std::size_t i = 0; i < begins.size() / 2; ++i)
        first = launches.symbols[begins[i]] == usual ? first : i + 1;
    std::size_t last = begins.size(); // behind it another work begins: the same kernels in another order
    while (last > begins.size() / 2 && launches.symbols[begins[last - 1]] != usual)
        --last;
    const std::size_t end = last < begins.size() ? begins[last] : n;
    return {{begins.begin() + static_cast<std::ptrdiff_t>(first),
                begins.begin() + static_cast<std::ptrdiff_t>(std::max(first, last))},
        end};
}

/// True for a sequence that holds attention once: a layer of a model. Layers of one step are no steps.
bool isLayer(const Trace& trace, const Launches& launches, std::size_t place, std::size_t period)
{
    const KernelClassRules& rules = kernelClassRules();
    const std::size_t attention = rules.indexOf("attention");
    std::size_t attentions = 0;
    for (std::size_t i = place; i < std::min(place + period, launches.calls.size()); ++i) {
        const EventRef work = Links::unpack(trace.links->firstWork[launches.calls[i]]);
        attentions += work.kind == EventKind::Kernel && rules.classOf(trace.name(work)) == attention ? 1 : 0;
    }
    return attentions == 1;
}

StepSeries seriesOf(const Trace& trace, const Launches& launches, std::size_t period, bool graphs)
{
    const EventTable& calls = trace.apiCalls();
    StepSeries series;
    series.thread = launches.thread;
    const auto [begins, stop] = beginsOf(trace, launches, period);
    if (begins.size() < minSteps || (!graphs && isLayer(trace, launches, begins.front(), period)))
        return {};
    const EventIndex first = launches.calls[begins.front()];
    const EventRef work = Links::unpack(trace.links->firstWork[first]);
    // Untranslated: names, and words that stay in English.
    series.pattern = graphs ? std::string(bareCallName(trace.name({EventKind::ApiCall, first})))
                            : toUtf8(trace.displayName(work));
    if (period > 1 && graphs)
        series.pattern = fmt::format("{} x {}", period, series.pattern);
    else if (period > 1)
        series.pattern += fmt::format(" + {} kernel{}", period - 1, period > 2 ? "s" : "");
    for (std::size_t i = 0; i < begins.size(); ++i) {
        const bool last = i + 1 == begins.size();
        const EventIndex call = launches.calls[begins[i]];
        const Ns end
            = last ? calls.end(launches.calls[stop - 1]) + 1 : calls.start[launches.calls[begins[i + 1]]];
        if (end <= calls.start[call])
            continue;
        series.events.push_back({EventKind::ApiCall, call});
        series.ranges.push_back({calls.start[call], end});
    }
    judgeSteps(trace, series, 0);
    return series.median >= shortestStep || graphs ? series : StepSeries{};
}

} // namespace

std::size_t periodOf(const std::vector<std::uint64_t>& symbols)
{
    std::size_t tries = 0;
    std::size_t tried = 0;
    for (const auto& [count, symbol] : rarestFirst(symbols)) {
        if (++tries > maxTries)
            break;
        const std::size_t period = usualDistance(symbols, symbol);
        if (period == tried)
            continue;
        tried = period;
        if (repeatsAt(symbols, period))
            return period;
    }
    return 0;
}

std::vector<StepHost> guessSteps(
    const Trace& trace, TimeRange window, const std::set<GlobalId>& known, const std::stop_token& stop)
{
    std::vector<StepHost> all;
    for (auto& [process, launches] : busiestThreads(trace, window, known, stop)) {
        Launches graphs{launches.thread, {}, {}};
        for (std::size_t i = 0; i < launches.calls.size(); ++i) {
            if ((launches.symbols[i] & graphMark) != 0) {
                graphs.calls.push_back(launches.calls[i]);
                graphs.symbols.push_back(launches.symbols[i]);
            }
        }
        StepHost guess;
        if (const std::size_t period = periodOf(graphs.symbols); period > 0)
            guess = {seriesOf(trace, graphs, period, true), StepSource::GraphLaunches};
        // A kernel after itself is a storm, not a step.
        if (guess.series.empty()) {
            if (const std::size_t period = periodOf(launches.symbols); period > 1)
                guess = {seriesOf(trace, launches, period, false), StepSource::KernelSequence};
        }
        if (!guess.series.empty())
            all.push_back(std::move(guess));
    }
    return all;
}

} // namespace warpline
