// What is said of the GPU's work: kernels, copies and pages of unified memory.

#include "core/overview/overview_work.h"

#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/base/share.h"
#include "core/derive/communication.h"
#include "core/derive/recomputed_work.h"
#include "core/findings/evidence.h"
#include "core/findings/run_facts.h"
#include "core/store/event_loops.h"
#include "core/store/unified_memory.h"

#include <fmt/format.h>

#include <limits>
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
    for (const Lane& lane : kernels.lanes) {
        const auto [first, last] = kernels.touching(lane, window);
        for (const EventIndex i : stoppable(first, last, stop)) {
            if (communicates[i])
                continue;
            ++found.kernels;
            found.time += kernels.range(i).clippedTo(window).duration();
        }
    }
    return found;
}

/// " (100 launches)"; where several run at once with their time added up, and where they wait for pages with
/// the time that a profiler tells of them.
std::string kernelsText(
    const RunOverview& overview, const Trace& trace, RunFacts& facts, const std::stop_token& stop)
{
    const Computing found = computingIn(trace, overview.window, stop);
    if (found.kernels == 0)
        return {};
    std::string text = counted(found.kernels, "launch", "launches");
    if (overview.timeOf(OverviewKind::Pages) > 0) {
        PackedIntervals running;
        for (const GpuFacts& gpu : facts.gpus())
            running = united(running, gpu.compute);
        text += fmt::format(", {} including waits for pages", roundedDuration(totalTime(running)));
    } else if (const Ns once = overview.timeOf(OverviewKind::Kernels); found.time * 100 > once * 105)
        text += fmt::format(", {} in sum because some run concurrently", roundedDuration(found.time));
    return " (" + text + ")";
}

/// " (2 copies, 54.0 kB)" of one direction, those that kernels hide included.
std::string copiesText(
    const RunOverview& overview, const Trace& trace, bool toGpu, const std::stop_token& stop)
{
    const MemcpyTable& copies = trace.memcpys();
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    Ns time = 0;
    std::uint64_t prefetches = 0; // of unified memory, which the program asks for
    for (const Lane& lane : copies.lanes) {
        const auto [first, last] = copies.touching(lane, overview.window);
        for (const EventIndex i : stoppable(first, last, stop)) {
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
            time += copies.range(i).clippedTo(overview.window).duration();
        }
    }
    if (count == 0 && prefetches > 0)
        return fmt::format(" ({} of unified memory)", counted(prefetches, "prefetch", "prefetches"));
    if (count == 0)
        return {};
    // The parts leave out what runs beside other work; a profiler's table adds up all.
    const Ns alone = overview.timeOf(toGpu ? OverviewKind::CopiesIn : OverviewKind::CopiesOut);
    return fmt::format(" ({}{}{})", counted(count, "copy", "copies"),
        bytes > 0 ? ", " + roundedBytes(bytes) : std::string(), // some tools record no sizes
        time * 100 > alone * 101 ? fmt::format(
            ", {} in sum; the rest overlaps with kernels or other copies", roundedDuration(time))
                                 : std::string());
}

} // namespace

std::string textOfWork(
    const RunOverview& overview, const Trace& trace, RunFacts& facts, const std::stop_token& stop)
{
    Ns work = 0;
    std::string list;
    const auto add = [&](OverviewKind kind, std::string_view what, const std::string& more) {
        const Ns time = overview.timeOf(kind);
        work += time;
        if (time > 0)
            list += fmt::format("{} {} {}{}", list.empty() ? "" : ",", roundedDuration(time), what, more);
    };
    add(OverviewKind::Kernels, "in kernels", kernelsText(overview, trace, facts, stop));
    add(OverviewKind::Pages, "waiting for pages of unified memory", {});
    add(OverviewKind::Communication, "in exposed communication", {});
    add(OverviewKind::CopiesIn, "copying to the GPU", copiesText(overview, trace, true, stop));
    add(OverviewKind::CopiesOut, "copying back", copiesText(overview, trace, false, stop));
    add(OverviewKind::OtherCopies, "in other copies and memsets", {});
    if (work == 0)
        return {};
    const Ns recomputed = recomputedGpuTime(trace, recomputedStretches(trace, stop), overview.window, stop);
    return fmt::format("{} for {} ({}):{}.{}", facts.gpus().size() > 1 ? "A GPU works" : "The GPU works",
        roundedDuration(work), formatShare(shareOf(work, overview.window.duration())), list,
        recomputed > 0 ? fmt::format(" The backward pass recomputes activations for {} (torch_recompute).",
            roundedDuration(recomputed))
                       : std::string());
}

std::string textOfPagesBack(const RunOverview& overview, const Trace& trace, const std::stop_token& stop)
{
    const MemcpyTable& copies = trace.memcpys();
    std::vector<TimeRange> moves;
    for (const Lane& lane : copies.lanes) {
        const auto [first, last] = copies.touching(lane, {overview.life.end, overview.window.end});
        for (const EventIndex i : stoppable(first, last, stop)) {
            if (isFaultMigration(copies.copy(i)) && copies.start[i] >= overview.life.end)
                moves.push_back(copies.range(i));
        }
    }
    const std::size_t count = moves.size();
    const Intervals time = unionOf(std::move(moves), overview.window, stop);
    if (time.empty()) // no migrations, or only ones without a length, as a damaged report has
        return {};
    return fmt::format(
        " The host reads memory that is on the GPU: up to {} after the last kernel or copy, {} of pages bring it back and take {}.",
        roundedDuration(time.back().end - overview.life.end), counted(count, "migration"),
        roundedDuration(totalTime(time)));
}

std::string textOfEarlierWork(
    const RunOverview& overview, const Trace& trace, TimeRange& where, const std::stop_token& stop)
{
    where = {};
    if (trace.apiCalls().empty() || !trace.links || overview.window.start > trace.session.start)
        return {};
    std::vector<TimeRange> unlinked;
    Ns firstLaunched = std::numeric_limits<Ns>::max();
    for (const EventKind kind :
        {EventKind::Kernel, EventKind::Memcpy, EventKind::Memset, EventKind::GraphTrace}) {
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
    return fmt::format(
        "At the start, the GPU works for {}, until {}, on work launched before the recording ({}). It is not part of the recorded steps.",
        roundedDuration(totalTime(busy)), formatDuration(where.end - overview.window.start),
        counted(count, "piece of work", "pieces of work"));
}

} // namespace warpline
