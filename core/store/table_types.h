#pragma once

#include "core/store/event_table.h"

#include <type_traits>

namespace warpline {

/// Calls visit(std::type_identity<Table>()) with the table type of `kind`: EventTable for kinds without
/// columns of their own. The only mapping of kinds to types.
template <typename Visit> decltype(auto) withTableType(EventKind kind, Visit&& visit)
{
    switch (kind) {
    case EventKind::Kernel:
        return visit(std::type_identity<KernelTable>());
    case EventKind::Memcpy:
        return visit(std::type_identity<MemcpyTable>());
    case EventKind::Nvtx:
        return visit(std::type_identity<NvtxTable>());
    case EventKind::Library:
        return visit(std::type_identity<LibraryCallTable>());
    case EventKind::GraphEvent:
        return visit(std::type_identity<GraphEventTable>());
    case EventKind::GpuMemory:
        return visit(std::type_identity<GpuMemoryTable>());
    case EventKind::PageFault:
        return visit(std::type_identity<PageFaultTable>());
    default:
        return visit(std::type_identity<EventTable>());
    }
}

/// Whether `Table` is the type that tables of `kind` have.
template <typename Table> bool isTableOf(EventKind kind)
{
    return withTableType(kind, []<typename Right>(std::type_identity<Right>) {
        return std::is_same_v<std::remove_const_t<Table>, Right>;
    });
}

} // namespace warpline
