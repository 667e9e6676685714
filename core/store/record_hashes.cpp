#include "core/store/table_builder.h"

#include <cstdint>
#include <random>

namespace warpline {

namespace {

/// Of all that equality compares: a report may have any number of records that differ in one of them.
template <typename... Part> std::size_t hashOf(Part... parts)
{
    // Not the same in each run: nobody can write a report whose records all have one hash.
    static const std::uint64_t seed = std::random_device()();
    std::uint64_t hash = seed;
    const auto mix = [&](std::uint64_t part) {
        hash = (hash ^ part) * 0x9E3779B97F4A7C15; // 2^64 / golden ratio: spreads neighbours
        hash ^= hash >> 32U;
    };
    (mix(static_cast<std::uint64_t>(parts)), ...);
    return hash;
}

} // namespace

std::size_t RecordHash::operator()(const KernelLaunch& l) const
{
    return hashOf(l.shortName, l.mangledName, l.grid.x, l.grid.y, l.grid.z, l.block.x, l.block.y, l.block.z,
        l.registersPerThread, l.staticSharedMemory, l.dynamicSharedMemory, l.sharedMemoryExecuted,
        l.localMemoryPerThread, l.graphNodeId);
}

std::size_t RecordHash::operator()(const CopyAttributes& c) const
{
    return hashOf(c.kind, c.source, c.destination, c.sourceDevice, c.destinationDevice, c.migrationCause,
        c.graphNodeId);
}

std::size_t RecordHash::operator()(const NvtxAttributes& a) const
{
    return hashOf(a.color, a.hasColor, a.eventType, a.category, a.categoryName, a.payload, a.payloadBytes,
        a.endThread, a.open);
}

std::size_t RecordHash::operator()(const GpuMemoryOperation& operation) const
{
    return hashOf(operation.memory, operation.allocates, operation.device);
}

std::size_t RecordHash::operator()(const MessageFacts& m) const
{
    return hashOf(m.bytes, m.bytesReceived, m.tag, m.peer, m.root, m.communicator, m.rows);
}

std::size_t RecordHash::operator()(const FaultSite& site) const
{
    return hashOf(site.instruction, site.file, site.line);
}

std::size_t RecordHash::operator()(const GraphNode& node) const
{
    return hashOf(node.node, node.original);
}

} // namespace warpline
