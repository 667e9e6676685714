// Collectives run next to kernels.

#include "core/replay/apply_cure.h"

#include "core/derive/communication.h"
#include "core/store/trace.h"

#include <array>
#include <map>

namespace warpline {

namespace {

std::size_t moveCollectives(GraphEdit& edit)
{
    const CommunicationKernels kernels(edit.trace);
    const auto communicates = [&](const ReplayWork& work) {
        return work.event.kind == EventKind::Kernel && isRunning(work) && kernels[work.event.index];
    };
    // Nothing is left to hide the last collective of a step.
    std::map<std::uint32_t, std::uint32_t> lastOfStep;
    for (std::uint32_t i = 0; i < edit.graph.works.size(); ++i) {
        if (communicates(edit.graph.works[i]))
            lastOfStep[edit.graph.works[i].step] = i;
    }
    const std::uint32_t stream = edit.newStream();
    std::uint32_t last = noNode;
    std::size_t changed = 0;
    for (std::uint32_t i = 0; i < edit.graph.works.size(); ++i) {
        ReplayWork& work = edit.graph.works[i];
        if (!communicates(work) || !edit.fits(work.event))
            continue;
        if (lastOfStep[work.step] == i && edit.estimate != Estimate::Optimistic)
            continue;
        const std::uint32_t made = work.previous;
        if (work.producer == noNode && made != noNode && !communicates(edit.graph.works[made])) {
            work.producer = made;
            work.producerGap = edit.graph.streamGap;
        }
        edit.move(i, stream, last);
        ++changed;
    }
    edit.closeRanks();
    return changed;
}

constexpr std::array overlapCommunicationSwitches{
    CureSwitch{.option = "--overlap",
        .value = "communication",
        .title = "Overlapped communication",
        .help = "Collectives run next to kernels, except the last one of a step.",
        .nothing = "no kernel of a collective",
        .edits = editsOfAll<CureKind::OverlapCommunication>},
};

} // namespace

extern constinit const CureEntry overlapCommunication{.kind = CureKind::OverlapCommunication,
    .key = "overlap_communication",
    .apply = moveCollectives,
    .switches = overlapCommunicationSwitches};

} // namespace warpline
