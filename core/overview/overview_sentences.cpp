// The sentences about a run: its length, what came before the first GPU work, what the GPU did, why it idled,
// what came after, and what bounds a step.

#include "core/base/format.h"
#include "core/base/message_names.h"
#include "core/base/rounded.h"
#include "core/base/share.h"
#include "core/budget/gpu_budget.h"
#include "core/coverage/interval_times.h"
#include "core/findings/host_calls.h"
#include "core/findings/host_story.h"
#include "core/findings/idle_places.h"
#include "core/findings/kernel_totals.h"
#include "core/findings/lost_work.h"
#include "core/findings/recording_advice.h"
#include "core/findings/sampled_functions.h"
#include "core/overview/host_phases.h"
#include "core/overview/idle_reasons.h"
#include "core/overview/overview.h"
#include "core/overview/overview_work.h"
#include "core/overview/program_name.h"
#include "core/overview/serving_sentence.h"
#include "core/store/gpu_names.h"
#include "core/store/part_of_recording.h"
#include "core/store/python_samples.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace warpline {

namespace {

constexpr double minSentenceShare = 0.02; ///< of the window

class Sentences {
public:
    Sentences(RunOverview& overview, TraceAnalysis& facts, const GpuBudgets& budgets)
        : m_overview(overview),
          m_trace(facts.trace()),
          m_facts(facts),
          m_stop(facts.stop()),
          m_budgets(budgets),
          m_communication(recordedCommunication(m_trace))
    {
    }

    void addAll()
    {
        const std::string& stepGlob = m_facts.stepGlob();
        addPart();
        if (m_trace.eventCount() > 0)
            addRun();
        addAccelerator();
        addPhases(m_overview, m_trace, m_budgets, m_facts.callKinds(),
            m_overview.life.empty() || m_budgets.gpus().empty() ? std::vector{mainThread(m_trace)}
                                                                : launchingThreads(),
            m_stop);
        if (m_overview.life.empty()) {
            addNoGpuWork();
            return;
        }
        say(lostGpuWork(m_facts).text());
        say(textOfLoneRank(m_facts, m_trace, m_stop));
        // Steps come first, because most readers want them; steps that cover a small part of the run come
        // after the whole.
        std::optional<StepsSaid> steps
            = describeSteps(m_trace, m_budgets, m_overview.window, stepGlob, m_stop);
        const bool early = steps && steps->isMost;
        if (early)
            addSteps(*steps);
        for (const Serving& serving : servingOf(m_trace, m_overview.window, stepGlob, m_stop))
            say(servingSentence(serving), serving.span);
        addStart();
        addLoading();
        addWork();
        if (!early)
            addRanges();
        addIdle();
        if (steps && !early)
            addSteps(*steps);
        say(textOfRanks(m_overview));
        addEnd();
    }

private:
    /// Adds `text`, unless it is empty.
    void say(Message text, TimeRange where = {})
    {
        if (text.empty())
            return;
        text.set("communication", m_communication);
        m_overview.sentences.push_back({std::move(text), where});
    }
    bool matters(Ns time) const { return shareOf(time, m_overview.window.duration()) >= minSentenceShare; }
    Share ofRun(Ns time) const { return {shareOf(time, m_overview.window.duration())}; }
    Name api() const { return {std::string(gpuApiName(m_trace))}; }
    const OverviewPart* part(OverviewKind kind) const
    {
        const auto found = std::ranges::find(m_overview.parts, kind, &OverviewPart::kind);
        return found != m_overview.parts.end() ? &*found : nullptr;
    }

    /// Work of an accelerator that is not a GPU, described with a GPU's terms.
    void addAccelerator()
    {
        for (const EventKind kind : {EventKind::Kernel, EventKind::Memcpy}) {
            for (const Track& track : m_trace.table(kind).tracks) {
                if (!m_trace.text(track.source).starts_with("mtia"))
                    continue;
                const Device* const device = m_trace.device(track.owner, track.device);
                const std::string name = device ? device->name : std::string();
                say({"overview.accelerator",
                    "The accelerator is an MTIA{named, select, yes { ({name})} other {}}, not a GPU. Here, GPU means this accelerator.",
                    {{"named", Name{name.empty() ? "no" : "yes"}}, {"name", Name{name}}}});
                return;
            }
        }
    }

    /// Always, since commands that print the overview do not note it.
    void addPart()
    {
        if (const auto part = partOf(m_trace.info))
            say({"overview.part_of_recording",
                    "This report is {part}. It does not contain what lies outside{cut, select, yes {, so the cause of idle time at its end is that of the last launching thread} other {}}.",
                    {{"part", partText(*part)},
                        {"cut", Name{part->gpuWork.end <= part->kept.end ? "no" : "yes"}}}},
                m_trace.session);
    }

