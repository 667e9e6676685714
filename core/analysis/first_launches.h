#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/derive/call_kinds.h"

#include <stop_token>
#include <string_view>
#include <vector>

namespace warpline {

class Trace;

/// A launch takes 5 to 20 us unless something is loaded, or the queue is full.
inline constexpr Ns slowLaunch = 500'000;

/// Launches of half a millisecond and more that are the first of their kernel in the process: the driver
/// loads its code then (lazy loading). In order of their index. O(calls), and O(kernels) where there are such
/// launches: every thread's activity and several rules ask, so they are kept as long as the links of `trace`
/// are. Safe to call from several threads. Throws Stopped when `stop` is requested.
std::vector<EventIndex> firstLaunches(
    const Trace& trace, const CallKinds& kinds, const std::stop_token& stop = {});

/// True for calls that make a context where there is none: those that are for it, and all of the runtime.
/// Calls of the driver (cuMemAlloc) need one that is there, so that what they take long for is something
/// else.
bool mayMakeContext(std::string_view call);

/// True for what a compiler of GPU code begins with on a thread that uses a GPU already, by the name of the
/// call or of what was loaded: libNVVM and NVRTC are loaded when they are first needed (Numba, CuPy), and
/// each compilation starts the driver anew for the GPU's version: "dlopen(libnvvm.so.4)", "cuInit".
bool startsCompiler(std::string_view event);
/// Whether an NVTX range of this name compiles: "XlaCompile:#module=f#", "compile model".
bool saysCompiling(std::string_view range);

} // namespace warpline
