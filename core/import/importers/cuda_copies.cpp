// Copies between memories.

#include "core/base/release.h"
#include "core/base/saturate.h"
#include "core/import/event_parts.h"

#include <algorithm>

namespace warpline::cuda_copies {

namespace {

constexpr std::string_view table = "CUPTI_ACTIVITY_KIND_MEMCPY";
constexpr std::array<std::string_view, 1> tables{table};
constexpr std::array<std::string_view, 9> ownColumns{"bytes", "copyKind", "srcKind", "dstKind", "srcDeviceId",
    "dstDeviceId", "migrationCause", "graphNodeId", "virtualAddress"};

CopyKind copyKindOf(std::int64_t id)
{
    return id >= 0 && id <= static_cast<std::int64_t>(CopyKind::UnifiedDtoD) ? static_cast<CopyKind>(id)
                                                                             : CopyKind::Unknown;
}

class CopyPart : public DevicePart {
public:
    CopyPart(const StringTable& strings, StringId source, GlobalId owner, std::span<const StringId> names)
        : DevicePart(EventKind::Memcpy, strings, source, owner),
          m_names(names)
    {
    }

    void read(const sqlite::Row& row)
    {
        int column = afterDeviceColumns;
        const std::uint64_t bytes = naturalOf(row.integer(column++));
        CopyAttributes copy{.kind = copyKindOf(row.integer(column++)),
            .source = memoryKindOf(row.integer(column++, -1)),
            .destination = memoryKindOf(row.integer(column++, -1)),
            .sourceDevice = row.integer32(column++, -1),
            .destinationDevice = row.integer32(column++, -1),
            .migrationCause = row.integer32(column++),
            .graphNodeId = static_cast<std::uint64_t>(row.integer(column++))};
        const auto address = static_cast<std::uint64_t>(row.integer(column++));
        if (!addEvent(row, m_names[static_cast<std::size_t>(copy.kind)]))
            return;
        builder.addBytes(bytes);
        builder.addAttribute(copies.intern(copy));
        builder.addAddress(address);
    }

    /// Of all events that were read; the part is empty then.
    std::shared_ptr<const MemcpyTable> table()
    {
        auto made = std::make_shared<MemcpyTable>();
        builder.finishInto(*made);
        made->address = builder.takeAddresses();
        if (std::ranges::all_of(made->address, [](std::uint64_t address) { return address == 0; }))
            release(made->address); // only unified memory has addresses
        made->copies = std::move(copies.records);
        return made;
    }

    RecordPool<CopyAttributes> copies;

private:
    std::span<const StringId> m_names;
};

Result<void> importCopies(ImportJob& job)
{
    std::vector<StringId> names;
    for (int kind = 0; kind <= static_cast<int>(CopyKind::UnifiedDtoD); ++kind)
        names.push_back(
            job.trace.pool().intern("Memcpy " + std::string(labelOf(static_cast<CopyKind>(kind)))));
    return importWork(job, table, ownColumns, &CopyPart::copies, [&](StringId source, GlobalId owner) {
        return std::make_unique<CopyPart>(job.strings, source, owner, names);
    });
}

} // namespace

extern constinit const Importer cudaCopies{
    .id = "cuda-copies", .progressText = "Reading memory copies", .needs = tables, .run = importCopies};

} // namespace warpline::cuda_copies
