#include "core/overview/graphics_story.h"

#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/base/share.h"
#include "core/coverage/intervals.h"
#include "core/findings/evidence.h"
#include "core/findings/lost_work.h"
#include "core/stats/step_breakdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace warpline {

namespace {

struct Calls {
    std::uint64_t count = 0;
    Ns time = 0;
    std::map<StringId, Ns> byName;
};

/// Rows that say once more what calls say: labels, command buffers, pipelines.
bool isMadeOfCalls(std::string_view family)
{
    return family.ends_with(" labels") || family.ends_with(" command buffers")
        || family.ends_with(" pipelines");
}

std::string callsText(const Trace& trace, std::string_view family, const Calls& calls)
{
    const auto longest
        = std::ranges::max_element(calls.byName, {}, [](const auto& each) { return each.second; });
    return fmt::format("{}: {} take {} on the CPU, {} the most: {} ({}).", family,
        counted(calls.count, "call"), roundedDuration(calls.time), trace.text(longest->first),
        roundedDuration(longest->second), formatShare(shareOf(longest->second, calls.time)));
}

std::string framesText(const Trace& trace, TimeRange window, const std::stop_token& stop)
{
    const StepBreakdown frames = classifySteps(trace, "Frames:frame *", window, {}, stop);
    if (frames.steady.count == 0 || frames.steady.median <= 0)
        return {};
    const auto late = std::ranges::count_if(frames.steps, &Step::outlier);
    std::string text = fmt::format("{}: {} each at the median, {} per second.",
        counted(frames.steps.size(), "frame"), roundedDuration(static_cast<Ns>(frames.steady.median)),
        formatReal(1e9 / frames.steady.median, 1));
    if (late > 0)
        text += fmt::format(" {} late; the longest takes {}.",
            late == 1 ? "1 is" : fmt::format("{} are", formatCount(static_cast<std::uint64_t>(late))),
            roundedDuration(frames.steady.max));
    return text;
}

} // namespace

std::vector<std::string> graphicsSentences(const Trace& trace, TimeRange window, const std::stop_token& stop)
{
    const EventTable& library = trace.table(EventKind::Library);
    std::map<std::string_view, Calls> families;
    std::map<std::string_view, std::vector<TimeRange>> onGpu;
    for (const Track& track : library.tracks) {
        const std::string_view family = trace.text(track.family);
        if (!isGraphicsFamily(family))
            continue;
        for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
            const TimeRange part = library.range(i).clippedTo(window);
            if (part.empty())
                continue;
            if (track.device >= 0) {
                onGpu[family].push_back(part);
                continue;
            }
            Calls& calls = families[family];
            ++calls.count;
            calls.time += part.duration();
            calls.byName[library.name[i]] += part.duration();
        }
    }
    std::vector<std::string> sentences;
    for (const auto& [family, calls] : families) {
        if (!isMadeOfCalls(family))
            sentences.push_back(callsText(trace, family, calls));
    }
    for (auto& [family, parts] : onGpu) {
        Ns busy = 0;
        for (const TimeRange& part : unionOf(std::move(parts), window, stop))
            busy += part.duration();
        sentences.push_back(fmt::format("{}: {} of GPU work ({}).", family, roundedDuration(busy),
            formatShare(shareOf(busy, window.duration()))));
    }
    if (std::string frames = framesText(trace, window, stop); !frames.empty())
        sentences.push_back(std::move(frames));
    return sentences;
}

} // namespace warpline
