// Ten million durations are to be summed up while a user looks on. So there is no sorting: a first pass
// counts them in some fifty thousand classes that are an eleventh of a percent wide, which tells in which
// class each percentile lies; a second one counts the single durations in these few classes.

#include "core/query/named_events.h"

#include "core/base/parallel.h"
#include "core/base/stop.h"
#include "core/filter/event_predicate.h"
#include "core/query/duration_classes.h"
#include "core/query/event_passes.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warpline {

namespace {

/// A stretch of a table's events.
struct Run {
    EventIndex first = 0;
    EventIndex last = 0;
};

constexpr EventIndex longestRun = 1U << 18U;

std::vector<Run> runsOf(const EventTable& table, TimeRange window)
{
    std::vector<Run> runs;
    const auto add = [&](EventIndex first, EventIndex last) {
        for (; first < last; first += std::min(longestRun, last - first))
            runs.push_back({first, first + std::min(longestRun, last - first)});
    };
    if (window.empty()) {
        add(0, static_cast<EventIndex>(table.size()));
        return runs;
    }
    for (const Lane& lane : table.lanes) {
        const auto [first, last] = table.touching(lane, window);
        add(first, last);
    }
    return runs;
}

/// Whether an event is asked for.
class Wanted {
public:
    Wanted(const Trace& trace, const NamedQuery& query, const std::stop_token& stop)
        : m_table(trace.table(query.kind)),
          m_query(query)
    {
        const FilterExpression filter(query.filter);
        if (!filter.passesAll())
            m_predicate.emplace(trace, filter, stop);
        if (query.kind == EventKind::Kernel && query.form != NameForm::Full)
            findForms(trace, stop);
        m_anyDuration = query.least <= 0 && query.most == std::numeric_limits<Ns>::max();
    }

    bool operator()(EventIndex i) const
    {
        if (m_query.kind == EventKind::Kernel && m_query.form == NameForm::Short) {
            if (m_launches[m_table.attribute[i]] == 0)
                return false;
        } else if (m_query.kind == EventKind::Kernel && m_query.form == NameForm::Label) {
            if (m_names[raw(m_table.name[i])] != called)
                return false;
        } else if (m_query.name && m_table.name[i] != *m_query.name) {
            return false;
        }
        if (!m_anyDuration && (m_table.duration[i] < m_query.least || m_table.duration[i] > m_query.most))
            return false;
        return !m_predicate || (*m_predicate)({m_query.kind, i});
    }

private:
    static constexpr std::uint8_t called = 2; ///< 1: looked at, and called otherwise

    void findForms(const Trace& trace, const std::stop_token& stop)
    {
        if (m_query.form == NameForm::Short) {
            for (const KernelLaunch& launch : trace.kernels().launches)
                m_launches.push_back(m_query.name && launch.shortName == *m_query.name ? 1 : 0);
            return;
        }
        m_names.resize(trace.pool->size());
        for (const EventIndex i : stoppable(EventIndex{0}, static_cast<EventIndex>(m_table.size()), stop)) {
            std::uint8_t& known = m_names[raw(m_table.name[i])];
            if (known == 0)
                known = trace.displayName({EventKind::Kernel, i}) == m_query.label ? called : 1;
        }
    }

    const EventTable& m_table;
    const NamedQuery& m_query;
    std::optional<EventPredicate> m_predicate;
    std::vector<std::uint8_t> m_launches; ///< with NameForm::Short, by launch
    std::vector<std::uint8_t> m_names; ///< with NameForm::Label, by StringId
    bool m_anyDuration = true;
};

/// What the first pass knows.
struct Coarse {
    std::vector<std::uint32_t> counts = std::vector<std::uint32_t>(durationClasses);
    Ns total = 0;
    Ns least = std::numeric_limits<Ns>::max();
    Ns most = std::numeric_limits<Ns>::min();
    EventIndex shortest = noIndex;
    EventIndex longest = noIndex;

    void add(Ns duration, EventIndex event)
    {
        ++counts[classOf(duration)];
        total += duration;
        if (duration < least) {
            least = duration;
            shortest = event;
        }
        if (duration > most) {
            most = duration;
            longest = event;
        }
    }
    void join(const Coarse& later)
    {
        for (std::size_t i = 0; i < durationClasses; ++i)
            counts[i] += later.counts[i];
        total += later.total;
        if (later.least < least) {
            least = later.least;
            shortest = later.shortest;
        }
        if (later.most > most) {
            most = later.most;
            longest = later.longest;
        }
    }
};

constexpr std::array<double, 7> shares{0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999};

/// The durations of the classes in which percentiles lie, counted one by one, or kept where a class is wide:
/// there are few as long as that.
class FineClasses {
public:
    static constexpr std::uint64_t widest = 65'536;

