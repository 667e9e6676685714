// warpline-bench-names [EVENTS [ONE_IN]]: the time for the statistics of one name with so many events, ten
// million by default. Every event but one in ONE_IN of the table has the name: 2 makes half of them others.

#include "core/query/name_answer.h"
#include "core/query/name_groups.h"
#include "core/store/table_builder.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <random>

namespace warpline::bench {
namespace {

/// Two names on four streams, ten microseconds to some milliseconds long.
std::shared_ptr<const Trace> drawnTrace(std::size_t events, std::size_t oneIn)
{
    auto trace = std::make_shared<Trace>();
    auto pool = std::make_shared<StringPool>();
    const std::array names{pool->intern("wanted"), pool->intern("other")};
    auto table = std::make_shared<EventTable>();
    table->kind = EventKind::Memset;
    std::mt19937_64 random(1);
    std::lognormal_distribution<double> length(10, 0.7);
    const std::size_t each = events * oneIn / (oneIn - 1) / 4;
    for (std::uint32_t stream = 0; stream < 4; ++stream) {
        Track track;
        track.stream = static_cast<std::int32_t>(stream);
        track.device = 0;
        track.firstLane = stream;
        track.laneCount = 1;
        track.firstEvent = static_cast<EventIndex>(stream * each);
        track.eventCount = static_cast<std::uint32_t>(each);
        table->tracks.push_back(track);
        table->lanes.push_back({track.firstEvent, track.eventCount});
        Ns at = 0;
        for (std::size_t i = 0; i < each; ++i) {
            const auto duration = static_cast<Ns>(length(random));
            table->start.push_back(at);
            table->duration.push_back(duration);
            table->name.push_back(names[random() % oneIn == 1 ? 1 : 0]);
            at += duration + 1000;
        }
        trace->session.end = std::max(trace->session.end, at);
    }
    table->indexBlocks();
    trace->pool = pool;
    trace->tables[indexOf(EventKind::Memset)] = table;
    return trace;
}

/// The best of five: on the clock, and of all processors together, which other programs do not lengthen.
void measure(const char* what, const std::function<void()>& work)
{
    double wall = 1e9;
    double processors = 1e9;
    for (int i = 0; i < 5; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        const std::clock_t used = std::clock();
        work();
        wall = std::min(wall,
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
        processors = std::min(processors, static_cast<double>(std::clock() - used) * 1e3 / CLOCKS_PER_SEC);
    }
    fmt::print("{:<34} {:8.1f} ms {:8.1f} ms of processors\n", what, wall, processors);
}

void run(std::size_t count, std::size_t oneIn)
{
    const auto trace = drawnTrace(count, oneIn);
    const EventTable& table = trace->table(EventKind::Memset);
    NamedQuery query{
        .kind = EventKind::Memset, .name = table.name.front(), .label = {}, .window = {}, .filter = {}};
    std::vector<EventIndex> events;
    DurationFigures figures;
    measure("events of the name", [&] { events = eventsOf(*trace, query); });
    measure("figures and percentiles", [&] { figures = durationFigures(table, events); });
    measure("nearest to the median", [&] { (void)nearestTo(table, events, figures.median); });
    measure("histogram",
        [&] { (void)durationHistogram(table, events, histogramEdges(figures, 120, true), true); });
    measure("pace over time",
        [&] { (void)paceOverTime(table, events, trace->session, 1000, figures.outlierFence()); });
    measure("rank of the current event",
        [&] { (void)shorterThan(table, events, static_cast<Ns>(figures.median)); });
    measure(
        "pace over instances", [&] { (void)paceOverInstances(table, events, 1000, figures.outlierFence()); });
    for (const NameGroupingInfo& by : allNameGroupings()) {
        if (canGroup(*trace, EventKind::Memset, by.grouping))
            measure(fmt::format("groups by {}", by.key).c_str(), [&] {
                (void)groupsOf(*trace, EventKind::Memset, events, {.grouping = by.grouping, .field = {}});
            });
    }
    NameWishes wishes;
    measure("the answer, as the panel asks", [&] { (void)nameAnswer(*trace, query, wishes, {}); });
    wishes.byInstance = true;
    measure("the answer, instance by instance", [&] { (void)nameAnswer(*trace, query, wishes, {}); });
    query.filter = "dur>20us stream=0,1";
    measure("events of a filter", [&] { (void)eventsOf(*trace, query); });
    fmt::print("{} of {} events\n", events.size(), table.size());
}

} // namespace
} // namespace warpline::bench

int main(int argc, char** argv)
{
    const auto number = [&](int at, std::size_t otherwise) {
        return argc > at ? static_cast<std::size_t>(std::strtoull(argv[at], nullptr, 10)) : otherwise;
    };
    if (number(1, 1) == 0 || number(2, 2) == 0) {
        std::fputs("usage: warpline-bench-names [EVENTS [ONE_IN]]\n", stderr);
        return 2;
    }
    warpline::bench::run(number(1, 10'000'000), std::max<std::size_t>(2, number(2, 10)));
    return 0;
}
