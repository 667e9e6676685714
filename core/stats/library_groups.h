#pragma once

#include "core/stats/stats_table.h"
#include "core/store/mpi_tables.h"

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace warpline {

class Trace;

/// A report table of library calls, with its value in the column "Source".
struct LibrarySource {
    std::string_view table;
    std::string_view label;
    std::string_view family{}; ///< only tracks of this family; empty: all of the table
};

/// Whether any event came from one of `sources`.
bool hasLibraryEvents(const Trace& trace, std::span<const LibrarySource> sources);

/// For each track of library calls, whether it came from one of `sources`.
std::vector<bool> tracksFrom(const Trace& trace, std::span<const LibrarySource> sources);

/// Library events of `sources` by name. Events without a length are left out unless `withMarks`. With a
/// column "Source" before the name when `withSource`, under `sourceTitle`.
Cells librarySummary(const Trace& trace, const StatsQuery& query, std::span<const LibrarySource> sources,
    std::string countTitle, std::string nameTitle, bool withSource, bool withMarks = false,
    std::string_view sourceTitle = "Source");

/// Summary of `sources`: labels, and ranges by name; ties in order of appearance. Leaves out events of zero
/// length (marks); `withEmpty` counts them for names with a nonzero total.
Cells labelSummary(const Trace& trace, const StatsQuery& query, std::span<const LibrarySource> sources,
    bool withEmpty = false);

/// The report's tables of MPI calls, with nsys' names for them.
inline constexpr std::array mpiSources{LibrarySource{mpi_table::collectives, "collectives"},
    LibrarySource{mpi_table::pointToPoint, "p2p"}, LibrarySource{mpi_table::startWait, "start-wait"},
    LibrarySource{mpi_table::other, "other"}};

} // namespace warpline
