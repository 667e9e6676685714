#pragma once

#include "core/coverage/packed_intervals.h"
#include "core/derive/call_kinds.h"
#include "core/store/gpu_names.h"
#include "core/store/trace.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warpline {

/// What a thread that launches GPU work does. In order of precedence: the time of a call inside a range that
/// loads data counts as data loading.
enum class HostDoing : std::uint8_t {
    Communicating, ///< in a call of MPI, UCX or NVSHMEM, whatever it calls in turn
    LoadingData, ///< inside an NVTX range named after data loading
    LoadingCode, ///< loads or compiles modules, makes contexts
    Allocating,
    Waiting, ///< in a synchronizing call
    Copying, ///< in a call that copies or sets memory
    Launching,
    OtherCalls, ///< other calls of CUDA or HIP
    OsCalls, ///< in a call of the OS runtime
    FetchingPages, ///< stopped at a page of unified memory that has to come from a GPU
    Launched, ///< has returned from the launch of the next work, which the GPU begins later: see causeOf()
    OffCpu, ///< in no call that is known, and on no CPU: thread states say so
    OwnCode, ///< none of these: Python, or the program's own code
};

inline constexpr std::size_t hostDoings = static_cast<std::size_t>(HostDoing::OwnCode) + 1;
constexpr std::size_t indexOf(HostDoing doing)
{
    return static_cast<std::size_t>(doing);
}

std::string_view keyOf(HostDoing doing); ///< "loading_data", "own_code" ...

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
    /// The parts of `range` in which the thread did `doing`. O(log n + result).
    Intervals within(HostDoing doing, TimeRange range) const;

private:
    /// The time in which it did something known: O(log n + result).
    Intervals known(TimeRange range) const;

    std::array<PackedIntervals, hostDoings - 1> m_covered; ///< disjoint
};

/// Lengths of time by name.
using TimeByName = std::unordered_map<StringId, Ns>;

Ns sumOf(const TimeByName& sums);

/// Adds the time of `parts` to `sums` by the call of a communication library that `thread` was in. Throws
/// Stopped when `stop` is requested.
void addCommunication(const Trace& trace, GlobalId thread, const Intervals& parts, TimeByName& sums,
    const std::stop_token& stop);
/// Whether in `parts` a range of the program's own lies in another one on `thread`. O(log n) a part and
/// depth.
bool hasNestedRanges(const Trace& trace, GlobalId thread, const Intervals& parts);
/// Adds the time of `parts` to `sums` by the innermost NVTX range of the program's own (not a library's) that
/// was open on `thread`. O(log n) a part and depth. Throws Stopped when `stop` is requested.
void addOwnRanges(const Trace& trace, GlobalId thread, const Intervals& parts, TimeByName& sums,
    const std::stop_token& stop);
/// A name, or those that differ in numbers alone, which count iterations: '#' stands for these.
struct NamedLength {
    std::string name;
    std::string pattern; ///< its numbers as '#'
    std::size_t names = 0; ///< how many differ in numbers alone
    Ns time = 0;
};
/// The longest of `sums`, at most `most` and none below a twentieth of all.
std::vector<NamedLength> longestNamed(const Trace& trace, const TimeByName& sums, std::size_t most);
/// The same as text: "Allreduce 130 ms, Waitall 4.1 ms". `explain` says what a name means, in
/// brackets behind it: "futex 1.2 s (waits for a lock, or to be woken by another thread)". Empty: nothing to
/// name.
std::string longestOf(const Trace& trace, const TimeByName& sums, std::size_t most,
    std::string_view (*explain)(std::string_view) = nullptr);

} // namespace warpline
