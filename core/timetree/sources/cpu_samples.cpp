// CPU samples: one for each time that a running thread was sampled.

#include "core/store/event_loops.h"
#include "core/store/trace.h"
#include "core/timetree/time_tree_source.h"

namespace warpline::cpu_samples {

namespace {

bool hasSamples(const Trace& trace)
{
    return !trace.table(EventKind::Sample).empty();
}

TimeTree sampleTree(const Trace& trace, const TimeTreeQuery& query)
{
    const EventTable& samples = trace.table(EventKind::Sample);
    TimeTree tree;
    for (const Track& track : samples.tracks) {
        if (!query.asksFor(track.owner))
            continue;
        const std::uint32_t thread = tree.child(0, {.thread = track.owner});
        for (const EventIndex i : eventsOf(track, query.stop)) {
            if (query.asks(samples.start[i]))
                tree.addSelf(stackBelow(trace, {EventKind::Sample, i}, thread, tree), 1);
        }
    }
    tree.finish();
    return tree;
}

} // namespace

extern constinit const TimeTreeSource cpuSampleStacks{.id = "cpu",
    .title = "CPU samples",
    .description = "Functions by number of CPU samples",
    .unit = TimeTreeUnit::Samples,
    .applies = hasSamples,
    .fill = sampleTree};

} // namespace warpline::cpu_samples