    void addRun()
    {
        const bool isWhole = m_overview.window == m_trace.session;
        say({"overview.run",
                "{program}: {time} {what, select, part {kept} whole {from the first to the last event recorded} other {of the {all} recorded}}.",
                {{"program", programName(m_trace, m_facts)}, {"time", Duration{m_overview.window.duration()}},
                    {"what",
                        Name{!isWhole                  ? "range"
                                : partOf(m_trace.info) ? "part"
                                                       : "whole"}},
                    {"all", Duration{m_trace.session.duration()}}}},
            m_overview.window);
    }

    /// The thread that launches the first GPU work; 0: unknown.
    GlobalId launchingThread() const
    {
        const GpuFacts* first = nullptr;
        for (const GpuFacts& gpu : m_facts.gpus()) {
            if (!gpu.busy.empty() && (!first || gpu.span().start < first->span().start))
                first = &gpu;
        }
        if (const GlobalId thread = first ? threadOfFirstWork(*first) : 0; thread != 0)
            return thread;
        const std::vector<GlobalId> threads = callingThreads(m_trace);
        return threads.empty() ? 0 : threads.front();
    }

    /// The threads that launch the first GPU work of each process, the first of all first.
    std::vector<GlobalId> launchingThreads() const
    {
        std::vector<GlobalId> threads{launchingThread()};
        for (const GpuFacts& gpu : m_facts.gpus()) {
            const bool isKnown = std::ranges::any_of(
                threads, [&](GlobalId thread) { return processOf(thread) == gpu.process; });
            if (const GlobalId thread = isKnown ? 0 : threadOfFirstWork(gpu); thread != 0)
                threads.push_back(thread);
        }
        return threads;
    }

    /// The thread that launches the first work of `gpu`; 0: unknown.
    GlobalId threadOfFirstWork(const GpuFacts& gpu) const
    {
        for (const std::uint32_t work : gpu.work) {
            if (const EventIndex call = m_facts.callOf(work); call != noIndex)
                return m_facts.threadOf(call);
        }
        return 0;
    }

    void addStart()
    {
        const GlobalId thread = launchingThread();
        const Ns before = m_overview.life.start - m_overview.window.start;
        // Gives both times where the timeline's time differs from how long the run has lasted.
        const bool isSame = roundedDuration(m_overview.life.start) == roundedDuration(before);
        if (matters(before))
            say({"overview.begins",
                    "The first GPU work starts {at, select, same {after {before}} other {at {start} in the timeline, {before} after the "
                    "{since, select, run {first event recorded} other {start of this range}}}} ({share} of the recording).",
                    {{"at", Name{isSame ? "same" : "other"}}, {"start", Duration{m_overview.life.start}},
                        {"before", Duration{before}},
                        {"since", Name{m_overview.window == m_trace.session ? "run" : "range"}},
                        {"share", ofRun(before)}}},
                {m_overview.window.start, m_overview.life.start});
        sayQueued();
        TimeRange earlier;
        if (Message text = textOfEarlierWork(m_overview, m_trace, earlier, m_stop);
            !text.empty() && matters(earlier.duration()))
            say(std::move(text), earlier);
        if (const OverviewPart* const early = part(OverviewKind::BeforeCuda); early && matters(early->time))
            tell({"overview.before_cuda", "Before the first {api} call: {time} ({share}).",
                     {{"api", api()}, {"time", Duration{early->time}}, {"share", ofRun(early->time)}}},
                thread, *early);
        if (const OverviewPart* const start = part(OverviewKind::CudaStart); start && matters(start->time))
            say(textOfCudaStart(m_overview, *start, m_trace, m_facts, thread, m_stop), start->where);
        if (const OverviewPart* const host = part(OverviewKind::HostBefore); host && matters(host->time))
            tell(
                {"overview.host_before",
                    "Before the first GPU work, the host runs for {time} ({share}){recorded, select, yes { outside {api} calls} other {}}.",
                    {{"api", api()}, {"time", Duration{host->time}}, {"share", ofRun(host->time)},
                        {"recorded", yesOrNo(!m_trace.apiCalls().empty())}}},
                thread, *host);
    }

