#pragma once

#include "core/base/time.h"
#include "core/store/event_kind.h"

#include <array>
#include <cstdint>
#include <map>
#include <stop_token>
#include <string_view>
#include <utility>
#include <vector>

namespace warpline {

class Trace;

/// The purpose of memory of PyTorch's allocator, guessed from the times of allocation and release. Named as
/// in torch.profiler's memory timeline, which knows the tensors.
enum class MemoryCategory : std::uint8_t {
    Before, ///< allocated before the recording: parameters, most often, and the optimizer's state
    Kept, ///< of the forward pass or outside of passes, never released: parameters, caches
    OptimizerState, ///< allocated in Optimizer.step and not released in it
    Gradient, ///< allocated in a backward pass and released outside of all, or never
    Activation, ///< of the forward pass or recomputed, and released in a backward pass
    AutogradDetail, ///< allocated in one node of a backward pass and released in another
    Temporary, ///< released where it was allocated: in one operator, node or optimizer step; or between
               ///< passes
};
inline constexpr std::size_t memoryCategoryCount = 7;
std::string_view labelOf(MemoryCategory category);

/// A change of how much memory of a category is in use.
struct CategoryChange {
    Ns time = 0;
    MemoryCategory category{};
    std::int64_t bytes = 0; ///< below 0: released
    EventRef event; ///< not valid(): the memory that was there before
};

/// The changes of each GPU by (process, device), in order of time. O(n log n). Throws Stopped.
std::map<std::pair<GlobalId, std::int32_t>, std::vector<CategoryChange>> memoryCategories(
    const Trace& trace, const std::stop_token& stop);

/// Whether the trace has allocations with operators around them.
bool hasOperatorMemory(const Trace& trace);
/// Whether they also have addresses, which join an allocation with its release.
bool hasMemoryCategories(const Trace& trace);

/// The thread that allocated or released, `event` being of kind GpuMemory; 0: not recorded.
GlobalId threadOfAllocation(const Trace& trace, EventIndex event);

} // namespace warpline
