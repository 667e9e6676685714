#pragma once

#include "core/sqlite/row.h"

#include <cstdint>

namespace warpline {

/// Column `column`, eventSyncId, as recordingIn() has it: 0 for NULL, for what does not fit, and for the 2^32
/// - 1 that CUPTI writes for waits of no recording that it knows.
inline std::uint32_t recordingOf(const sqlite::Row& row, int column)
{
    constexpr std::int64_t unknown = 0xFFFF'FFFF;
    const std::int64_t id = row.integer(column, 0);
    return id > 0 && id < unknown ? static_cast<std::uint32_t>(id) : 0;
}

} // namespace warpline
