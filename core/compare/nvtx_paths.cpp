#include "core/compare/nvtx_paths.h"

#include "core/base/both_ends.h"
#include "core/base/glob.h"
#include "core/compare/step_events.h"
#include "core/stats/nvtx_nesting.h"
#include "core/steps/step_names.h"
#include "core/store/library_domains.h"
#include "core/store/track_cursor.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <queue>
#include <unordered_map>

namespace warpline {

namespace {

/// Which ranges form a path.
enum class RangesOf { Program, Operators };

bool areOf(RangesOf of, std::string_view domain)
{
    return of == RangesOf::Operators ? domain == "PyTorch" : !isLibraryDomain(domain);
}

/// The ranges of a thread, in order of start, longer ones first.
using ThreadRanges = std::map<GlobalId, std::vector<EventIndex>>;

ThreadRanges rangesOfThreads(const Trace& trace, GlobalId process, RangesOf of, const std::stop_token& stop)
{
    return rangesByThread(trace.nvtx(), stop, [&](const Track& track) {
        return processOf(track.owner) == processOf(process) && areOf(of, trace.text(track.family));
    });
}

/// Whether a range with `name` is a step by `pattern`: detected ("step_#"), or a glob of the user ("step_*").
bool isStepName(std::string_view name, const std::string& pattern)
{
    return !pattern.empty() && (stepPatternOf(name) == pattern || matchesGlob(name, pattern));
}

/// The open ranges of one thread over time, with their path.
class OpenRanges {
public:
    OpenRanges(const Trace& trace, const std::vector<EventIndex>& ranges, const std::string& stepPattern,
        PathNames& names)
        : m_trace(trace),
          m_nvtx(trace.nvtx()),
          m_ranges(ranges),
          m_pattern(stepPattern),
          m_names(names)
    {
    }

    /// Opens and closes ranges up to `time`, which ascends. No path when none is open, or only outside of
    /// steps.
    std::optional<std::uint32_t> pathAt(Ns time)
    {
        while (m_next < m_ranges.size() && m_nvtx.start[m_ranges[m_next]] <= time) {
            close(m_nvtx.start[m_ranges[m_next]]);
            openNext();
        }
        close(time);
        return path();
    }

    /// Opens the next range and returns it with its path; nothing when there is none.
    std::optional<std::pair<EventIndex, std::uint32_t>> step()
    {
        if (m_next == m_ranges.size())
            return std::nullopt;
        const EventIndex range = m_ranges[m_next];
        close(m_nvtx.start[range]);
        openNext();
        return std::pair{range, path().value_or(0)};
    }

private:
    void openNext()
    {
        m_open.push_back(m_ranges[m_next++]);
        m_ends.push(m_nvtx.end(m_open.back()));
    }

    void close(Ns time)
    {
        std::size_t closing = 0;
        for (; !m_ends.empty() && m_ends.top() <= time; m_ends.pop())
            ++closing;
        const auto ended = [&](EventIndex range) { return m_nvtx.end(range) <= time; };
        for (; closing > 0 && ended(m_open.back()); --closing)
            m_open.pop_back();
        std::size_t kept = m_open.size();
        if (closing > 0) { // of ranges that overlap, those around others end first, too
            const auto first = std::ranges::find_if(m_open, ended);
            kept = static_cast<std::size_t>(first - m_open.begin());
            m_open.erase(std::remove_if(first, m_open.end(), ended), m_open.end());
        }
        m_paths.resize(std::min(m_paths.size(), kept));
    }

    bool isStep(StringId name)
    {
        const auto [place, added] = m_steps.try_emplace(name, false);
        if (added)
            place->second = isStepName(m_trace.text(name), m_pattern);
        return place->second;
    }

    std::optional<std::uint32_t> path()
    {
        for (std::size_t i = m_paths.size(); i < m_open.size(); ++i) {
            const StringId name = m_nvtx.name[m_open[i]];
            const std::uint32_t around = m_paths.empty() ? 0 : m_paths.back();
            m_paths.push_back(isStep(name) ? 0 : m_names.child(around, m_trace.text(name)));
        }
        return m_paths.empty() ? std::nullopt : std::optional(m_paths.back());
    }

