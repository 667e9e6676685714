// What is said of a run, in whole sentences: how long it was, what came before the GPU had work, what the GPU
// did, why it idled, what came after, and what bounds a step.

#include "core/base/format.h"
#include "core/base/share.h"
#include "core/base/utf8.h"
#include "core/budget/gpu_budget.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/findings/host_story.h"
#include "core/findings/kernel_totals.h"
#include "core/findings/lost_work.h"
#include "core/findings/recording_advice.h"
#include "core/overview/idle_reasons.h"
#include "core/overview/overview.h"
#include "core/overview/overview_steps.h"
#include "core/overview/what_ran.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace warpline {

namespace {

constexpr double worthASentence = 0.02; ///< of the window
constexpr Ns longStart = 1'000'000; ///< a call that makes a context takes longer

std::string share(Ns part, Ns whole)
{
    return formatShare(shareOf(part, whole));
}

/// "hw5" of "/home/me/hw5 100"; where the report has no command, of the first process that uses a GPU.
std::string programName(const Trace& trace, RunFacts& facts)
{
    std::string name
        = toUtf8(trace.info.commandLine.substr(launchedProgram(trace.info.commandLine))); // not "mpirun"
    name = name.substr(0, name.find(' '));
    if (name.empty() && !facts.gpus().empty()) {
        const Process* const process = trace.process(facts.gpus().front().process);
        name = process ? toUtf8(trace.text(process->name)) : std::string();
    }
    name = name.substr(name.find_last_of("/\\") + 1);
    return name.empty() ? std::string("The program") : name;
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
    }

    void addAll(const std::string& stepGlob)
    {
        if (m_trace.eventCount() > 0)
            addRun();
        if (m_overview.life.empty()) {
            addNoGpuWork();
            return;
        }
        addStart();
        addLoading();
        addWork();
        addIdle();
        addSteps(stepGlob);
        addRanks();
        addEnd();
    }

private:
    void say(std::string text, TimeRange where = {})
    {
        m_overview.sentences.push_back({std::move(text), where});
    }
    bool matters(Ns time) const { return shareOf(time, m_overview.window.duration()) >= worthASentence; }
    std::string ofRun(Ns time) const { return share(time, m_overview.window.duration()); }
    const OverviewPart* part(OverviewKind kind) const
    {
        const auto found = std::ranges::find(m_overview.parts, kind, &OverviewPart::kind);
        return found != m_overview.parts.end() ? &*found : nullptr;
    }

