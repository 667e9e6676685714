#pragma once

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/load/report_files.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// The user's settings for a report, which override detected values.
struct ReportChoices {
    std::string label; ///< its label; empty: its rank, else its file
    std::optional<std::uint32_t> color; ///< 0xRRGGBB; nothing: by OpenReport::colorIndex
    bool isIncluded = true; ///< false: it stays in the list, and is not shown
    std::optional<std::int64_t> rank; ///< nothing: as it is found
    std::optional<Ns> offset; ///< from its clock to that of the first report; nothing: as it is found
    bool operator==(const ReportChoices&) const = default;
};

/// A report of a set: a file with the user's settings.
struct ReportOfSet {
    std::string path;
    ReportChoices choices;
    bool operator==(const ReportOfSet&) const = default;
};

/// The extension of files with sets of reports.
inline constexpr std::string_view reportSetEnding = ".warpline";

/// "*.sqlite *.json.gz ...": names that files which can be opened mostly have: reports and traces of all
/// formats, recordings, sets of reports.
std::string openablePatterns();

/// Whether the file at `path` holds a set of reports, by its name.
bool isReportSet(std::string_view path);

/// The set as JSON: {"warpline_reports": 1, "reports": [{"file", "label", "color", "included", "rank",
/// "offset_ns"}]}; all keys but "file" are optional. Paths are relative to `folder`, where the set will be
/// saved, so that both can be moved together.
std::string reportSetJson(const std::vector<ReportOfSet>& reports, const std::string& folder);

/// Parses reportSetJson(); relative paths are resolved against `folder`. Ignores unknown keys. Errors: not
/// valid JSON, not a set of reports (a saved view, say), a newer version, no file; the sentence begins with
/// `name`.
Result<std::vector<ReportOfSet>> parseReportSet(
    std::string_view json, const std::string& folder, const std::string& name);

/// Reads the set at `path`. A file that it lists again is left out there. Errors as above, and a file that
/// cannot be read.
Result<std::vector<ReportOfSet>> readReportSet(const std::string& path);

/// The files of a side, with the settings of each where a saved set has some; else empty.
struct SideFiles : ReportFiles {
    std::vector<ReportChoices> choices;
};
/// The files of one side of a comparison: those that a saved set includes, else findReportFiles() of
/// namesOfSide(). Without a file there is a problem.
SideFiles reportsOfSide(const std::string& operand);

} // namespace warpline
