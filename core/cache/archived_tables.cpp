#include "core/cache/archived_tables.h"

#include "core/base/sorted_search.h"
#include "core/store/table_types.h"

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
    archive(ends);
    archive(all);
}

std::shared_ptr<StringPool> readPool(ArchiveReader& archive)
{
    auto pool = std::make_shared<StringPool>();
    std::vector<std::uint64_t> ends;
    std::string all;
    archive(ends);
    archive(all);
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
    archive(table.tracks);
    archive(table.lanes);
    archive(table.start);
    archive(table.startSamples);
    table.duration.describe(archive);
    archive(table.name);
    archive(table.sourceRow);
    archive(table.correlation);
    archive(table.bytes);
    archive(table.callchain);
    archive(table.attribute);
    archive(table.durationPrefix);
    archive(table.pausesBefore);
    archive(table.longestPause);
    archive(table.sourceRows);
}

void checkColumns(ArchiveReader& archive, const EventTable& table, std::size_t names)
{
    const std::size_t n = table.size();
    const auto fits = [n](const auto& column) { return column.empty() || column.size() == n; };
    archive.check(n < noIndex && table.duration.size() == n && table.name.size() == n && fits(table.sourceRow)
        && fits(table.correlation) && fits(table.bytes) && fits(table.callchain) && fits(table.attribute));
    archive.check(table.startSamples.size() == (n + sampleStep - 1) / sampleStep);
    std::uint64_t events = 0;
    for (const Lane& lane : table.lanes) {
        archive.check(lane.first == events);
        events += lane.count;
    }
    archive.check(events == n);
    std::uint64_t lanes = 0;
    for (const Track& track : table.tracks) {
        archive.check(track.firstLane == lanes && raw(track.family) < names && raw(track.source) < names);
        lanes += track.laneCount;
    }
    archive.check(lanes == table.lanes.size());
}

/// Makes a table of `kind`'s type, or takes `table` as one, and gives it to `use`.
template <typename Archive, typename Table> void describeOwn(Archive& archive, Table& table)
{
    using Plain = std::remove_const_t<Table>;
    if constexpr (std::is_same_v<Plain, KernelTable>)
        archive(table.launches);
    if constexpr (std::is_same_v<Plain, MemcpyTable>)
        archive(table.copies);
    if constexpr (std::is_same_v<Plain, NvtxTable>) {
        archive(table.attributes);
        archive(table.payloadFields);
    }
    if constexpr (std::is_same_v<Plain, LibraryCallTable>)
        archive(table.messages);
    if constexpr (std::is_same_v<Plain, GraphEventTable>)
        archive(table.nodes);
    if constexpr (std::is_same_v<Plain, GpuMemoryTable>)
        archive(table.operations);
    if constexpr (
        std::is_same_v<Plain,
            MemcpyTable> || std::is_same_v<Plain, GpuMemoryTable> || std::is_same_v<Plain, PageFaultTable>)
        archive(table.address);
    if constexpr (std::is_same_v<Plain, PageFaultTable>) {
        archive(table.sites);
        archive(table.site);
    }
}

} // namespace

void writeTable(ArchiveWriter& archive, const EventTable& table)
{
    withTableType(table.kind, [&]<typename Table>(std::type_identity<Table>) {
        const auto& typed = static_cast<const Table&>(table);
        describeColumns(archive, typed);
        describeOwn(archive, typed);
    });
}

std::shared_ptr<const EventTable> readTable(ArchiveReader& archive, EventKind kind, std::size_t names)
{
    return withTableType(
        kind, [&]<typename Table>(std::type_identity<Table>) -> std::shared_ptr<const EventTable> {
            auto table = std::make_shared<Table>();
            table->kind = kind;
            describeColumns(archive, *table);
            describeOwn(archive, *table);
            checkColumns(archive, *table, names);
            return table;
        });
}

} // namespace warpline
