#pragma once

#include "core/kineto/json_value.h"
#include "core/store/event_table.h"

#include <cstdint>
#include <string_view>
#include <utility>

namespace warpline {

// What the words and numbers in events mean.

/// A number for a process or thread that fits in 24 bits: the number itself, or one that stands for it. 0 for
/// numbers below zero, which are of nobody in particular.
std::uint32_t idOf(const JsonValue& value);

/// "HtoD" in "Memcpy HtoD (Pageable -> Device)".
CopyKind copyKindOf(std::string_view name);

/// The words in "(Pageable -> Device)" at the end of `name`; twice the one of "(Device)".
std::pair<std::string_view, std::string_view> memoriesIn(std::string_view name);
/// The kind of memory that one of those words means.
MemoryKind memoryKindIn(std::string_view word);

/// The number in ENUM_CUPTI_SYNC_TYPE of "Stream Wait Event" and its like, and how nsys calls it.
std::pair<std::uint32_t, std::string_view> syncTypeOf(std::string_view kind);

/// The sides of a grid or block, [x, y, z]; 1 for what is missing.
Dim3 dimensionsOf(const JsonValue& list);
/// A grid that HIP counts in threads, in blocks of `block`; a side whose block is not recorded stays as it
/// is.
Dim3 gridInBlocks(Dim3 threads, Dim3 block);

} // namespace warpline
