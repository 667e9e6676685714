// Ten million durations are to be summed up while a user looks on. So there is no sorting: a first pass
// counts them in some fifty thousand classes that are an eleventh of a percent wide, which tells in which
// class each percentile lies; a second one counts the single durations in these few classes.

#include "core/query/duration_classes.h"
#include "core/query/event_passes.h"
#include "core/query/named_events.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace warpline {

namespace {

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
