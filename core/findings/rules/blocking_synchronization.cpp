// Calls that block the host until the GPU is done. The call's own length is mostly useful GPU time; what it
// costs is the stretch around its end in which the GPU has nothing to do because the host could not launch
// ahead: see costOf(). A last wait, after which no kernel starts, is needed: among all findings it is none;
// asked for by name the rule lists all calls, as nsys' cuda_api_sync does.

#include "core/base/format.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/findings/waits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace warpline {

namespace {

/// nsys analyze lists the calls of the runtime; the driver's counterparts belong to libraries and are left
/// out as there. HIP has one interface for both.
constexpr std::array<std::string_view, 4> blockingCalls{
    "cudaDeviceSynchronize", "cudaStreamSynchronize", "hipDeviceSynchronize", "hipStreamSynchronize"};

/// Title and message by what the calls cost, which is nothing where the GPU has work left or all is done.
void describe(const Trace& trace, const std::vector<EventRef>& calls, bool hasWork, Finding& finding)
{
    const std::string count = counted(calls.size(), "blocking synchronization call");
    const Ns waited = totalDuration(trace, calls);
    finding.message = fmt::format("The host waited {} in {}, {} in the longest.", formatDuration(waited),
        counted(calls.size(), "call"), formatDuration(trace.range(calls.front()).duration()));
    if (!hasWork) {
        finding.title = fmt::format("{} made the host wait {}", count, formatDuration(waited));
        finding.message += " What that cost the GPU cannot be told: the range holds no GPU work.";
        return;
    }
    if (finding.saving == 0) {
        finding.title
            = fmt::format("{} made the host wait {}, at no cost to the GPU", count, formatDuration(waited));
        finding.message += " No GPU went idle around them: it had further work already, or none followed.";
        return;
    }
    finding.title = fmt::format("{} cost the GPU up to {}", count, formatDuration(finding.saving));
    finding.message += fmt::format(" Around their ends the GPU had nothing to do; of that, {} at most could "
                                   "have been filled by launching ahead instead of waiting.",
        formatDuration(finding.saving));
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
    RunFacts& facts = context.facts;
    std::map<GlobalId, std::vector<const GpuFacts*>> gpus;
    std::vector<TimeRange> lost;
    for (const EventRef& call : calls) {
        const GlobalId thread = trace.track(trace.trackOf(call)).owner;
        const auto [known, added] = gpus.try_emplace(thread);
        if (added)
            known->second = gpusOf(facts, thread);
        lost.push_back(costOf(known->second, trace.range(call)).lost);
    }
    Finding finding;
    finding.claims = unionOf(std::move(lost), context.asNsys ? context.window : facts.measuredRange());
    finding.saving = totalTime(finding.claims);
    if (finding.saving == 0 && !context.asNsys)
        return {};
    finding.severity = severityOf(context, finding.saving);
    describe(trace, calls, !facts.gpus().empty(), finding);
    if (lastWaits > 0)
        finding.message += fmt::format(
            " {} {} {}, after which no kernel starts: that wait is needed, and does not count{}.",
            formatCount(lastWaits), context.asNsys ? "of these" : "more",
            lastWaits == 1 ? "is the last one" : "are last ones of their process",
            context.asNsys ? " when all rules are asked" : "");
    finding.cure.edits.push_back(editOf(CureKind::RemoveSync, calls));
    setEvidence(finding, trace, calls,
        [&](EventRef call) { return "waits " + formatDuration(trace.range(call).duration()); });
    return only(std::move(finding));
}

} // namespace

extern constinit const Rule blockingSynchronization{
    .id = "cuda_api_sync",
    .title = "Blocking synchronization calls",
    .why = "While the host waits for the GPU it launches nothing, so the GPU goes idle right after: launch "
           "latency, which asynchronous work would hide, is paid in full.",
    .remedy = "Remove synchronization that only orders GPU work (use streams and cudaStreamWaitEvent). Read "
              "results back late and rarely. Keep the wait before results are read on the CPU.",
    .caveat = "A wait may be needed: a result is read after it.",
    .thresholds = {},
    .applies = [](const Trace& trace, const std::stop_token&) { return !trace.apiCalls().empty(); },
    .check = findBlockingCalls,
};

} // namespace warpline
