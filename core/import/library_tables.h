#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace warpline {

/// A table of a library's calls or work, with start, mostly end, name and thread.
struct LibraryTable {
    std::string_view table;
    std::string_view family; ///< the row's label: "OpenGL", "cuBLAS", "MPI"
    std::string_view name; ///< column with the name: an id into StringIds
    bool onGpu = false; ///< the column `gpu` is the device on which it ran
    bool hasMessages = false; ///< the rows have messages: see MessageFacts
    bool hasRequests = false; ///< a call has a row for each request: equal rows are one call
    bool hasLabels = false; ///< a label is two rows, one that begins and one that ends it: they are one range
    std::int64_t gpuClass
        = 0; ///< rows of this eventClass ran on the GPU, the others on their thread; 0: no such class
};

/// All such tables, in the order of their rows.
std::span<const LibraryTable> libraryTables();
/// Class and short context number of a Vulkan call, packed for the column in which other tables have call
/// stacks; see VULKAN_API in the export.
constexpr std::uint32_t packedContext(std::int64_t eventClass, std::int64_t context)
{
    const bool fits = eventClass >= 0 && eventClass < 256 && context >= 0 && context < (1 << 24);
    return fits ? static_cast<std::uint32_t>(eventClass << 24 | context) : 0;
}
constexpr std::uint32_t eventClassIn(std::uint32_t packed)
{
    return packed >> 24U;
}
constexpr std::uint32_t contextIn(std::uint32_t packed)
{
    return packed & 0xFF'FFFFU;
}

/// nullptr when `table` is none of them.
const LibraryTable* findLibraryTable(std::string_view table);

} // namespace warpline
