#include "core/steps/steps.h"

#include "core/base/stop.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace warpline {

namespace {

constexpr std::array<std::string_view, 10> stepWords{
    "step", "iter", "batch", "epoch", "token", "decode", "replay", "frame", "train", "generate"};
constexpr std::size_t fewestNamed = 3; ///< ranges whose name says that they are steps
constexpr std::size_t fewestUnnamed = 5;
constexpr Ns shortestStep = 20'000;
constexpr double leastNamed = 0.2; ///< of the time from the first to the last that the ranges cover
constexpr double leastUnnamed = 0.5;

struct Candidate {
    std::string pattern;
    bool named = false;
    std::vector<EventIndex> ranges; ///< in order of time, not overlapping
    Ns total = 0;
};

using Candidates = std::map<std::pair<GlobalId, std::uint32_t>, Candidate>;

/// The pattern of each name, made once: names are few.
class Patterns {
public:
    explicit Patterns(const Trace& trace)
        : m_trace(trace)
    {
    }

    std::uint32_t of(StringId name)
    {
        const auto [place, added] = m_ids.try_emplace(raw(name), 0);
        if (added) {
            const std::string text = withoutNumbers(m_trace.text(name));
            place->second
                = m_patterns.try_emplace(text, static_cast<std::uint32_t>(m_patterns.size())).first->second;
            if (m_texts.size() < m_patterns.size())
                m_texts.push_back(text);
        }
        return place->second;
    }
    const std::string& text(std::uint32_t id) const { return m_texts[id]; }

private:
    const Trace& m_trace;
    std::unordered_map<std::uint32_t, std::uint32_t> m_ids;
    std::unordered_map<std::string, std::uint32_t> m_patterns;
    std::vector<std::string> m_texts;
};

bool isNamedLikeStep(std::string_view pattern)
{
    return std::ranges::any_of(stepWords, [&](std::string_view word) { return containsWord(pattern, word); });
}

/// Ranges by thread and pattern. Only NVTX' default domain: the others are libraries'.
Candidates collect(const Trace& trace, TimeRange window, const std::stop_token& stop)
{
    const NvtxTable& nvtx = trace.nvtx();
    Patterns patterns(trace);
    Candidates candidates;
    for (const Track& track : nvtx.tracks) {
        if (!trace.text(track.family).empty())
            continue;
        for (const Lane& lane : nvtx.lanesOf(track)) {
            const auto [first, last] = nvtx.touching(lane, window);
            for (const EventIndex i : stoppable(first, last, stop)) {
                if (nvtx.duration[i] <= 0 || nvtx.attributesOf(i).open)
                    continue;
                const std::uint32_t pattern = patterns.of(nvtx.name[i]);
                Candidate& candidate = candidates[{track.owner, pattern}];
                if (candidate.ranges.empty())
                    candidate.pattern = patterns.text(pattern);
                // A range inside one of the same name belongs to it; a lane above comes first.
                if (!candidate.ranges.empty() && nvtx.start[i] < nvtx.end(candidate.ranges.back()))
                    continue;
                candidate.ranges.push_back(i);
                candidate.total += nvtx.range(i).clippedTo(window).duration();
            }
        }
    }
    for (auto& [key, candidate] : candidates)
        candidate.named = isNamedLikeStep(candidate.pattern);
    std::erase_if(candidates, [&](const auto& entry) {
        const Candidate& each = entry.second;
        if (each.pattern.find("::") != std::string::npos)
            return true; // an operator of a framework ("aten::add, op_id = #"), none of the program's own
                         // ranges
        const Ns spanned = nvtx.end(each.ranges.back()) - nvtx.start[each.ranges.front()];
        return each.ranges.size() < (each.named ? fewestNamed : fewestUnnamed)
            || each.total < shortestStep * static_cast<Ns>(each.ranges.size())
            || static_cast<double>(each.total)
            < (each.named ? leastNamed : leastUnnamed) * static_cast<double>(spanned);
    });
    return candidates;
}

/// True when `a` tells the iterations better than `b`.
bool isBetter(const Candidate& a, const Candidate& b)
{
    if (a.named != b.named)
        return a.named ? a.total * 4 >= b.total : a.total > b.total * 4;
    if (a.total < b.total / 2 || b.total < a.total / 2)
        return a.total > b.total;
    return a.ranges.size() != b.ranges.size() ? a.ranges.size() > b.ranges.size() : a.total > b.total;
}

void findSteadyState(StepSeries& series)
{
    std::vector<Ns> lengths;
    for (const TimeRange& range : series.ranges)
        lengths.push_back(range.duration());
    const Ns usual = medianOf(lengths);
    // Warm-up ends where a step takes about as long as most do; it is never more than a third of the steps.
    while (series.firstSteady < lengths.size() / 3 && lengths[series.firstSteady] > usual + usual / 2)
        ++series.firstSteady;
    series.median
        = medianOf({lengths.begin() + static_cast<std::ptrdiff_t>(series.firstSteady), lengths.end()});
}

} // namespace

Ns medianOf(std::vector<Ns> lengths)
{
    if (lengths.empty())
        return 0;
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::ranges::nth_element(lengths, middle);
    return *middle;
}

std::size_t StepSeries::at(Ns time) const
{
    const auto after = std::ranges::upper_bound(ranges, time, {}, &TimeRange::start);
    return after == ranges.begin() ? ranges.size() : static_cast<std::size_t>(after - ranges.begin()) - 1;
}

std::string withoutNumbers(std::string_view name)
{
    std::string pattern;
    for (const char c : name) {
        const bool digit = c >= '0' && c <= '9';
        if (!digit)
            pattern += c;
        else if (pattern.empty() || pattern.back() != '#')
            pattern += '#';
    }
    return pattern;
}

bool containsWord(std::string_view text, std::string_view part)
{
    const auto found = std::ranges::search(text, part,
        [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b; });
    return !found.empty();
}

std::map<std::uint32_t, StepSeries> findSteps(
    const Trace& trace, TimeRange window, const std::stop_token& stop)
{
    const Candidates candidates = collect(trace, window, stop);
    std::map<std::uint32_t, std::pair<GlobalId, const Candidate*>> best;
    for (const auto& [key, candidate] : candidates) {
        auto& chosen = best[pidOf(key.first)];
        if (!chosen.second || isBetter(candidate, *chosen.second))
            chosen = {key.first, &candidate};
    }
    std::map<std::uint32_t, StepSeries> steps;
    for (const auto& [process, chosen] : best) {
        StepSeries& series = steps[process];
        series.thread = chosen.first;
        series.pattern = chosen.second->pattern;
        for (const EventIndex i : chosen.second->ranges) {
            series.events.push_back({EventKind::Nvtx, i});
            series.ranges.push_back(trace.nvtx().range(i).clippedTo(window));
        }
        findSteadyState(series);
    }
    std::erase_if(steps, [](const auto& entry) { return entry.second.median < shortestStep; });
    return steps;
}

} // namespace warpline
