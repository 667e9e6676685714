#pragma once

#include "core/base/ids.h"
#include "core/base/message.h"
#include "core/coverage/intervals.h"
#include "core/derive/call_kinds.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

class Trace;

/// Kinds of host activity. Their order breaks ties between equal times.
enum class HostNameKind : std::uint8_t {
    Range, ///< of the program's own
    Communication, ///< in calls of a library
    Algorithm, ///< of parallel algorithms
    OpenMp, ///< in parallel regions
    LoadsLibraries,
    Reads, ///< files, as the next two; of calls of the operating system, as those up to Driver
    Writes,
    Files,
    WaitsForThread,
    WaitsForProcess,
    WaitsForInput,
    Sleeps,
    Yields,
    Driver,
    OtherSystemCall,
    OffCpu,
    Call, ///< of CUDA or HIP, as the next three
    CallLoadsCode,
    CallPinsMemory,
    CallMakesContext,
    MakesContext, ///< probably, between calls
    Function, ///< that samples saw
    Code, ///< of a file of Python
    OsKernel,
    Module, ///< a library that samples saw
    Imports, ///< modules of Python
};

/// What the host is in, with the report's name for it.
struct HostName {
    HostNameKind kind = HostNameKind::Range;
    std::string name{}; ///< of a range (numbers as '#'), library, call, function or file; else empty

    friend auto operator<=>(const HostName& a, const HostName& b) = default;
};

/// Divides the time of parts of a run among names: each instant goes to the first name that claims it.
class NamedTime {
public:
    /// Claims `range` for the name with this number, see number().
    struct Claim {
        TimeRange range;
        std::uint32_t name = 0;
        StringId text{}; ///< of a range of the program: its name with numbers, in the trace
    };
    static_assert(sizeof(Claim) == 24); // one for each event
    /// Sorted by start and disjoint, like the events of a lane. Given together, so that many names cost no
    /// more than one.
    using Claims = std::vector<Claim>;
    struct Named {
        HostName name;
        std::string shown; ///< `name`'s name; the range's own while no other of its pattern got time
        Ns time = 0;
        std::uint64_t stretches = 0;
        TimeRange where; ///< without its outermost stretches, up to a twentieth of the time on each side
    };

    NamedTime(const Intervals& parts, std::stop_token stop);

    std::uint32_t number(const HostName& name); ///< of `name`, the same each time. O(log names)
    Ns all() const { return m_all; } ///< of the parts
    const Intervals& left() const { return m_left; } ///< time without a name
    /// The time that each name would get from `claims`, by number. O(left + claims). Throws Stopped when a
    /// stop is requested, as give() does.
    std::vector<Ns> wouldGet(std::span<const Claim> claims) const;
    /// Gives the time of `claims` that is left to their names. O(left + claims).
    void give(std::span<const Claim> claims);
    /// The names that got time, ordered by name. `trace`: that of Claim::text.
    std::vector<Named> named(const Trace& trace) const;

private:
    struct Given {
        std::vector<TimeRange> time; ///< disjoint
        StringId text{}; ///< Claim::text of all of it; empty: none, or they differ
    };

    std::stop_token m_stop;
    Ns m_all;
    Intervals m_left;
    std::map<HostName, std::uint32_t> m_numbers;
    std::vector<Given> m_given; ///< by number
};

/// Names parts of `time` by what `thread` does: calls of MPI and similar libraries, the program's own NVTX
/// ranges (the outermost, or inner ones where one covers nearly all), parallel algorithms and OpenMP regions,
/// files, waits, and samples. O(events + names log names). Throws Stopped when `stop` is requested.
void nameByHost(const Trace& trace, GlobalId thread, NamedTime& time, const std::stop_token& stop);

/// The same with the program's own NVTX ranges only.
void nameByRanges(const Trace& trace, GlobalId thread, NamedTime& time, const std::stop_token& stop);

/// Names the time of `time` by the CUDA calls that `threads` are in, the first of them first: "cudaMalloc
/// (makes the context)". Throws Stopped when `stop` is requested.
void nameByCalls(const Trace& trace, const CallKinds& kinds, std::span<const GlobalId> threads,
    NamedTime& time, const std::stop_token& stop);

/// Names parts of `time` by the samples of `thread`, each valid until the next: by leading functions, else by
/// their library. Nothing where samples are few. Throws Stopped when `stop` is requested.
void nameBySamples(const Trace& trace, GlobalId thread, NamedTime& time, const std::stop_token& stop);

Message textOf(const HostName& name); ///< "in calls of MPI", "cudaMalloc (creates the context)"
/// A shorter name for narrow places: "MPI"; the same where the name is short.
Message labelOf(const HostName& name);

} // namespace warpline
