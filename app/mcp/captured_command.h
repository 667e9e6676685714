#pragma once

#include "app/cli_command.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warpline::cli {

/// Output and exit code of a command.
struct CapturedRun {
    ExitCode code = ExitCode::Ok;
    std::string output;
    std::string complaints; ///< of standard error, without the program's name before each line
};

/// Reserves standard output for the protocol. While this lives, commands' output is captured, and all other
/// output goes to standard error. Only one per program.
class ProtocolOutput {
public:
    ProtocolOutput();
    ~ProtocolOutput();
    ProtocolOutput(const ProtocolOutput&) = delete;
    ProtocolOutput& operator=(const ProtocolOutput&) = delete;

    /// Writes `line` and a newline. False: the reader is gone.
    bool send(std::string_view line) const;
    /// Runs warpline-cli with `arguments`. `stop` ends it where it checks commandStop(). Not thread-safe.
    CapturedRun run(const std::vector<std::string>& arguments, const std::stop_token& stop) const;

private:
    int m_protocol; ///< the original standard output
};

} // namespace warpline::cli
