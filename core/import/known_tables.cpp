#include "core/import/known_tables.h"

#include "core/import/importer.h"
#include "core/import/library_tables.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

/// Tables that no importer reads, and that are no loss.
constexpr std::array<std::string_view, 22> carryNothing{// Tables that StringTable reads before the importers.
    "StringIds",
    // How long the capture and its analysis took, by another clock; the analysis' own file name.
    "ANALYSIS_DETAILS", "ANALYSIS_FILE",
    // Descriptions of generic events: if there are such events, their table is listed as not read.
    "GENERIC_EVENT_SOURCES", "GENERIC_EVENT_TYPES", "GENERIC_EVENT_TYPE_FIELDS",
    // Which layouts belong together, and to which events: the payloads themselves name theirs.
    "NVTX_EVENTS_PAYLOAD_SCHEMAS", "NVTX_PAYLOAD_SCHEMA_RELATIONS",
    // Enumerations with other names in exports from before 2021.5.
    "UnwindMethodType", "DomainStrings", "MemcpyOperationStrings",
    // Statistics that old `nsys stats` wrote into the export.
    "NvtxPushPopRanges", "nvtxPushPopRangeStats", "cudaAPIStats", "cudaKernelStats",
    "cudaMemoryOperationByteStats", "cudaMemoryOperationTimeStats", "osrtAPIStats", "estEnd", "me", "ms",
    "SystemInfo"};

constexpr std::array<std::string_view, 6> plainNames{
    "PROCESSES", "me", "ms", "estEnd", "SystemInfo", "DomainStrings"};

bool contains(std::span<const std::string_view> names, std::string_view name)
{
    return std::ranges::find(names, name) != names.end();
}

} // namespace

bool isKnownTable(std::string_view table)
{
    return table.starts_with("ENUM_") || table.starts_with("DYNAMIC_NVTXPAYLOAD_")
        || contains(carryNothing, table) || findLibraryTable(table) != nullptr
        || std::ranges::any_of(allImporters(), [&](const Importer* importer) {
               return contains(importer->needs, table) || contains(importer->alsoReads, table);
           });
}

bool provesReport(std::string_view table)
{
    return isKnownTable(table) && !contains(plainNames, table);
}

} // namespace warpline
