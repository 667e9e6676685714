#pragma once

#include "app/cli_command.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warpline::cli {

/// What a command printed, and how it ended.
struct CapturedRun {
    ExitCode code = ExitCode::Ok;
    std::string output;
    std::string complaints; ///< of standard error, without the program's name before each line
};

/// Standard output for one protocol. While this lives nothing else reaches it: what commands print is caught,
/// and whatever else writes there goes to standard error. One in a program.
class ProtocolOutput {
public:
    ProtocolOutput();
    ~ProtocolOutput();
    ProtocolOutput(const ProtocolOutput&) = delete;
    ProtocolOutput& operator=(const ProtocolOutput&) = delete;

    /// Writes `line` and a newline. False: nobody reads any more.
    bool send(std::string_view line) const;
    /// Runs warpline-cli with `arguments`. `stop` ends what it does where that looks at commandStop().
    /// For one thread at a time.
    CapturedRun run(const std::vector<std::string>& arguments, const std::stop_token& stop) const;

private:
    int m_protocol; ///< what standard output was
};

} // namespace warpline::cli
