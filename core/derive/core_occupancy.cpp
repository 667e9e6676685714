#include "core/derive/core_occupancy.h"

#include "core/store/attributes.h"
#include "core/store/event_loops.h"
#include "core/store/table_builder.h"

#include <fmt/format.h>

#include <map>

namespace warpline {

namespace {

StringId threadName(const Trace& trace, StringPool& pool, GlobalId thread)
{
    const Thread* const known = trace.thread(thread);
    const std::string_view name = known ? trace.text(known->name) : std::string_view();
    return pool.intern(name.empty() ? fmt::format("Thread [{}]", tidOf(thread))
                                    : fmt::format("[{}] {}", tidOf(thread), name));
}

} // namespace

std::shared_ptr<const EventTable> coreOccupancy(
    const Trace& trace, StringPool& pool, const std::stop_token& stop)
{
    const EventTable& states = trace.table(EventKind::ThreadState);
    TableBuilder all(EventKind::CpuCore);
    StringId running{};
    if (states.empty() || !pool.find("Running", running))
        return finish(all);
    std::map<std::uint32_t, std::uint32_t> trackOfCore;
    for (const EventIndex i : everyEvent(states, stop)) {
        if (states.name[i] == running)
            trackOfCore.try_emplace(coreOfState(trace, i), 0);
    }
    for (auto& [core, track] : trackOfCore) {
        TrackKey key;
        key.family = pool.intern(fmt::format("CPU {}", core));
        key.source = states.tracks.front().source;
        track = all.track(key);
    }
    for (const Track& thread : states.tracks) {
        const StringId name = threadName(trace, pool, thread.owner);
        for (const EventIndex i : eventsOf(thread, stop)) {
            if (states.name[i] != running)
                continue;
            all.add(trackOfCore[coreOfState(trace, i)], states.start[i], states.end(i), name,
                states.sourceRow.empty() ? 0 : states.sourceRow[i]);
            all.addAttribute(i);
        }
    }
    return finish(all);
}

} // namespace warpline
