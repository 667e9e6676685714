#include "core/steps/step_search.h"

#include "core/base/glob.h"
#include "core/base/sorted_runs.h"
#include "core/steps/launched_work.h"
#include "core/steps/steps.h"
#include "core/store/event_loops.h"
#include "core/store/library_domains.h"
#include "core/store/trace.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <tuple>
#include <unordered_map>

namespace warpline {

namespace {

constexpr std::size_t minNamed = 3; ///< ranges with names of steps
constexpr std::size_t minUnnamed = 5;
// torch.profiler's own ranges, one for each call of step(): always steps, even a single one.
constexpr std::string_view profilerSteps = "ProfilerStep#";
constexpr Ns shortestNamed = 500; ///< a speculative step or the replay of a small graph takes microseconds
constexpr Ns shortestUnnamed = 20'000;
constexpr double minNamedShare = 0.2; ///< of the time from the first to the last that the ranges cover
constexpr double minUnnamedShare = 0.5;
constexpr double minUnnamedGpuShare
    = 0.8; ///< of the GPU's time, of unnamed ranges that are short on the host
constexpr double mostlyInside = 0.9; ///< of the ranges of one name that lie in those of another
constexpr Ns farLonger = 4; ///< times the time of a better name: then the name does not decide
constexpr Ns farLongerContainer = 10; ///< an epoch is longer than its batches, with evaluation and all

/// Facts about a pattern: there are many names, but few patterns.
struct Pattern {
    std::string text;
    StepRank rank = StepRank::Any;
    bool prefill = false;
};

/// The pattern of each name, made once.
class Patterns {
public:
    Patterns(const Trace& trace, const std::string& glob)
        : m_trace(trace),
          m_glob(glob)
    {
    }

    std::uint32_t of(StringId name, StringId domain)
    {
        const std::uint64_t key = std::uint64_t{raw(domain)} << 32U | raw(name);
        const auto [place, added] = m_ids.try_emplace(key, 0);
        if (added)
            place->second = m_glob.empty() ? byDigits(name) : byGlob(name, domain);
        return place->second;
    }
    const Pattern& operator[](std::uint32_t id) const { return m_patterns[id]; }

private:
    std::uint32_t byDigits(StringId name)
    {
        const std::string text = stepPatternOf(m_trace.text(name));
        return add(text, [&] { return stepRankOf(m_trace.text(name)); });
    }
    std::uint32_t byGlob(StringId name, StringId domain)
    {
        const std::string_view text = m_trace.text(name);
        const bool matches = matchesGlob(text, m_glob)
            || matchesGlob(std::string(m_trace.text(domain)) + ":" + std::string(text), m_glob);
        return matches ? add(m_glob, [] { return StepRank::Step; }) : add({}, [] { return StepRank::Never; });
    }
    template <typename Rank> std::uint32_t add(const std::string& text, Rank rank)
    {
        const auto [place, added]
            = m_patternIds.try_emplace(text, static_cast<std::uint32_t>(m_patterns.size()));
        if (added)
            m_patterns.push_back({text, rank(), containsWord(text, "prefill")});
        return place->second;
    }

    const Trace& m_trace;
    const std::string& m_glob;
    std::unordered_map<std::uint64_t, std::uint32_t> m_ids;
    std::unordered_map<std::string, std::uint32_t> m_patternIds;
    std::vector<Pattern> m_patterns;
};

/// A one-time range, such as a warm-up, which may contain ranges that look like steps.
struct OneTimeRange {
    TimeRange range;
    bool warmUp = false; ///< else a compilation, a start: a program may put all it does into such a range
    Ns lastEnd = 0; ///< the last end of it and of those before it
};

class Collector {
public:
    Collector(const Trace& trace, TimeRange window, const std::string& glob, const std::stop_token& stop)
        : m_trace(trace),
          m_window(window),
          m_stop(stop),
          m_asked(!glob.empty()),
          m_patterns(trace, glob)
    {
    }

