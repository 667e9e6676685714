#include "core/analysis/idle_gaps.h"

#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

GapCause causeOf(const Trace& trace, TraceAnalysis& facts, const IdleGap& gap)
{
    GapCause cause;
    cause.call = facts.callOf(gap.next);
    if (cause.call == noIndex)
        return cause;
    cause.known = true;
    cause.thread = facts.threadOf(cause.call);
    const bool isLast = trace.range(gap.next).end <= gap.range.start;
    const Ns returned = isLast ? gap.range.end : trace.apiCalls().end(cause.call);
    cause.host = {gap.range.start, std::clamp(returned, gap.range.start, gap.range.end)};
    cause.parts = facts.host(cause.thread).split(cause.host);
    cause.parts[indexOf(IdleCause::Queued)] += gap.range.end - cause.host.end;
    cause.main = static_cast<IdleCause>(std::ranges::max_element(cause.parts) - cause.parts.begin());
    return cause;
}

std::vector<IdleGap> edgeGaps(const Trace& trace, TraceAnalysis& facts, const GpuFacts& gpu)
{
    std::vector<IdleGap> edges;
    const StepSeries& steps = facts.steps(gpu.process);
    if (steps.empty() || gpu.busy.empty())
        return edges;
    const TimeRange steady{steps.ranges[steps.firstSteady].start, steps.span().end};
    // Until the first launch the GPU may still run work that was launched before the recording.
    if (const EventIndex call = facts.callOf(gpu.work.front()); call != noIndex) {
        const TimeRange before{steady.start, std::min(gpu.busy.front().start, trace.apiCalls().end(call))};
        if (before.start < before.end)
            edges.push_back({before, Links::unpack(gpu.work.front())});
    }
    const TimeRange behind{gpu.busy.back().end, steady.end};
    const auto isLast = [&](std::uint32_t work) {
        return trace.range(Links::unpack(work)).end <= behind.start && facts.callOf(work) != noIndex;
    };
    const auto last = std::find_if(gpu.work.rbegin(), gpu.work.rend(), isLast);
    if (behind.start < behind.end && behind.start >= steady.start && last != gpu.work.rend())
        edges.push_back({behind, Links::unpack(*last)});
    return edges;
}

Ns cutToUsual(std::vector<TimeRange>& parts, Ns usual, bool isFirst)
{
    if (isFirst)
        std::ranges::reverse(parts);
    Ns left = usual;
    for (TimeRange& part : parts) {
        const Ns kept = std::min(left, part.duration());
        part = isFirst ? TimeRange{part.end - kept, part.end} : TimeRange{part.start, part.start + kept};
        left -= kept;
    }
    std::erase_if(parts, [](TimeRange part) { return part.empty(); });
    if (isFirst)
        std::ranges::reverse(parts);
    return usual - left;
}

} // namespace warpline
