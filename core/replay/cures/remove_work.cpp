// Kernels, copies and memsets go, with the calls that launch them.

#include "core/replay/apply_cure.h"
#include "core/store/trace.h"

#include "core/kernels/kernel_names.h"

#include <algorithm>
#include <array>
#include <utility>

namespace warpline {

namespace {

std::size_t removeWorks(GraphEdit& edit)
{
    std::size_t changed = 0;
    for (std::uint32_t i = 0; i < edit.graph.works.size(); ++i) {
        if (!isRunning(edit.graph.works[i]) || !edit.fits(edit.graph.works[i].event))
            continue;
        const ReplayWork work = edit.graph.works[i];
        edit.removeWork(i);
        if (work.event.kind == EventKind::Memcpy && edit.graph.calls[work.call].removed)
            edit.removeWaitBehind(work.call);
        ++changed;
    }
    return changed;
}

/// Memsets, and kernels that only fill memory.
std::vector<CureEdit> fillEdits(const Trace& trace, const ReplayGraph& graph)
{
    CureEdit kernels{.kind = CureKind::RemoveWork, .work = EventKind::Kernel};
    for (const ReplayWork& work : graph.works) {
        if (work.event.kind == EventKind::Kernel && isFill(trace.name(work.event)))
            kernels.events.push_back(work.event);
    }
    std::ranges::sort(kernels.events);
    std::vector<CureEdit> edits{{.kind = CureKind::RemoveWork, .name = "*", .work = EventKind::Memset}};
    if (!kernels.events.empty())
        edits.push_back(std::move(kernels));
    return edits;
}

constexpr std::array removeWorkSwitches{
    CureSwitch{.option = "--without",
        .value = "copies",
        .title = "No copies",
        .help = "Removes copies, their calls, and the waits right after them.",
        .nothing = "no copy",
        .edits =
            [](const Trace&, const ReplayGraph&) {
                return std::vector<CureEdit>{
                    {.kind = CureKind::RemoveWork, .name = "*", .work = EventKind::Memcpy}};
            }},
    CureSwitch{.option = "--without",
        .value = "fills",
        .title = "No fills",
        .help = "Removes memsets, and kernels that only fill memory.",
        .nothing = "no memset and no kernel that only fills memory",
        .edits = fillEdits},
};

} // namespace

extern constinit const CureEntry removeWork{
    .kind = CureKind::RemoveWork, .key = "remove_work", .apply = removeWorks, .switches = removeWorkSwitches};

} // namespace warpline
