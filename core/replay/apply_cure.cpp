#include "core/replay/apply_cure.h"

#include "core/base/list.h"

#include <algorithm>
#include <string>

namespace warpline {

#define WARPLINE_CURES(X)   \
    X(scaleWork)            \
    X(fuseKernels)          \
    X(ownStreams)           \
    X(overlapCopies)        \
    X(overlapCommunication) \
    X(asyncCopies)          \
    X(mergeCopies)          \
    X(removeSync)           \
    X(poolAllocations)      \
    X(removeCalls)          \
    X(removeWork)           \
    X(readyInput)           \
    X(prefetchPages)        \
    X(evenSteps)            \
    X(launchGraph) // last: a graph does not launch removed calls

WARPLINE_LIST(CureEntry, allCures, WARPLINE_CURES)

namespace {

const CureEntry& entryOf(CureKind kind)
{
    return **std::ranges::find(allCures(), kind, [](const CureEntry* entry) { return entry->kind; });
}

} // namespace

std::string_view keyOf(CureKind kind)
{
    return entryOf(kind).key;
}

std::string keyOf(const CureSwitch& cure)
{
    std::string key(cure.option.substr(cure.option.find_first_not_of('-')));
    std::ranges::replace(key, '-', '_');
    return cure.value.empty() ? key : key + "_" + std::string(cure.value);
}

std::vector<const CureSwitch*> allSwitches()
{
    std::vector<const CureSwitch*> switches;
    for (const CureEntry* const entry : allCures()) {
        for (const CureSwitch& each : entry->switches)
            switches.push_back(&each);
    }
    return switches;
}

std::size_t applyEdit(const Trace& trace, const CureEdit& edit, Estimate estimate, ReplayGraph& graph)
{
    GraphEdit change(trace, edit, estimate, graph);
    return entryOf(edit.kind).apply(change);
}

} // namespace warpline