    void addRun()
    {
        const Ns length = m_overview.window.duration();
        if (m_overview.window == m_trace.session)
            say(fmt::format("{}: {} from the first to the last event recorded.",
                    programName(m_trace, m_facts), formatDuration(length)),
                m_overview.window);
        else
            say(fmt::format("{}: {} of the {} recorded.", programName(m_trace, m_facts),
                    formatDuration(length), formatDuration(m_trace.session.duration())),
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
        for (std::size_t i = 0; first && i < first->work.size(); ++i) {
            if (const EventIndex call = m_facts.callOf(first->work[i]); call != noIndex)
                return m_facts.threadOf(call);
        }
        const std::vector<GlobalId> threads = callingThreads(m_trace);
        return threads.empty() ? 0 : threads.front();
    }

    /// Calls of `thread` before the first GPU work; noIndex: there is none.
    struct StartCalls {
        EventIndex longest = noIndex;
        EventIndex firstLong = noIndex; ///< the one that makes the context
    };
    StartCalls startCalls(GlobalId thread) const
    {
        const RuleContext context{m_trace, m_overview.window, {}, m_stop, m_facts};
        StartCalls found;
        const EventTable& calls = m_trace.apiCalls();
        forEachOuterCall(
            context, thread, {m_overview.window.start, m_overview.life.start}, [&](EventIndex call) {
                if (found.longest == noIndex || calls.duration[call] > calls.duration[found.longest])
                    found.longest = call;
                if (found.firstLong == noIndex && calls.duration[call] >= longStart)
                    found.firstLong = call;
            });
        return found;
    }

    void addStart()
    {
        const GlobalId thread = launchingThread();
        const Ns before = m_overview.life.start - m_overview.window.start;
        if (matters(before))
            say(fmt::format("The first GPU work begins after {} ({} of the recording).",
                    formatDuration(before), ofRun(before)),
                {m_overview.window.start, m_overview.life.start});
        if (const OverviewPart* const early = part(OverviewKind::BeforeCuda); early && matters(early->time))
            tell(fmt::format("For {} ({}) the program runs before its first CUDA call.",
                     formatDuration(early->time), ofRun(early->time)),
                thread, *early);
        if (const OverviewPart* const start = part(OverviewKind::CudaStart); start && matters(start->time))
            sayCudaStart(*start, thread);
        if (const OverviewPart* const host = part(OverviewKind::HostBefore); host && matters(host->time))
            tell(fmt::format("For {} ({}) before the first GPU work the host works alone, in no CUDA call.",
                     formatDuration(host->time), ofRun(host->time)),
                thread, *host);
    }

    /// Why a call of the start takes long; the end of a sentence.
    std::string_view reasonOf(EventIndex call, const StartCalls& calls) const
    {
        if (m_trace.apiCalls().duration[call] < longStart)
            return ".";
        if (call == calls.firstLong)
            return ": the first CUDA call that needs the GPU starts the driver and makes a context, once a run.";
        const CallKind kind = m_facts.callKinds()[call];
        return kind == CallKind::LoadModule ? ": it loads the code of the kernels, once."
            : kind == CallKind::PinHost     ? ": it pins memory, page by page."
                                            : ".";
    }

    void sayCudaStart(const OverviewPart& start, GlobalId thread)
    {
        std::string text = fmt::format("Start-up takes {} ({}): CUDA calls before the first GPU work.",
            formatDuration(start.time), ofRun(start.time));
        const StartCalls calls = startCalls(thread);
        if (calls.longest != noIndex) {
            const Ns time = m_trace.apiCalls().duration[calls.longest];
            text += fmt::format(" The longest, {}, takes {}{}{}",
                bareCallName(m_trace.name({EventKind::ApiCall, calls.longest})), formatDuration(time),
                time > start.time ? ", the profiler's own work in it included" : "",
                reasonOf(calls.longest, calls));
        }
        say(std::move(text), start.where);
    }

    /// Copies before the first kernel load what the program works on: a phase of its own where it is long.
    void addLoading()
    {
        Ns first = m_overview.life.end;
        for (const EventKind kind : {EventKind::Kernel, EventKind::GraphTrace}) {
            const EventTable& table = m_trace.table(kind);
            for (const Lane& lane : table.lanes) {
                const auto [begin, end] = table.touching(lane, m_overview.life);
                first = begin < end ? std::min(first, table.start[begin]) : first;
            }
        }
        if (const TimeRange loading{m_overview.life.start, first};
            first < m_overview.life.end && matters(loading.duration()))
            say(fmt::format(
                    "The first kernel begins {} later ({}): until then the program copies data to the "
                    "GPU, allocates memory and works on the host.",
                    formatDuration(loading.duration()), ofRun(loading.duration())),
                loading);
    }

    /// `text`, with what `thread` did in `part` of the time.
    void tell(std::string text, GlobalId thread, const OverviewPart& part)
    {
        const std::string story = hostStory(m_trace, thread, part.alone, m_stop);
        say(story.empty() ? std::move(text) : text + " " + story, part.where);
    }

    void addWork()
    {
        Ns work = 0;
        for (const OverviewKind kind :
            {OverviewKind::Kernels, OverviewKind::Pages, OverviewKind::Communication, OverviewKind::CopiesIn,
                OverviewKind::CopiesOut, OverviewKind::OtherCopies})
            work += m_overview.timeOf(kind);
        const std::size_t gpus = m_facts.gpus().size();
        std::string text = fmt::format(
            "{} for {} ({}):", gpus > 1 ? "A GPU works" : "The GPU works", formatDuration(work), ofRun(work));
        std::string list;
        const auto add = [&](OverviewKind kind, std::string_view what, const std::string& more) {
            if (const Ns time = m_overview.timeOf(kind); time > 0)
                list += fmt::format("{} {} {}{}", list.empty() ? "" : ",", formatDuration(time), what, more);
        };
        const std::uint64_t kernels = launchesInWindow();
        add(OverviewKind::Kernels, "in kernels",
            kernels > 0 ? fmt::format(" ({})", counted(kernels, "launch", "launches")) : std::string());
        add(OverviewKind::Pages, "waiting for pages of unified memory or moving them", {});
        add(OverviewKind::Communication, "in communication that no kernel hides", {});
        add(OverviewKind::CopiesIn, "copying to the GPU", copiesText(true));
        add(OverviewKind::CopiesOut, "copying back", copiesText(false));
        add(OverviewKind::OtherCopies, "in other copies and sets of memory", {});
        if (work > 0)
            say(text + list + ".", m_overview.life);
    }

    std::uint64_t launchesInWindow() const
    {
        std::uint64_t count = 0;
        for (const Lane& lane : m_trace.kernels().lanes) {
            const auto [first, last] = m_trace.kernels().touching(lane, m_overview.window);
            count += last - first;
        }
        return count;
    }

    /// " (2 copies, 54.0 kB)" of one direction, those that kernels hide included.
    std::string copiesText(bool toGpu) const
    {
        const MemcpyTable& copies = m_trace.memcpys();
        std::uint64_t count = 0;
        std::uint64_t bytes = 0;
        for (const Lane& lane : copies.lanes) {
            const auto [first, last] = copies.touching(lane, m_overview.window);
            for (const EventIndex i : stoppable(first, last, m_stop)) {
                const CopyKind kind = copies.copy(i).kind;
                const bool in = kind == CopyKind::HtoD || kind == CopyKind::HtoA;
                const bool out = kind == CopyKind::DtoH || kind == CopyKind::AtoH;
                if (!(toGpu ? in : out))
                    continue;
                ++count;
                bytes += copies.bytes[i];
            }
        }
        return count > 0 ? fmt::format(" ({}, {})", counted(count, "copy", "copies"), formatBytes(bytes))
                         : std::string();
    }

    void addIdle()
    {
        const OverviewPart* const idle = part(OverviewKind::Idle);
        if (!idle || shareOf(idle->time, m_overview.life.duration()) < worthASentence)
            return;
        const bool several = m_budgets.gpus().size() > 1;
        say(fmt::format("Between the first and the last GPU work {} idle for {} ({} of that time){}.",
                several ? "all GPUs are" : "the GPU is", formatDuration(idle->time),
                share(idle->time, m_overview.life.duration()),
                several ? meanIdleText(m_budgets, m_overview.life)
                        : idleReasonsText(m_budgets.parts(),
                            m_budgets.gpus().empty() ? Budget()
                                                     : m_budgets.gpus().front().within(m_overview.life),
                            idle->time)),
            idle->where);
    }

    void addSteps(const std::string& stepGlob)
    {
        auto said = describeSteps(m_trace, m_budgets, m_overview.window, stepGlob, m_stop);
        if (!said)
            return;
        say(std::move(said->text), said->where.empty() ? m_overview.life : said->where);
        m_overview.steps = std::move(said->steps);
    }

    /// Who computes least of several GPUs, and who most.
    void addRanks()
    {
        const std::vector<OverviewGpu>& gpus = m_overview.gpus;
        if (gpus.size() < 2)
            return;
        std::set<std::string_view> machines;
        for (const OverviewGpu& gpu : gpus)
            machines.insert(gpu.gpu);
        const std::string used = counted(machines.size(), "GPU");
        const std::string users = counted(gpus.size(), "process", "processes");
        const bool isShared = machines.size() < gpus.size();
        const auto [least, most] = std::ranges::minmax_element(gpus, {}, &OverviewGpu::computing);
        const Ns life = m_overview.life.duration();
        const Ns lead = most->computing - least->computing;
        if (lead * 20 < most->computing || lead * 100 < life) {
            const std::string who
                = isShared ? fmt::format("{} share {}", users, used) : fmt::format("{} are in use", used);
            say(fmt::format("{}, and compute alike ({} of the time from the first to the last GPU work).",
                who, share(most->computing, life)));
            return;
        }
        say(fmt::format("Of {}, {} computes most ({} from the first to the last GPU work) and {} least ({}).",
            isShared ? fmt::format("{} on {}", users, used) : fmt::format("{} in use", used), most->name,
            share(most->computing, life), least->name, share(least->computing, life)));
    }

    void addEnd()
    {
        if (const OverviewPart* const exit = part(OverviewKind::Exit); exit && matters(exit->time))
            tell(fmt::format("After the last GPU work the program goes on for {} ({}).",
                     formatDuration(exit->time), ofRun(exit->time)),
                launchingThread(), *exit);
        if (const OverviewPart* const own = part(OverviewKind::Profiler); own && matters(own->time))
            say(fmt::format("{} itself takes {} ({} of the recording) while no GPU works{}",
                    recordingAdvice(m_trace).recorder, formatDuration(own->time), ofRun(own->time),
                    own->where.start >= m_overview.life.end
                        ? ", most of it after the last GPU work, where it slows no step."
                        : ": without the profiler the program is faster."),
                own->where);
    }

    void addNoGpuWork()
    {
        const NoGpuWork why = explainNoGpuWork(m_trace);
        say(why.what.empty() ? "No GPU works in this range." : why.what);
        if (const EventIndex call = failedLaunch(); call != noIndex)
            say(fmt::format("A launch fails: {} returns error {}, so its kernel never runs.",
                    bareCallName(m_trace.name({EventKind::ApiCall, call})),
                    m_trace.apiCalls().attribute[call]),
                m_trace.range({EventKind::ApiCall, call}));
        for (std::string& sentence : whatRanInstead(m_trace, m_overview.window, m_stop))
            say(std::move(sentence));
        if (!why.causes.empty())
            say("If a GPU should have worked: " + why.causes);
    }

    /// The first launch that returns an error; noIndex: none does.
    EventIndex failedLaunch() const
    {
        const EventTable& calls = m_trace.apiCalls();
        for (EventIndex i = 0; i < calls.attribute.size(); ++i) {
            if (calls.attribute[i] != 0 && m_facts.callKinds()[i] == CallKind::Launch)
                return i;
        }
        return noIndex;
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
