#pragma once

#include <string_view>

namespace warpline {

/// True for tables that an importer reads, or that are known to carry nothing for Warpline: enumerations,
/// settings of the export, statistics that old nsys left behind. What is not known is listed as not read.
bool isKnownTable(std::string_view table);

/// True for known tables that only Nsight Systems writes: one of them makes a database a report. Others have
/// names too plain to prove anything.
bool provesReport(std::string_view table);

} // namespace warpline
