#include "core/history/history.h"

#include "core/base/format_instant.h"
#include "core/base/median.h"
#include "core/base/message_names.h"
#include "core/base/rounded.h"
#include "core/base/share.h"
#include "core/findings/evidence.h"
#include "core/history/levels.h"
#include "core/load/report_files.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <ranges>
#include <tuple>
#include <utility>

namespace warpline {

namespace {

Ns figureOf(const Recording& recording, CompareFigure figure)
{
    return figure == CompareFigure::Mean ? recording.mean : recording.median;
}

/// `figure` of the recordings of a level.
std::vector<Ns> figuresOf(const History& history, const HistoryLevel& level, CompareFigure figure)
{
    std::vector<Ns> figures;
    for (std::size_t i = level.first; i < level.end; ++i)
        figures.push_back(figureOf(history.recordings[i], figure));
    return figures;
}

Ns levelOf(const HistoryLevel& level, CompareFigure figure)
{
    return figure == CompareFigure::Mean ? level.mean : level.median;
}

/// The parts of recordings by id, with the names of ranges only where all have ranges or none has.
class ComparedParts {
public:
    ComparedParts(const History& history, const HistoryLevel& before, const HistoryLevel& after)
        : m_history(history),
          m_parts(after.end)
    {
        const auto first = history.recordings.begin();
        const std::ranges::subrange both(first + static_cast<std::ptrdiff_t>(before.first),
            first + static_cast<std::ptrdiff_t>(after.end));
        const auto ranged = std::ranges::count(both, true, &Recording::hasRanges);
        const bool byRange = ranged == 0 || ranged == std::ranges::ssize(both);
        for (std::size_t i = before.first; i < after.end; ++i) {
            for (RecordedPart part : history.recordings[i].parts) {
                if (!byRange)
                    part.id = part.idWithoutRanges();
                m_all.try_emplace(part.id, part);
                m_parts[i][part.id] += part.time;
            }
        }
    }

    /// Every part that a recording has, by id.
    const std::map<std::string, RecordedPart>& all() const { return m_all; }

