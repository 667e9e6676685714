#pragma once

#include "core/kineto/json_value.h"
#include "core/store/event_table.h"

#include <cstdint>
#include <string_view>
#include <utility>

namespace warpline {

// Interprets the words and numbers in events.

/// A number for a process or thread that fits in 24 bits: its own, or a replacement. 0 for negative numbers,
/// which belong to none.
std::uint32_t idOf(const JsonValue& value);

/// "HtoD" in "Memcpy HtoD (Pageable -> Device)".
CopyKind copyKindOf(std::string_view name);

/// The two memories in "(Pageable -> Device)" at the end of `name`; the same one twice for "(Device)".
std::pair<std::string_view, std::string_view> memoriesIn(std::string_view name);
/// The kind of memory for such a word.
MemoryKind memoryKindIn(std::string_view word);

/// The number in ENUM_CUPTI_SYNC_TYPE for "Stream Wait Event" and similar texts, and nsys' name for it.
std::pair<std::uint32_t, std::string_view> syncTypeOf(std::string_view kind);

/// The sides of a grid or block, [x, y, z]; 1 for missing ones.
Dim3 dimensionsOf(const JsonValue& list);
/// Converts a grid that HIP counts in threads to blocks of `block`; a side whose block is not recorded stays.
Dim3 gridInBlocks(Dim3 threads, Dim3 block);

} // namespace warpline
