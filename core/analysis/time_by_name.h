#pragma once

#include "core/coverage/intervals.h"
#include "core/derive/tracks_of.h"
#include "core/operators/operator_names.h"
#include "core/store/library_domains.h"
#include "core/store/trace.h"

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warpline {

/// Lengths of time by name.
using TimeByName = std::unordered_map<StringId, Ns>;

Ns sumOf(const TimeByName& sums);

/// Calls visit(track) for the tracks of `kind` with communication calls of `thread`: a library's, or in
/// exports of before 2022.4 ranges of an NVTX domain.
template <typename Visit>
void forEachCommunication(const Trace& trace, GlobalId thread, EventKind kind, Visit&& visit)
{
    for (const Track& track : TracksOf(trace, kind, thread)) {
        if (track.device < 0 && isCommunicationLibrary(trace.text(track.family)))
            visit(track);
    }
}

/// Adds the time of `parts` to `sums` by the call of a communication library that `thread` was in. Throws
/// Stopped when `stop` is requested.
void addCommunication(const Trace& trace, GlobalId thread, const Intervals& parts, TimeByName& sums,
    const std::stop_token& stop);

/// The same by the call of a library for graphics or video: "vkWaitForFences". Returns the rest.
Intervals addGraphicsCalls(const Trace& trace, GlobalId thread, const Intervals& parts, TimeByName& sums,
    const std::stop_token& stop);

/// Whether in `parts` a range of the program's own lies in another one on `thread`. O(log n) a part and
/// depth.
bool hasNestedRanges(const Trace& trace, GlobalId thread, const Intervals& parts);

/// Adds the time of `parts` to `sums` by the innermost own NVTX range (not a library's) that was open on
/// `thread`. O(log n) per part and depth. Throws Stopped when `stop` is requested.
void addOwnRanges(const Trace& trace, GlobalId thread, const Intervals& parts, TimeByName& sums,
    const std::stop_token& stop);

/// A name, or a pattern with '#' for names that differ only in numbers, which count iterations.
struct NamedLength {
    std::string name; ///< see commonName()
    std::string pattern; ///< its numbers as '#'
    Ns time = 0;
};

/// The longest of `sums`, at most `most` and none below a twentieth of all.
std::vector<NamedLength> longestNamed(const Trace& trace, const TimeByName& sums, std::size_t most);

/// True for the domain in which PyTorch's profiler records the framework's own events.
bool isOfFramework(std::string_view domain);
/// True for cuDNN's attention, which is built again for each sequence length.
bool isCudnnAttention(std::string_view rangeName);

/// The time of `parts` by the innermost operator that was open on `thread`. O(log n) a part and depth. Throws
/// Stopped when `stop` is requested.
TimeByName operatorTimes(
    const Trace& trace, GlobalId thread, const Intervals& parts, const std::stop_token& stop);

} // namespace warpline
