#include "core/overview/overview_work.h"

#include "core/base/format.h"
#include "core/base/share.h"
#include "core/coverage/intervals.h"
#include "core/stats/step_breakdown.h"
#include "core/store/largest_named.h"
#include "core/store/library_domains.h"
#include "core/store/range_words.h"

#include <algorithm>
#include <map>

namespace warpline {

namespace {

struct Calls {
    std::uint64_t count = 0;
    Ns time = 0;
    std::map<StringId, Ns> byName;
};

Message callsText(const Trace& trace, std::string_view family, const Calls& calls)
{
    const auto longest = largestNamed(trace, calls.byName, [](Ns time) { return time; });
    return {"graphics.calls",
        "{family}: {calls, plural, one {# call} other {# calls}} take {time} on the CPU, {name} the most: {longest} ({share}).",
        {{"family", domainText(family)}, {"calls", Count{calls.count}}, {"time", Duration{calls.time}},
            {"name", Name{std::string(trace.text(longest->first))}}, {"longest", Duration{longest->second}},
            {"share", Share{shareOf(longest->second, calls.time)}}}};
}

/// From the start of the first frame to the end of the last: the median says nothing about late ones.
double framesPerSecond(const Trace& trace, const std::vector<Step>& frames)
{
    TimeRange all = trace.nvtx().range(frames.front().range);
    for (const Step& frame : frames)
        all = all.unitedWith(trace.nvtx().range(frame.range));
    return 1e9 * static_cast<double>(frames.size()) / static_cast<double>(all.duration());
}

void addFrames(const Trace& trace, TimeRange window, const std::stop_token& stop, GraphicsStory& story)
{
    const StepBreakdown frames = classifySteps(trace, "Frames:frame *", window, {}, stop);
    if (frames.steady.count == 0 || frames.steady.median <= 0)
        return;
    const Count late{static_cast<std::uint64_t>(std::ranges::count_if(frames.steps, &Step::outlier))};
    const Count count{frames.steps.size()};
    const Duration median{wholeNs(frames.steady.median)};
    story.headline = {"graphics.headline",
        "{frames, plural, one {# frame} other {# frames}}, median {median}{late, plural, =0 {} other {, # late}}",
        {{"frames", count}, {"median", median}, {"late", late}}};
    Message text("graphics.frames",
        "{frames, plural, one {# frame} other {# frames}}: {median} each on the host at the median, {rate} per second.",
        {{"frames", count}, {"median", median}, {"rate", Number{framesPerSecond(trace, frames.steps), 1}}});
    if (late.count > 0)
        text += Message("graphics.late_frames",
            "{late, plural, one {# is} other {# are}} late; the longest takes {longest}.",
            {{"late", late}, {"longest", Duration{frames.steady.max}}});
    story.sentences.push_back(std::move(text));
}

} // namespace

GraphicsStory graphicsStory(const Trace& trace, TimeRange window, const std::stop_token& stop)
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
    GraphicsStory story;
    for (const auto& [family, calls] : families) {
        if (isGraphicsCalls(family))
            story.sentences.push_back(callsText(trace, family, calls));
    }
    for (auto& [family, parts] : onGpu) {
        const Ns busy = totalTime(unionOf(std::move(parts), window, stop));
        story.sentences.push_back(Message("graphics.gpu_work", "{family}: {time} of GPU work ({share}).",
            {{"family", domainText(family)}, {"time", Duration{busy}},
                {"share", Share{shareOf(busy, window.duration())}}}));
    }
    addFrames(trace, window, stop, story);
    return story;
}

} // namespace warpline