    /// Time of a part in each recording of a level that is no outlier; 0 where it has none.
    std::vector<Ns> timesIn(const HistoryLevel& level, const std::string& id) const
    {
        std::vector<Ns> times;
        for (std::size_t i = level.first; i < level.end; ++i) {
            if (m_history.outliers[i])
                continue;
            const auto part = m_parts[i].find(id);
            times.push_back(part != m_parts[i].end() ? part->second : 0);
        }
        return times;
    }

private:
    const History& m_history;
    std::vector<std::map<std::string, Ns>> m_parts; ///< times by id, by place in History::recordings
    std::map<std::string, RecordedPart> m_all;
};

std::vector<BudgetLine> budgetOfChange(
    const History& history, const HistoryLevel& before, const HistoryLevel& after, double runNoise)
{
    std::vector<BudgetLine> lines;
    const ComparedParts parts(history, before, after);
    for (const auto& [id, part] : parts.all()) {
        const std::vector<Ns> a = parts.timesIn(before, id);
        const std::vector<Ns> b = parts.timesIn(after, id);
        BudgetLine line;
        line.part = id;
        line.title = part.title();
        line.name = part.name();
        line.group = part.group;
        line.time = {meanLength(a), meanLength(b)};
        std::vector<Ns> both = a;
        both.insert(both.end(), b.begin(), b.end());
        line.noise = LevelNoise(both, runNoise).between(a, b);
        lines.push_back(std::move(line));
    }
    std::ranges::stable_sort(
        lines, std::greater{}, [](const BudgetLine& line) { return std::abs(line.delta()); });
    return lines;
}

/// The recording in [first, end) that is nearest to the level.
std::size_t nearestTo(
    const History& history, std::size_t first, std::size_t end, Ns level, CompareFigure figure)
{
    const auto apart
        = [&](std::size_t i) { return std::abs(figureOf(history.recordings[i], figure) - level); };
    std::size_t nearest = first;
    for (std::size_t i = first; i < end; ++i) {
        if (apart(i) < apart(nearest))
            nearest = i;
    }
    return nearest;
}

/// Places where the medians change, and where the means do and the medians near by do not.
std::map<std::size_t, CompareFigure> changePlaces(const std::vector<Recording>& recordings, double runNoise)
{
    constexpr std::size_t near = 3; // recordings: one change of both
    std::vector<Ns> medians;
    std::vector<Ns> means;
    for (const Recording& recording : recordings) {
        medians.push_back(recording.median);
        means.push_back(recording.mean);
    }
    std::map<std::size_t, CompareFigure> places;
    const std::vector<std::size_t> ofMedians = levelsIn(medians, runNoise);
    for (const std::size_t place : ofMedians)
        places.emplace(place, CompareFigure::Median);
    for (const std::size_t place : levelsIn(means, runNoise)) {
        const bool known = std::ranges::any_of(ofMedians,
            [&](std::size_t other) { return std::max(place, other) - std::min(place, other) < near; });
        if (!known)
            places.emplace(place, CompareFigure::Mean);
    }
    return places;
}

void addLevel(History& history, std::size_t first, std::size_t end)
{
    HistoryLevel level{first, end, 0, 0};
    const std::vector<Ns> medians = figuresOf(history, level, CompareFigure::Median);
    level.median = middleOf(medians);
    level.mean = middleOf(figuresOf(history, level, CompareFigure::Mean));
    const NormalFigures normal(medians);
    for (const Ns median : medians)
        history.outliers.push_back(!normal.has(median));
    history.levels.push_back(level);
}

HistoryChange changeAt(const History& history, std::size_t i, CompareFigure figure, double runNoise)
{
    constexpr std::size_t maxCommitDistance = 5; // commits further back may have changed something else
    const HistoryLevel& before = history.levels[i];
    const HistoryLevel& after = history.levels[i + 1];
    HistoryChange change;
    change.at = after.first;
    change.figure = figure;
    change.time = {levelOf(before, figure), levelOf(after, figure)};
    const HistoryLevel all{0, history.recordings.size(), 0, 0};
    change.noise = LevelNoise(figuresOf(history, all, figure), runNoise)
                       .between(figuresOf(history, before, figure), figuresOf(history, after, figure));
    change.budget = budgetOfChange(history, before, after, runNoise);
    const std::size_t from = before.end - std::min(maxCommitDistance, before.end - before.first);
    const std::size_t to = std::min(after.end, after.first + maxCommitDistance);
    change.compared = {nearestTo(history, from, before.end, change.time.a, figure),
        nearestTo(history, after.first, to, change.time.b, figure)};
    return change;
}

/// The spread of the steps of a level's recordings that are no outliers.
StepSpread stepsOf(const History& history, const HistoryLevel& level)
{
    std::vector<StepSpread> spreads;
    for (std::size_t i = level.first; i < level.end; ++i) {
        if (!history.outliers[i])
            spreads.push_back(history.recordings[i].spread);
    }
    return spreadOfRuns(spreads);
}

/// The noise between the newest recording and the others of its level, as compareRuns() has it. The
/// recordings alone show it where they have one step each.
Ns noiseOfNewest(const History& history, const HistoryLevel& others, CompareFigure figure, double runNoise)
{
    const Recording& newest = history.recordings.back();
    const Recording& other = history.recordings[others.first];
    const bool repeated = others.end - others.first > 1;
    const std::vector<Ns> level = figuresOf(history, others, figure);
    const Ns recordings = LevelNoise(level, runNoise)
                              .between(level, std::vector{figureOf(newest, figure)},
                                  repeated ? 0 : std::min(newest.idleForHost(), other.idleForHost()));
    const StepSpread steps = stepsOf(history, others);
    return std::max(recordings,
        figure == CompareFigure::Mean ? meanNoiseOf(steps, newest.spread, recordings)
                                      : medianNoiseOf(steps, newest.spread, recordings));
}

NewestRecording newestOf(const History& history, double runNoise)
{
    NewestRecording newest;
    const HistoryLevel& last = history.levels.back();
    if (last.end - last.first < 2)
        return newest;
    newest.verdict = CompareVerdict::NoDifference;
    const HistoryLevel others{last.first, last.end - 1, 0, 0};
    double most = 1;
    for (const CompareFigure figure : {CompareFigure::Median, CompareFigure::Mean}) {
        const Ns middle = middleOf(figuresOf(history, others, figure));
        const Ns own = figureOf(history.recordings.back(), figure);
        const Ns noise = noiseOfNewest(history, others, figure, runNoise);
        const double least
            = std::max({1.0, static_cast<double>(noise), minLevelChange * static_cast<double>(middle)});
        const double strength = static_cast<double>(std::abs(own - middle)) / least;
        if (figure == CompareFigure::Median || strength > most) {
            newest.figure = figure;
            newest.time = {middle, own};
            newest.noise = noise;
        }
        if (strength > most)
            newest.verdict = own > middle ? CompareVerdict::Slower : CompareVerdict::Faster;
        most = std::max(most, strength);
    }
    return newest;
}

/// "12.1 ms → 13.4 ms per step (+10.7%, noise ±80 µs)"
Message figuresText(const Both<Ns>& time, Ns noise, CompareFigure figure, const Name& unit)
{
    const double percent = 100 * shareOf(time.b - time.a, time.a);
    return {"history.values",
        "{before} → {after}{unit, select, step { per step} other {}} ({less, select, yes {} other {+}}{percent}%{figure, select, mean {, mean} other {}}, noise ±{noise})",
        {{"before", Duration{time.a}}, {"after", Duration{time.b}}, {"unit", unit},
            {"less", yesOrNo(percent < 0)}, {"percent", Number{percent, 1}},
            {"figure", Name{std::string(keyOf(figure))}}, {"noise", Duration{noise}}}};
}

Message sentenceOf(const History& history)
{
    const std::vector<Recording>& recordings = history.recordings;
    if (recordings.empty())
        return {"history.none", "No recordings to compare."};
    const Name unit{
        std::string(keyOf(recordings.back().pattern.empty() ? CompareUnit::Whole : CompareUnit::Step))};
    const Count count{recordings.size()};
    const NewestRecording& newest = history.newest;
    const bool isNewestApart
        = newest.verdict == CompareVerdict::Slower || newest.verdict == CompareVerdict::Faster;
    Message text;
    if (history.changes.empty() && isNewestApart && recordings.size() == 2) {
        // Together they have no level.
    } else if (history.changes.empty()) {
        text = {"history.no_change",
            "{count, plural, one {One recording} other {No change beyond the noise in # recordings}}: "
            "{level}{unit, select, step { per step} other { from the first to the last GPU work}}."
            "{count, plural, one { A history needs at least two.} other {}}",
            {{"count", count}, {"level", Duration{history.levels.back().median}}, {"unit", unit}}};
    } else {
        const HistoryChange& last = history.changes.back();
        const Recording& first = recordings[last.at];
        text = {"history.change",
            "{verdict, select, slower {Slower} other {Faster}} since {file}, {time} UTC: {values}.",
            {{"verdict", Name{std::string(keyOf(last.verdict()))}}, {"file", Name{first.file}},
                {"time", Name{formatUtc(first.started)}},
                {"values", figuresText(last.time, last.noise, last.figure, unit)}}};
        if (history.changes.size() > 1)
            text += {"history.changes",
                "{changes} changes in {count, plural, one {# recording} other {# recordings}}.",
                {{"changes", Count{history.changes.size()}}, {"count", count}}};
    }
    if (isNewestApart)
        text += {"history.newest",
            "The newest recording alone is {verdict, select, slower {slower} other {faster}}: {values}.",
            {{"verdict", Name{std::string(keyOf(newest.verdict))}},
                {"values", figuresText(newest.time, newest.noise, newest.figure, unit)}}};
    return text;
}

/// The most frequent value of `of` among the recordings; for ties the newest one's.
template <typename Of> std::string mostFrequent(const std::vector<Recording>& recordings, Of of)
{
    std::map<std::string, std::pair<std::size_t, Ns>> counts;
    for (const Recording& recording : recordings) {
        auto& [count, newest] = counts[of(recording)];
        ++count;
        newest = std::max(newest, recording.started);
    }
    const auto most = std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; });
    return most != counts.end() ? most->first : std::string();
}

