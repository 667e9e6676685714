// What is said of a run, in whole sentences: how long it was, what came before the GPU had work, what the GPU
// did, why it idled, what came after, and what bounds a step.

#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/base/share.h"
#include "core/budget/gpu_budget.h"
#include "core/budget/idle_times.h"
#include "core/coverage/interval_times.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/findings/host_story.h"
#include "core/findings/idle_places.h"
#include "core/findings/kernel_totals.h"
#include "core/findings/lost_work.h"
#include "core/findings/recording_advice.h"
#include "core/findings/sampled_functions.h"
#include "core/overview/graphics_story.h"
#include "core/overview/host_phases.h"
#include "core/overview/idle_reasons.h"
#include "core/overview/overview.h"
#include "core/overview/overview_elementwise.h"
#include "core/overview/overview_ranks.h"
#include "core/overview/overview_start.h"
#include "core/overview/overview_steps.h"
#include "core/overview/overview_work.h"
#include "core/overview/program_name.h"
#include "core/overview/run_phases.h"
#include "core/overview/serving_sentence.h"
#include "core/overview/what_ran.h"
#include "core/render/render.h"
#include "core/store/gpu_names.h"
#include "core/store/part_of_recording.h"
#include "core/store/python_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace warpline {

namespace {

constexpr double minSentenceShare = 0.02; ///< of the window

std::string share(Ns part, Ns whole)
{
    return formatShare(shareOf(part, whole));
}

class Sentences {
public:
    Sentences(RunOverview& overview, const Trace& trace, RunFacts& facts, const std::stop_token& stop)
        : m_overview(overview),
          m_trace(trace),
          m_facts(facts),
          m_stop(stop),
          m_budgets(trace, kernelClassRules(), stop)
    {
        IdleTimes::keep(trace, m_budgets);
    }

    void addAll(const std::string& stepGlob)
    {
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
        if (std::string text = textOfLoneRank(m_facts, m_trace, m_stop); !text.empty())
            say(std::move(text));
        // What most want to know of a run that has steps; those of a small part of it come after the whole.
        std::optional<StepsSaid> steps
            = describeSteps(m_trace, m_budgets, m_overview.window, stepGlob, m_stop);
        const bool early = steps && steps->isMost;
        if (early)
            addSteps(*steps);
        for (const Serving& serving : servingOf(m_trace, m_overview.window, stepGlob, m_stop)) {
            if (std::string text = servingSentence(serving); !text.empty())
                say(std::move(text), serving.span);
        }
        addStart();
        addLoading();
        addWork();
        if (!early)
            addRanges();
        addIdle();
        if (steps && !early)
            addSteps(*steps);
        addRanks();
        addEnd();
    }

private:
    void say(std::string text, TimeRange where = {})
    {
        m_overview.sentences.push_back({withRecordedCommunication(m_trace, std::move(text)), where});
    }
    bool matters(Ns time) const { return shareOf(time, m_overview.window.duration()) >= minSentenceShare; }
    /// "after 20.55 ms", or "at 39.11 ms in the timeline, 20.55 ms after the first event recorded": where
    /// that is another figure than how long the run has lasted.
    std::string beginText(Ns time, Ns sinceStart) const
    {
        const std::string at = formatDuration(time);
        const std::string since = formatDuration(sinceStart);
        return at == since
            ? "after " + since
            : fmt::format("at {} in the timeline, {} after the {}", at, since,
                m_overview.window == m_trace.session ? "first event recorded" : "start of this range");
    }
    std::string ofRun(Ns time) const { return share(time, m_overview.window.duration()); }
    const OverviewPart* part(OverviewKind kind) const
    {
        const auto found = std::ranges::find(m_overview.parts, kind, &OverviewPart::kind);
        return found != m_overview.parts.end() ? &*found : nullptr;
    }

    /// Work of an accelerator that is no GPU, which is told in the words of one.
    void addAccelerator()
    {
        for (const EventKind kind : {EventKind::Kernel, EventKind::Memcpy}) {
            for (const Track& track : m_trace.table(kind).tracks) {
                if (!m_trace.text(track.source).starts_with("mtia"))
                    continue;
                const Device* const device = m_trace.device(track.owner, track.device);
                say(fmt::format("The accelerator is an MTIA{}, not a GPU. Here, GPU means this accelerator.",
                    device && !device->name.empty() ? " (" + device->name + ")" : ""));
                return;
            }
        }
    }

    void addRun()
    {
        const Ns length = m_overview.window.duration();
        const auto part = partOf(m_trace.info);
        if (part)
            say(fmt::format("This report is {}. It does not contain what lies outside{}.", partText(*part),
                    part->gpuWork.end <= part->kept.end
                        ? ""
                        : ", so the cause of idle time at its end is that of the last launching thread"),
                m_trace.session);
        if (m_overview.window == m_trace.session && part)
            say(fmt::format("{}: {} kept.", programName(m_trace, m_facts), roundedDuration(length)),
                m_overview.window);
        else if (m_overview.window == m_trace.session)
            say(fmt::format("{}: {} from the first to the last event recorded.",
                    programName(m_trace, m_facts), roundedDuration(length)),
                m_overview.window);
        else
            say(fmt::format("{}: {} of the {} recorded.", programName(m_trace, m_facts),
                    roundedDuration(length), roundedDuration(m_trace.session.duration())),
                m_overview.window);
    }