    /// The GPU works on launches from before the recording, or another program uses it.
    void sayQueued()
    {
        const OverviewPart* const queued = part(OverviewKind::Queued);
        if (!queued || !matters(queued->time))
            return;
        say({"overview.queued",
                "The first GPU work is launched after {launched} and starts {later} later ({share}). The GPU was busy, probably with work launched before the recording.",
                {{"launched", Duration{queued->where.start - m_overview.window.start}},
                    {"later", Duration{m_overview.life.start - queued->where.start}},
                    {"share", ofRun(queued->time)}}},
            queued->where);
    }

    /// Copies before the first kernel load the program's data: a phase of its own where it is long.
    void addLoading()
    {
        const Ns first = firstKernel(m_trace, m_overview.life);
        if (const TimeRange loading{m_overview.life.start, first};
            first < m_overview.life.end && matters(loading.duration()))
            say(textOfLoading(m_overview, m_budgets, loading), loading);
    }

    /// Adds `text` with what `thread` did in `part`; for the longest part of a run also when nothing names
    /// it.
    void tell(Message text, GlobalId thread, const OverviewPart& part)
    {
        constexpr double muchUnknown = 0.3;
        HostStory told = hostStory(m_trace, thread, part.alone, m_stop);
        const bool isMuch = shareOf(part.time, m_overview.window.duration()) >= muchUnknown;
        const Message hostCode = recordingAdvice(m_trace).hostCode;
        Message story = std::move(told.text);
        if (part.kind != OverviewKind::Exit && told.namesDriver)
            story += Message("overview.driver",
                "ioctl is the driver, which starts the GPU and creates the context once per run.");
        if (story.empty() && isMuch)
            story = hasPythonStacks(m_trace) ? Message("overview.python_spread",
                        "Python samples in that time are spread over many functions.")
                : m_trace.table(EventKind::Sample).empty()
                ? Message("overview.host_unknown", "The report does not show what it does ({option} would).",
                    {{"option", hostCode}})
                : Message(
                    "overview.samples_spread", "CPU samples in that time are spread over many functions.");
        else if (isMuch && isMostlyUnnamed(part))
            story += Message("overview.rest_unknown",
                "The report does not show what it does in the rest ({option} would).",
                {{"option", hostCode}});
        if (part.kind == OverviewKind::Exit) {
            text += textOfPagesBack(m_overview, m_trace, m_stop);
            text += ending(m_trace, thread, part.alone, m_stop).text;
        }
        say(std::move(text) + std::move(story), part.where);
    }

    /// Whether the report names less than half of `part`, and no samples cover the rest.
    bool isMostlyUnnamed(const OverviewPart& part) const
    {
        return otherTime(part) * 2 > part.time && !hasPythonStacks(m_trace)
            && m_trace.table(EventKind::Sample).empty();
    }

    void addWork()
    {
        say(textOfWork(m_overview, m_trace, m_facts, m_stop), m_overview.life);
        say(textOfElementwise(m_trace, m_facts, m_overview.window, m_stop), m_overview.life);
    }

    void addRanges()
    {
        const std::vector<GlobalId> threads = launchingThreads();
        if (threads.size() != 1 || threads.front() == 0)
            return;
        say(textOfOwnRanges(m_overview, m_trace, threads.front(), m_stop), m_overview.life);
    }

    void addIdle()
    {
        const OverviewPart* const idle = part(OverviewKind::Idle);
        if (!idle || shareOf(idle->time, m_overview.life.duration()) < minSentenceShare)
            return;
        const bool several = m_budgets.gpus().size() > 1;
        say({"overview.idle",
                "Between the first and the last kernel or copy {gpus, select, several {all GPUs are} other {the GPU is}} idle for {time} ({share} of that time){reasons}.",
                {{"gpus", Name{several ? "several" : "one"}}, {"time", Duration{idle->time}},
                    {"share", Share{shareOf(idle->time, m_overview.life.duration())}},
                    {"reasons",
                        several ? meanIdleText(m_budgets, m_overview.life, usersOf(m_trace, m_budgets))
                                : idleReasonsText(m_budgets.parts(),
                                    m_budgets.gpus().empty() ? Budget() : budgetOf(*idle), idle->time)}}},
            idle->where);
        sayQueuedBetween();
    }

    /// The budget of the only GPU over the time of `idle`, as the phases of the bar; else over all its life.
    Budget budgetOf(const OverviewPart& idle) const
    {
        const GpuBudget& gpu = m_budgets.gpus().front();
        return idle.alone.empty() ? gpu.within(m_overview.life) : gpu.within(std::span(idle.alone), m_stop);
    }

