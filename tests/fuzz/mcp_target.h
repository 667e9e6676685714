#pragma once

#include <string_view>

namespace warpline {

/// A session of `warpline-cli mcp`, one message per line, after "initialize" unless the first letter is '-'.
/// Results of commands are a small document, since fuzz.py tests commands: messages, tools, arguments,
/// shortened answers and command lines are the program's own.
void serveMcp(std::string_view lines);

} // namespace warpline
