#pragma once

#include <string_view>

namespace warpline {

class Trace;

/// Whether the report has samples of Python with their stacks.
bool hasPythonStacks(const Trace& trace);
/// Whether the report has Python samples, all without stacks, because the export leaves them out by default:
/// see keepsPythonStacks.
bool lacksPythonStacks(const Trace& trace);
/// Where the ranges come from that are calls of Python's functions (with_stack=True of PyTorch's profiler).
inline constexpr std::string_view pythonFunctionSource = "python_function";
/// Whether the report has such ranges.
bool hasPythonFunctions(const Trace& trace);
/// The command that exports a recording with them.
inline constexpr std::string_view keepsPythonStacks = "nsys export --type sqlite --include-json=true";

} // namespace warpline
