#pragma once

#include <stop_token>

namespace warpline::cli {

/// Requested when the running command's result is no longer needed, which mcp's clients can signal. Never for
/// a command from a shell, where Ctrl+C ends the program.
std::stop_token commandStop();

/// Lets commandStop() be `stop` while it lives. One at a time.
class StopScope {
public:
    explicit StopScope(std::stop_token stop);
    ~StopScope();
    StopScope(const StopScope&) = delete;
    StopScope& operator=(const StopScope&) = delete;
};

} // namespace warpline::cli
