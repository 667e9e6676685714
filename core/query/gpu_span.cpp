#include "core/query/gpu_span.h"

#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <span>

namespace warpline {

namespace {

constexpr std::array computing{EventKind::Kernel, EventKind::GraphTrace};

TimeRange spanOf(const Trace& trace, std::span<const EventKind> kinds)
{
    TimeRange span;
    bool isFirst = true;
    for (const EventKind kind : kinds) {
        const EventTable& table = trace.table(kind);
        for (const Lane& lane : table.lanes) {
            if (lane.count == 0)
                continue;
            // Starts and ends of a lane ascend.
            const TimeRange of{table.start[lane.first], table.end(lane.first + lane.count - 1)};
            span = isFirst ? of : TimeRange{std::min(span.start, of.start), std::max(span.end, of.end)};
            isFirst = false;
        }
    }
    return span;
}

} // namespace

TimeRange gpuWorkSpan(const Trace& trace)
{
    return spanOf(trace, gpuWorkKinds);
}

TimeRange mainGpuSpan(const Trace& trace)
{
    constexpr Ns parts = 200;
    constexpr double rare = 0.01;
    const TimeRange span = spanOf(trace, computing);
    if (span.empty() || span.duration() < parts)
        return span.empty() ? gpuWorkSpan(trace) : span;
    std::array<Ns, parts> busy{};
    Ns whole = 0;
    const auto edge = [&](Ns part) { return span.start + span.duration() / parts * part; };
    for (const EventKind kind : computing) {
        const EventTable& table = trace.table(kind);
        for (const Lane& lane : table.lanes) {
            for (Ns part = 0; part < parts; ++part) {
                const Ns time = table.busy(lane, {edge(part), part + 1 < parts ? edge(part + 1) : span.end});
                busy[static_cast<std::size_t>(part)] += time;
                whole += time;
            }
        }
    }
    const auto few = static_cast<Ns>(static_cast<double>(whole) * rare);
    Ns first = 0;
    for (Ns before = 0; first + 1 < parts; ++first) {
        before += busy[static_cast<std::size_t>(first)];
        if (before > few)
            break;
    }
    Ns last = parts;
    for (Ns after = 0; last - 1 > first; --last) {
        after += busy[static_cast<std::size_t>(last - 1)];
        if (after > few)
            break;
    }
    return {edge(first), last == parts ? span.end : edge(last)};
}

} // namespace warpline
