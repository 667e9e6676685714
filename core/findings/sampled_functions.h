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

/// Where the samples of a thread are.
struct SampleLanes {
    EventKind kind = EventKind::Sample; ///< Nvtx: they are of Python
    std::vector<Lane> lanes;
};

/// The samples of Python of `thread`, which name the functions of the program; where there are none those of
/// the CPU, which see the interpreter.
SampleLanes sampleLanesOf(const Trace& trace, GlobalId thread);

/// How often samples saw each function: the innermost of a stack that has a name.
struct SampleCounts {
    std::map<std::string_view, std::size_t> functions;
    std::map<std::string_view, std::size_t> barriers; ///< those of `functions` that wait for a team of OpenMP
    std::size_t interpreter = 0; ///< in the interpreter of Python itself, whatever the function
    std::size_t all = 0;
    std::size_t threads = 0;
    /// Of samples of Python instead, with the file: "tokenize (data/text.py)"; a file alone is what it does
    /// outside of its functions.
    std::map<std::string, std::size_t> pythonFunctions;
    bool ofPython = false; ///< of a thread that has such samples; all others are of the CPU
};

/// The samples of `thread` in `parts`; of every thread where that is 0. Throws Stopped when `stop` is
/// requested.
SampleCounts samplesIn(
    const Trace& trace, GlobalId thread, const Intervals& parts, const std::stop_token& stop = {});

/// In which functions most samples are, as a sentence; where many are in the interpreter of Python, that.
/// Empty: too few to say, or too spread.
Message sampleText(const SampleCounts& counts);

/// What the samples of all threads of `window` saw, waits at OpenMP's barriers told apart: whole sentences.
/// Empty: there are too few to say. Throws Stopped when `stop` is requested.
Message sampledOnAllThreads(const Trace& trace, TimeRange window, const std::stop_token& stop = {});

/// A function without arguments of functions and templates: "graupel::{lambda#2}::operator()".
std::string bareFunction(std::string_view function);

} // namespace warpline
