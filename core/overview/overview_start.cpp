// What is said of the start of CUDA: the calls before the first GPU work, and what lies in none of them.

#include "core/overview/overview_start.h"

#include "core/render/render.h"

#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/base/share.h"
#include "core/coverage/interval_times.h"
#include "core/findings/evidence.h"
#include "core/findings/first_launches.h"
#include "core/findings/host_calls.h"
#include "core/findings/host_story.h"
#include "core/findings/recording_advice.h"
#include "core/findings/silent_start.h"
#include "core/overview/idle_reasons.h"
#include "core/store/gpu_names.h"

#include <fmt/format.h>

#include <string_view>

namespace warpline {

namespace {

constexpr Ns longStart = 1'000'000; ///< a call that makes a context takes longer

/// Calls of a thread before the first GPU work; noIndex: there is none.
struct StartCalls {
    EventIndex longest = noIndex;
    EventIndex firstLong = noIndex; ///< the one that makes the context, where it can
};

StartCalls startCalls(const RuleContext& context, GlobalId thread, Ns firstWork)
{
    StartCalls found;
    const EventTable& calls = context.trace.apiCalls();
    forEachOuterCall(context, thread, {context.window.start, firstWork}, [&](EventIndex call) {
        if (found.longest == noIndex || calls.duration[call] > calls.duration[found.longest])
            found.longest = call;
        if (found.firstLong == noIndex && calls.duration[call] >= longStart)
            found.firstLong = call;
    });
    return found;
}

/// Why a call of the start takes long; the end of a sentence.
std::string reasonOf(const RuleContext& context, EventIndex call, const StartCalls& calls)
{
    if (context.trace.apiCalls().duration[call] < longStart)
        return ".";
    if (call == calls.firstLong && mayMakeContext(context.trace.name({EventKind::ApiCall, call})))
        return fmt::format(
            ". It is the first {} call that needs the GPU: it starts the driver and creates a context, once per run.",
            gpuApiName(context.trace));
    const CallKind kind = context.facts.callKinds()[call];
    return kind == CallKind::LoadModule ? ", to load the code of the kernels once."
        : kind == CallKind::PinHost     ? ", to pin memory page by page."
                                        : ".";
}

/// What of `start` lies in no call, where that is most of it; else empty.
std::string silentText(
    const OverviewPart& start, const Trace& trace, GlobalId thread, const std::stop_token& stop)
{
    const SilentStart silent = silentStartOf(trace, thread, stop);
    const Ns time = totalTime(start.alone, silent.when);
    if (silent.when.empty() || time * 2 < start.time)
        return {};
    std::string text = fmt::format(
        " For {} of it, before {}, no listed call runs. That is probably the driver, which starts the GPU and creates the context in a call that {} does not list, once per run.",
        roundedDuration(time), bareCallName(trace.name({EventKind::ApiCall, silent.before})),
        recordingAdvice(trace).recorder);
    if (const Message calls = osCallsText(trace, thread, {silent.when}); !calls.empty())
        text += " " + plain(calls);
    return text;
}

} // namespace

std::string textOfCudaStart(const RunOverview& overview, const OverviewPart& start, const Trace& trace,
    RunFacts& facts, GlobalId thread, const std::stop_token& stop)
{
    std::string text
        = fmt::format("Start-up of {} takes {} ({}) before the first GPU work.", gpuApiName(trace),
            roundedDuration(start.time), formatShare(shareOf(start.time, overview.window.duration())));
    if (const std::string silent = silentText(start, trace, thread, stop); !silent.empty())
        return text + silent;
    const RuleContext context{trace, overview.window, {}, stop, facts};
    const StartCalls calls = startCalls(context, thread, overview.life.start);
    if (calls.longest == noIndex)
        return text;
    const EventRef call{EventKind::ApiCall, calls.longest};
    const Ns whole = trace.apiCalls().duration[calls.longest];
    const Ns own = totalTime(start.alone, trace.range(call));
    return text
        + fmt::format(" The longest call, {}, takes {}{}{}", bareCallName(trace.name(call)),
            roundedDuration(own),
            whole > own ? fmt::format(", or {} with the profiler's own work in it", roundedDuration(whole))
                        : std::string(),
            reasonOf(context, calls.longest, calls));
}

std::string textOfLoading(const RunOverview& overview, const GpuBudgets& budgets, TimeRange loading)
{
    std::string text = fmt::format("The first kernel starts {} after the first GPU work ({}). ",
        roundedDuration(loading.duration()),
        formatShare(shareOf(loading.duration(), overview.window.duration())));
    if (budgets.gpus().size() != 1)
        return text
            + "Until then, the program copies data to the GPU, allocates memory and works on the host.";
    const Budget budget = budgets.gpus().front().within(loading);
    const Ns idle = totalOf(budgets.parts(), budget, BudgetGroup::Idle);
    return text
        + fmt::format("Until then, the GPU copies or sets memory for {} and is idle for {}{}.",
            roundedDuration(loading.duration() - idle), roundedDuration(idle),
            idleReasonsText(budgets.parts(), budget, idle));
}

} // namespace warpline
