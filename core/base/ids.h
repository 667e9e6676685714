#pragma once

#include <cstdint>
#include <utility>

namespace warpline {

/// Handle of a string in the trace's StringPool. StringId{} (0) is the empty string.
enum class StringId : std::uint32_t {};

/// A node of a RowTree; valid for the life of that tree. RowId{} (0) is the root.
enum class RowId : std::uint32_t {};

/// Row number of an event in its EventTable.
using EventIndex = std::uint32_t;

/// "No event" or "no row" in index columns.
inline constexpr std::uint32_t noIndex = 0xFFFFFFFFU;

constexpr std::uint32_t raw(StringId id)
{
    return static_cast<std::uint32_t>(id);
}
constexpr std::uint32_t raw(RowId id)
{
    return static_cast<std::uint32_t>(id);
}

/// Nsight's serialized ids: vm << 48 | pid << 24 | tid (a process has tid 0).
using GlobalId = std::uint64_t;

constexpr GlobalId processOf(GlobalId thread)
{
    return thread & ~GlobalId{0xFFFFFF};
}
constexpr std::uint32_t pidOf(GlobalId id)
{
    return static_cast<std::uint32_t>(id >> 24U) & 0xFFFFFFU;
}
constexpr std::uint32_t tidOf(GlobalId id)
{
    return static_cast<std::uint32_t>(id) & 0xFFFFFFU;
}

/// A process, and a GPU by its CUDA ordinal there.
using GpuOfProcess = std::pair<GlobalId, std::int32_t>;

} // namespace warpline
