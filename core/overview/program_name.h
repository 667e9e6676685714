#pragma once

#include "core/base/message.h"

#include <string>

namespace warpline {

class TraceAnalysis;
class Trace;

/// What the program that uses the GPUs is called: "hw5" of "/home/me/hw5 100", "cnn.py (python3)" of "timeout
/// 40 python3 cnn.py". Where the report has no command, the first process that uses a GPU; "The program"
/// where nothing says.
Message programName(const Trace& trace, TraceAnalysis& facts);

/// The same of a command and the name of the process that uses a GPU, either may be empty.
std::string programOf(const std::string& command, const std::string& process);

} // namespace warpline
