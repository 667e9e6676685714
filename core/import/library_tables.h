#pragma once

#include <span>
#include <string_view>

namespace warpline {

/// A table whose rows are calls or work of a library: they have a start, mostly an end, a name and a thread.
struct LibraryTable {
    std::string_view table;
    std::string_view family; ///< the row's label: "OpenGL", "cuBLAS", "MPI"
    std::string_view name; ///< column with the name: an id into StringIds
    bool onGpu = false; ///< the `gpu` column says on which device it ran
    bool hasMessages = false; ///< the rows say what was sent to whom: see MessageFacts
    bool hasRequests = false; ///< a call has a row for each request: equal rows are one call
};

/// All such tables, in the order of their rows.
std::span<const LibraryTable> libraryTables();
/// nullptr when `table` is none of them.
const LibraryTable* findLibraryTable(std::string_view table);

} // namespace warpline
