#pragma once

#include "core/stats/stats_table.h"

#include <span>
#include <string>
#include <string_view>

namespace warpline {

class Trace;

/// A report table of library calls, and what the column "Source" says of its events.
struct LibrarySource {
    std::string_view table;
    std::string_view label;
    std::string_view family{}; ///< only tracks of this family; empty: all of the table
};

/// Whether any event was read from one of `sources`.
bool hasLibraryEvents(const Trace& trace, std::span<const LibrarySource> sources);

/// For each track of library calls, whether it was read from one of `sources`.
std::vector<bool> tracksFrom(const Trace& trace, std::span<const LibrarySource> sources);

/// Library events of `sources` by name. Events without a length are left out unless `withMarks`. With a
/// column "Source" before the name when `withSource`, under `sourceTitle`.
Cells librarySummary(const Trace& trace, const StatsQuery& query, std::span<const LibrarySource> sources,
    std::string countTitle, std::string nameTitle, bool withSource, bool withMarks = false,
    std::string_view sourceTitle = "Source");

/// Labels of `sources`, ranges with a name, by it; of equal totals the one that came first is first. Those
/// without a length are marks and left out, unless `withEmpty`: then a name needs a length in all.
Cells labelSummary(const Trace& trace, const StatsQuery& query, std::span<const LibrarySource> sources,
    bool withEmpty = false);

} // namespace warpline
