#pragma once

#include <stop_token>

namespace warpline::cli {

/// Requested when nobody waits for the answer of the running command any more: mcp's clients can say so. Of a
/// command that was called from a shell it never is; there Ctrl+C ends the program.
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
