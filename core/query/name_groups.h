#pragma once

#include "core/base/message.h"
#include "core/query/named_events.h"
#include "core/store/event_kind.h"

#include <array>
#include <functional>
#include <string>
#include <string_view>

namespace warpline {

/// Properties by which events of one name are grouped.
enum class NameGrouping : std::uint8_t {
    Stream,
    Device, ///< GPU
    Process, ///< with its MPI rank where it has one
    Thread, ///< of GPU work the thread that launched it
    Parent, ///< the innermost NVTX range around; of GPU work around the call that launched it
    Path, ///< all NVTX ranges around
    Grid, ///< grid and block of kernels
    Bytes,
    Payload, ///< for NVTX ranges: the whole payload, or one field
};

struct NameGroupingInfo {
    NameGrouping grouping;
    std::string_view key; ///< as it is typed: "stream"
    std::string_view title; ///< as it is shown: "Stream"
};
/// All of them, in the order in which they are offered.
std::span<const NameGroupingInfo> allNameGroupings();
const NameGroupingInfo& infoOf(NameGrouping grouping);

/// Whether events of `kind` can differ so.
bool canGroup(const Trace& trace, EventKind kind, NameGrouping grouping);

/// Sums over the events of a group that a room above this one works out.
using GroupSums = std::array<double, 8>;

/// Events with one value of the grouping property.
struct NameGroup {
    Message label; ///< empty: the events have no such fact
    DurationFigures figures;
    double share = 0; ///< of the total of all groups, 0..1
    std::uint64_t others
        = 0; ///< how many groups are summed up here, as they have the least time; 0: it is one
    GroupSums sums{}; ///< by NameGroupQuery::addTo
};

/// How to group.
struct NameGroupQuery {
    NameGrouping grouping = NameGrouping::Stream;
    std::string_view field; ///< of payloads; empty: the whole payload
    std::size_t most = 1000; ///< of more groups the rest is one
    const DurationFigures* ofAll = nullptr; ///< where they are known: a group that holds all has them
    std::function<void(EventIndex event, GroupSums& sums)> addTo
        = {}; ///< adds an event; empty: there are none
};

/// The groups of `events` of `kind`, which are in the order of their table; those with the longest total
/// first. O(n), with ranges O(n log ranges). Throws Stopped.
std::vector<NameGroup> groupsOf(const Trace& trace, EventKind kind, std::span<const EventIndex> events,
    const NameGroupQuery& query, const std::stop_token& stop = {});

} // namespace warpline
