// Sentences about the GPU's work: kernels, copies and pages of unified memory.

#include "core/overview/overview_work.h"

#include "core/analysis/collectives.h"
#include "core/analysis/trace_analysis.h"
#include "core/base/message_names.h"
#include "core/base/share.h"
#include "core/coverage/packed_intervals.h"
#include "core/derive/communication.h"
#include "core/derive/recomputed_work.h"
#include "core/findings/elementwise_rows.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"
#include "core/store/unified_memory.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <string_view>
#include <vector>

namespace warpline {

namespace {

/// Kernels that compute: how many, and how long they take added up.
struct Computing {
    std::uint64_t kernels = 0;
    Ns time = 0;
};

Computing computingIn(const Trace& trace, TimeRange window, const std::stop_token& stop)
{
    const CommunicationKernels communicates(trace);
    const KernelTable& kernels = trace.kernels();
    Computing found;
    for (const EventIndex i : eventsIn(kernels, window, stop)) {
        if (communicates[i])
            continue;
        ++found.kernels;
        found.time += kernels.range(i).clippedTo(window).duration();
    }
    return found;
}

/// " (100 launches)", with the summed time where kernels overlap, and the time that a profiler shows where
/// kernels wait for pages.
Message kernelsText(
    const RunOverview& overview, const Trace& trace, TraceAnalysis& facts, const std::stop_token& stop)
{
    const Computing found = computingIn(trace, overview.window, stop);
    if (found.kernels == 0)
        return {};
    std::string_view more = "none";
    Ns time = found.time;
    if (overview.timeOf(OverviewKind::Pages) > 0) {
        std::vector<PackedIntervals> running;
        for (const GpuFacts& gpu : facts.gpus())
            running.push_back(gpu.compute);
        more = "pages";
        time = totalTime(unitedAll(std::move(running)));
    } else if (static_cast<double>(found.time)
        > 1.05 * static_cast<double>(overview.timeOf(OverviewKind::Kernels)))
        more = "sum";
    return {"overview.launches",
        " ({launches, plural, one {# launch} other {# launches}}{more, select, pages {, {time} including waits for pages} "
        "sum {, {time} in sum because some run concurrently} other {}})",
        {{"launches", Count{found.kernels}}, {"more", Name{std::string(more)}}, {"time", Duration{time}}}};
}

/// " (2 copies, 54.0 kB)" of one direction, including copies that kernels hide.
Message copiesText(const RunOverview& overview, const Trace& trace, bool toGpu, const std::stop_token& stop)
{
    const MemcpyTable& copies = trace.memcpys();
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    Ns time = 0;
    bool isCut = false; // the bytes of whole copies are more than go in their time inside
    std::uint64_t prefetches = 0; // page migrations that the program requests
    for (const EventIndex i : eventsIn(copies, overview.window, stop)) {
        const CopyKind kind = copies.copy(i).kind;
        const bool in = kind == CopyKind::HtoD || kind == CopyKind::HtoA;
        const bool out = kind == CopyKind::DtoH || kind == CopyKind::AtoH;
        if (kind == (toGpu ? CopyKind::UnifiedHtoD : CopyKind::UnifiedDtoH)
            && !isFaultMigration(copies.copy(i)))
            ++prefetches;
        if (!(toGpu ? in : out))
            continue;
        ++count;
        bytes += copies.bytes[i];
        const Ns inside = copies.range(i).clippedTo(overview.window).duration();
        isCut = isCut || inside < copies.duration[i];
        time += inside;
    }
    if (count == 0 && prefetches > 0)
        return {"overview.prefetches",
            " ({count, plural, one {# prefetch} other {# prefetches}} of unified memory)",
            {{"count", Count{prefetches}}}};
    if (count == 0)
        return {};
    // The parts exclude copies that overlap other work; a profiler's table sums all. Some tools record no
    // sizes.
    const Ns alone = overview.timeOf(toGpu ? OverviewKind::CopiesIn : OverviewKind::CopiesOut);
    return {"overview.copies",
        " ({count, plural, one {# copy} other {# copies}}{sized, select, yes {, {bytes}} whole {, {bytes} in whole copies} other {}}"
        "{hidden, select, yes {, {time} in sum; the rest overlaps with kernels or other copies} other {}})",
        {{"count", Count{count}},
            {"sized",
                Name{bytes == 0 ? "no"
                        : isCut ? "whole"
                                : "yes"}},
            {"bytes", Bytes{bytes}},
            {"hidden", yesOrNo(static_cast<double>(time) > 1.01 * static_cast<double>(alone))},
            {"time", Duration{time}}}};
}

/// " (kernels wait for 616 ms of it)" of the pages of unified memory, which also move while no kernel runs.
Message pagesText(const RunOverview& overview, TraceAnalysis& facts)
{
    if (overview.timeOf(OverviewKind::Pages) == 0)
        return {};
    std::vector<PackedIntervals> computing;
    std::vector<PackedIntervals> stalled;
    const auto ofGpus = facts.gpuTimes(overview.window);
    for (const auto& [gpu, times] : *ofGpus) {
        computing.push_back(times.computing);
        stalled.push_back(times.stalled);
    }
    const Ns waiting
        = totalTime(packedDifference(unitedAll(std::move(stalled)), unitedAll(std::move(computing))));
    return waiting > 0
        ? Message("overview.pages_wait", " (kernels wait for {time} of it)", {{"time", Duration{waiting}}})
        : Message();
}

constexpr double minShare = 0.2; // of the kernels' time: below, products and attention come first
constexpr double minWindowShare = 0.02; // the overview mentions nothing smaller
constexpr Ns asShortAsLaunches = 5'000; // the host's time for a launch
constexpr Ns longBesideLaunches = 4 * asShortAsLaunches;
constexpr std::uint64_t minLaunches = 100; // a handful is no habit of the program

} // namespace

Message textOfWork(
    const RunOverview& overview, const Trace& trace, TraceAnalysis& facts, const std::stop_token& stop)
{
    Ns work = 0;
    std::vector<Message> list;
    const auto add = [&](OverviewKind kind, Message more) {
        const Ns time = overview.timeOf(kind);
        work += time;
        if (time > 0)
            list.push_back(Message("overview.work_part",
                "{time} {kind, select, kernels {in kernels} pages {on pages of unified memory} "
                "communication {in exposed communication} copies_in {copying to the GPU} copies_out {copying back} "
                "other {in other copies and memsets}}{more}",
                {{"time", Duration{time}}, {"kind", Name{std::string(keyOf(kind))}},
                    {"more", std::move(more)}}));
    };
    add(OverviewKind::Kernels, kernelsText(overview, trace, facts, stop));
    add(OverviewKind::Pages, pagesText(overview, facts));
    add(OverviewKind::Communication, {});
    add(OverviewKind::CopiesIn, copiesText(overview, trace, true, stop));
    add(OverviewKind::CopiesOut, copiesText(overview, trace, false, stop));
    add(OverviewKind::OtherCopies, {});
    if (work == 0)
        return {};
    Message text("overview.work",
        "{gpus, select, several {A GPU works} other {The GPU works}} for {time} ({share}): {parts}.",
        {{"gpus", Name{facts.gpus().size() > 1 ? "several" : "one"}}, {"time", Duration{work}},
            {"share", Share{shareOf(work, overview.window.duration())}}, {"parts", std::move(list)}});
    if (const Ns recomputed
        = recomputedGpuTime(trace, recomputedStretches(trace, stop), overview.window, stop);
        recomputed > 0)
        text += Message("overview.recomputed",
            "The backward pass recomputes activations for {time} (torch_recompute).",
            {{"time", Duration{recomputed}}});
    return text;
}

Message textOfPagesBack(const RunOverview& overview, const Trace& trace, const std::stop_token& stop)
{
    const MemcpyTable& copies = trace.memcpys();
    std::vector<TimeRange> moves;
    for (const EventIndex i : eventsIn(copies, {overview.life.end, overview.window.end}, stop)) {
        if (isAwaited(copies.copy(i)) && copies.start[i] >= overview.life.end)
            moves.push_back(copies.range(i));
    }
    const std::size_t count = moves.size();
    const Intervals time = unionOf(std::move(moves), overview.window, stop);
    if (time.empty()) // no migrations, or only ones without a length, as a damaged report has
        return {};
    return {"overview.pages_back",
        "The host reads memory that is on the GPU: {count, plural, one {# migration} other {# migrations}} of pages {count, plural, one {takes} other {take}} {time}, up to {until} after the last kernel or copy.",
        {{"until", Duration{time.back().end - overview.life.end}}, {"count", Count{count}},
            {"time", Duration{totalTime(time)}}}};
}

Message textOfEarlierWork(
    const RunOverview& overview, const Trace& trace, TimeRange& where, const std::stop_token& stop)
{
    where = {};
    if (trace.apiCalls().empty() || !trace.links || overview.window.start > trace.session.start)
        return {};
    std::vector<TimeRange> unlinked;
    Ns firstLaunched = std::numeric_limits<Ns>::max();
    for (const EventKind kind : gpuWorkKinds) {
        const EventTable& table = trace.table(kind);
        const auto& calls = trace.links->apiOf[indexOf(kind)];
        for (const Track& track : table.tracks) {
            if (track.context == 0) // pages of unified memory move without a call
                continue;
            for (const EventIndex i : eventsOf(track, stop)) {
                if (i < calls.size() && calls[i] != noIndex)
                    firstLaunched = std::min(firstLaunched, table.start[i]);
                else
                    unlinked.push_back(table.range(i));
            }
        }
    }
    std::erase_if(unlinked, [&](TimeRange work) { return work.start >= firstLaunched; });
    const std::size_t count = unlinked.size();
    const Intervals busy = unionOf(std::move(unlinked), overview.window, stop);
    if (busy.empty() || firstLaunched == std::numeric_limits<Ns>::max())
        return {};
    where = {busy.front().start, busy.back().end};
    return {"overview.earlier_work",
        "At the start, the GPU works for {time}, until {until}, on work launched before the recording ({count, plural, one {# piece} other {# pieces}} of work). It is not part of the recorded steps.",
        {{"time", Duration{totalTime(busy)}}, {"until", Duration{where.end - overview.window.start}},
            {"count", Count{count}}}};
}

Message textOfLoneRank(TraceAnalysis& facts, const Trace& trace, const std::stop_token& stop)
{
    if (facts.gpus().size() != 1 || !hasCommunication(trace, stop))
        return {};
    return {"overview.lone_rank",
        "This report covers one rank of several. Only the reports of all ranks together show how much of its communication is waiting, and for which rank."};
}

Message textOfRanks(const RunOverview& overview)
{
    const std::vector<OverviewGpu>& gpus = overview.gpus;
    if (gpus.size() < 2)
        return {};
    std::set<std::string_view> machines;
    for (const OverviewGpu& gpu : gpus)
        machines.insert(gpu.gpu);
    const bool isShared = machines.size() < gpus.size();
    const auto [least, most] = std::ranges::minmax_element(gpus, {}, &OverviewGpu::computing);
    const Ns life = overview.life.duration();
    const Ns lead = most->computing - least->computing;
    const std::vector<Argument> values{{"shared", yesOrNo(isShared)}, {"users", Count{gpus.size()}},
        {"gpus", Count{machines.size()}}, {"most", most->name},
        {"most_share", Share{shareOf(most->computing, life)}}, {"least", least->name},
        {"least_share", Share{shareOf(least->computing, life)}}};
    if (lead * 20 < most->computing || lead < life / 100)
        return {"overview.ranks_equal",
            "{shared, select, yes {{users, plural, one {# process} other {# processes}} share {gpus, plural, one {# GPU} other {# GPUs}}} "
            "other {{gpus, plural, one {# GPU} other {# GPUs}} are in use}} and compute equally long ({most_share} of the time from the first to the last GPU work).",
            values};
    return {"overview.ranks",
        "Of {shared, select, yes {{users, plural, one {# process} other {# processes}} on {gpus, plural, one {# GPU} other {# GPUs}}} "
        "other {{gpus, plural, one {# GPU} other {# GPUs}} in use}}, {most} computes most ({most_share} of the time from the first to the last GPU work) and {least} least ({least_share}).",
        values};
}

Message textOfElementwise(
    const Trace& trace, TraceAnalysis& facts, TimeRange window, const std::stop_token& stop)
{
    const ElementwiseKernels found = elementwiseKernels(trace, facts, window, stop);
    if (found.launches < minLaunches || shareOf(found.time, found.kernels) < minShare
        || shareOf(found.time, window.duration()) < minWindowShare)
        return {};
    const Ns each = found.time / static_cast<Ns>(found.launches);
    Message text("overview.elementwise",
        "Elementwise kernels (arithmetic, activations, copies and casts) take {share} of kernel time: {time} in {launches} launches, {each} on average"
        "{bound, select, launch {, so short that launch overhead dominates} both {. The long ones are memory-bound, the short ones launch-bound} other {. They are memory-bound}}.",
        {{"share", Share{shareOf(found.time, found.kernels)}}, {"time", Duration{found.time}},
            {"launches", Count{found.launches}}, {"each", Duration{each}},
            {"bound",
                Name{each < asShortAsLaunches       ? "launch"
                        : each < longBesideLaunches ? "both"
                                                    : "memory"}}});
    if (found.following > 0)
        text += Message("overview.elementwise_fused",
            "{following} of them directly follow another one on their stream. Fusing them (torch.compile, or your own kernel) could save up to {saved} of GPU time{graph, select, yes {} other {, and as many launches}}.",
            {{"following", Count{found.following}}, {"saved", Duration{found.saved()}},
                {"graph", yesOrNo(found.byGraph)}});
    return text;
}

} // namespace warpline