    StepSearch run()
    {
        const NvtxTable& nvtx = m_trace.nvtx();
        for (const Track& track : nvtx.tracks) {
            // PyTorch's copies of ranges on the GPU are not a second series.
            if (track.device >= 0 || (!m_asked && isLibraryDomain(m_trace.text(track.family))))
                continue;
            for (const EventIndex i : eventsIn(nvtx, track, m_window, m_stop))
                visit(track, i);
        }
        for (auto& [thread, ranges] : m_oneTime) {
            std::ranges::stable_sort(ranges, {}, [](const OneTimeRange& once) { return once.range.start; });
            Ns last = std::numeric_limits<Ns>::min();
            for (OneTimeRange& once : ranges)
                once.lastEnd = last = std::max(last, once.range.end);
        }
        StepSearch search;
        std::vector<StepCandidate> few;
        for (auto& [key, candidate] : m_candidates) {
            keepOutermost(candidate);
            setWarmUpsApart(candidate);
            if (m_asked || isCandidate(candidate))
                search.candidates.push_back(std::move(candidate));
            else if (isFewSteps(candidate))
                few.push_back(std::move(candidate));
        }
        const std::size_t found = search.candidates.size();
        for (StepCandidate& candidate : few) {
            const bool isElse = std::any_of(search.candidates.begin(),
                search.candidates.begin() + static_cast<std::ptrdiff_t>(found),
                [&](const StepCandidate& each) {
                    return processOf(each.thread) == processOf(candidate.thread)
                        && each.pattern != candidate.pattern;
                });
            if (!isElse && candidate.total > 0)
                search.candidates.push_back(std::move(candidate));
        }
        search.prefills = std::move(m_prefills);
        return search;
    }

private:
    void visit(const Track& track, EventIndex i)
    {
        const NvtxTable& nvtx = m_trace.nvtx();
        if (nvtx.duration[i] <= 0 || nvtx.attributesOf(i).open)
            return;
        const std::uint32_t id = m_patterns.of(nvtx.name[i], track.family);
        const Pattern& pattern = m_patterns[id];
        if (pattern.prefill)
            m_prefills[track.owner].push_back(i);
        if (pattern.rank == StepRank::OneTime)
            m_oneTime[track.owner].push_back({nvtx.range(i), containsWord(pattern.text, "warm"), 0});
        if (pattern.rank == StepRank::OneTime || pattern.rank == StepRank::Never)
            return;
        StepCandidate& candidate = m_candidates[{track.owner, id}];
        if (candidate.ranges.empty()) {
            candidate.thread = track.owner;
            candidate.pattern = pattern.text;
            candidate.rank = pattern.rank;
        }
        candidate.ranges.push_back(i);
    }

    /// In order of time; removes ranges inside one of the same name.
    void keepOutermost(StepCandidate& candidate) const
    {
        const NvtxTable& nvtx = m_trace.nvtx();
        // The ranges of a lane are in order, and mostly there is but one lane.
        const auto place = [&](EventIndex i) { return std::tuple(nvtx.start[i], -nvtx.duration[i], i); };
        sortRuns(
            candidate.ranges, [&](EventIndex a, EventIndex b) { return place(a) < place(b); }, m_stop);
        std::vector<EventIndex> outermost;
        for (const EventIndex i : candidate.ranges) {
            if (!outermost.empty() && nvtx.start[i] < nvtx.end(outermost.back()))
                continue;
            outermost.push_back(i);
            candidate.total += nvtx.range(i).clippedTo(m_window).duration();
        }
        candidate.ranges = std::move(outermost);
    }

    /// Leaves those of a warm-up only at the beginning, and counts them.
    void setWarmUpsApart(StepCandidate& candidate)
    {
        const auto place = m_oneTime.find(candidate.thread);
        if (place == m_oneTime.end())
            return;
        const NvtxTable& nvtx = m_trace.nvtx();
        std::vector<bool> warm(candidate.ranges.size(), false);
        const std::vector<OneTimeRange>& all = place->second;
        const Ns begin = nvtx.start[candidate.ranges.front()];
        const Ns end = nvtx.start[candidate.ranges.back()];
        auto next = std::ranges::lower_bound(all, begin, {}, &OneTimeRange::lastEnd);
        while (next != all.end() && next->range.start <= end) {
            const OneTimeRange& once = *next;
            const auto first
                = static_cast<std::size_t>(std::ranges::lower_bound(candidate.ranges, once.range.start, {},
                                               [&](EventIndex i) { return nvtx.start[i]; })
                    - candidate.ranges.begin());
            // Those that end before the next range of the candidate hold none.
            next = first == candidate.ranges.size()
                ? all.end()
                : std::ranges::lower_bound(
                    next + 1, all.end(), nvtx.start[candidate.ranges[first]], {}, &OneTimeRange::lastEnd);
            std::size_t last = first;
            while (last < warm.size() && nvtx.end(candidate.ranges[last]) <= once.range.end)
                ++last;
            if (!once.warmUp && (last - first) * 2 > candidate.ranges.size())
                continue;
            for (std::size_t i = first; i < last; ++i)
                warm[i] = true;
        }
        std::vector<EventIndex> left;
        bool leading = true;
        for (std::size_t i = 0; i < warm.size(); ++i) {
            leading = leading && warm[i];
            candidate.warmUps += leading ? 1 : 0;
            if (warm[i])
                candidate.total -= nvtx.range(candidate.ranges[i]).clippedTo(m_window).duration();
            if (!warm[i] || leading)
                left.push_back(candidate.ranges[i]);
        }
        candidate.ranges = std::move(left);
    }

