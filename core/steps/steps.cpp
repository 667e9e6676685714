#include "core/steps/steps.h"

#include "core/base/median.h"
#include "core/derive/kept_answers.h"
#include "core/steps/level_change.h"
#include "core/steps/slow_steps.h"
#include "core/steps/step_judge.h"
#include "core/steps/step_search.h"
#include "core/store/library_domains.h"
#include "core/store/trace.h"

#include <algorithm>
#include <functional>
#include <type_traits>
#include <unordered_map>

namespace warpline {

namespace {

constexpr std::size_t minPeers = 3; ///< to know the typical length of its kind

/// The work of every step, by its name.
std::vector<StepWork> worksOf(const Trace& trace, const StepSeries& series)
{
    std::vector<StepWork> works;
    works.reserve(series.events.size());
    std::unordered_map<StringId, StepWork> known; // by name, computed once
    for (const EventRef& event : series.events) {
        const StringId name = trace.table(event.kind).name[event.index];
        const auto [work, added] = known.try_emplace(name);
        if (added)
            work->second = stepWorkOf(trace.text(name));
        works.push_back(work->second);
    }
    return works;
}

/// The lengths of the steady steps, grouped by `key` of their work.
template <typename Key>
auto lengthsBy(const StepSeries& series, const std::vector<StepWork>& works, const CutSteps& cut, Key key)
{
    std::map<std::decay_t<std::invoke_result_t<Key, const StepWork&>>, std::vector<Ns>> lengths;
    for (std::size_t i = series.firstSteady; i < series.size(); ++i) {
        if (!cut.holds(i))
            lengths[std::invoke(key, works[i])].push_back(series.ranges[i].duration());
    }
    return lengths;
}

StepWork batchOf(StepWork work)
{
    work.promptTokens = -1;
    return work;
}

/// The steps from `firstSteady` on that settle at a lower level only later; 0 where they are of several
/// kinds.
std::size_t settling(const StepSeries& series, const std::vector<StepWork>& works, const CutSteps& cut)
{
    std::vector<Ns> lengths;
    std::size_t end = series.size();
    while (end > series.firstSteady && cut.holds(end - 1))
        --end;
    for (std::size_t i = series.firstSteady; i < end; ++i) {
        if (works[i].kind != works[series.firstSteady].kind || cut.holds(i))
            return 0;
        lengths.push_back(series.ranges[i].duration());
    }
    return settlesAt(lengths);
}

/// Warm-up ends with a step of about the typical length of its kind. At most a third of the steps, except for
/// those that the program itself names so, and those before the steps settle.
void findSteadyState(StepSeries& series, const std::vector<StepWork>& works, const CutSteps& cut)
{
    std::map<StepKind, Ns> usual;
    for (const auto& [kind, lengths] : lengthsBy(series, works, cut, &StepWork::kind))
        usual[kind] = upperMedian(lengths);
    const std::size_t most = series.firstSteady + series.steady() / 3;
    const auto isSlow = [&](std::size_t i) {
        const Ns typical = usual[works[i].kind];
        return series.ranges[i].duration() > typical + typical / 2;
    };
    // A cut first step has no known length: it is warm-up when the next one is.
    std::size_t first = series.firstSteady + (cut.holds(series.firstSteady) ? 1 : 0);
    while (first < most && isSlow(first))
        series.firstSteady = ++first;
    series.firstSteady += settling(series, works, cut);
}

void findTypical(StepSeries& series, const std::vector<StepWork>& works, const CutSteps& cut)
{
    const auto byKind = lengthsBy(series, works, cut, &StepWork::kind);
    std::size_t most = 0;
    for (const auto& [kind, lengths] : byKind) {
        if (lengths.size() > most) {
            most = lengths.size();
            series.median = middleOf(lengths);
        }
    }
    std::map<StepKind, Ns> ofKind;
    for (const auto& [kind, lengths] : byKind)
        ofKind[kind] = upperMedian(lengths);
    std::map<StepWork, Ns> ofPeers;
    for (const auto& [work, lengths] : lengthsBy(series, works, cut, std::identity{}))
        ofPeers[work] = lengths.size() >= minPeers ? upperMedian(lengths) : 0;
    series.typical.reserve(series.size());
    for (std::size_t i = 0; i < series.size(); ++i) {
        if (cut.holds(i)) {
            series.typical.push_back(0);
            continue;
        }
        const auto known = ofPeers.find(works[i]);
        Ns typical = known != ofPeers.end() ? known->second : 0;
        // A batch size that is rare: tokens of other batches take about as long, prompts do not.
        if (typical == 0 && works[i].kind != StepKind::Prefill && works[i].kind != StepKind::Mixed) {
            const auto kind = ofKind.find(works[i].kind);
            typical = kind != ofKind.end() ? kind->second : 0;
        }
        series.typical.push_back(typical);
    }
}

void findGroups(StepSeries& series, const std::vector<StepWork>& works, const CutSteps& cut)
{
    std::map<StepWork, StepPeers> groups;
    for (std::size_t i = series.firstSteady; i < series.size(); ++i) {
        if (cut.holds(i))
            continue;
        StepPeers& group = groups[batchOf(works[i])];
        group.work = batchOf(works[i]);
        group.steps.push_back(i);
    }
    for (auto& [work, group] : groups) {
        std::vector<Ns> lengths;
        for (const std::size_t i : group.steps)
            lengths.push_back(series.ranges[i].duration());
        group.median = middleOf(std::move(lengths));
        series.groups.push_back(std::move(group));
    }
}

/// Ranges that process a prompt, of the thread of the steps, and in none of them.
void addPrefills(const Trace& trace, StepSeries& series, const std::vector<EventIndex>& prefills)
{
    const NvtxTable& nvtx = trace.nvtx();
    if (containsWord(series.pattern, "prefill"))
        return;
    for (const EventIndex i : prefills) {
        const std::size_t step = series.at(nvtx.start[i]);
        const bool inside = step < series.size() && nvtx.start[i] < series.ranges[step].end;
        const bool holdsSteps = series.at(nvtx.end(i)) != step;
        if (!inside && !holdsSteps)
            series.prefills.push_back({EventKind::Nvtx, i});
    }
    std::ranges::sort(
        series.prefills, {}, [&](EventRef event) { return std::pair(nvtx.start[event.index], event.index); });
}

StepSeries seriesOf(const Trace& trace, TimeRange window, const std::string& glob,
    const StepCandidate& candidate, const StepSearch& search)
{
    StepSeries series;
    series.thread = candidate.thread;
    series.pattern = candidate.pattern;
    series.glob = glob.empty() ? globOfPattern(candidate.pattern) : glob;
    series.isFrames = !candidate.ranges.empty()
        && trace.text(trace.nvtx().trackOf(candidate.ranges.front()).family) == frameDomain;
    series.events.reserve(candidate.ranges.size());
    series.ranges.reserve(candidate.ranges.size());
    for (const EventIndex i : candidate.ranges) {
        series.events.push_back({EventKind::Nvtx, i});
        series.ranges.push_back(trace.nvtx().range(i).clippedTo(window));
    }
    judgeSteps(trace, series, candidate.warmUps, cutSteps(trace, series));
    if (const auto prefills = search.prefills.find(series.thread); prefills != search.prefills.end())
        addPrefills(trace, series, prefills->second);
    return series;
}

/// The best candidate of each process.
std::map<std::uint32_t, const StepCandidate*> bestOf(const Trace& trace, const StepSearch& search)
{
    std::map<std::uint32_t, const StepCandidate*> best;
    for (const StepCandidate& candidate : search.candidates) {
        const StepCandidate*& chosen = best[pidOf(candidate.thread)];
        if (!chosen || isBetterStep(trace, candidate, *chosen))
            chosen = &candidate;
    }
    return best;
}

} // namespace

CutSteps cutSteps(const Trace& trace, const StepSeries& host)
{
    CutSteps cut{host.size(), false, false};
    const auto isCut = [&](std::size_t i) {
        return host.events[i].kind == EventKind::Nvtx && host.ranges[i] != trace.range(host.events[i]);
    };
    if (!host.empty()) {
        cut.first = isCut(0);
        cut.last = isCut(host.size() - 1);
    }
    return cut;
}

std::size_t wholeSteadySteps(const StepSeries& host, const CutSteps& cut)
{
    std::size_t count = 0;
    for (std::size_t i = host.firstSteady; i < host.size(); ++i)
        count += cut.holds(i) ? 0 : 1;
    return count;
}

void judgeSteps(const Trace& trace, StepSeries& series, std::size_t warmUps, const CutSteps& cut)
{
    series.firstSteady = warmUps;
    series.typical.clear();
    series.groups.clear();
    const std::vector<StepWork> works = worksOf(trace, series);
    findSteadyState(series, works, cut);
    findTypical(series, works, cut);
    findGroups(series, works, cut);
}

std::size_t StepSeries::at(Ns time) const
{
    const auto after = std::ranges::upper_bound(ranges, time, {}, &TimeRange::start);
    return after == ranges.begin() ? ranges.size() : static_cast<std::size_t>(after - ranges.begin()) - 1;
}

std::string withoutNumbers(std::string_view name, char sign)
{
    std::string pattern;
    for (const char c : name) {
        const bool digit = c >= '0' && c <= '9';
        if (!digit)
            pattern += c;
        else if (!pattern.ends_with(sign))
            pattern += sign;
    }
    return pattern;
}

std::string commonName(const std::string& shown, const std::string& name)
{
    return shown.empty() || shown == name ? name : withoutNumbers(name);
}

namespace {

struct FoundSteps {
    std::vector<StepSeries> all; ///< findStepsOfThreads()
    std::map<std::uint32_t, std::size_t> main; ///< findSteps(): places in `all`
};

FoundSteps findAll(const Trace& trace, TimeRange window, const std::string& glob, const std::stop_token& stop)
{
    const StepSearch search = searchSteps(trace, window, glob, stop);
    const auto best = bestOf(trace, search);
    FoundSteps found;
    for (const StepCandidate& candidate : search.candidates) {
        const StepCandidate* const chosen = best.at(pidOf(candidate.thread));
        if (candidate.pattern != chosen->pattern)
            continue;
        if (&candidate == chosen)
            found.main[pidOf(candidate.thread)] = found.all.size();
        found.all.push_back(seriesOf(trace, window, glob, candidate, search));
    }
    return found;
}

/// Several ask for both.
std::shared_ptr<const FoundSteps> foundSteps(
    const Trace& trace, TimeRange window, const std::string& glob, const std::stop_token& stop)
{
    static KeptAnswers<Links, FoundSteps, StepsAsked> kept;
    const auto find = [&] { return findAll(trace, window, glob, stop); };
    return trace.links ? kept.of(trace.links, find, {&trace, window, glob})
                       : std::make_shared<const FoundSteps>(find());
}

} // namespace

std::map<std::uint32_t, StepSeries> findSteps(
    const Trace& trace, TimeRange window, const std::string& glob, const std::stop_token& stop)
{
    const auto found = foundSteps(trace, window, glob, stop);
    std::map<std::uint32_t, StepSeries> steps;
    for (const auto& [process, place] : found->main)
        steps.try_emplace(process, found->all[place]);
    return steps;
}

std::vector<StepSeries> findStepsOfThreads(
    const Trace& trace, TimeRange window, const std::string& glob, const std::stop_token& stop)
{
    return foundSteps(trace, window, glob, stop)->all;
}

std::string mainStepGlob(const std::map<std::uint32_t, StepSeries>& steps)
{
    std::string glob;
    Ns most = 0;
    for (const auto& [process, series] : steps) {
        Ns total = 0;
        for (const TimeRange& range : series.ranges)
            total += range.duration();
        if (total > most) {
            most = total;
            glob = series.glob;
        }
    }
    return glob;
}

} // namespace warpline
