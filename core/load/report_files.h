#pragma once

#include "core/base/message.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// The files that the user's words stand for.
struct ReportFiles {
    std::vector<std::string> paths; ///< each once, in the order in which they were named
    std::vector<Message> problems; ///< a sentence for each name that stands for no file
};

/// What each of `names` stands for: a folder for the reports in it (not those in folders below), a pattern
/// with * or ?
/// in its last part, where no file is called so, for the files that match, anything else for itself, be there
/// a file or not. Files of a folder or pattern come in the order of their names, with numbers
/// counted: rank2 before rank10. Of a recording and an export of it that lie side by side the export is
/// taken. Reads the first bytes of the files of a folder.
ReportFiles findReportFiles(std::span<const std::string> names);

/// The names of one side of a comparison, for findReportFiles(): of a file that is there itself, else the
/// parts between commas, the reports of the ranks of one run.
std::vector<std::string> namesOfSide(const std::string& operand);

/// Whether `a` comes before `b` where people sort: numbers in them count as numbers.
bool comesBefore(std::string_view a, std::string_view b);

} // namespace warpline
