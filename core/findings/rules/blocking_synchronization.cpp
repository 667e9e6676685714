// Calls that block the host until the GPU is done. Most of a call is useful GPU time; the cost is the time
// around its end in which the GPU idles because the host could not launch ahead: see costOf(). A final wait,
// after which no kernel starts, is necessary and not reported, unless the rule is requested by name: then it
// lists all calls, like nsys' cuda_api_sync.

#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/findings/waits.h"

#include <algorithm>
#include <array>
#include <map>

namespace warpline::blocking_synchronization {

namespace {

/// nsys analyze lists the calls of the runtime; the driver's counterparts belong to libraries and are left
/// out as there. HIP has one interface for both.
constexpr std::array<std::string_view, 4> blockingCalls{
    "cudaDeviceSynchronize", "cudaStreamSynchronize", "hipDeviceSynchronize", "hipStreamSynchronize"};

/// Title and message by the cost of the calls, which is nothing where the GPU has work left or all is done.
void describe(const Trace& trace, const std::vector<EventRef>& calls, bool hasWork, Finding& finding)
{
    const Count count{calls.size()};
    const Duration waited{totalDuration(trace, calls)};
    finding.message
        = Message("cuda_api_sync.waits", "The host waits {time} in them, {longest} in the longest.",
            {{"time", waited}, {"longest", Duration{trace.range(calls.front()).duration()}}});
    if (!hasWork) {
        finding.title = Message("cuda_api_sync.title_host",
            "{calls, plural, one {# blocking synchronization call makes} other {# blocking synchronization calls make}} the "
            "host wait {time}",
            {{"calls", count}, {"time", waited}});
        finding.message += Message(
            "cuda_api_sync.no_work", "The range holds no GPU work, so the cost to the GPU is unknown.");
        return;
    }
    if (finding.saving == 0) {
        finding.title = Message("cuda_api_sync.title_free",
            "{calls, plural, one {# blocking synchronization call makes} other {# blocking synchronization calls make}} the "
            "host wait {time}, at no cost to the GPU",
            {{"calls", count}, {"time", waited}});
        finding.message += Message("cuda_api_sync.not_idle",
            "No GPU went idle around them: it had more work queued, or none followed.");
        return;
    }
    finding.title = Message("cuda_api_sync.title",
        "{calls, plural, one {# blocking synchronization call costs} other {# blocking synchronization calls cost}} the GPU "
        "up to {saving}",
        {{"calls", count}, {"saving", Duration{finding.saving}}});
    finding.message += Message("cuda_api_sync.idle",
        "The GPU is idle around their ends; launching ahead instead of waiting could fill up to {saving} of that.",
        {{"saving", Duration{finding.saving}}});
}

std::vector<Finding> findBlockingCalls(const RuleContext& context)
{
    const Trace& trace = context.trace;
    enum class Known : std::uint8_t { NotYet, Blocks, Other };
    std::vector<Known> byName(trace.pool->size()); // names are few, calls are many
    auto calls = longestFirst(context, EventKind::ApiCall, [&](EventIndex i) {
        Known& known = byName[raw(trace.apiCalls().name[i])];
        if (known == Known::NotYet) {
            const std::string_view name = trace.name({EventKind::ApiCall, i});
            known = std::ranges::any_of(
                        blockingCalls, [&](std::string_view call) { return name.starts_with(call); })
                ? Known::Blocks
                : Known::Other;
        }
        return known == Known::Blocks;
    });
    const auto isLast = [&](EventRef call) { return isLastWait(trace, context.facts, call); };
    const auto lastWaits = static_cast<std::size_t>(std::ranges::count_if(calls, isLast));
    if (!context.asNsys)
        std::erase_if(calls, isLast);
    if (calls.empty())
        return {};
    TraceAnalysis& facts = context.facts;
    struct Lost {
        std::vector<const GpuFacts*> gpus;
        std::vector<TimeRange> ranges;
    };
    std::map<GlobalId, Lost> threads;
    for (const EventRef& call : calls) {
        const GlobalId thread = trace.track(trace.trackOf(call)).owner;
        const auto [known, added] = threads.try_emplace(thread);
        if (added)
            known->second.gpus = facts.gpusOf(thread);
        known->second.ranges.push_back(costOf(known->second.gpus, trace.range(call)).lost);
    }
    std::vector<TimeRange> lost;
    for (auto& [thread, each] : threads) {
        const Intervals all = unionOf(std::move(each.ranges), context.window);
        const Intervals idle = context.asNsys
            ? difference(all, timeOfOthers(trace, facts, thread, context.window))
            : lostIdleOf(trace, facts, thread, all);
        lost.insert(lost.end(), idle.begin(), idle.end());
    }
    Finding finding = findingOn(context, 0, -1, unionOf(std::move(lost), context.window));
    if (finding.saving == 0 && !context.asNsys)
        return {};
    describe(trace, calls, !facts.gpus().empty(), finding);
    if (lastWaits > 0)
        finding.message += context.asNsys
            ? Message("cuda_api_sync.last_of_these",
                "{calls} of these {calls, plural, one {is the last call of its process} other {are the last calls of their "
                "processes}}, after which no kernel starts; a run of all rules leaves {calls, plural, one {it} other "
                "{them}} out.",
                {{"calls", Count{lastWaits}}})
            : Message("cuda_api_sync.last",
                "{calls, plural, one {# more call is} other {# more calls are}} needed and not counted: no kernel starts "
                "after {calls, plural, one {it} other {them}}.",
                {{"calls", Count{lastWaits}}});
    finding.cure.edits.push_back(editOf(CureKind::RemoveSync, calls));
    setEvidence(finding, trace, calls, [&](EventRef call) {
        return Message(
            "cuda_api_sync.wait", "waits {time}", {{"time", Duration{trace.range(call).duration()}}});
    });
    return only(std::move(finding));
}

} // namespace

extern constinit const Rule blockingSynchronization{
    .id = "cuda_api_sync",
    .title = "Blocking synchronization calls",
    .why
    = "While the host waits for the GPU, it launches nothing, so the GPU goes idle right after. Launch latency, "
      "which asynchronous work would hide, then counts in full.",
    .remedy
    = "Remove synchronization that only orders GPU work (use streams and cudaStreamWaitEvent). Read results "
      "late and rarely. Keep the wait before the CPU reads results.",
    .caveat = "A wait may be needed before the host reads a result.",
    .applies = hasEvents<EventKind::ApiCall>,
    .check = findBlockingCalls,
};

} // namespace warpline::blocking_synchronization