    explicit FineClasses(std::span<const std::size_t> wanted)
        : m_slot(durationClasses, 0)
    {
        for (const std::size_t index : wanted) {
            if (m_slot[index] != 0)
                continue;
            const auto [low, width] = extentOf(index);
            m_slots.push_back({low, width, {}, {}});
            m_slots.back().counts.resize(width <= widest ? width : 0);
            m_slot[index] = static_cast<std::uint8_t>(m_slots.size());
        }
    }

    void add(Ns duration)
    {
        const std::uint8_t slot = m_slot[classOf(duration)];
        if (slot == 0)
            return;
        Slot& of = m_slots[slot - 1U];
        if (of.width <= widest)
            ++of.counts[static_cast<std::size_t>(duration - of.low)];
        else
            of.kept.push_back(duration);
    }
    void join(const FineClasses& later)
    {
        for (std::size_t s = 0; s < m_slots.size(); ++s) {
            for (std::size_t i = 0; i < m_slots[s].counts.size(); ++i)
                m_slots[s].counts[i] += later.m_slots[s].counts[i];
            m_slots[s].kept.insert(
                m_slots[s].kept.end(), later.m_slots[s].kept.begin(), later.m_slots[s].kept.end());
        }
    }
    void finish()
    {
        for (Slot& slot : m_slots)
            std::ranges::sort(slot.kept);
    }
    /// The duration of rank `rank` among those of class `index`.
    Ns at(std::size_t index, std::uint64_t rank) const
    {
        const Slot& slot = m_slots[m_slot[index] - 1U];
        if (slot.width > widest)
            return slot.kept[rank];
        std::size_t i = 0;
        for (; rank >= slot.counts[i]; ++i)
            rank -= slot.counts[i];
        return slot.low + static_cast<Ns>(i);
    }

private:
    struct Slot {
        Ns low;
        std::uint64_t width;
        std::vector<std::uint32_t> counts;
        std::vector<Ns> kept;
    };
    std::vector<std::uint8_t> m_slot; ///< by class, from 1 on; 0: not wanted
    std::vector<Slot> m_slots;
};

/// Where a rank lies: its class, and its rank there.
struct RankPlace {
    std::size_t index = 0;
    std::uint64_t rank = 0;
};

/// Those of `ranks`, which all but ascend.
std::vector<RankPlace> placesOf(const Coarse& coarse, std::span<const std::uint64_t> ranks)
{
    std::vector<RankPlace> places;
    std::uint64_t before = 0;
    std::size_t index = 0;
    for (const std::uint64_t rank : ranks) {
        if (rank < before) { // of few events the ranks around neighbouring shares are the same ones
            before = 0;
            index = 0;
        }
        while (before + coarse.counts[index] <= rank)
            before += coarse.counts[index++];
        places.push_back({index, rank - before});
    }
    return places;
}

void setPercentiles(DurationFigures& figures, const std::array<double, shares.size()>& values)
{
    figures.p25 = values[0];
    figures.median = values[1];
    figures.p75 = values[2];
    figures.p90 = values[3];
    figures.p95 = values[4];
    figures.p99 = values[5];
    figures.p999 = values[6];
}

/// `at(rank)` for the two ranks around each share.
template <typename At> std::array<double, shares.size()> interpolated(std::uint64_t count, At&& at)
{
    std::array<double, shares.size()> values{};
    for (std::size_t s = 0; s < shares.size(); ++s) {
        const double rank = shares[s] * static_cast<double>(count - 1);
        const auto below = static_cast<std::uint64_t>(rank);
        const std::uint64_t above = std::min(below + 1, count - 1);
        const auto low = static_cast<double>(at(s * 2, below));
        const auto high = static_cast<double>(at(s * 2 + 1, above));
        values[s] = low + (high - low) * (rank - static_cast<double>(below));
    }
    return values;
}

/// What the second pass adds up.
struct Fine {
    FineClasses classes;
    double squares = 0;
    void join(const Fine& later)
    {
        classes.join(later.classes);
        squares += later.squares;
    }
};

} // namespace

NamedQuery namedAs(const Trace& trace, EventRef event, NameForm form)
{
    NamedQuery query;
    query.kind = event.kind;
    if (!event.valid() || event.index >= trace.table(event.kind).size())
        return query;
    query.name = trace.table(event.kind).name[event.index];
    if (event.kind == EventKind::Kernel && form == NameForm::Short)
        query.name = trace.kernels().launch(event.index).shortName;
    else if (event.kind == EventKind::Kernel && form == NameForm::Label)
        query.label = trace.displayName(event);
    else
        return query;
    query.form = form;
    return query;
}