/// Removes recordings whose `of` is not `most`; `reason` makes a sentence from both values.
template <typename Of, typename Reason>
void takeOthers(std::vector<Recording>& recordings, std::vector<StrangeRecording>& strangers, Of of,
    const std::string& most, Reason reason)
{
    std::erase_if(recordings, [&](const Recording& recording) {
        const std::string own = of(recording);
        if (own == most)
            return false;
        strangers.push_back({recording.file, reason(own, most), false});
        return true;
    });
}

/// Whole recordings come first, so that a part of one leaves, and not the whole.
void takeCopies(std::vector<Recording>& recordings, std::vector<StrangeRecording>& strangers)
{
    std::ranges::stable_partition(recordings, std::logical_not{}, &Recording::isPart);
    std::map<std::tuple<Ns, Ns, Ns, std::size_t>, std::string> measures;
    std::map<std::tuple<Ns, Ns, Ns>, std::string> sessions;
    std::erase_if(recordings, [&](const Recording& each) {
        const auto [session, isFirst]
            = sessions.try_emplace({each.started, each.session.start, each.session.end}, each.file);
        const auto [same, isOther]
            = measures.try_emplace({each.started, each.median, each.mean, each.steps}, each.file);
        const bool isCopy = each.isPart ? !isFirst : !isOther;
        if (isCopy)
            strangers.push_back({each.file,
                {"history.copy", "It is of the same recording as {other}, which counts once.",
                    {{"other", Name{each.isPart ? session->second : same->second}}}},
                true});
        return isCopy;
    });
}

} // namespace

