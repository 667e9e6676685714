#pragma once

#include <string_view>

namespace warpline {

/// True for tables that an importer reads, and for tables without data for Warpline: enumerations, settings
/// of the export, statistics of old nsys. Other tables are listed as not read.
bool isKnownTable(std::string_view table);

/// True for tables that only Nsight Systems writes: one of them identifies a report. The names of others are
/// too generic.
bool provesReport(std::string_view table);

} // namespace warpline
