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

/// How the program ends: what scripts and CI jobs look at. exitCodes() has the words.
enum class ExitCode : int {
    Ok = 0,
    GateFailed = 1, ///< --fail-on of analyze or ranks, compare --fail-on-regression
    WrongUsage = 2,
    UnreadableReport = 3,
    WriteFailed = 4, ///< standard output or a file could not take everything
    NotComparable = 5, ///< compare: the runs do not do the same
    NoVerdict = 6, ///< compare: what was recorded does not tell, which must not pass for a good answer
    Incomplete = 7, ///< sql: a limit ended the question, and rows are missing
    NothingRecorded = 8, ///< a gate over a report without events, which must not pass either
    NothingJudged = 9, ///< a gate, or ranks, over reports that hold nothing that it looks at
};

/// What `code` is called among `errors` of JSON: "unreadable_report"; "note" for Ok.
std::string_view keyOf(ExitCode code);

struct ExitCodeWords {
    ExitCode code;
    std::string_view key; ///< see keyOf()
    std::string_view meaning;

    Message meaningText() const { return {key, "exit_meaning", meaning}; }
};
/// All of them, by number.
std::span<const ExitCodeWords> exitCodes();

/// One subcommand. What all of them take (--format, --output, --force, --schema) is not theirs to declare.
struct Command {
    std::string_view name;
    std::string_view summary;
    /// Names of formats with blanks between, the first unless another is asked for; empty: there is
    /// nothing to choose. Where json is one of them there is a schema, docs/cli/schema/NAME.json.
    std::string_view formats;
    /// Gives `app` its options, and returns what runs when the user chose the command.
    std::function<ExitCode(Answer&)> (*declare)(CLI::App& app);
    bool writesFiles = false; ///< takes --output in its own way

    Message summaryText() const { return {name, "command_summary", summary}; }
};

/// All subcommands, in the order of --help. The list is in cli_main.cpp and nowhere else.
std::span<const Command* const> allCommands();

/// Runs the program with `typed`, a command and its arguments, as if a shell had. Prints to standard output,
/// complains on standard error. Throws what the program's end turns into a complaint: std::exception.
ExitCode runCommand(std::vector<std::string> typed);

} // namespace warpline::cli
