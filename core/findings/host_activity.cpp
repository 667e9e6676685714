#include "core/findings/host_activity.h"

#include "core/base/stop.h"
#include "core/steps/steps.h"

#include <algorithm>
#include <unordered_map>

namespace warpline {

namespace {

constexpr std::array<std::string_view, 9> loadingWords{"dataload", "data_load", "data load", "loaddata",
    "load_data", "load data", "next_batch", "get_batch", "data_wait"};
constexpr std::array<std::string_view, 4> dataWords{"data", "batch", "input", "sample"};
constexpr std::array<std::string_view, 4> fetchWords{"fetch", "loading", "read", "preproc"};

HostDoing doingOf(CallKind kind)
{
    switch (kind) {
    case CallKind::Launch:
        return HostDoing::Launching;
    case CallKind::Copy:
    case CallKind::Set:
        return HostDoing::Copying;
    case CallKind::DeviceSync:
    case CallKind::StreamSync:
    case CallKind::EventSync:
        return HostDoing::Waiting;
    case CallKind::Allocate:
    case CallKind::Release:
    case CallKind::PinHost:
        return HostDoing::Allocating;
    case CallKind::LoadModule:
    case CallKind::MakeContext:
        return HostDoing::LoadingCode;
    case CallKind::CreateStream:
    case CallKind::Other:
        break;
    }
    return HostDoing::OtherCalls;
}

using Ranges = std::array<std::vector<TimeRange>, hostDoings - 1>;

/// Hands each event of `thread` in the window to `place(event)`, which says what it is.
template <typename Place>
void collect(const EventTable& table, GlobalId thread, TimeRange window, const std::stop_token& stop,
    Ranges& ranges, Place place)
{
    for (const Track& track : table.tracks) {
        if (track.owner != thread)
            continue;
        for (const Lane& lane : table.lanesOf(track)) {
            const auto [first, last] = table.touching(lane, window);
            for (const EventIndex i : stoppable(first, last, stop)) {
                const HostDoing doing = place(i);
                if (doing != HostDoing::OwnCode)
                    ranges[indexOf(doing)].push_back(table.range(i));
            }
        }
    }
}

} // namespace

std::string_view phraseOf(HostDoing doing)
{
    switch (doing) {
    case HostDoing::LoadingData:
        return "loads data";
    case HostDoing::LoadingCode:
        return "loads or compiles GPU code";
    case HostDoing::Allocating:
        return "allocates or frees memory";
    case HostDoing::Waiting:
        return "waits in a synchronizing call";
    case HostDoing::Copying:
        return "is inside a copy call";
    case HostDoing::Launching:
        return "is inside a launch call";
    case HostDoing::OtherCalls:
        return "is inside other CUDA calls";
    case HostDoing::OsCalls:
        return "is inside calls of the operating system";
    case HostDoing::OwnCode:
        break;
    }
    return "runs its own code and launches nothing";
}

bool isDataLoading(std::string_view name)
{
    const auto holds = [&](std::string_view word) { return containsWord(name, word); };
    if (std::ranges::any_of(loadingWords, holds))
        return true;
    return std::ranges::any_of(dataWords, holds) && std::ranges::any_of(fetchWords, holds);
}

HostActivity::HostActivity(const Trace& trace, const CallKinds& kinds, GlobalId thread, TimeRange window,
    const std::stop_token& stop)
{
    Ranges ranges;
    std::unordered_map<std::uint32_t, bool> loads; // by name: names are few
    collect(trace.nvtx(), thread, window, stop, ranges, [&](EventIndex i) {
        const StringId name = trace.nvtx().name[i];
        const auto [place, added] = loads.try_emplace(raw(name), false);
        if (added)
            place->second = isDataLoading(trace.text(name));
        return place->second ? HostDoing::LoadingData : HostDoing::OwnCode;
    });
    collect(trace.apiCalls(), thread, window, stop, ranges, [&](EventIndex i) { return doingOf(kinds[i]); });
    collect(trace.table(EventKind::OsRuntime), thread, window, stop, ranges,
        [](EventIndex) { return HostDoing::OsCalls; });
    Intervals taken;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const Intervals all = unionOf(std::move(ranges[i]), window);
        m_covered[i] = Coverage(difference(all, taken));
        if (all.empty())
            continue;
        std::vector<TimeRange> both(std::move(taken));
        const auto old = static_cast<std::ptrdiff_t>(both.size());
        both.insert(both.end(), all.begin(), all.end());
        std::inplace_merge(both.begin(), both.begin() + old, both.end(),
            [](TimeRange a, TimeRange b) { return a.start < b.start; });
        taken = unionOf(std::move(both), window);
    }
}

HostSplit HostActivity::split(TimeRange range) const
{
    HostSplit parts{};
    Ns known = 0;
    for (std::size_t i = 0; i < m_covered.size(); ++i) {
        parts[i] = m_covered[i].busy(range);
        known += parts[i];
    }
    parts.back() = std::max<Ns>(0, range.duration() - known);
    return parts;
}

} // namespace warpline