std::vector<EventIndex> eventsOf(const Trace& trace, const NamedQuery& query, const std::stop_token& stop)
{
    const EventTable& table = trace.table(query.kind);
    const std::vector<Run> runs = runsOf(table, query.window);
    const Wanted wanted(trace, query, stop);
    std::vector<std::vector<EventIndex>> found(runs.size());
    std::size_t all = 0;
    for (const Run& run : runs)
        all += run.last - run.first;
    inParallel(std::min(threadsFor(all), std::max<std::size_t>(1, runs.size())), runs.size(),
        [&](std::size_t, std::size_t first, std::size_t last) {
            for (std::size_t r = first; r < last; ++r) {
                for (const EventIndex i : stoppable(runs[r].first, runs[r].last, stop)) {
                    if (wanted(i))
                        found[r].push_back(i);
                }
            }
        });
    std::size_t count = 0;
    for (const auto& part : found)
        count += part.size();
    std::vector<EventIndex> events;
    events.reserve(count);
    for (const auto& part : found)
        events.insert(events.end(), part.begin(), part.end());
    return events;
}

DurationFigures durationFigures(
    const EventTable& table, std::span<const EventIndex> events, const std::stop_token& stop)
{
    DurationFigures figures;
    figures.count = events.size();
    if (events.empty())
        return figures;
    const Coarse coarse
        = overEvents(events, Coarse(), stop, [&](Coarse& to, EventIndex i) { to.add(table.duration[i], i); });
    figures.total = coarse.total;
    figures.least = coarse.least;
    figures.most = coarse.most;
    figures.shortest = coarse.shortest;
    figures.longest = coarse.longest;
    figures.mean = static_cast<double>(coarse.total) / static_cast<double>(events.size());

    std::vector<std::uint64_t> ranks;
    (void)interpolated(figures.count, [&](std::size_t, std::uint64_t rank) {
        ranks.push_back(rank);
        return 0;
    });
    const std::vector<RankPlace> places = placesOf(coarse, ranks);
    std::vector<std::size_t> wanted;
    for (const RankPlace& place : places)
        wanted.push_back(place.index);
    Fine fine = overEvents(events, Fine{FineClasses(wanted)}, stop, [&](Fine& to, EventIndex i) {
        const Ns duration = table.duration[i];
        const double distance = static_cast<double>(duration) - figures.mean;
        to.squares += distance * distance;
        to.classes.add(duration);
    });
    fine.classes.finish();
    setPercentiles(figures, interpolated(figures.count, [&](std::size_t which, std::uint64_t) {
        return fine.classes.at(places[which].index, places[which].rank);
    }));
    figures.deviation
        = events.size() > 1 ? std::sqrt(fine.squares / static_cast<double>(events.size() - 1)) : 0;
    return figures;
}

DurationFigures durationFigures(std::span<Ns> durations)
{
    DurationFigures figures;
    figures.count = durations.size();
    if (durations.empty())
        return figures;
    std::ranges::sort(durations);
    for (const Ns duration : durations)
        figures.total += duration;
    figures.least = durations.front();
    figures.most = durations.back();
    figures.mean = static_cast<double>(figures.total) / static_cast<double>(durations.size());
    double squares = 0;
    for (const Ns duration : durations) {
        const double distance = static_cast<double>(duration) - figures.mean;
        squares += distance * distance;
    }
    figures.deviation
        = durations.size() > 1 ? std::sqrt(squares / static_cast<double>(durations.size() - 1)) : 0;
    setPercentiles(figures,
        interpolated(figures.count, [&](std::size_t, std::uint64_t rank) { return durations[rank]; }));
    return figures;
}

EventIndex nearestTo(
    const EventTable& table, std::span<const EventIndex> events, double duration, const std::stop_token& stop)
{
    struct Nearest {
        EventIndex event = noIndex;
        double distance = std::numeric_limits<double>::max();
        void join(const Nearest& later) { *this = later.distance < distance ? later : *this; }
    };
    return overEvents(events, Nearest(), stop, [&](Nearest& to, EventIndex i) {
        const double distance = std::abs(static_cast<double>(table.duration[i]) - duration);
        if (distance < to.distance)
            to = {i, distance};
    }).event;
}

std::uint64_t shorterThan(
    const EventTable& table, std::span<const EventIndex> events, Ns duration, const std::stop_token& stop)
{
    struct Count {
        std::uint64_t count = 0;
        void join(const Count& later) { count += later.count; }
    };
    return overEvents(events, Count(), stop, [&](Count& to, EventIndex i) {
        to.count += table.duration[i] < duration ? 1 : 0;
    }).count;
}

} // namespace warpline
