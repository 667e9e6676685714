#pragma once

#include "core/store/event_kind.h"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace warpline {

/// GPU work and the API call that started it, by correlation id within a process.
struct Links {
    /// For each device kind: the ApiCall row of every event, noIndex where there is none.
    std::array<std::vector<EventIndex>, deviceKindCount> apiOf;
    /// For each API call the packed first piece of work it started; noIndex: none.
    std::vector<std::uint32_t> firstWork;
    /// Further work of calls that started several pieces (a graph launch traced per node):
    /// (API call, packed work), sorted.
    std::vector<std::pair<EventIndex, std::uint32_t>> moreWork;
    /// Calls with the id of an earlier call that started work, outside of it: their work is linked to that
    /// one. In no cache.
    std::uint64_t sharedIds = 0;

    static constexpr std::uint32_t pack(EventRef event)
    {
        return static_cast<std::uint32_t>(indexOf(event.kind)) << 29U | event.index;
    }
    static constexpr EventRef unpack(std::uint32_t packed)
    {
        if (packed == noIndex)
            return {};
        return {static_cast<EventKind>(packed >> 29U), packed & 0x1FFFFFFFU};
    }
};

} // namespace warpline
