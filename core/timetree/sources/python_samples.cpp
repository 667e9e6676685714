// Python samples: stacks of Python functions, usually a thousand times per second. nsys samples every thread,
// running or waiting, and writes the samples as NVTX marks.

#include "core/store/python_samples.h"
#include "core/store/event_loops.h"
#include "core/store/nvtx_types.h"
#include "core/store/trace.h"
#include "core/timetree/time_tree_source.h"

#include <fmt/format.h>

#include <string>

namespace warpline::python_samples {

namespace {

std::string_view whatIsMissing(const Trace& trace)
{
    static const std::string missing
        = fmt::format("recorded, but the export has no stacks: {} includes them", keepsPythonStacks);
    return lacksPythonStacks(trace) ? std::string_view(missing) : std::string_view();
}

TimeTree pythonTree(const Trace& trace, const TimeTreeQuery& query)
{
    const EventTable& marks = trace.nvtx();
    TimeTree tree;
    for (const Track& track : marks.tracks) {
        if (!query.asksFor(track.owner) || trace.text(track.family) != pythonSamplesDomain)
            continue;
        const std::uint32_t thread = tree.child(0, {.thread = track.owner});
        for (const EventIndex i : eventsOf(track, query.stop)) {
            const EventRef sample{EventKind::Nvtx, i};
            if (query.asks(marks.start[i]) && !trace.stackOf(sample).empty())
                tree.addSelf(stackBelow(trace, sample, thread, tree), 1);
        }
    }
    tree.finish();
    return tree;
}

} // namespace

extern constinit const TimeTreeSource pythonSampleStacks{.id = "python",
    .title = "Python samples",
    .description = "Python functions by number of samples. Waiting threads are sampled, too",
    .unit = TimeTreeUnit::Samples,
    .namesFiles = true,
    .applies = hasPythonStacks,
    .whatIsMissing = whatIsMissing,
    .fill = pythonTree};

} // namespace warpline::python_samples
