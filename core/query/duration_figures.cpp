// Statistics of ten million durations must be fast enough for an interactive user, so nothing is sorted. A
// first pass counts durations by nanosecond and keeps the few above 131 us. Where these are many, they go
// into classes a tenth of a percent wide, and a second pass counts single durations in the classes that
// contain percentiles.

#include "core/query/duration_classes.h"
#include "core/query/event_passes.h"
#include "core/query/named_events.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace warpline {

namespace {

constexpr std::size_t maxLonger = 100'000; // more take as long to sort as to look at all again

/// Result of the first pass.
struct Coarse {
    std::vector<std::uint32_t> counts = std::vector<std::uint32_t>(durationClasses);
    std::vector<Ns> longer; ///< of the exact classes
    Ns total = 0;
    Ns least = std::numeric_limits<Ns>::max();
    Ns most = std::numeric_limits<Ns>::min();
    EventIndex shortest = noIndex;
    EventIndex longest = noIndex;

    void add(std::span<const EventIndex> events, std::span<const Ns> durations)
    {
        Ns low = durations.front();
        Ns high = low;
        Ns sum = 0;
        for (const Ns duration : durations) {
            ++counts[classOf(duration)];
            if (duration >= static_cast<Ns>(exactClasses) && longer.size() <= maxLonger)
                longer.push_back(duration);
            sum += duration;
            low = std::min(low, duration);
            high = std::max(high, duration);
        }
        total += sum;
        const auto firstOf = [&](Ns duration) {
            return events[static_cast<std::size_t>(
                std::ranges::find(durations, duration) - durations.begin())];
        };
        if (low < least) {
            least = low;
            shortest = firstOf(low);
        }
        if (high > most) {
            most = high;
            longest = firstOf(high);
        }
    }
    void join(const Coarse& later)
    {
        for (std::size_t i = 0; i < durationClasses; ++i)
            counts[i] += later.counts[i];
        longer.insert(longer.end(), later.longer.begin(), later.longer.end());
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

/// The durations of the classes that contain percentiles, counted singly; stored where a class is wide,
/// because such long durations are few.
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

    void add(std::span<const Ns> durations)
    {
        for (const Ns duration : durations) {
            if (const std::uint8_t slot = m_slot[classOf(duration)]; slot != 0)
                add(m_slots[slot - 1U], duration);
        }
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
    /// The duration of rank `rank` within class `index`.
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
    static void add(Slot& to, Ns duration)
    {
        if (to.width <= widest)
            ++to.counts[static_cast<std::size_t>(duration - to.low)];
        else
            to.kept.push_back(duration);
    }

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

/// Sums of the second pass.
struct Fine {
    FineClasses classes;
    double squares = 0;
    void join(const Fine& later)
    {
        classes.join(later.classes);
        squares += later.squares;
    }
};

/// The squares of the distances from `mean`, added up: four sums, none of which waits for another.
double squaresOf(std::span<const Ns> durations, double mean)
{
    std::array<double, 4> sums{};
    for (std::size_t i = 0; i < durations.size(); ++i) {
        const double distance = static_cast<double>(durations[i]) - mean;
        sums[i % sums.size()] += distance * distance;
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// The result of the first pass where that is enough. Sorts the stored durations.
void setFromCounts(DurationFigures& figures, Coarse& coarse, std::span<const RankPlace> places)
{
    std::ranges::sort(coarse.longer);
    const std::uint64_t exact = figures.count - coarse.longer.size();
    setPercentiles(figures, interpolated(figures.count, [&](std::size_t which, std::uint64_t rank) {
        return rank < exact ? static_cast<Ns>(places[which].index) : coarse.longer[rank - exact];
    }));
    double squares = squaresOf(coarse.longer, figures.mean);
    for (std::size_t length = 0; length < exactClasses; ++length) {
        const double distance = static_cast<double>(length) - figures.mean;
        squares += static_cast<double>(coarse.counts[length]) * distance * distance;
    }
    figures.deviation = figures.count > 1 ? std::sqrt(squares / static_cast<double>(figures.count - 1)) : 0;
}

} // namespace

DurationFigures durationFigures(
    const EventTable& table, std::span<const EventIndex> events, const std::stop_token& stop)
{
    DurationCounts counts;
    return durationFigures(table, events, counts, stop);
}

DurationFigures durationFigures(const EventTable& table, std::span<const EventIndex> events,
    DurationCounts& counts, const std::stop_token& stop)
{
    DurationFigures figures;
    figures.count = events.size();
    counts = {{}, {}, events.empty()};
    if (events.empty())
        return figures;
    Coarse coarse = overDurations(table, events, Coarse(), stop,
        [](Coarse& to, std::span<const EventIndex> block, std::span<const Ns> durations) {
            to.add(block, durations);
        });
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
    if (coarse.longer.size() <= maxLonger) {
        setFromCounts(figures, coarse, places);
        coarse.counts.resize(exactClasses);
        counts = {std::move(coarse.counts), std::move(coarse.longer), true};
        return figures;
    }
    std::vector<std::size_t> wanted;
    for (const RankPlace& place : places)
        wanted.push_back(place.index);
    Fine fine = overDurations(table, events, Fine{FineClasses(wanted)}, stop,
        [&](Fine& to, std::span<const EventIndex>, std::span<const Ns> durations) {
            to.squares += squaresOf(durations, figures.mean);
            to.classes.add(durations);
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
    const auto distanceOf = [&](Ns each) { return std::abs(static_cast<double>(each) - duration); };
    // Durations are whole numbers: where one is as near as that, it is soon found, and none is nearer.
    const double least = std::abs(std::round(duration) - duration);
    constexpr std::size_t lookedAtFirst = 100'000;
    for (const EventIndex i : events.first(std::min(events.size(), lookedAtFirst))) {
        if (distanceOf(table.duration[i]) <= least)
            return i;
    }
    return overDurations(table, events, Nearest(), stop,
        [&](Nearest& to, std::span<const EventIndex> block, std::span<const Ns> durations) {
            double nearest = to.distance;
            for (const Ns each : durations)
                nearest = std::min(nearest, distanceOf(each));
            if (nearest < to.distance)
                to = {block[static_cast<std::size_t>(
                          std::ranges::find(durations, nearest, distanceOf) - durations.begin())],
                    nearest};
        })
        .event;
}

std::uint64_t shorterThan(
    const EventTable& table, std::span<const EventIndex> events, Ns duration, const std::stop_token& stop)
{
    struct Shorter {
        std::uint64_t count = 0;
        void join(const Shorter& later) { count += later.count; }
    };
    return overDurations(table, events, Shorter(), stop,
        [&](Shorter& to, std::span<const EventIndex>, std::span<const Ns> durations) {
            to.count += static_cast<std::uint64_t>(
                std::ranges::count_if(durations, [&](Ns each) { return each < duration; }));
        })
        .count;
}

} // namespace warpline