    /// One or two ranges with numbered names of steps: accepted when there are no other steps.
    bool isFewSteps(StepCandidate& candidate)
    {
        if (candidate.pattern == profilerSteps)
            return true;
        const bool numbered = candidate.pattern.find_first_of("#[") != std::string::npos;
        return numbered && candidate.rank == StepRank::Step && candidate.ranges.size() > candidate.warmUps
            && launchesMost(candidate) && (coversHost(candidate, true) || coversGpu(candidate, true));
    }

    bool isCandidate(StepCandidate& candidate)
    {
        const bool named = candidate.rank > StepRank::Any;
        if (candidate.ranges.size() - candidate.warmUps < (named ? minNamed : minUnnamed))
            return false;
        if (coversHost(candidate, named) && (named || launchesWork(candidate)))
            return true;
        if (!named) // of many names: those that launch little are not followed to the GPU
            return launchesMost(candidate) && coversGpu(candidate, false);
        return coversGpu(candidate, true) || (candidate.rank >= StepRank::Named && launchesMost(candidate));
    }

    /// Whether the ranges launch most of the GPU work between the first and the last of them: then they are
    /// steps even if the program spends its time between them, loading data.
    bool launchesMost(const StepCandidate& candidate)
    {
        const std::vector<Ns>& launches = launchesOf(processOf(candidate.thread));
        const auto within = [&](TimeRange range) {
            return std::ranges::lower_bound(launches, range.end)
                - std::ranges::lower_bound(launches, range.start);
        };
        const NvtxTable& nvtx = m_trace.nvtx();
        std::ptrdiff_t inside = 0;
        for (std::size_t i = candidate.warmUps; i < candidate.ranges.size(); ++i)
            inside += within(nvtx.range(candidate.ranges[i]));
        const std::ptrdiff_t all
            = within({nvtx.start[candidate.ranges[candidate.warmUps]], nvtx.end(candidate.ranges.back())});
        return inside > 0 && inside * 2 >= all;
    }

    bool coversHost(const StepCandidate& candidate, bool named) const
    {
        const auto count = static_cast<Ns>(candidate.ranges.size() - candidate.warmUps);
        const NvtxTable& nvtx = m_trace.nvtx();
        const TimeRange spanned
            = TimeRange{nvtx.start[candidate.ranges[candidate.warmUps]], nvtx.end(candidate.ranges.back())}
                  .clippedTo(m_window);
        return candidate.total >= (named ? shortestNamed : shortestUnnamed) * count
            && static_cast<double>(candidate.total)
            >= (named ? minNamedShare : minUnnamedShare) * static_cast<double>(spanned.duration());
    }

    /// Whether the work of the ranges fills the time of a GPU: an asynchronous loop launches in 50 us what
    /// runs for 15 ms. Then that time is the candidate's.
    bool coversGpu(StepCandidate& candidate, bool named)
    {
        const auto [total, spanned] = timeOnGpu(candidate);
        const auto count = static_cast<Ns>(candidate.ranges.size() - candidate.warmUps);
        if (total < (named ? shortestNamed : shortestUnnamed) * count
            || static_cast<double>(total)
                < (named ? minNamedShare : minUnnamedGpuShare) * static_cast<double>(spanned))
            return false;
        candidate.total = std::max(candidate.total, total);
        return true;
    }

