#include "core/stats/name_durations.h"

#include "core/base/parallel.h"
#include "core/derive/kept_answers.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <array>

namespace warpline {

namespace {

std::vector<NameDurations> summarizeNames(
    const Trace& trace, const EventTable& table, const std::stop_token& stop)
{
    constexpr std::uint32_t none = ~std::uint32_t{0};
    std::vector<std::uint32_t> numbers(trace.pool->size(), none); // by name
    std::vector<NameDurations> summaries;
    std::vector<std::uint32_t> counts;
    for (const StringId name : stoppableItems(table.name, stop)) {
        std::uint32_t& number = numbers[raw(name)];
        if (number == none) {
            number = static_cast<std::uint32_t>(counts.size());
            counts.push_back(0);
            summaries.push_back({name, {}});
        }
        ++counts[number];
    }
    std::vector<std::size_t> next; // position of the next duration of each name
    std::size_t before = 0;
    for (const std::uint32_t count : counts) {
        next.push_back(before);
        before += count;
    }
    std::vector<std::int64_t> durations(table.size());
    for (const EventIndex i : everyEvent(table, stop))
        durations[next[numbers[raw(table.name[i])]]++] = table.duration[i];
    // Each `next` is by now where the durations of its name end.
    handOut(threadsFor(table.size()), counts.size(), [&](std::size_t n) {
        throwIfStopped(stop);
        summaries[n].durations = summarize(std::span(durations).subspan(next[n] - counts[n], counts[n]));
    });
    return summaries;
}

} // namespace

std::shared_ptr<const std::vector<NameDurations>> durationsByName(
    const Trace& trace, EventKind kind, const std::stop_token& stop)
{
    // One each, so that two kinds can be computed in parallel.
    static std::array<KeptAnswers<EventTable, std::vector<NameDurations>>, eventKindCount> kept;
    const std::shared_ptr<const EventTable>& table = trace.tables[indexOf(kind)];
    return kept[indexOf(kind)].of(table, [&] { return summarizeNames(trace, *table, stop); });
}

} // namespace warpline
