#pragma once

#include "core/base/result.h"
#include "core/base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// What the user says of a report among others, instead of what is found.
struct ReportChoices {
    std::string label; ///< what it is called; empty: after its rank, else its file
    std::optional<std::uint32_t> color; ///< 0xRRGGBB; nothing: by its place
    bool isIncluded = true; ///< false: it stays in the list, and is not shown
    std::optional<std::int64_t> rank; ///< nothing: as it is found
    std::optional<Ns> offset; ///< from its clock to that of the first report; nothing: as it is found
    bool operator==(const ReportChoices&) const = default;
};

/// A report of a set: a file, and what the user says of it.
struct ReportOfSet {
    std::string path;
    ReportChoices choices;
    bool operator==(const ReportOfSet&) const = default;
};

/// The ending of the files in which sets of reports are kept.
inline constexpr std::string_view reportSetEnding = ".warpline";

/// "*.sqlite *.json.gz ...": names that files which can be opened mostly have: reports and traces of all
/// formats, recordings, sets of reports.
std::string openablePatterns();

/// Whether the file at `path` holds a set of reports, by its name.
bool isReportSet(std::string_view path);

/// The set as JSON: {"warpline_reports": 1, "reports": [{"file", "label", "color", "included", "rank",
/// "offset_ns"}]}, of which all but "file" are left out where the user says nothing. Files are told from
/// `folder`, where the set will lie, so that both can be moved together.
std::string reportSetJson(const std::vector<ReportOfSet>& reports, const std::string& folder);

/// The other way; files that are told from a folder are looked for in `folder`. Keys that are not known are
/// left alone. Errors: no JSON, no set of reports, a newer one, no file named; the sentence begins with
/// `name`.
Result<std::vector<ReportOfSet>> parseReportSet(
    std::string_view json, const std::string& folder, const std::string& name);

/// Reads the set at `path`. Errors as above, and a file that cannot be read.
Result<std::vector<ReportOfSet>> readReportSet(const std::string& path);

} // namespace warpline
