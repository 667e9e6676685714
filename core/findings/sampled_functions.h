#pragma once

#include "core/base/message.h"
#include "core/coverage/intervals.h"
#include "core/store/event_table.h"

#include <cstddef>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

class Trace;
struct StackFrame;

/// Where the samples of a thread are.
struct SampleLanes {
    EventKind kind = EventKind::Sample; ///< Nvtx: they are of Python
    std::vector<Lane> lanes;
};

/// The Python samples of `thread`, which name the program's functions; without any its CPU samples, which see
/// the interpreter.
SampleLanes sampleLanesOf(const Trace& trace, GlobalId thread);

/// Whether `frame` names a function.
bool namesFunction(const Trace& trace, const StackFrame& frame);
/// A function of Python with its file: "tokenize (data/text.py)"; the file alone for code outside of
/// functions.
std::string pythonFunction(const Trace& trace, const StackFrame& frame);

/// How often samples saw each function: the innermost of a stack that has a name.
struct SampleCounts {
    std::map<std::string_view, std::size_t> functions;
    std::map<std::string_view, std::size_t> barriers; ///< those of `functions` that wait for a team of OpenMP
    std::size_t interpreter = 0; ///< in the interpreter of Python itself, whatever the function
    std::size_t all = 0;
    std::size_t threads = 0;
    std::map<std::string, std::size_t> pythonFunctions; ///< for Python samples, see pythonFunction()
    bool ofPython = false; ///< of a thread that has such samples; all others are of the CPU
};

/// The samples of `thread` in `parts`; of every thread where that is 0. Throws Stopped when `stop` is
/// requested.
SampleCounts samplesIn(
    const Trace& trace, GlobalId thread, const Intervals& parts, const std::stop_token& stop = {});

/// A sentence on the functions with most samples, or on Python's interpreter where many are in it. Empty: too
/// few or too widespread.
Message sampleText(const SampleCounts& counts);

/// Sentences on the samples of all threads in `window`, with waits at OpenMP's barriers separate. Empty: too
/// few. Throws Stopped when `stop` is requested.
Message sampledOnAllThreads(const Trace& trace, TimeRange window, const std::stop_token& stop = {});

/// A function without arguments of functions and templates: "graupel::{lambda#2}::operator()".
std::string bareFunction(std::string_view function);

} // namespace warpline
