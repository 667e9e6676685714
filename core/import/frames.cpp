#include "core/import/frames.h"

#include "core/store/library_domains.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace warpline {

namespace {

constexpr std::size_t minFrames = 3;

/// Calls that end a frame, the most reliable first; a name or its prefix.
constexpr std::array<std::string_view, 6> presents{
    "eglSwapBuffers", "glXSwapBuffers", "wglSwapBuffers", "SwapBuffers", "vkQueuePresent", "IDXGISwapChain"};
constexpr std::array<std::string_view, 3> submits{
    "vkQueueSubmit", "ID3D12CommandQueue::ExecuteCommandLists", "ExecuteCommandLists"};
constexpr std::array<std::string_view, 1> finishes{"glFinish"};

/// 0: presents a picture, 1: submits, 2: finishes; 3: none of these.
std::size_t levelOf(std::string_view name)
{
    const auto begins = [&](std::string_view beginning) { return name.starts_with(beginning); };
    if (std::ranges::any_of(presents, begins)
        && (!name.starts_with("IDXGISwapChain") || name.find("::Present") != std::string_view::npos))
        return 0;
    if (std::ranges::any_of(submits, begins))
        return 1;
    return std::ranges::any_of(finishes, begins) ? 2 : 3;
}

/// The calls of each level on a thread.
struct FrameCalls {
    StringId source{};
    std::array<std::vector<TimeRange>, 3> calls;
};

/// When they ended, without calls inside others: SwapBuffers calls wglSwapBuffers.
std::vector<Ns> endsOf(std::vector<TimeRange> calls)
{
    std::ranges::sort(calls, {}, [](const TimeRange& call) { return std::pair(call.start, -call.end); });
    std::vector<Ns> ends;
    for (const TimeRange& call : calls) {
        if (ends.empty() || call.end > ends.back())
            ends.push_back(call.end);
    }
    return ends;
}

} // namespace

std::vector<Frame> framesOf(const Trace& trace, StringPool& pool)
{
    const EventTable& calls = trace.table(EventKind::Library);
    std::map<GlobalId, FrameCalls> threads;
    std::vector<std::uint8_t> levels; // by name; 0: not looked at
    for (const Track& track : calls.tracks) {
        if (track.device >= 0)
            continue;
        for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
            const std::size_t name = raw(calls.name[i]);
            if (name >= levels.size())
                levels.resize(name + 1);
            if (levels[name] == 0)
                levels[name] = static_cast<std::uint8_t>(levelOf(trace.text(calls.name[i])) + 1);
            if (levels[name] > 3)
                continue;
            FrameCalls& thread = threads[track.owner];
            thread.calls[levels[name] - 1U].push_back(calls.range(i));
            thread.source = track.source;
        }
    }
    std::vector<Frame> frames;
    for (auto& [owner, thread] : threads) {
        std::vector<Ns> ends;
        for (std::vector<TimeRange>& each : thread.calls) {
            if (ends = endsOf(std::move(each)); ends.size() > minFrames)
                break;
        }
        if (ends.size() <= minFrames)
            continue;
        TrackKey key{.owner = owner, .family = pool.intern(frameDomain), .source = thread.source};
        for (std::size_t i = 1; i < ends.size(); ++i)
            frames.push_back({key, {ends[i - 1], ends[i]}, "frame " + std::to_string(i)});
    }
    return frames;
}

} // namespace warpline
