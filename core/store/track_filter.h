#pragma once

#include "core/store/event_table.h"

#include <functional>

namespace warpline {

/// Whether a track counts; empty: every track does.
using TrackFilter = std::function<bool(const Track&)>;

inline bool passes(const TrackFilter& filter, const Track& track)
{
    return !filter || filter(track);
}

/// The same for a GPU of a process, by the ordinal that it has there.
inline bool passesGpu(const TrackFilter& filter, GlobalId process, std::int32_t device)
{
    return passes(filter, {.owner = process, .device = device});
}

} // namespace warpline