    /// Work that is launched but has not begun is unexplained in a report of one process, because other
    /// processes are not in it.
    void sayQueuedBetween()
    {
        const bool ofMpi = std::ranges::any_of(m_trace.table(EventKind::Library).tracks,
            [&](const Track& track) { return m_trace.text(track.family) == "MPI"; });
        if (!ofMpi || m_budgets.gpus().size() != 1)
            return;
        const Budget budget = m_budgets.gpus().front().within(m_overview.life);
        Ns queued = 0;
        for (std::size_t i = 0; i < budget.size(); ++i)
            queued += m_budgets.parts()[i].cause == IdleCause::Queued ? budget[i] : 0;
        if (shareOf(queued, m_overview.life.duration()) >= minSentenceShare)
            say({"overview.queued_between",
                    "For {time} of that, the next work is launched, but the GPU does not start it. Other processes may use the GPU: ranks that share a GPU take turns unless they run under MPS. Open their reports to see.",
                    {{"time", Duration{queued}}}},
                m_overview.life);
    }

    void addSteps(StepsSaid& said)
    {
        say(std::move(said.text), said.where.empty() ? m_overview.life : said.where);
        say(std::move(said.edges), said.edgesWhere);
        if (said.steps.whole > 0)
            m_overview.steps = std::move(said.steps);
        const std::vector<GlobalId> threads = launchingThreads();
        if (said.isMost && threads.size() == 1 && threads.front() != 0) {
            const StepSeries& steps = m_facts.steps(processOf(threads.front()));
            say(textOfRangesInSteps(m_trace, threads.front(), steps, m_stop), steps.span());
        }
        addTokens();
    }

    /// Token rates, the first question about a serving program.
    void addTokens()
    {
        const Rule* const rule = findRule("token_times");
        const RuleContext context{m_trace, m_overview.window, {}, m_stop, m_facts};
        if (!rule || !rule->applies(m_trace, m_stop))
            return;
        for (const Finding& finding : rule->find(context))
            say({"overview.finding", "{title}.", {{"title", finding.title}}}, finding.where);
    }

    void addEnd()
    {
        if (const OverviewPart* const exit = part(OverviewKind::Exit); exit && matters(exit->time))
            tell({"overview.exit",
                     "After the last kernel or copy, the program runs for another {time} ({share}).",
                     {{"time", Duration{exit->time}}, {"share", ofRun(exit->time)}}},
                launchingThread(), *exit);
        if (const OverviewPart* const own = part(OverviewKind::Profiler); own && matters(own->time))
            say({"overview.profiler",
                    "Profiler overhead of {recorder}: {time} ({share} of the recording) while no GPU works"
                    "{when, select, after {, mostly after the last GPU work. Steps are not affected.} other {. Without the profiler, the program is faster.}}",
                    {{"recorder", recordingAdvice(m_trace).recorder()}, {"time", Duration{own->time}},
                        {"share", ofRun(own->time)},
                        {"when", Name{own->where.start >= m_overview.life.end ? "after" : "during"}}}},
                own->where);
    }

    void addNoGpuWork()
    {
        const NoGpuWork why = explainNoGpuWork(m_trace);
        say(why.what.empty() ? Message("overview.no_gpu_work", "No GPU works in this range.") : why.what);
        GraphicsStory graphics = graphicsStory(m_trace, m_overview.window, m_stop);
        m_overview.frames = std::move(graphics.headline);
        for (Message& sentence : graphics.sentences)
            say(std::move(sentence));
        if (const EventIndex call = failedLaunch(m_trace, m_facts); call != noIndex)
            say({"overview.failed_launch",
                    "A launch fails: {call} returns error {error}, so its kernel never runs.",
                    {{"call", Name{std::string(bareCallName(m_trace.name({EventKind::ApiCall, call})))}},
                        {"error", Ordinal{m_trace.apiCalls().attribute[call]}}}},
                m_trace.range({EventKind::ApiCall, call}));
        if (const OverviewPart* const host = part(OverviewKind::HostOnly))
            say(phasesText(*host, m_overview.window), host->where);
        for (Message& sentence : whatRanInstead(m_trace, m_overview.window, m_stop))
            say(std::move(sentence));
        if (!why.causes.empty())
            say({"overview.no_gpu_causes", "If a GPU should have worked: {causes}",
                {{"causes", why.causes}}});
    }

    RunOverview& m_overview;
    const Trace& m_trace;
    TraceAnalysis& m_facts;
    std::stop_token m_stop;
    const GpuBudgets& m_budgets;
    Message m_communication; ///< the libraries that were recorded
};

} // namespace

void addSentences(RunOverview& overview, TraceAnalysis& facts, const GpuBudgets& budgets)
{
    Sentences(overview, facts, budgets).addAll();
}

} // namespace warpline