    /// The thread that launches the first GPU work; 0: the report does not say.
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

    /// 0: the report does not say.
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
        if (matters(before))
            say(fmt::format("The first GPU work starts {} ({} of the recording).",
                    beginText(m_overview.life.start, before), ofRun(before)),
                {m_overview.window.start, m_overview.life.start});
        sayQueued();
        TimeRange earlier;
        if (std::string text = textOfEarlierWork(m_overview, m_trace, earlier, m_stop);
            !text.empty() && matters(earlier.duration()))
            say(std::move(text), earlier);
        if (const OverviewPart* const early = part(OverviewKind::BeforeCuda); early && matters(early->time))
            tell(fmt::format("Before the first {2} call: {0} ({1}).", roundedDuration(early->time),
                     ofRun(early->time), gpuApiName(m_trace)),
                thread, *early);
        if (const OverviewPart* const start = part(OverviewKind::CudaStart); start && matters(start->time))
            say(textOfCudaStart(m_overview, *start, m_trace, m_facts, thread, m_stop), start->where);
        if (const OverviewPart* const host = part(OverviewKind::HostBefore); host && matters(host->time))
            tell(fmt::format("Before the first GPU work, the host runs for {} ({}) outside {} calls.",
                     roundedDuration(host->time), ofRun(host->time), gpuApiName(m_trace)),
                thread, *host);
    }

    /// The GPU is busy with what came before the recording, or another program has it.
    void sayQueued()
    {
        const OverviewPart* const queued = part(OverviewKind::Queued);
        if (!queued || !matters(queued->time))
            return;
        say(fmt::format(
                "The first GPU work is launched after {} and starts {} later ({}). The GPU was busy, probably with work launched before the recording.",
                formatDuration(queued->where.start - m_overview.window.start),
                roundedDuration(m_overview.life.start - queued->where.start), ofRun(queued->time)),
            queued->where);
    }

    /// Copies before the first kernel load what the program works on: a phase of its own where it is long.
    void addLoading()
    {
        const Ns first = firstKernel(m_trace, m_overview.life);
        if (const TimeRange loading{m_overview.life.start, first};
            first < m_overview.life.end && matters(loading.duration()))
            say(textOfLoading(m_overview, m_budgets, loading), loading);
    }

    /// `text`, with what `thread` did in `part` of the time; of the longest of a run also that nothing says
    /// it.
    void tell(std::string text, GlobalId thread, const OverviewPart& part)
    {
        constexpr double muchUnknown = 0.3;
        const HostStory told = hostStory(m_trace, thread, part.alone, m_stop);
        std::string story = plain(told.text);
        if (part.kind != OverviewKind::Exit && told.namesDriver)
            story += " ioctl is the driver, which starts the GPU and creates the context once per run.";
        if (story.empty() && shareOf(part.time, m_overview.window.duration()) >= muchUnknown)
            story = hasPythonStacks(m_trace) ? "Python samples in that time are spread over many functions."
                : m_trace.table(EventKind::Sample).empty()
                ? fmt::format(
                    "The report does not show what it does ({} would).", recordingAdvice(m_trace).hostCode)
                : std::string("CPU samples in that time are spread over many functions.");
        else if (shareOf(part.time, m_overview.window.duration()) >= muchUnknown && isMostlyUnnamed(part))
            story += fmt::format(" The report does not show what it does in the rest ({} would).",
                recordingAdvice(m_trace).hostCode);
        if (part.kind == OverviewKind::Exit)
            text += textOfPagesBack(m_overview, m_trace, m_stop);
        if (const Message end = ending(m_trace, thread, part.alone, m_stop).text;
            part.kind == OverviewKind::Exit && !end.empty())
            text += " " + plain(end);
        say(story.empty() ? std::move(text) : text + " " + story, part.where);
    }

    /// Whether what the report names of `part` is under half of it, and no samples tell of the rest.
    bool isMostlyUnnamed(const OverviewPart& part) const
    {
        Ns named = 0;
        for (const OverviewPhase& phase : part.phases)
            named += phase.time;
        return named * 2 < part.time && !hasPythonStacks(m_trace) && m_trace.table(EventKind::Sample).empty();
    }

    void addWork()
    {
        if (std::string text = textOfWork(m_overview, m_trace, m_facts, m_stop); !text.empty())
            say(std::move(text), m_overview.life);
        if (std::string text = textOfElementwise(m_trace, m_facts, m_overview.window, m_stop); !text.empty())
            say(std::move(text), m_overview.life);
    }

    void addRanges()
    {
        const std::vector<GlobalId> threads = launchingThreads();
        if (threads.size() != 1 || threads.front() == 0)
            return;
        if (std::string text = textOfOwnRanges(m_overview, m_trace, threads.front(), m_stop); !text.empty())
            say(std::move(text), m_overview.life);
    }

