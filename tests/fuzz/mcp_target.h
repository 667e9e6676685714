#pragma once

#include <string_view>

namespace warpline {

/// A session of `warpline-cli mcp`, a message a line, behind "initialize" unless the first letter is '-'. What
/// commands would answer is a small document, since fuzz.py runs them: messages, tools, arguments, cut answers
/// and command lines are the program's own.
void serveMcp(std::string_view lines);

} // namespace warpline
