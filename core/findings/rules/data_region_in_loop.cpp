// OpenACC and OpenMP offload: data that is mapped to the GPU and back around each target region. A round is a
// kernel with copies to the GPU before it, and allocations or copies back. Only for programs with compiler
// offload; in others the rules about copies apply.

#include "core/analysis/program_kind.h"
#include "core/base/stop.h"
#include "core/base/words.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"

#include <algorithm>
#include <array>

namespace warpline::data_region_in_loop {

namespace {

constexpr std::string_view id = "data_region_in_loop";
constexpr Threshold minRounds{"min_rounds", "Minimum number of kernels with their own mapping", "", 8};
constexpr Threshold minShare{"min_share", "Minimum share of the kernels that have it", "%", 50};
constexpr std::array thresholds{minRounds, minShare};
constexpr std::array<std::string_view, 12> absorbed{"streams_serialized", "repeated_uploads",
    "copy_round_trips", "tiny_copies", "allocation_in_loop", "pageable_copies", "copies_not_overlapped",
    "copy_bound", "launch_bound", "kernel_storm", "sync_per_iteration", "gpu_idle_cause"};

/// Names that compilers give to offloaded regions: nvc's OpenMP, nvc's OpenACC, LLVM's and GCC's OpenMP.
constexpr std::array<std::string_view, 5> offloadedNames{
    "nvkernel_", "__pgi_uacc", "__omp_offloading_", "__nv_acc", "$_omp_fn$"};

bool isOffloaded(std::string_view kernel)
{
    // nvc calls the region in line 42 of fill() "fill_42_gpu".
    return kernel.ends_with("_gpu") || containsAny(kernel, offloadedNames);
}

bool isOffload(const Trace& trace, const std::stop_token& stop)
{
    for (const KernelLaunch& launch : stoppableItems(trace.kernels().launches, stop)) {
        if (isOffloaded(trace.text(launch.shortName)))
            return true;
    }
    return false;
}

struct Rounds {
    std::uint64_t kernels = 0;
    std::uint64_t mapped = 0; ///< kernels with copies to the GPU of their own, and allocations or copies back
    std::uint64_t attached
        = 0; ///< pointers that the runtime wrote on the GPU, one a row of an array of arrays
    std::uint64_t allocations = 0;
    std::uint64_t releases = 0;
    std::uint64_t toDevice = 0;
    std::uint64_t toHost = 0;
    std::uint64_t bytes = 0;
    std::vector<EventRef> copies;
    std::vector<TimeRange> calls; ///< of CUDA, all
    TimeRange span; ///< from the first mapped round to the last work
};

/// Walks the calls of a thread: calls between two kernel launches belong to the rounds of both.
class RoundCollector {
public:
    RoundCollector(const RuleContext& context, GlobalId process)
        : m_context(context),
          m_facts(context.facts),
          m_kinds(m_facts.callKinds())
    {
        for (const GpuFacts* const gpu : m_facts.gpusOf(process))
            m_lastWork = std::max(m_lastWork, gpu->span().end);
    }

    void visit(EventIndex call)
    {
        const CallKind kind = m_kinds[call];
        const Trace& trace = m_context.trace;
        m_rounds.calls.push_back(trace.apiCalls().range(call));
        if (kind == CallKind::Launch && isOfRuntime(call)) {
            ++m_rounds.attached;
        } else if (kind == CallKind::Launch) {
            close();
            ++m_rounds.kernels;
            m_inRound = true;
            m_start = m_next.start == 0 ? trace.apiCalls().start[call] : m_next.start;
            m_here = m_next;
            m_next = {};
        } else if (kind == CallKind::Allocate || kind == CallKind::Release) {
            ++m_next.allocations;
            ++(kind == CallKind::Allocate ? m_rounds.allocations : m_rounds.releases);
            begin(call);
        } else if (kind == CallKind::Copy) {
            trace.visitWork(call, [&](EventRef work) { noteCopy(call, work); });
        }
    }
    Rounds finish()
    {
        close();
        return std::move(m_rounds);
    }

private:
    struct Around {
        std::uint64_t allocations = 0; ///< and releases
        std::uint64_t uploads = 0;
        Ns start = 0;
    };