    const Trace& m_trace;
    const NvtxTable& m_nvtx;
    const std::vector<EventIndex>& m_ranges;
    const std::string& m_pattern;
    PathNames& m_names;
    std::size_t m_next = 0;
    std::vector<EventIndex> m_open;
    std::priority_queue<Ns, std::vector<Ns>, std::greater<>> m_ends; ///< of the open ranges
    std::vector<std::uint32_t> m_paths; ///< of the first open range, the first two ...
    std::unordered_map<StringId, bool> m_steps;
};

/// The thread whose ranges are used for threads without ranges.
GlobalId leadingThread(const SideMeasure& measure, const ComparedGpu& gpu, const ThreadRanges& threads)
{
    for (const StepBudgets& steps : measure.reports[gpu.report].steps) {
        if (steps.found.process == gpu.process && threads.contains(steps.found.host.thread))
            return steps.found.host.thread;
    }
    return std::ranges::max_element(threads, {}, [](const auto& thread) {
        return thread.second.size();
    })->first;
}

/// A kernel whose path is to be found.
struct Asking {
    Ns launched = 0;
    GlobalId thread = 0;
    std::uint32_t use = 0;
};

class PathFinder {
public:
    PathFinder(const SideMeasure& measure, SideKernels& kernels, PathNames& names, RangesOf of)
        : m_measure(measure),
          m_kernels(kernels),
          m_names(names),
          m_of(of)
    {
    }

    /// The kernels of `asking` are of the process of `gpu`.
    void find(const ComparedGpu& gpu, std::vector<Asking> asking, const std::stop_token& stop)
    {
        const Trace& trace = *m_measure.reports[gpu.report].trace;
        const ThreadRanges threads = rangesOfThreads(trace, gpu.process, m_of, stop);
        if (threads.empty())
            return;
        // Kernels of one stream are mostly in order.
        const auto order = [](const Asking& a) { return std::pair(a.thread, a.launched); };
        if (!std::ranges::is_sorted(asking, {}, order))
            std::ranges::sort(asking, {}, order);
        std::vector<Asking> without;
        for (std::size_t first = 0; first < asking.size();) {
            std::size_t last = first;
            while (last < asking.size() && asking[last].thread == asking[first].thread)
                ++last;
            const std::span<const Asking> group = std::span(asking).subspan(first, last - first);
            const auto ranges = threads.find(asking[first].thread);
            if (ranges == threads.end())
                without.insert(without.end(), group.begin(), group.end());
            else
                walk(trace, ranges->second, group, &without);
            first = last;
        }
        std::ranges::sort(without, {}, &Asking::launched);
        walk(trace, threads.at(leadingThread(m_measure, gpu, threads)), without, nullptr);
    }

private:
    void walk(const Trace& trace, const std::vector<EventIndex>& ranges, std::span<const Asking> asking,
        std::vector<Asking>* without)
    {
        OpenRanges open(trace, ranges, m_measure.side.pattern, m_names);
        for (const Asking& each : asking) {
            const std::optional<std::uint32_t> path = open.pathAt(each.launched);
            KernelUse& use = m_kernels.uses[each.use];
            if (path)
                (m_of == RangesOf::Operators ? use.operators : use.path) = *path;
            else if (without)
                without->push_back(each);
        }
    }

