#pragma once

#include "app/cli_command.h"
#include "app/cli_output.h"
#include "core/base/result.h"
#include "core/store/trace.h"

#include <memory>
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
/// a moment. A trace that the window has kept of the report is read instead, unless `noCache`.
std::shared_ptr<const Trace> openReport(const std::string& path, bool noCache);

/// Writes `text` to standard output and turns failure into a complaint and an exit code.
ExitCode print(std::string_view text);

} // namespace warpline::cli
