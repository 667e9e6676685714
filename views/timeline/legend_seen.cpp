#include "views/timeline/legend_seen.h"

#include "core/query/lod.h"

#include <algorithm>
#include <unordered_map>

namespace warpline {

std::vector<SeenName> namesSeen(
    const Trace& trace, std::span<const TrackRef> tracks, TimeRange window, const std::stop_token& stop)
{
    constexpr int pixels = 1000;
    const double perPixel = static_cast<double>(window.duration()) / pixels;
    std::unordered_map<std::uint64_t, SeenName> names; // by kind and name
    std::vector<LodSlice> slices;
    for (const TrackRef& ref : tracks) {
        const EventTable& table = trace.table(ref.kind);
        for (const Lane& lane : table.lanesOf(table.tracks[ref.track])) {
            if (stop.stop_requested())
                return {};
            levelOfDetail(table, lane, window, pixels, slices);
            for (const LodSlice& slice : slices) {
                const std::uint64_t key
                    = std::uint64_t{indexOf(ref.kind)} << 32U | raw(table.name[slice.longest]);
                SeenName& seen = names[key];
                seen.sample = {ref.kind, slice.longest};
                const float left = std::max(0.0F, slice.x0);
                const float right = std::min(static_cast<float>(pixels), slice.x1);
                seen.time += static_cast<double>(std::max(0.0F, right - left) * slice.share) * perPixel;
            }
        }
    }
    std::vector<SeenName> all;
    all.reserve(names.size());
    for (auto& [key, seen] : names) {
        seen.tint = tintOf(trace, seen.sample);
        all.push_back(seen);
    }
    std::ranges::sort(all, [](const SeenName& a, const SeenName& b) {
        return a.time != b.time ? a.time > b.time : a.sample < b.sample;
    });
    return all;
}

} // namespace warpline