    const SideMeasure& m_measure;
    SideKernels& m_kernels;
    PathNames& m_names;
    RangesOf m_of;
};

void findPathsOf(RangesOf of, const SideMeasure& measure, SideKernels& kernels, PathNames& names,
    const std::stop_token& stop)
{
    std::map<std::pair<std::uint32_t, GlobalId>, std::vector<Asking>> asking;
    std::vector<TrackCursor> callers; // by report
    for (const MeasuredReport& report : measure.reports)
        callers.emplace_back(report.trace->apiCalls());
    for (std::uint32_t i = 0; i < kernels.uses.size(); ++i) {
        const KernelUse& use = kernels.uses[i];
        const ComparedGpu& gpu = measure.side.gpus[use.gpu];
        const Trace& trace = *measure.reports[gpu.report].trace;
        if (trace.nvtx().empty())
            continue;
        if (const EventRef call = trace.apiCallOf(use.event); call.valid())
            asking[{gpu.report, gpu.process}].push_back(
                {trace.apiCalls().start[call.index], callers[gpu.report].of(call.index).owner, i});
    }
    PathFinder finder(measure, kernels, names, of);
    for (const ComparedGpu* const gpu : hostsOf(measure)) {
        if (const auto found = asking.find({gpu->report, gpu->process}); found != asking.end())
            finder.find(*gpu, std::move(found->second), stop);
    }
}

} // namespace

std::uint32_t PathNames::child(std::uint32_t parent, std::string_view name)
{
    if (m_nodes[parent].level >= maxLevel)
        return parent;
    const std::pair<std::uint32_t, std::string> key{parent, std::string(name)};
    const auto [place, added] = m_children.try_emplace(key, static_cast<std::uint32_t>(m_nodes.size()));
    if (added)
        m_nodes.push_back({parent, m_nodes[parent].level + 1, key.second});
    return place->second;
}

std::string PathNames::textOf(std::uint32_t path) const
{
    NestedNames names;
    while (path != 0 && names.add(m_nodes[path].name))
        path = m_nodes[path].parent;
    return names.text();
}

std::vector<std::uint32_t> PathNames::adopt(const PathNames& other)
{
    std::vector<std::uint32_t> here{0};
    for (std::size_t path = 1; path < other.m_nodes.size(); ++path) // those around a path come before it
        here.push_back(child(here[other.m_nodes[path].parent], other.m_nodes[path].name));
    return here;
}

std::uint32_t PathNames::folded(std::uint32_t path)
{
    if (path == 0)
        return 0;
    if (const auto known = m_folded.find(path); known != m_folded.end())
        return known->second;
    const std::uint32_t parent = folded(m_nodes[path].parent);
    const std::string name = withoutNumbers(m_nodes[path].name);
    return m_folded[path] = child(parent, name);
}

std::uint32_t PathNames::only(std::uint32_t path, const std::set<std::string, std::less<>>& known)
{
    if (path == 0)
        return 0;
    const std::string name = m_nodes[path].name;
    const std::uint32_t parent = only(m_nodes[path].parent, known);
    return known.contains(name) ? child(parent, name) : parent;
}

void PathNames::collect(std::uint32_t path, std::set<std::string, std::less<>>& found) const
{
    for (; path != 0; path = m_nodes[path].parent)
        found.insert(m_nodes[path].name);
}

SharedPaths::SharedPaths(const Both<const SideKernels*>& kernels, PathNames& names)
    : m_names(names)
{
    Both<std::set<std::string, std::less<>>> found;
    for (const Side side : {Side::A, Side::B}) {
        for (const KernelUse& use : kernels[side]->uses)
            m_exact[side].insert(use.path);
        for (const std::uint32_t path : m_exact[side]) {
            m_folded[side].insert(names.folded(path));
            names.collect(names.folded(path), found[side]);
        }
    }
    std::ranges::set_intersection(found.a, found.b, std::inserter(m_both, m_both.end()));
    for (const Side side : {Side::A, Side::B}) {
        for (const std::uint32_t path : m_folded[side])
            m_only[side].insert(names.only(path, m_both));
    }
}

std::uint32_t SharedPaths::of(std::uint32_t path)
{
    const auto [place, added] = m_known.try_emplace(path, 0);
    if (!added)
        return place->second;
    const auto onBoth = [](const Both<std::set<std::uint32_t>>& paths, std::uint32_t each) {
        return paths.a.contains(each) && paths.b.contains(each);
    };
    const std::uint32_t folded = m_names.folded(path);
    const std::uint32_t only = m_names.only(folded, m_both);
    place->second = onBoth(m_exact, path) ? path
        : onBoth(m_folded, folded)        ? folded
        : onBoth(m_only, only)            ? only
                                          : 0;
    return place->second;
}

void findPaths(
    const SideMeasure& measure, SideKernels& kernels, PathNames& names, const std::stop_token& stop)
{
    for (const RangesOf of : {RangesOf::Program, RangesOf::Operators})
        findPathsOf(of, measure, kernels, names, stop);
}

std::vector<RangeUse> rangesInSteps(const SideMeasure& measure, PathNames& names, const std::stop_token& stop)
{
    std::vector<RangeUse> uses;
    const bool isCut = measure.unit == CompareUnit::Whole; // see forEachInSpans()
    for (const ComparedGpu* const gpu : hostsOf(measure)) {
        const Trace& trace = *measure.reports[gpu->report].trace;
        const auto spans = judgedSpans(*gpu, true);
        for (const auto& [thread, ranges] : rangesOfThreads(trace, gpu->process, RangesOf::Program, stop)) {
            OpenRanges open(trace, ranges, measure.side.pattern, names);
            std::size_t at = 0;
            while (const auto next = open.step()) {
                const TimeRange range = trace.nvtx().range(next->first);
                while (at < spans.size() && spans[at].first.end <= range.start)
                    ++at;
                if (at == spans.size() || next->second == 0)
                    continue;
                const TimeRange& span = spans[at].first;
                if (range.start >= span.start || (isCut && range.end > span.start))
                    uses.push_back({gpu->report, next->first, next->second,
                        isCut ? range.clippedTo(span).duration() : range.duration()});
            }
        }
    }
    return uses;
}

} // namespace warpline
