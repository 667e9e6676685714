#pragma once

#include "app/cli_answer.h"
#include "app/cli_arguments.h"
#include "app/cli_command.h"
#include "app/cli_output.h"
#include "core/base/result.h"

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace warpline {
class Trace;
}

namespace warpline::cli {

/// What every command about a report takes.
struct ReportOptions {
    std::string file;
    bool noCache = false; ///< read the report itself, not a copy kept from an earlier opening
};

/// Adds the FILE argument, which is returned, and --no-cache to `app`.
CLI::Option* addReportOptions(CLI::App& app, ReportOptions& options);
/// Adds --machine to `app`: reports then come with their host and command line, see hideMachine().
void addMachineOption(CLI::App& app);
/// Whether --machine is given. False at the start of each command.
bool& machineAsked();
/// Adds --jobs to `app`.
void addJobsOption(CLI::App& app, std::size_t& jobs);
/// Adds --no-cache alone, for commands that take several files.
void addCacheOption(CLI::App& app, bool& noCache);

/// Loads the report at `path`, or ends the command as unreadable. Shows its
/// progress on standard error when that is a terminal and loading takes more than a moment. A recording
/// (.nsys-rep, .qdrep) is first converted where nsys is on the PATH, see exportOf(). A trace that the window
/// has kept of the report is read instead, unless `noCache`.
std::shared_ptr<const Trace> openReport(Answer& answer, const std::string& path, bool noCache);
std::shared_ptr<const Trace> openReport(Answer& answer, const ReportOptions& options);
/// The same, without a complaint: the Error says what is wrong.
Result<std::shared_ptr<const Trace>> tryReport(const std::string& path, bool noCache);

/// What --range says; ends the command where it is no range.
RangeArgument rangeOption(Answer& answer, const std::string& text);
/// rangeIn() of a range that was typed, else nothing.
TimeRange windowIn(Answer& answer, const Trace& trace, const RangeArgument& range);
/// The part of `trace` that `range` means: what lies outside of the report is cut off, with a word about it
/// among the complaints. Ends the command where all of it does.
TimeRange rangeIn(Answer& answer, const Trace& trace, const RangeArgument& range);

/// The first of `options` (as they are typed, "--top") that was given to `app`; empty: none of them.
std::string givenAmong(const CLI::App& app, std::initializer_list<const char*> options);
/// Ends the command where an option or a file was given to `app` that is none of `options`, which ask for a
/// list; those that all commands have do not count.
void refuseBeside(Answer& answer, const CLI::App& app, std::initializer_list<const char*> options);

} // namespace warpline::cli
