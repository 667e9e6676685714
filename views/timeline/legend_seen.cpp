#include "views/timeline/legend_entries.h"

#include "core/query/lod.h"
#include "core/query/range_stats.h"
#include "core/store/trace.h"
#include "views/session/idle_books.h"

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

std::vector<std::uint16_t> idleSeen(const Trace& trace, const RowTree& rows, const IdleTimes& times,
    std::span<const RowId> gpus, TimeRange window)
{
    constexpr int pixels = 1000;
    constexpr std::size_t maxReasons = 3;
    std::unordered_map<std::uint16_t, double> idle; // pixels
    std::vector<float> share;
    std::vector<std::uint16_t> numbers;
    for (const RowId id : gpus) {
        const Row& row = rows.row(id);
        rowBusyShare(trace, row, window, pixels, share);
        times.along(gpuOf(trace, row), window, pixels, numbers);
        for (std::size_t x = 0; x < numbers.size(); ++x)
            idle[numbers[x]] += 1 - static_cast<double>(share[x]);
    }
    idle.erase(0);
    std::erase_if(
        idle, [&](const auto& each) { return times.partOf(each.first).cause == IdleCause::NoWork; });
    std::erase_if(idle, [](const auto& each) { return each.second < pixels / 100.0; });
    std::vector<std::uint16_t> all;
    for (const auto& [number, time] : idle)
        all.push_back(number);
    std::ranges::sort(all,
        [&](std::uint16_t a, std::uint16_t b) { return idle[a] != idle[b] ? idle[a] > idle[b] : a < b; });
    all.resize(std::min(all.size(), maxReasons));
    return all;
}

} // namespace warpline
