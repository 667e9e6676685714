#pragma once

#include "app/cli_arguments.h"
#include "app/cli_command.h"
#include "app/cli_output.h"
#include "core/base/result.h"
#include "core/store/trace.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace warpline::cli {

/// What every command about a report takes.
struct ReportOptions {
    std::string file;
    bool noCache = false; ///< read the report itself, not a copy kept from an earlier opening
};

/// Adds the FILE argument, which is returned, and --no-cache to `app`.
CLI::Option* addReportOptions(CLI::App& app, ReportOptions& options);
/// Adds --no-cache alone, for commands that take several files.
void addCacheOption(CLI::App& app, bool& noCache);

/// Loads the report at `path`. nullptr after a complaint on standard error: the exit code is then
/// UnreadableReport. Shows its progress on standard error when that is a terminal and loading takes more than
/// a moment. A recording (.nsys-rep, .qdrep) is first converted where nsys is on the PATH, see exportOf(). A
/// trace that the window has kept of the report is read instead, unless `noCache`.
std::shared_ptr<const Trace> openReport(const std::string& path, bool noCache);
/// The same, without a complaint: the Error says what is wrong.
Result<std::shared_ptr<const Trace>> tryReport(const std::string& path, bool noCache);

/// The part of `trace` that `range` means: what lies outside of the report is cut off, with a word about it
/// on standard error. Nothing after a complaint when all of it does: the exit code is then WrongUsage.
std::optional<TimeRange> rangeIn(const Trace& trace, const RangeArgument& range);

/// Texts about several reports on standard output: of one report the text alone; of several as JSON an array
/// of objects, else each under a line with the report's path.
class ReportTexts {
public:
    ReportTexts(std::size_t reports, bool json)
        : m_several(reports > 1),
          m_json(json)
    {
    }
    ExitCode add(const std::string& file, std::string_view text);
    /// Ends the array.
    ExitCode finish();

private:
    bool m_several;
    bool m_json;
    std::size_t m_added = 0;
};

/// Complains about how `command` was called, with where its help is. Returns WrongUsage.
ExitCode wrongUsage(std::string_view command, std::string_view message);

/// Writes `text` to standard output, with control characters written out (see shownText()), and turns failure
/// into a complaint and an exit code.
ExitCode print(std::string_view text);
/// The same for CSV, whose fields keep their bytes.
ExitCode printBytes(std::string_view bytes);

} // namespace warpline::cli
