#pragma once

#include "core/base/string_pool.h"
#include "core/store/event_table.h"
#include "core/store/table_builder.h"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace warpline {

/// Work of the profiler itself.
struct ProfilerWork {
    GlobalId thread = 0; ///< 0: the trace does not say
    Ns start = 0;
    Ns end = 0;
    StringId name{};
    std::uint32_t sourceRow = 0;
};

/// The record of a CUDA event as a wait for it tells of it.
struct AwaitedRecord {
    TrackKey stream; ///< that it was recorded on
    std::uint32_t event = 0; ///< id of the CUDA event
};

/// An end of an arrow from an operator to one of its backward pass.
struct PassEnd {
    std::int64_t id = 0; ///< the same at both ends
    GlobalId thread = 0;
    Ns time = 0; ///< when the operator there begins
    bool begins = false;
};

/// What is only known to belong somewhere once the whole trace is read. Times as EventReader has them.
struct LooseEnds {
    std::vector<ProfilerWork> overheads; ///< of no thread
    std::map<std::uint32_t, AwaitedRecord> awaited; ///< by the correlation id of the call that records
    std::unordered_map<std::uint32_t, Ns> recordCalls; ///< start of the calls that record, by correlation id
    std::unordered_set<std::uint32_t> recorded; ///< correlation ids of records that are in the trace
    std::vector<PassEnd> passes;
    std::unordered_map<std::uint32_t, StringId> launchedKernels; ///< by the source row of the launching call

    void append(LooseEnds&& other);
};

/// Gives what the profiler did to the thread that it held up, `calls` being those of CUDA: the one whose call
/// it is inside of, else the one that makes the next call and is in none meanwhile. (CUPTI asks for a buffer
/// when a thread makes its first call, before that call begins to count.) What cannot be placed keeps 0, and
/// so does what is not the profiler's: see isProfilersOwn(). `zero`: where the times of `calls` begin.
/// O(overheads x lanes of calls), which a trace with absurdly many of both is spared.
void placeOverheads(
    std::vector<ProfilerWork>& overheads, const EventTable& calls, Ns zero, const StringPool& pool);

/// Writes into the correlation column of `ranges` which operators belong together: an operator and those of
/// its backward pass share a number, counted from 1; all others have 0. Nothing when there are no `passes`.
/// See core/derive/backward_passes.h.
void joinPasses(std::vector<PassEnd>& passes, NvtxTable& ranges, Ns zero);

} // namespace warpline
