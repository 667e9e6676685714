#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// The files that the user's arguments name.
struct ReportFiles {
    std::vector<std::string> paths; ///< each once, in the order in which they were named
    std::vector<Message> problems; ///< a sentence for each name without a file
};

/// The files of each of `names`: for a folder its reports (not those of subfolders); for a pattern with * or
/// ? in its last part, unless a file has that name, the matching files; otherwise the name itself, even if
/// missing. A folder's links to missing files are among them, for their reader to name. Files of a folder or
/// pattern are sorted by name, with numbers compared as such: rank2 before rank10. Of a recording and its
/// export in one folder the export is taken. Reads the first bytes of the files of a folder.
ReportFiles findReportFiles(std::span<const std::string> names);

/// The files of `folder` with names that reports mostly have, sorted by name; at most 4096. Reads none of
/// them.
std::vector<std::string> filesNamedAsReports(const std::string& folder);

/// Why a file that the window saved, a view or a set of reports, is not a report.
Error savedByWindow(bool isView, const std::string& path);

/// Equal for all names of one file, also through links and "..". Asks the disk.
std::filesystem::path fileBehind(const std::string& path);

/// The names of one side of a comparison, for findReportFiles(): an existing file itself, else the parts
/// between commas, which are the reports of the ranks of one run. A comma inside the name of an existing file
/// separates nothing.
std::vector<std::string> namesOfSide(const std::string& operand);

/// The traces next to the trace at `path` that contain the captures of its CUDA graphs, by name:
/// "decode.capture.json.gz" and "decode_capture_bs32.json" for "decode.json.gz". Sorted by name. Empty for
/// nsys exports, which number the nodes of graphs. Reads the folder.
std::vector<std::string> captureFilesOf(const std::string& path);

/// Whether `a` comes before `b` where people sort: numbers in them count as numbers.
bool comesBefore(std::string_view a, std::string_view b);

} // namespace warpline
