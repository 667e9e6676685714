#include "core/store/counter_title.h"

#include "core/base/message_names.h"
#include "core/base/utf8.h"
#include "core/store/gpu_names.h"
#include "core/store/place_names.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace warpline {

namespace {

struct OwnName {
    Literal key;
    Literal name; ///< as it is in the trace
};

/// The names that importers and derived counters give.
constexpr std::array ownNames{OwnName{"counter.streams_running", "Streams running"},
    OwnName{"counter.queue_depth", "Queue depth"},
    OwnName{"counter.pytorch_host", "Memory that PyTorch allocated on the host"},
    OwnName{"counter.pytorch_used", "Memory in use by PyTorch"},
    OwnName{"counter.pytorch_held", "Memory held by PyTorch"},
    OwnName{"counter.pageable", "Pageable memory usage"}, OwnName{"counter.pinned", "Pinned memory usage"},
    OwnName{"counter.device", "Device memory usage"}, OwnName{"counter.array", "Array memory usage"},
    OwnName{"counter.managed", "Managed memory usage"},
    OwnName{"counter.device_static", "Static device memory usage"},
    OwnName{"counter.managed_static", "Static managed memory usage"},
    OwnName{"counter.unknown", "Unknown memory usage"},
    OwnName{"counter.video_usage", "Video memory usage (local)"},
    OwnName{"counter.video_usage_non_local", "Video memory usage (non-local)"},
    OwnName{"counter.video_budget", "Video memory budget (local)"},
    OwnName{"counter.video_budget_non_local", "Video memory budget (non-local)"},
    OwnName{"counter.video_resident", "Video memory resident (local)"},
    OwnName{"counter.video_resident_non_local", "Video memory resident (non-local)"}};

/// "Host-to-Device" of `label`, of labelOf(CopyKind): engineers have their own short words in each language.
Message directionText(std::string_view label)
{
    std::string key(label);
    for (char& letter : key)
        letter = letter == '-' || letter == ' ' ? '_' : letter;
    return {"counter.direction",
        "{direction, select, Host_to_Device {Host-to-Device} Device_to_Host {Device-to-Host} "
        "Device_to_Device {Device-to-Device} Peer_to_Peer {Peer-to-Peer} "
        "Unified_Host_to_Device {Unified Host-to-Device} Unified_Device_to_Host {Unified Device-to-Host} "
        "Unified_Device_to_Device {Unified Device-to-Device} other {{label}}}",
        {{"direction", Name{std::move(key)}}, {"label", Name{toUtf8(label)}}}};
}

} // namespace

Message counterTitle(const Trace& trace, const CounterSeries& series)
{
    const std::string_view name = trace.text(series.name);
    if (series.kind == CounterKind::CopyBandwidth) // "Copies Host-to-Device"
        return {"counter.copies", "Copies {direction}",
            {{"direction", directionText(name.substr(std::min<std::size_t>(name.size(), 7)))}}};
    if (series.kind == CounterKind::MemoryPool && name.starts_with("Memory pool 0x"))
        return {"counter.pool", "Memory pool {address} {what, select, used {in use} other {size}}",
            {{"address", Name{std::string(name.substr(12, name.find(' ', 12) - 12))}},
                {"what", Name{name.ends_with("size") ? "size" : "used"}}}};
    const auto* const own
        = std::ranges::find(ownNames, name, [](const OwnName& each) { return each.name.text(); });
    const bool isOwn = own != ownNames.end() && series.kind != CounterKind::GpuMetric
        && series.kind != CounterKind::Network;
    return isOwn ? Message(own->key, own->name) : nameMessage(toUtf8(name));
}

Message counterPlace(const Trace& trace, const CounterSeries& series)
{
    // Not gpuName(), which looks at all tracks of calls: files may have many counters.
    Message place = series.device < 0
        ? Message()
        : nameMessage(fmt::format("GPU {}", gpuNumber(trace, series.owner, series.device)));
    if (series.stream >= 0) {
        Message stream = streamText(series.stream);
        place = place.empty() ? std::move(stream) : placeWithin(std::move(place), std::move(stream));
    }
    if (series.owner == 0)
        return place;
    const Ordinal pid{pidOf(series.owner)};
    return place.empty()
        ? Message("place.pid", "[{pid}]", {{"pid", pid}})
        : Message("place.of_pid", "{place} [{pid}]", {{"place", std::move(place)}, {"pid", pid}});
}

std::string memoryUsageName(MemoryKind kind)
{
    return kind == MemoryKind::DeviceStatic ? "Static device memory usage"
        : kind == MemoryKind::ManagedStatic ? "Static managed memory usage"
                                            : fmt::format("{} memory usage", labelOf(kind));
}

} // namespace warpline
