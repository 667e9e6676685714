#pragma once

#include "core/base/message.h"

#include <string>

namespace warpline {

class TraceAnalysis;
class Trace;

/// The name of the program that uses the GPUs: "hw5" of "/home/me/hw5 100", "cnn.py (python3)" of "timeout 40
/// python3 cnn.py". Without a command in the report: the first process that uses a GPU, else "The program".
Message programName(const Trace& trace, TraceAnalysis& facts);

/// The same from a command and the name of the process that uses a GPU; either may be empty.
std::string programOf(const std::string& command, const std::string& process);
/// The same from the command of `trace` alone; empty: it has none.
std::string programOf(const Trace& trace);

} // namespace warpline