    void addIdle()
    {
        const OverviewPart* const idle = part(OverviewKind::Idle);
        if (!idle || shareOf(idle->time, m_overview.life.duration()) < minSentenceShare)
            return;
        const bool several = m_budgets.gpus().size() > 1;
        say(fmt::format("Between the first and the last kernel or copy {} idle for {} ({} of that time){}.",
                several ? "all GPUs are" : "the GPU is", roundedDuration(idle->time),
                share(idle->time, m_overview.life.duration()),
                several ? meanIdleText(m_budgets, m_overview.life, usersOf(m_trace, m_budgets))
                        : idleReasonsText(m_budgets.parts(),
                            m_budgets.gpus().empty() ? Budget() : budgetOf(*idle), idle->time)),
            idle->where);
        sayQueuedBetween();
    }

    /// The only GPU's, of the time that `idle` is made of, as the phases of the bar are: else of all its
    /// life.
    Budget budgetOf(const OverviewPart& idle) const
    {
        const GpuBudget& gpu = m_budgets.gpus().front();
        return idle.alone.empty() ? gpu.within(m_overview.life) : gpu.within(std::span(idle.alone), m_stop);
    }

    /// Work that is launched and not begun is a riddle in a report of one process: others are not in it.
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
            say(fmt::format(
                    "For {} of that, the next work is launched, but the GPU does not start it. Other processes may use the GPU: ranks that share a GPU take turns unless they run under MPS. Open their reports to see.",
                    roundedDuration(queued)),
                m_overview.life);
    }

    void addSteps(StepsSaid& said)
    {
        say(std::move(said.text), said.where.empty() ? m_overview.life : said.where);
        if (!said.edges.empty())
            say(std::move(said.edges), said.edgesWhere);
        if (said.steps.whole > 0)
            m_overview.steps = std::move(said.steps);
        const std::vector<GlobalId> threads = launchingThreads();
        if (said.isMost && threads.size() == 1 && threads.front() != 0) {
            const StepSeries& steps = m_facts.steps(processOf(threads.front()));
            if (std::string text = textOfRangesInSteps(m_trace, threads.front(), steps, m_stop);
                !text.empty())
                say(std::move(text), steps.span());
        }
        addTokens();
    }

    /// What somebody who serves a model asks first.
    void addTokens()
    {
        const Rule* const rule = findRule("token_times");
        const RuleContext context{m_trace, m_overview.window, {}, m_stop, m_facts};
        if (!rule || !rule->applies(m_trace, m_stop))
            return;
        for (const Finding& finding : rule->check(context))
            say(plain(finding.title) + ".", finding.where);
    }

    /// Who computes least of several GPUs, and who most.
    void addRanks()
    {
        if (std::string text = textOfRanks(m_overview); !text.empty())
            say(std::move(text));
    }

    void addEnd()
    {
        if (const OverviewPart* const exit = part(OverviewKind::Exit); exit && matters(exit->time))
            tell(fmt::format("After the last kernel or copy, the program runs for another {} ({}).",
                     roundedDuration(exit->time), ofRun(exit->time)),
                launchingThread(), *exit);
        if (const OverviewPart* const own = part(OverviewKind::Profiler); own && matters(own->time))
            say(fmt::format("Profiler overhead of {}: {} ({} of the recording) while no GPU works{}",
                    recordingAdvice(m_trace).recorder, roundedDuration(own->time), ofRun(own->time),
                    own->where.start >= m_overview.life.end
                        ? ", mostly after the last GPU work. Steps are not affected."
                        : ". Without the profiler, the program is faster."),
                own->where);
    }

    void addNoGpuWork()
    {
        const NoGpuWork why = explainNoGpuWork(m_trace);
        say(why.what.empty() ? "No GPU works in this range." : why.what);
        for (std::string& sentence : graphicsSentences(m_trace, m_overview.window, m_stop))
            say(std::move(sentence));
        if (const EventIndex call = failedLaunch(m_trace, m_facts); call != noIndex)
            say(fmt::format("A launch fails: {} returns error {}, so its kernel never runs.",
                    bareCallName(m_trace.name({EventKind::ApiCall, call})),
                    m_trace.apiCalls().attribute[call]),
                m_trace.range({EventKind::ApiCall, call}));
        if (const OverviewPart* const host = part(OverviewKind::HostOnly)) {
            if (std::string phases = phasesText(*host, m_overview.window); !phases.empty())
                say(std::move(phases), host->where);
        }
        for (std::string& sentence : whatRanInstead(m_trace, m_overview.window, m_stop))
            say(std::move(sentence));
        if (!why.causes.empty())
            say("If a GPU should have worked: " + why.causes);
    }

    RunOverview& m_overview;
    const Trace& m_trace;
    RunFacts& m_facts;
    std::stop_token m_stop;
    GpuBudgets m_budgets;
};

} // namespace

void addSentences(RunOverview& overview, const Trace& trace, RunFacts& facts, const std::string& stepGlob,
    const std::stop_token& stop)
{
    Sentences(overview, trace, facts, stop).addAll(stepGlob);
}

} // namespace warpline
