#pragma once

#include "app/cli_answer.h"
#include "app/cli_arguments.h"
#include "app/cli_command.h"
#include "app/cli_output.h"
#include "core/base/result.h"

#include <initializer_list>
#include <memory>
#include <string>

namespace warpline {
class Trace;
}

namespace warpline::cli {

/// Common options of commands about a report.
struct ReportOptions {
    std::string file;
    bool noCache = false; ///< read the report itself, not its cached trace
};

/// Adds the FILE argument and --no-cache to `app`.
void addReportOptions(CLI::App& app, ReportOptions& options);
/// Adds the option `names` for the name of the NVTX ranges that are steps.
void addStepsOption(CLI::App& app, const char* names, std::string& steps);
/// Adds --machine to `app`: reports then come with their host and command line, see hideMachine().
void addMachineOption(CLI::App& app);
/// Whether --machine is given. False at the start of each command.
bool& machineAsked();
/// Adds --jobs to `app`.
void addJobsOption(CLI::App& app, std::size_t& jobs);
/// Adds --no-cache alone, for commands that take several files.
void addCacheOption(CLI::App& app, bool& noCache);

/// Loads the report at `path`, or ends the command as unreadable. Shows progress on standard error when that
/// is a terminal and loading takes more than a moment. Exports a recording (.nsys-rep, .qdrep) first where
/// nsys is on PATH, see exportOf(). Uses the cached trace of the report, unless `noCache`. `showsPart`: as
/// for noteIncomplete().
std::shared_ptr<const Trace> openReport(
    Answer& answer, const std::string& path, bool noCache, bool showsPart = false);
std::shared_ptr<const Trace> openReport(Answer& answer, const ReportOptions& options);
/// The same without a complaint: returns the Error.
Result<std::shared_ptr<const Trace>> tryReport(const std::string& path, bool noCache);
/// Adds a note to `answer` where the report of `trace` at `path` is a part, its file was cut off, or
/// much of it could not be read, as openReport() does. `showsPart`: the output itself says that it is a part.
void noteIncomplete(Answer& answer, const Trace& trace, const std::string& path, bool showsPart = false);
/// NoVerdict of the gate `option` that the report at `path`, which lacks work, does not fail: what is missing
/// may. See lacksWork().
Complaint gateOfIncomplete(const std::string& path, const std::string& option);

/// Parses --range; ends the command when it is invalid.
RangeArgument rangeOption(Answer& answer, const std::string& text);
/// rangeIn() of a range that was typed, else nothing.
TimeRange windowIn(Answer& answer, const Trace& trace, const RangeArgument& range);
/// The part of `trace` in `range`, with marks at the very end of the session: clips it to the report, with a
/// complaint. Ends the command when it lies completely outside.
TimeRange rangeIn(Answer& answer, const Trace& trace, const RangeArgument& range);
/// The same for an analysis, without marks at the very end: they take no time.
TimeRange analyzedRange(Answer& answer, const Trace& trace, const RangeArgument& range);

/// Ends the command when `app` got an option or a file other than `options`, which request a list; common
/// options are allowed.
void refuseBeside(Answer& answer, const CLI::App& app, std::initializer_list<const char*> options);

} // namespace warpline::cli
