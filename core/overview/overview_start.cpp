// The start of CUDA: the calls before the first GPU work, and the time outside of calls.

#include "core/overview/overview_work.h"

#include "core/analysis/first_launches.h"
#include "core/base/message_names.h"
#include "core/base/share.h"
#include "core/coverage/interval_times.h"
#include "core/findings/host_calls.h"
#include "core/findings/host_story.h"
#include "core/findings/recording_advice.h"
#include "core/findings/silent_start.h"
#include "core/overview/idle_reasons.h"
#include "core/store/gpu_names.h"

namespace warpline {

namespace {

constexpr Ns longStart = 1'000'000; ///< a call that makes a context takes longer

/// Calls of a thread before the first GPU work; noIndex: there is none.
struct StartCalls {
    EventIndex longest = noIndex;
    EventIndex firstLong = noIndex; ///< the call that creates the context, where it can
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

/// Why a call of the start takes long: a message key.
Name reasonOf(const RuleContext& context, EventIndex call, const StartCalls& calls)
{
    if (context.trace.apiCalls().duration[call] < longStart)
        return {"none"};
    if (call == calls.firstLong && mayMakeContext(context.trace.name({EventKind::ApiCall, call})))
        return {"context"};
    const CallKind kind = context.facts.callKinds()[call];
    return {kind == CallKind::LoadModule ? "code" : kind == CallKind::PinHost ? "pages" : "none"};
}

/// The time of `start` outside of calls, where that is most of it; else empty.
Message silentText(
    const OverviewPart& start, const Trace& trace, GlobalId thread, const std::stop_token& stop)
{
    const SilentStart silent = silentStartOf(trace, thread, stop);
    const Ns time = totalTime(start.alone, silent.when);
    if (silent.when.empty() || time * 2 < start.time)
        return {};
    return Message("overview.silent_start",
               "For {time} of it, before {call}, no listed call runs. That is probably the driver, which starts the GPU and creates the context in a call that {recorder} does not list, once per run.",
               {{"time", Duration{time}},
                   {"call", Name{std::string(bareCallName(trace.name({EventKind::ApiCall, silent.before})))}},
                   {"recorder", recordingAdvice(trace).recorder()}})
        + osCallsText(trace, thread, {silent.when});
}

} // namespace

Message textOfCudaStart(const RunOverview& overview, const OverviewPart& start, const Trace& trace,
    TraceAnalysis& facts, GlobalId thread, const std::stop_token& stop)
{
    const Name api{std::string(gpuApiName(trace))};
    Message text("overview.cuda_start", "Start-up of {api} takes {time} ({share}) before the first GPU work.",
        {{"api", api}, {"time", Duration{start.time}},
            {"share", Share{shareOf(start.time, overview.window.duration())}}});
    if (Message silent = silentText(start, trace, thread, stop); !silent.empty())
        return text + std::move(silent);
    const RuleContext context{trace, overview.window, {}, stop, facts};
    const StartCalls calls = startCalls(context, thread, overview.life.start);
    if (calls.longest == noIndex)
        return text;
    const EventRef call{EventKind::ApiCall, calls.longest};
    const Ns whole = trace.apiCalls().duration[calls.longest];
    const Ns own = totalTime(start.alone, trace.range(call));
    text += Message("overview.longest_start_call",
        "The longest call, {call}, takes {own}{profiled, select, yes {, or {whole} with the profiler's own work in it} other {}}"
        "{reason, select, context {. It is the first {api} call that needs the GPU: it starts the driver and creates a context, once per run.} "
        "code {, to load the code of the kernels once.} pages {, to pin memory page by page.} other {.}}",
        {{"call", Name{std::string(bareCallName(trace.name(call)))}}, {"own", Duration{own}},
            {"profiled", yesOrNo(whole > own)}, {"whole", Duration{whole}},
            {"reason", reasonOf(context, calls.longest, calls)}, {"api", api}});
    return text;
}

Message textOfLoading(const RunOverview& overview, const GpuBudgets& budgets, TimeRange loading)
{
    Message text("overview.first_kernel",
        "The first kernel starts {time} after the first GPU work ({share}).",
        {{"time", Duration{loading.duration()}},
            {"share", Share{shareOf(loading.duration(), overview.window.duration())}}});
    if (budgets.gpus().size() != 1)
        return text
            + Message("overview.loads",
                "Until then, the program copies data to the GPU, allocates memory and works on the host.");
    const Budget budget = budgets.gpus().front().within(loading);
    const Ns idle = totalOf(budgets.parts(), budget, BudgetGroup::Idle);
    return text
        + Message("overview.loading",
            "Until then, the GPU copies or sets memory for {busy} and is idle for {idle}{reasons}.",
            {{"busy", Duration{loading.duration() - idle}}, {"idle", Duration{idle}},
                {"reasons", idleReasonsText(budgets.parts(), budget, idle)}});
}

} // namespace warpline
