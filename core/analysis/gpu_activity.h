#pragma once

#include "core/base/ids.h"
#include "core/base/message.h"
#include "core/coverage/intervals.h"

#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

class Trace;

/// A GPU context of a process: the unit of nsys' rules.
struct GpuKey {
    GlobalId process = 0;
    std::int32_t device = -1;
    std::int32_t context = -1;
    auto operator<=>(const GpuKey&) const = default;
};

/// The work of a GPU context in a window.
struct GpuActivity {
    std::vector<TimeRange>
        work; ///< every piece, sorted by start, clipped to the window; concurrent ones overlap
    Intervals busy; ///< their union
    TimeRange span() const
    {
        return busy.empty() ? TimeRange{} : TimeRange{busy.front().start, busy.back().end};
    }
};

/// Kernels, copies and memsets of each context inside `window`; with `withGraphs` also graphs traced as a
/// whole. Throws Stopped when `stop` is requested.
std::map<GpuKey, GpuActivity> gpuActivity(
    const Trace& trace, TimeRange window, bool withGraphs = true, const std::stop_token& stop = {});

/// "GPU 0", under the machine's number.
std::string nameOf(const Trace& trace, const GpuKey& gpu);
/// The same, with the process where the report has several that use GPUs.
Message nameWithProcess(const Trace& trace, const GpuKey& gpu);

} // namespace warpline
