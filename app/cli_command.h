#pragma once

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

/// How the program ends: what scripts and CI jobs look at.
enum class ExitCode : int {
    Ok = 0,
    SeverityReached = 1, ///< analyze --fail-on: a finding is that severe; compare: a regression
    WrongUsage = 2,
    UnreadableReport = 3,
    WriteFailed = 4, ///< standard output or a file could not take everything
    NotComparable = 5, ///< compare: the runs do not do the same
    NoVerdict = 6, ///< compare: what was recorded does not tell, which must not pass for a good answer
    Incomplete = 7, ///< sql: a limit ended the question, and rows are missing
    NothingRecorded = 8, ///< analyze --fail-on: a report without events, which must not pass either
};

/// One subcommand. `declare` gives `app` its options and returns what runs when the user chose it.
struct Command {
    std::string_view name;
    std::string_view summary;
    std::function<ExitCode()> (*declare)(CLI::App& app);
};

/// All subcommands, in the order of --help. The list is in cli_main.cpp and nowhere else.
std::span<const Command* const> allCommands();

/// Runs the program with `given`, a command and its arguments, as if a shell had. Prints to standard output,
/// complains on standard error. Throws what the program's end turns into a complaint: std::exception.
ExitCode runCommand(const std::vector<std::string>& given);

} // namespace warpline::cli