    /// The GPU time of the ranges, each from its first work to its last, and from the first to the last of
    /// all: on the GPU where that is longest.
    std::pair<Ns, Ns> timeOnGpu(const StepCandidate& candidate) const
    {
        std::vector<TimeRange> ranges;
        for (std::size_t i = candidate.warmUps; i < candidate.ranges.size(); ++i)
            ranges.push_back(m_trace.nvtx().range(candidate.ranges[i]));
        LaunchedByDevice devices;
        for (const Track& track : m_trace.apiCalls().tracks) {
            if (processOf(track.owner) == processOf(candidate.thread))
                addLaunched(m_trace, track, ranges, devices, m_stop);
        }
        std::pair<Ns, Ns> longest{0, 0};
        for (const auto& [device, launched] : devices) {
            Launched all;
            Ns total = 0;
            for (const Launched& each : launched) {
                if (!each.any())
                    continue;
                const Ns from = all.any() ? std::max(all.lastEnd, each.firstStart) : each.firstStart;
                total += std::max<Ns>(0, each.lastEnd - from);
                all.add(each);
            }
            if (total > longest.first)
                longest = {total, all.lastEnd - all.firstStart};
        }
        return longest;
    }

    /// An unnamed range that starts no GPU work, in a process that does, is no step.
    bool launchesWork(const StepCandidate& candidate)
    {
        const std::vector<Ns>& launches = launchesOf(processOf(candidate.thread));
        if (launches.empty())
            return true;
        std::size_t with = 0;
        for (const EventIndex i : candidate.ranges) {
            const TimeRange range = m_trace.nvtx().range(i);
            const auto first = std::ranges::lower_bound(launches, range.start);
            with += first != launches.end() && *first < range.end ? 1 : 0;
        }
        return with * 2 >= candidate.ranges.size();
    }

    const std::vector<Ns>& launchesOf(GlobalId process)
    {
        const auto [place, added] = m_launches.try_emplace(process);
        if (!added || !m_trace.links)
            return place->second;
        const EventTable& calls = m_trace.apiCalls();
        for (const Track& track : calls.tracks) {
            if (processOf(track.owner) != process)
                continue;
            for (const EventIndex i : eventsOf(track, m_stop)) {
                if (i < m_trace.links->firstWork.size() && m_trace.links->firstWork[i] != noIndex)
                    place->second.push_back(calls.start[i]);
            }
        }
        sortRuns(place->second, std::less{}, m_stop);
        return place->second;
    }

    const Trace& m_trace;
    TimeRange m_window;
    const std::stop_token& m_stop;
    bool m_asked;
    Patterns m_patterns;
    std::map<std::pair<GlobalId, std::uint32_t>, StepCandidate> m_candidates;
    std::map<GlobalId, std::vector<EventIndex>> m_prefills;
    std::map<GlobalId, std::vector<OneTimeRange>> m_oneTime;
    std::map<GlobalId, std::vector<Ns>> m_launches;
};

/// Whether nearly all ranges of `inner` lie in ranges of `outer`.
bool holds(const NvtxTable& nvtx, const StepCandidate& outer, const StepCandidate& inner)
{
    if (outer.thread != inner.thread)
        return false;
    std::size_t inside = 0;
    auto around = outer.ranges.begin();
    for (const EventIndex i : inner.ranges) {
        while (around != outer.ranges.end() && nvtx.end(*around) < nvtx.end(i))
            ++around;
        if (around == outer.ranges.end())
            break;
        inside += nvtx.start[*around] <= nvtx.start[i] ? 1 : 0;
    }
    return static_cast<double>(inside) >= mostlyInside * static_cast<double>(inner.ranges.size());
}

} // namespace

StepSearch searchSteps(
    const Trace& trace, TimeRange window, const std::string& glob, const std::stop_token& stop)
{
    return Collector(trace, window, glob, stop).run();
}

bool isBetterStep(const Trace& trace, const StepCandidate& a, const StepCandidate& b)
{
    if (a.rank != b.rank) {
        const StepCandidate& named = a.rank > b.rank ? a : b;
        const StepCandidate& other = a.rank > b.rank ? b : a;
        const Ns factor = other.rank == StepRank::Container ? farLongerContainer : farLonger;
        return (named.total * factor >= other.total) == (&named == &a);
    }
    if (holds(trace.nvtx(), a, b) != holds(trace.nvtx(), b, a))
        return holds(trace.nvtx(), a, b);
    if (a.total < b.total / 2 || b.total < a.total / 2)
        return a.total > b.total;
    return a.ranges.size() != b.ranges.size() ? a.ranges.size() > b.ranges.size() : a.total > b.total;
}

} // namespace warpline
