// Memory that is repeatedly set to a value: memsets, and kernels that only fill. Unnecessary before work that
// overwrites every element.

#include "core/analysis/trace_analysis.h"
#include "core/base/share.h"
#include "core/coverage/interval_times.h"
#include "core/findings/cure_edits.h"
#include "core/findings/elementwise_rows.h"
#include "core/findings/evidence.h"
#include "core/kernels/kernel_names.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>

namespace warpline::memory_fills {

namespace {

constexpr std::string_view id = "memory_fills";
constexpr Threshold minShare{"min_share", "Minimum share of the measured time", "%", 2};
constexpr Threshold minCount{"min_count", "Minimum number of fills", "", 8};
constexpr std::array thresholds{minShare, minCount};
constexpr std::array<std::string_view, 1> absorbed{"cuda_memset_sync"};

struct Fills {
    std::vector<EventRef> events;
    std::uint64_t memsets = 0;
    Ns time = 0;
};

Fills fillsOf(const RuleContext& context, const GpuFacts& gpu)
{
    const Trace& trace = context.trace;
    OncePerName fillsMemory([&](StringId name) { return isFill(trace.text(name)); });
    const TimeRange measured = context.facts.measuredRange();
    Fills fills;
    for (const std::uint32_t packed : stoppableItems(gpu.work, context.stop)) {
        const EventRef event = Links::unpack(packed);
        const bool isFillWork = event.kind == EventKind::Memset
            || (event.kind == EventKind::Kernel && fillsMemory(trace.kernels().name[event.index]));
        const TimeRange range = isFillWork ? trace.range(event).clippedTo(measured) : TimeRange{};
        if (range.empty())
            continue;
        fills.events.push_back(event);
        fills.memsets += event.kind == EventKind::Memset ? 1 : 0;
        fills.time += range.duration();
    }
    return fills;
}

/// The time of `fills`, all in the order of `gpu`, in which nothing else runs.
Intervals timeAlone(const RuleContext& context, const GpuFacts& gpu, const std::vector<EventRef>& fills)
{
    const Trace& trace = context.trace;
    const TimeRange measured = context.facts.measuredRange();
    PackedIntervals::Builder others;
    others.reserve(gpu.work.size());
    auto fill = fills.begin();
    for (const std::uint32_t packed : stoppableItems(gpu.work, context.stop)) {
        const EventRef event = Links::unpack(packed);
        if (fill != fills.end() && event == *fill)
            ++fill;
        else
            others.add(trace.range(event).clippedTo(measured));
    }
    return difference(timeOf(trace, fills, measured), others.done());
}

std::vector<Finding> findFills(const RuleContext& context)
{
    std::vector<Finding> findings;
    TraceAnalysis& facts = context.facts;
    for (const GpuFacts& gpu : facts.gpus()) {
        Fills fills = fillsOf(context, gpu);
        if (!context.reaches(id, minCount, fills.events.size())
            || !context.reachesShare(id, minShare, fills.time, facts.measured()))
            continue;
        Intervals whenAlone = timeAlone(context, gpu, fills.events);
        const Ns alone = totalTime(whenAlone);
        if (!context.reachesShare(id, minShare, alone, facts.measured()))
            continue;
        Finding finding = findingOn(context, gpu.process, gpu.device, alone);
        finding.claims = std::move(whenAlone);
        finding.title = Message("memory_fills.title",
            "{gpu} only fills memory for {time} ({share} of the measured time)",
            {{"gpu", Name{nameOf(context.trace, gpu)}}, {"time", Duration{alone}},
                {"share", Share{shareOf(alone, facts.measured())}}});
        const std::uint64_t kernels = fills.events.size() - fills.memsets;
        const std::string_view by = kernels == 0 ? "memsets" : fills.memsets == 0 ? "kernels" : "both";
        finding.message = Message("memory_fills.fills",
            "{by, select, memsets {{memsets, plural, one {# memset sets} other {# memsets set}}} kernels {{kernels, plural, one {# kernel sets} other {# kernels set}}} other {{memsets, plural, one {# memset} other {# memsets}} and {kernels, plural, one {# kernel} other {# kernels}} set}} memory to a value: {time} in total, {alone} of it while nothing else runs.",
            {{"by", Name{std::string(by)}}, {"memsets", Count{fills.memsets}}, {"kernels", Count{kernels}},
                {"time", Duration{fills.time}}, {"alone", Duration{alone}}});
        finding.message
            += Message("memory_fills.needed", "The report does not show whether the values are needed.");
        finding.cure.edits.push_back(editOf(CureKind::RemoveWork, fills.events));
        longestToFront(context.trace, fills.events);
        setEvidence(finding, context.trace, fills.events, [&](EventRef event) {
            return event.kind == EventKind::Memset ? Message("memory_fills.sets", "sets {bytes}",
                       {{"bytes", Bytes{context.trace.table(EventKind::Memset).bytes[event.index]}}})
                                                   : Message("memory_fills.note", "fills memory");
        });
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern constinit const Rule memoryFills{
    .id = id,
    .title = "Memory filled repeatedly",
    .why
    = "A fill writes every byte and computes nothing. If the next kernel overwrites the buffer, or reads only newer values, this time is wasted.",
    .remedy
    = "Remove the fill if every element is written before it is read. Otherwise, fill only the part that is used, or let the kernel that writes the buffer initialize it.",
    .caveat = "A buffer that is read in parts, or accumulated into, may need the fill.",
    .thresholds = thresholds,
    .applies =
        [](const Trace& trace, const std::stop_token&) {
            return !trace.kernels().empty() || !trace.table(EventKind::Memset).empty();
        },
    .check = findFills,
    .absorbs = absorbed,
};

} // namespace warpline::memory_fills
