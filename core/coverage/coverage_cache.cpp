#include "core/coverage/coverage_cache.h"

#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

std::shared_ptr<const Coverage> CoverageCache::of(const Trace& trace, const std::vector<TrackRef>& tracks)
{
    std::vector<std::weak_ptr<const EventTable>> tables;
    std::uint64_t events = 0;
    for (const TrackRef& ref : tracks) {
        tables.emplace_back(trace.tables[indexOf(ref.kind)]);
        events += trace.track(ref).eventCount;
    }
    constexpr std::uint64_t minEventsToShare = 10'000;
    if (events < minEventsToShare)
        return std::make_shared<const Coverage>(coverageOf(trace, tracks, m_stop));
    std::erase_if(m_known, [](const Known& entry) { return entry.coverage.expired(); });
    // By owner: an address may be that of a younger table.
    const auto isSameTable
        = [](const auto& a, const auto& b) { return !a.owner_before(b) && !b.owner_before(a); };
    const auto found = std::ranges::find_if(m_known, [&](const Known& entry) {
        return entry.tracks == tracks && std::ranges::equal(entry.tables, tables, isSameTable);
    });
    if (found != m_known.end()) {
        if (auto coverage = found->coverage.lock())
            return coverage;
    }
    auto made = std::make_shared<const Coverage>(coverageOf(trace, tracks, m_stop));
    m_known.push_back({tracks, std::move(tables), made});
    return made;
}

} // namespace warpline