double HistoryChange::share() const
{
    return shareOf(time.b - time.a, time.a);
}

double NewestRecording::share() const
{
    return shareOf(time.b - time.a, time.a);
}

double NewestRecording::noisePercent() const
{
    return 100 * shareOf(noise, time.a);
}

bool History::isRegression(double percent) const
{
    const auto isSlower = [&](CompareVerdict verdict, double share) {
        return verdict == CompareVerdict::Slower && 100 * share > percent;
    };
    return (!changes.empty() && isSlower(changes.back().verdict(), changes.back().share()))
        || isSlower(newest.verdict, newest.share());
}

std::vector<StrangeRecording> takeStrangers(std::vector<Recording>& recordings, bool areStepsNamed)
{
    std::vector<StrangeRecording> strangers;
    takeCopies(recordings, strangers); // first, because a copy has no say in what the others must be
    const auto programOf = [](const Recording& each) { return each.program; };
    takeOthers(recordings, strangers, programOf, mostFrequent(recordings, programOf),
        [](const std::string& own, const std::string& most) {
            const auto program = [](const std::string& name) {
                return Message("history.program", "{named, select, yes {{name}} other {an unnamed program}}",
                    {{"named", Name{name.empty() ? "no" : "yes"}}, {"name", Name{name}}});
            };
            return Message("history.other_program", "It records {own}, but the history is of {most}.",
                {{"own", program(own)}, {"most", program(most)}});
        });
    const auto gpusOf = [](const Recording& each) { return each.gpus; };
    takeOthers(recordings, strangers, gpusOf, mostFrequent(recordings, gpusOf),
        [](const std::string& own, const std::string& most) {
            return Message("history.other_gpus",
                "It was recorded on {own}, but the history is of recordings on {most}.",
                {{"own", Name{own}}, {"most", Name{most}}});
        });
    const auto patternOf = [](const Recording& each) { return each.pattern; };
    const auto withSteps = std::ranges::find_if_not(recordings, &std::string::empty, &Recording::pattern);
    const bool isChosen = areStepsNamed && withSteps != recordings.end(); // also where most have none
    takeOthers(recordings, strangers, patternOf,
        isChosen ? withSteps->pattern : mostFrequent(recordings, patternOf),
        [](const std::string& own, const std::string& most) {
            if (own.empty())
                return Message("history.lacks_steps",
                    "It has no steps, but those of the history are '{most}'.", {{"most", Name{most}}});
            if (most.empty())
                return Message("history.has_steps", "Its steps are '{own}', but the history has no steps.",
                    {{"own", Name{own}}});
            return Message("history.other_steps",
                "Its steps are '{own}', but those of the history are '{most}'.",
                {{"own", Name{own}}, {"most", Name{most}}});
        });
    return strangers;
}

History historyOf(std::vector<Recording> recordings, double runNoise)
{
    History history;
    std::ranges::stable_sort(recordings, [](const Recording& a, const Recording& b) {
        return a.started != b.started ? a.started < b.started : comesBefore(a.file, b.file);
    });
    history.recordings = std::move(recordings);
    if (!history.recordings.empty()) {
        const std::map<std::size_t, CompareFigure> places = changePlaces(history.recordings, runNoise);
        std::size_t first = 0;
        for (const auto& [place, figure] : places)
            addLevel(history, std::exchange(first, place), place);
        addLevel(history, first, history.recordings.size());
        std::size_t i = 0;
        for (const auto& [place, figure] : places)
            history.changes.push_back(changeAt(history, i++, figure, runNoise));
        history.newest = newestOf(history, runNoise);
    }
    history.sentence = sentenceOf(history);
    return history;
}

ChangeStory storyOfChange(const SideReport& before, const SideReport& after, const std::string& stepGlob,
    double runNoise, const std::stop_token& stop)
{
    CompareRequest request;
    request.a.reports.push_back(before);
    request.b.reports.push_back(after);
    request.a.stepGlob = request.b.stepGlob = stepGlob;
    request.runNoise = runNoise;
    Comparison comparison = compareRuns(request, stop);
    return {comparison.comparable, comparison.verdict, std::move(comparison.sentence),
        std::move(comparison.story)};
}

} // namespace warpline
