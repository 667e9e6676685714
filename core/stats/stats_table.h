#pragma once

#include "core/base/message.h"
#include "core/base/time.h"
#include "core/store/track_filter.h"
#include "core/table/cells.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace warpline {

class Trace;

/// How a table is asked for.
struct StatsQuery {
    TimeRange window; ///< empty: the whole report, like nsys
    /// The text after the first colon in nsys' names: "base", "nvtx-name:base", "rows=20"; may be empty. Must
    /// be valid for takesVariant().
    std::string variant;
    TrackFilter covers; ///< filter of tracks; only for tables with StatsTable::followsTracks
    std::string nvtxName; ///< glob of the NVTX range that step tables are about; may be empty
    bool wantEvents = false; ///< fill Cells::events (costs memory)
    std::stop_token stop;

    bool isOfAll() const { return window.empty() && !covers; } ///< of all events of the report
};

/// An argument after the colon of a table's name: a flag or, with a `value`, "name=number".
struct TableArgument {
    std::string_view name; ///< "base", "rows"
    std::string_view value; ///< placeholder of the number, "<limit>"; empty: a flag
};

/// Where a table comes from, and whether it is known to be right.
enum class TableOrigin : std::uint8_t {
    Compared, ///< a table of nsys, compared with nsys' output for real reports
    Documented, ///< a table of nsys, made from its documentation without output to compare with
    Own, ///< nsys has no such table
};

/// The topic of a table: the heading in lists.
enum class TableGroup : std::uint8_t {
    Gpu,
    CudaApi,
    CudaLaunches,
    Nvtx,
    OperatingSystem,
    UnifiedMemory,
    Other
};

/// The kind of rows of a table.
enum class TableShape : std::uint8_t {
    Summary, ///< a row for all events of a name: shown when no table is named
    Trace, ///< a row for each event: may be as long as the report
    Breakdown, ///< neither: only on request by name
};

/// A statistics table. Its id is the name users know from nsys where there is one ("cuda_gpu_kern_sum"), so
/// the command line and the dock speak alike.
struct StatsTable {
    std::string_view id;
    std::string_view title;
    std::string_view description; ///< the question that it answers, then its rows
    std::span<const TableArgument> arguments{}; ///< for StatsQuery::variant
    bool (*applies)(const Trace&); ///< false: the report has no rows for it; nsys prints "SKIPPED"
    Cells (*fill)(const Trace&, const StatsQuery&);
    TableOrigin origin = TableOrigin::Compared;
    TableGroup group;
    TableShape shape = TableShape::Summary;
    bool followsTracks = true; ///< false: it always covers all processes and GPUs
    bool asksForRange = false; ///< it covers the NVTX ranges of StatsQuery::nvtxName

    Message titleText() const { return {id, "table_title", title}; }
    Message descriptionText() const { return {id, "table_description", description}; }
};

/// All tables, in the order they are listed. The list is in stats_tables.cpp and nowhere else.
std::span<const StatsTable* const> allStatsTables();
/// nullptr when there is no such table.
const StatsTable* findStatsTable(std::string_view id);
/// Whether `variant` is made of arguments of `table`, with colons between, in any order, none of them twice.
/// "base" and "mangled" exclude each other.
bool takesVariant(const StatsTable& table, std::string_view variant);
/// Whether `variant` has the argument `name`.
bool hasArgument(std::string_view variant, std::string_view name);
/// The number of argument `name` in `variant`; `otherwise` when it is not there.
std::int64_t argumentOf(std::string_view variant, std::string_view name, std::int64_t otherwise);
/// All variants for a list of choices, without the empty one. Arguments with a number are not listed, except
/// for "rows", which can select all rows.
std::vector<std::string> listedVariants(const StatsTable& table);

} // namespace warpline
