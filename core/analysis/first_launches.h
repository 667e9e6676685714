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

/// Launches of at least 0.5 ms that are the first of their kernel in the process, where the driver loads its
/// code (lazy loading). In order of their index. O(calls), plus O(kernels) where there are such launches;
/// cached with the links of `trace`, since all threads' activity and several rules use them. Thread-safe.
/// Throws Stopped when `stop` is requested.
std::vector<EventIndex> firstLaunches(
    const Trace& trace, const CallKinds& kinds, const std::stop_token& stop = {});

/// True for calls that create a context when none exists: context creation, and all calls of the runtime.
/// Driver calls (cuMemAlloc) need an existing context, so that their long times have another cause.
bool mayMakeContext(std::string_view call);

/// True for the first event of a GPU compiler on a thread that already uses a GPU, by the name of the call or
/// of the loaded library. libNVVM and NVRTC load at first use (Numba, CuPy), and each compilation initializes
/// the driver again for the GPU's version: "dlopen(libnvvm.so.4)", "cuInit".
bool startsCompiler(std::string_view event);
/// Whether an NVTX range of this name compiles: "XlaCompile:#module=f#", "compile model".
bool isCompiling(std::string_view range);

} // namespace warpline
