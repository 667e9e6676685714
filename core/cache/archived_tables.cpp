#include "core/cache/archived_tables.h"

#include "core/base/saturate.h"
#include "core/store/table_builder.h"
#include "core/store/table_types.h"

#include <cstring>
#include <string>
#include <type_traits>

namespace warpline {

void writePool(ArchiveWriter& archive, const StringPool& pool)
{
    std::string all;
    std::vector<std::uint64_t> ends;
    for (std::uint32_t i = 0; i < pool.size(); ++i) {
        all += pool[StringId{i}];
        ends.push_back(all.size());
    }
    archive(ends, all);
}

std::shared_ptr<StringPool> readPool(ArchiveReader& archive)
{
    auto pool = std::make_shared<StringPool>();
    std::vector<std::uint64_t> ends;
    std::string all;
    archive(ends, all);
    std::uint64_t from = 0;
    for (std::size_t i = 0; i < ends.size() && archive.check(ends[i] >= from && ends[i] <= all.size()); ++i) {
        // Equal ids need equal order, and each string once.
        const StringId id = pool->intern(std::string_view(all).substr(from, ends[i] - from));
        archive.check(raw(id) == i);
        from = ends[i];
    }
    return pool;
}

namespace {

template <typename Archive, typename Table> void describeColumns(Archive& archive, Table& table)
{
    archive(table.tracks, table.lanes, table.start);
    table.duration.describe(archive);
    archive(table.name, table.sourceRow, table.correlation, table.bytes, table.callchain, table.attribute,
        table.sourceRows);
}

/// No recording has later times, see RowChecks: differences do not overflow.
constexpr Ns farthest = 2 * timeLimit;

/// Whether the events of each lane ascend without overlap, as searches require, and their lengths have a sum.
bool followOneAnother(const EventTable& table)
{
    Ns total = 0;
    for (const Lane& lane : table.lanes) {
        TimeRange before{-farthest, -farthest};
        for (EventIndex i = lane.first; i < lane.first + lane.count; ++i) {
            const TimeRange here{table.start[i], saturatingAdd(table.start[i], table.duration[i])};
            total = saturatingAdd(total, here.end - here.start);
            if (here.start < before.start || here.end < std::max(before.end, here.start)
                || here.end > farthest)
                return false;
            before = here;
        }
    }
    return total <= maxTotalDuration;
}

/// Kinds with an attribute for every event.
bool hasAttribute(EventKind kind)
{
    return kind != EventKind::OsRuntime && kind != EventKind::Overhead && kind != EventKind::GpuMemoryPool
        && kind != EventKind::FileAccess && kind != EventKind::Diagnostic;
}

void checkColumns(ArchiveReader& archive, const EventTable& table, std::size_t names)
{
    const std::size_t n = table.size();
    const auto fits = [n](const auto& column) { return column.empty() || column.size() == n; };
    archive.check(n < noIndex && table.duration.size() == n && table.name.size() == n && fits(table.sourceRow)
        && fits(table.correlation) && fits(table.bytes) && fits(table.callchain) && fits(table.attribute)
        && (table.attribute.size() == n || !hasAttribute(table.kind)) && areBelow(table.name, names));
    std::uint64_t events = 0;
    for (const Lane& lane : table.lanes) {
        archive.check(lane.first == events);
        events += lane.count;
    }
    archive.check(events == n);
    std::uint64_t lanes = 0;
    events = 0;
    for (const Track& track : table.tracks) {
        archive.check(track.firstLane == lanes && track.firstEvent == events && raw(track.family) < names
            && raw(track.source) < names);
        lanes += track.laneCount;
        if (!archive.check(lanes <= table.lanes.size()))
            return;
        for (const Lane& lane : table.lanesOf(track))
            events += lane.count;
        archive.check(events == std::uint64_t{track.firstEvent} + track.eventCount);
    }
    archive.check(lanes == table.lanes.size() && events == n);
    archive.check(archive.ok() && followOneAnother(table));
}

/// A byte of a file may be neither 0 nor 1.
bool isBool(const bool& flag)
{
    unsigned char byte = 0;
    std::memcpy(&byte, &flag, sizeof byte);
    return byte <= 1;
}

bool isKnown(const KernelLaunch& launch, std::size_t names)
{
    return raw(launch.shortName) < names && raw(launch.mangledName) < names;
}
bool isKnown(const CopyAttributes& copy, std::size_t /*names*/)
{
    return copy.kind <= CopyKind::UnifiedDtoD && copy.source <= MemoryKind::Unknown
        && copy.destination <= MemoryKind::Unknown;
}
bool isKnown(const NvtxAttributes& said, std::size_t names)
{
    return raw(said.categoryName) < names && raw(said.payload) < names && isBool(said.hasColor)
        && isBool(said.open);
}
bool isKnown(const GpuMemoryOperation& operation, std::size_t /*names*/)
{
    return operation.memory <= MemoryKind::Unknown && isBool(operation.allocates);
}
bool isKnown(const FaultSite& site, std::size_t names)
{
    return raw(site.instruction) < names && raw(site.file) < names;
}
bool isKnown(const MessageFacts& /*facts*/, std::size_t /*names*/)
{
    return true; // every number is possible
}
bool isKnown(const GraphNode& /*node*/, std::size_t /*names*/)
{
    return true;
}

/// Reads or writes `records`, of which `rows` has one for each event.
template <typename Archive, typename Records, typename Rows>
void describeRecords(Archive& archive, Records& records, const Rows& rows, std::size_t names)
{
    archive(records);
    if constexpr (std::is_same_v<Archive, ArchiveReader>)
        archive.check(areBelow(rows, records.size())
            && std::ranges::all_of(records, [&](const auto& record) { return isKnown(record, names); }));
}

/// The columns of a kind's table beyond the common ones.
template <typename Archive, typename Table>
void describeOwn(Archive& archive, Table& table, std::size_t names)
{
    using Plain = std::remove_const_t<Table>;
    if constexpr (std::is_same_v<Plain, KernelTable>)
        describeRecords(archive, table.launches, table.attribute, names);
    if constexpr (std::is_same_v<Plain, MemcpyTable>)
        describeRecords(archive, table.copies, table.attribute, names);
    if constexpr (std::is_same_v<Plain, NvtxTable>) {
        describeRecords(archive, table.attributes, table.attribute, names);
        archive(table.payloadFields);
    }
    if constexpr (std::is_same_v<Plain, LibraryCallTable>)
        describeRecords(archive, table.messages, table.attribute, names);
    if constexpr (std::is_same_v<Plain, GraphEventTable>)
        describeRecords(archive, table.nodes, table.attribute, names);
    if constexpr (std::is_same_v<Plain, GpuMemoryTable>)
        describeRecords(archive, table.operations, table.attribute, names);
    if constexpr (
        std::is_same_v<Plain,
            MemcpyTable> || std::is_same_v<Plain, GpuMemoryTable> || std::is_same_v<Plain, PageFaultTable>)
        archive(table.address);
    if constexpr (std::is_same_v<Plain, PageFaultTable>) {
        archive(table.site);
        describeRecords(archive, table.sites, table.site, names);
    }
    if constexpr (std::is_same_v<Archive, ArchiveReader>) {
        if constexpr (std::is_same_v<Plain, NvtxTable>)
            archive.check(areBelow(table.payloadFields, names));
        if constexpr (std::is_same_v<Plain, MemcpyTable>)
            archive.check(table.address.empty() || table.address.size() == table.size());
        if constexpr (std::is_same_v<Plain, GpuMemoryTable> || std::is_same_v<Plain, PageFaultTable>)
            archive.check(table.address.size() == table.size());
        if constexpr (std::is_same_v<Plain, PageFaultTable>)
            archive.check(table.site.size() == table.size());
    }
}

} // namespace

void writeTable(ArchiveWriter& archive, const EventTable& table)
{
    withTableType(table.kind, [&]<typename Table>(std::type_identity<Table>) {
        const auto& typed = static_cast<const Table&>(table);
        describeColumns(archive, typed);
        describeOwn(archive, typed, 0);
    });
}

std::shared_ptr<const EventTable> readTable(ArchiveReader& archive, EventKind kind, std::size_t names)
{
    return withTableType(
        kind, [&]<typename Table>(std::type_identity<Table>) -> std::shared_ptr<const EventTable> {
            auto table = std::make_shared<Table>();
            table->kind = kind;
            describeColumns(archive, *table);
            describeOwn(archive, *table, names);
            checkColumns(archive, *table, names);
            if (archive.ok())
                table->indexBlocks();
            return table;
        });
}

} // namespace warpline
