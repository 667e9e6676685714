#pragma once

#include "core/base/message.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace warpline::cli {

class Answer;

/// Exit codes for scripts and CI jobs. exitCodes() describes them.
enum class ExitCode : int {
    Ok = 0,
    GateFailed = 1, ///< --fail-on of analyze or ranks, compare --fail-on-regression
    WrongUsage = 2,
    UnreadableReport = 3,
    WriteFailed = 4, ///< standard output or a file could not take everything
    NotComparable = 5, ///< compare: the runs do not do the same
    NoVerdict = 6, ///< compare: the recordings do not decide; must not pass as a good result
    Incomplete = 7, ///< sql: a limit ended the query, and rows are missing
    NothingRecorded = 8, ///< a gate over a report without events, which must not pass either
    NothingJudged = 9, ///< a gate, or ranks, over reports without the data that it needs
};

/// The key of `code` in `errors` of JSON: "unreadable_report"; "note" for Ok.
std::string_view keyOf(ExitCode code);

struct ExitCodeWords {
    ExitCode code;
    std::string_view key; ///< see keyOf()
    std::string_view meaning;

    Message meaningText() const { return {key, "exit_meaning", meaning}; }
};
/// All of them, by number.
std::span<const ExitCodeWords> exitCodes();

/// One subcommand. Common options (--format, --output, --force, --schema) are declared elsewhere.
struct Command {
    std::string_view name;
    std::string_view summary;
    /// Names of formats separated by blanks, the first is the default; empty: there is no choice. With json
    /// there is a schema, docs/cli/schema/NAME.json.
    std::string_view formats;
    /// Declares the options in `app`, and returns the function that runs the command.
    std::function<ExitCode(Answer&)> (*declare)(CLI::App& app);
    bool writesFiles = false; ///< takes --output in its own way

    Message summaryText() const { return {name, "command_summary", summary}; }
};

/// All subcommands, in the order of --help. The list is in cli_main.cpp and nowhere else.
std::span<const Command* const> allCommands();

/// Runs the command line `typed` like a shell. Prints to standard output, complains on standard error. Throws
/// exceptions that end the program with a complaint: std::exception.
ExitCode runCommand(std::vector<std::string> typed);
/// The same, with a complaint for each exception.
ExitCode runGuarded(std::vector<std::string> typed);

} // namespace warpline::cli
