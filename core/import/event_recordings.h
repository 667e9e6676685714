#pragma once

#include "core/sqlite/row.h"

#include <cstdint>

namespace warpline {

/// Column `column`, eventSyncId, as in recordingIn(): 0 for NULL, for numbers out of range, and for 2^32 - 1,
/// which
/// CUPTI writes for waits without a known record.
inline std::uint32_t recordingOf(const sqlite::Row& row, int column)
{
    constexpr std::int64_t unknown = 0xFFFF'FFFF;
    const std::int64_t id = row.integer(column, 0);
    return id > 0 && id < unknown ? static_cast<std::uint32_t>(id) : 0;
}

} // namespace warpline