    /// The runtime's own kernel, which attaches a pointer: no region of the program.
    bool isOfRuntime(EventIndex call) const
    {
        bool found = false;
        m_context.trace.visitWork(call, [&](EventRef work) {
            found = found
                || (work.kind == EventKind::Kernel && isOfDirectivesRuntime(m_context.trace.name(work)));
        });
        return found;
    }
    void begin(EventIndex call)
    {
        if (m_next.start == 0)
            m_next.start = m_context.trace.apiCalls().start[call];
    }
    void noteCopy(EventIndex call, EventRef work)
    {
        if (work.kind != EventKind::Memcpy)
            return;
        const MemcpyTable& copies = m_context.trace.memcpys();
        const CopyKind kind = copies.copy(work.index).kind;
        if (kind != CopyKind::HtoD && kind != CopyKind::DtoH)
            return;
        m_rounds.copies.push_back(work);
        m_rounds.bytes += copies.bytes[work.index];
        if (kind == CopyKind::HtoD) {
            begin(call);
            ++m_next.uploads;
            ++m_rounds.toDevice;
        } else {
            ++m_back;
            ++m_rounds.toHost;
        }
    }
    /// The round of the kernel launched last is over.
    void close()
    {
        if (m_inRound && m_here.uploads > 0 && (m_here.allocations > 0 || m_back > 0)) {
            ++m_rounds.mapped;
            const TimeRange all{m_start, m_lastWork};
            m_rounds.span = m_rounds.mapped == 1 ? all : m_rounds.span;
        }
        m_back = 0;
    }

