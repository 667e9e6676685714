#pragma once

#include "core/coverage/coverage.h"
#include "core/findings/call_kinds.h"
#include "core/store/trace.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace warpline {

/// What a thread that launches GPU work does. In order of precedence: the time of a call inside a range that
/// loads data counts as data loading.
enum class HostDoing : std::uint8_t {
    LoadingData, ///< inside an NVTX range named after data loading
    LoadingCode, ///< loads or compiles modules, makes contexts
    Allocating,
    Waiting, ///< in a synchronizing call
    Copying, ///< in a call that copies or sets memory
    Launching,
    OtherCalls, ///< other CUDA calls
    OsCalls, ///< in a call of the OS runtime
    OwnCode, ///< none of these: Python, or the program's own code
};

inline constexpr std::size_t hostDoings = static_cast<std::size_t>(HostDoing::OwnCode) + 1;
constexpr std::size_t indexOf(HostDoing doing)
{
    return static_cast<std::size_t>(doing);
}

/// "loads data" ...: completes "while the launching thread ...".
std::string_view phraseOf(HostDoing doing);

/// A length of time by what the thread did in it; the parts add up to the whole.
using HostSplit = std::array<Ns, hostDoings>;

/// What one thread did over a window, as an index.
class HostActivity {
public:
    /// Throws Stopped when `stop` is requested.
    HostActivity(const Trace& trace, const CallKinds& kinds, GlobalId thread, TimeRange window,
        const std::stop_token& stop = {});

    /// O(log n).
    HostSplit split(TimeRange range) const;
    /// The parts of `range` in which the thread did `doing`; not for OwnCode.
    Intervals within(HostDoing doing, TimeRange range) const
    {
        return m_covered[indexOf(doing)].within(range);
    }

private:
    std::array<Coverage, hostDoings - 1> m_covered;
};

/// True for names of NVTX ranges that load input data: "data_load", "DataLoader.__next__", "fetch_batch" ...
bool isDataLoading(std::string_view rangeName);

} // namespace warpline
