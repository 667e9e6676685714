#include "core/timetree/call_stacks.h"

#include "core/store/trace.h"

#include <ranges>

namespace warpline {

std::uint32_t stackBelow(const Trace& trace, EventRef event, std::uint32_t node, TimeTree& tree)
{
    for (const StackFrame& frame : trace.stackOf(event) | std::views::reverse) {
        if (tree.nodes()[node].level > deepestLevel)
            break; // many events may share a stack of any depth
        node = tree.child(node, {frame.unresolved ? StringId{} : frame.symbol, frame.module, 0});
    }
    return node;
}

} // namespace warpline
