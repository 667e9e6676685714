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
    GlobalId thread = 0; ///< 0: unknown
    Ns start = 0;
    Ns end = 0;
    StringId name{};
    std::uint32_t sourceRow = 0;
};

/// The record of a CUDA event, from a wait for it.
struct AwaitedRecord {
    TrackKey stream; ///< that it was recorded on
    std::uint32_t event = 0; ///< id of the CUDA event
};

/// One end of an arrow from an operator to one of its backward pass.
struct PassEnd {
    std::int64_t id = 0; ///< the same at both ends, in one process
    GlobalId thread = 0;
    Ns time = 0; ///< when the operator there begins
    bool begins = false;
};

/// Data whose place is only known after reading the whole trace. Times as in EventReader.
struct LooseEnds {
    std::vector<ProfilerWork> overheads; ///< without a thread
    std::map<std::uint32_t, AwaitedRecord> awaited; ///< by the correlation id of the call that records
    std::unordered_map<std::uint32_t, Ns> recordCalls; ///< start of the calls that record, by correlation id
    std::unordered_set<std::uint32_t> recorded; ///< correlation ids of records that are in the trace
    std::vector<PassEnd> passes;
    std::unordered_map<std::uint32_t, StringId> launchedKernels; ///< by the source row of the launching call

    void append(LooseEnds&& other);
};

/// Assigns profiler overhead to the thread that it delayed, by the CUDA calls in `calls`: the thread whose
/// call contains it, else the one that makes the next call and is in none at that time. (CUPTI requests a
/// buffer when a thread makes its first call, before the call's time begins.) Overhead without such a thread
/// keeps 0, and so do events that are not the profiler's: see isProfilersOwn(). `zero`: origin of the times
/// of `calls`. O(overheads x lanes of calls), skipped for traces with extremely many of both.
void placeOverheads(
    std::vector<ProfilerWork>& overheads, const EventTable& calls, Ns zero, const StringPool& pool);

/// Writes into the correlation column of `ranges` which operators belong together: an operator and those of
/// its backward pass share a number from 1 on; all others have 0. Nothing when there are no `passes`. See
/// core/derive/backward_passes.h.
void joinPasses(std::vector<PassEnd>& passes, NvtxTable& ranges, Ns zero);

} // namespace warpline