    const RuleContext& m_context;
    TraceAnalysis& m_facts;
    const CallKinds& m_kinds;
    Rounds m_rounds;
    Around m_here; ///< before the kernel launched last
    Around m_next; ///< since then
    std::uint64_t m_back = 0; ///< copies to the host since then
    Ns m_start = 0;
    Ns m_lastWork = allTime.start;
    bool m_inRound = false;
};

Finding findingOf(const RuleContext& context, GlobalId thread, Rounds rounds)
{
    TraceAnalysis& facts = context.facts;
    // Mapped once around all rounds, the kernels could follow one another: at most the exposed copies and
    // calls are saved. The host's computing in between stays.
    Intervals kernels;
    for (const GpuFacts* const gpu : facts.gpusOf(thread)) {
        std::vector<TimeRange> both(std::move(kernels));
        both.insert(both.end(), gpu->compute.begin(), gpu->compute.end());
        kernels = unionOf(std::move(both), context.window, context.stop);
    }
    for (const EventRef& copy : rounds.copies)
        rounds.calls.push_back(context.trace.range(copy));
    // Copies before the first kernel and after the last one are necessary.
    const Intervals computing = clipped(kernels, rounds.span);
    const TimeRange between
        = computing.empty() ? TimeRange{} : TimeRange{computing.front().start, computing.back().end};
    Finding finding = findingOn(
        context, processOf(thread), -1, difference(unionOf(std::move(rounds.calls), between), kernels));
    finding.title = Message("data_region_in_loop.title",
        "Data is mapped to the GPU again for {mapped} of {kernels, plural, one {# offloaded kernel} other {# offloaded "
        "kernels}}",
        {{"mapped", Count{rounds.mapped}}, {"kernels", Count{rounds.kernels}}});
    finding.message = Message("data_region_in_loop.copies",
        "{to, plural, one {# copy goes} other {# copies go}} to the GPU and {back} back, {bytes} in all.",
        {{"to", Count{rounds.toDevice}}, {"back", Count{rounds.toHost}}, {"bytes", Bytes{rounds.bytes}}});
    if (rounds.allocations > 0 || rounds.releases > 0)
        finding.message += Message("data_region_in_loop.allocations",
            "The runtime also makes {allocations, plural, one {# allocation} other {# allocations}}{releases, plural, =0 "
            "{} one { and # release} other { and # releases}}.",
            {{"allocations", Count{rounds.allocations}}, {"releases", Count{rounds.releases}}});
    finding.message += Message("data_region_in_loop.calls",
        "From the first kernel to the last, calls and copies take {time} in which no kernel runs.",
        {{"time", Duration{finding.saving}}});
    finding.message += Message(
        "data_region_in_loop.once", "Mapping the data once around the loop removes nearly all of that.");
    sortLongestFirst(context.trace, rounds.copies);
    setSizedEvidence(finding, context.trace, rounds.copies, "data_region_in_loop.copy", "{bytes}");
    return finding;
}

/// An array of arrays that is mapped row by row.
Finding rowsFinding(const RuleContext& context, GlobalId thread, Rounds rounds)
{
    // The runtime's bookkeeping between calls of one row is saved with them.
    constexpr Ns ofRuntime = 50'000;
    PackedIntervals::Builder time;
    for (const TimeRange& call : unionOf(std::move(rounds.calls), context.window, context.stop)) {
        const bool follows = !time.empty() && call.start - time.back().end <= ofRuntime;
        time.add({follows ? time.back().end : call.start, call.end});
    }
    Finding finding = findingOn(context, processOf(thread), -1, time.done());
    finding.topic = "data_region_in_loop.rows";
    finding.title = Message("data_region_in_loop.rows_title",
        "An array of {rows, plural, one {# row} other {# rows}} is mapped to the GPU row by row",
        {{"rows", Count{rounds.attached}}});
    finding.message = Message("data_region_in_loop.pointers",
        "For each of {pointers} pointers, the runtime of OpenACC or OpenMP allocates, copies, attaches the pointer with "
        "a kernel, and waits.",
        {{"pointers", Count{rounds.attached}}});
    finding.message += Message("data_region_in_loop.row_calls",
        "That is {allocations, plural, one {# allocation} other {# allocations}} and {copies, plural, one {# copy} other "
        "{# copies}} to the GPU, {bytes} in all.",
        {{"allocations", Count{rounds.allocations}}, {"copies", Count{rounds.toDevice}},
            {"bytes", Bytes{rounds.bytes}}});
    finding.message += Message("data_region_in_loop.row_time",
        "With the runtime's own work between these calls, it takes {time}.",
        {{"time", Duration{finding.saving}}});
    if (rounds.kernels == 0)
        finding.message += Message(
            "data_region_in_loop.no_kernel", "No kernel of the program itself ran in this recording.");
    finding.remedy = Message("data_region_in_loop.contiguous",
        "Put all rows in one contiguous block (a[i * n + j], or row pointers into one allocation). Map it with one copyin or map(to:).");
    setSizedEvidence(finding, context.trace, rounds.copies, "data_region_in_loop.copy", "{bytes}");
    return finding;
}

std::vector<Finding> findRegions(const RuleContext& context)
{
    std::vector<Finding> findings;
    for (const GlobalId thread : callingThreads(context.trace)) {
        RoundCollector collector(context, thread);
        forEachOuterCall(context, thread, context.window, [&](EventIndex call) { collector.visit(call); });
        Rounds rounds = collector.finish();
        if (context.reaches(id, minRounds, rounds.attached) && rounds.attached > rounds.kernels)
            findings.push_back(rowsFinding(context, thread, std::move(rounds)));
        else if (context.reaches(id, minRounds, rounds.mapped)
            && context.reachesShare(id, minShare, rounds.mapped, rounds.kernels))
            findings.push_back(findingOf(context, thread, std::move(rounds)));
        if (context.stop.stop_requested())
            return {};
    }
    return findings;
}

} // namespace

extern constinit const Rule dataRegionInLoop{
    .id = id,
    .title = "Data mapped to the GPU and back for each offloaded region",
    .why
    = "Without a data region around the loop, each target region copies its arrays in, computes, and copies them "
      "out. Most regions also allocate and free them on the GPU. The kernels are then the smallest part of the "
      "time.",
    .remedy
    = "Map the data once, around the loop. OpenACC: use #pragma acc enter data copyin(a[0:n]) before the loop (or "
      "#pragma acc data copy(...) around it) and present(a) on the regions inside. Use #pragma acc update "
      "host(a[0:n]) where the host needs values, exit data at the end, and async(1) so that launches do not wait. "
      "OpenMP: use #pragma omp target data map(tofrom: a[0:n]) around the loop, #pragma omp target update "
      "from(a[0:n]) inside, and nowait. Map one array of all rows instead of row by row.",
    .caveat = "The host may need or change the data between two regions.",
    .thresholds = thresholds,
    .applies =
        [](const Trace& trace, const std::stop_token& stop) {
            return !trace.memcpys().empty() && !trace.apiCalls().empty() && isOffload(trace, stop);
        },
    .check = findRegions,
    .absorbs = absorbed,
};

} // namespace warpline::data_region_in_loop
