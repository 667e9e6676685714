#include "core/findings/checklist.h"

#include "core/base/format.h"
#include "core/findings/collectives.h"
#include "core/findings/evidence.h"
#include "core/findings/rule.h"
#include "core/findings/run_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace warpline {

namespace {

constexpr double busyEnough = 0.80;
constexpr double exposedCopies = 0.05; ///< of the time the GPU works, from which on copies count as exposed
constexpr double exposedCollectives = 0.05; ///< of the judged time
constexpr double waitsCost = 0.01; ///< of the judged time
constexpr double fragmentsCost = 0.01; ///< of the judged time, idle between short kernels
constexpr double fragmentsTime = 0.10; ///< of the time of all kernels that short ones take

double shareOf(Ns part, Ns whole)
{
    return static_cast<double>(part) / static_cast<double>(std::max<Ns>(1, whole));
}

/// What all questions are asked about.
struct Subject {
    const RuleContext& context;
    TimeRange range;
    std::string basis; ///< "over 28 steady steps (step_#)"
};

/// First to last work of all GPUs in the report. O(lanes).
TimeRange lifeOfGpus(const Trace& trace)
{
    TimeRange life;
    for (const EventKind kind :
        {EventKind::Kernel, EventKind::Memcpy, EventKind::Memset, EventKind::GraphTrace}) {
        const EventTable& table = trace.table(kind);
        for (const Lane& lane : table.lanes) {
            if (lane.count == 0)
                continue;
            const TimeRange span{table.start[lane.first], table.end(lane.first + lane.count - 1)};
            life = life.empty() ? span : life.unitedWith(span);
        }
    }
    return life;
}

/// The end of the last work that was launched before `time`: the GPU may be far behind the host.
Ns doneWith(const Trace& trace, const RunFacts& facts, const GpuFacts& gpu, Ns time)
{
    for (auto work = gpu.work.rbegin(); work != gpu.work.rend(); ++work) {
        const EventIndex call = facts.callOf(*work);
        if (call != noIndex && trace.apiCalls().start[call] < time)
            return std::max(time, trace.range(Links::unpack(*work)).end);
    }
    return time;
}

/// The steady steps of all processes that use a GPU; empty: there are none.
TimeRange steadySteps(const Trace& trace, RunFacts& facts)
{
    TimeRange steady;
    for (const GpuFacts& gpu : facts.gpus()) {
        const StepSeries& steps = facts.steps(gpu.process);
        if (steps.empty())
            continue;
        const TimeRange range{
            steps.ranges[steps.firstSteady].start, doneWith(trace, facts, gpu, steps.span().end)};
        steady = steady.empty() ? range : steady.unitedWith(range);
    }
    return steady;
}

/// What judgedRange() is, in words: "over 28 steady steps (step_#)".
std::string basisOf(RunFacts& facts)
{
    for (const GpuFacts& gpu : facts.gpus()) {
        const StepSeries& steps = facts.steps(gpu.process);
        if (!steps.empty())
            return fmt::format("over {} ({})", counted(steps.steady(), "steady step"), steps.pattern);
    }
    return "from the first to the last GPU work of the range";
}

TimeRange judgedRange(const Trace& trace, TimeRange window, RunFacts& facts)
{
    const TimeRange steady = steadySteps(trace, facts).clippedTo(window);
    if (!steady.empty())
        return steady;
    const TimeRange life = window.clippedTo(lifeOfGpus(trace));
    return life.empty() ? TimeRange{} : life;
}

ChecklistAnswer nothingToJudge(ChecklistAnswer answer, std::string why)
{
    answer.answer = Answer::NotRecorded;
    answer.explanation = std::move(why);
    return answer;
}

/// When each GPU of the report worked, however many processes share it. By the report's number of the GPU.
std::map<std::int32_t, Intervals> busyByDevice(const Subject& subject)
{
    std::map<std::int32_t, std::vector<TimeRange>> ranges;
    for (const GpuFacts& gpu : factsOf(subject.context).gpus()) {
        const Device* const device = subject.context.trace.device(gpu.process, gpu.device);
        auto& list = ranges[device ? device->id : gpu.device];
        list.insert(list.end(), gpu.busy.begin(), gpu.busy.end());
    }
    std::map<std::int32_t, Intervals> busy;
    for (auto& [device, list] : ranges)
        busy[device] = unionOf(std::move(list), subject.range);
    return busy;
}

ChecklistAnswer isBusy(const Subject& subject)
{
    ChecklistAnswer answer;
    answer.id = "gpu_busy";
    answer.question = "Is the GPU busy over 80% of the time?";
    answer.rules = {"gpu_idle_cause", "data_starvation", "launch_bound", "gpu_gaps", "gpu_time_util",
        "code_loaded_in_loop", "one_time_costs", "cpu_contention"};
    const auto gpus = busyByDevice(subject);
    if (gpus.empty())
        return nothingToJudge(std::move(answer), "No GPU works in this range.");
    const auto least
        = std::ranges::min_element(gpus, {}, [](const auto& gpu) { return totalTime(gpu.second); });
    const Ns busy = totalTime(least->second);
    const double share = shareOf(busy, subject.range.duration());
    answer.answer = share > busyEnough ? Answer::Yes : Answer::No;
    answer.figure = formatShare(share) + " busy";
    answer.explanation = fmt::format("{} works {} of {}, {}{}.",
        gpus.size() > 1 ? fmt::format("Of {} GPUs the least busy, GPU {},", gpus.size(), least->first)
                        : fmt::format("GPU {}", least->first),
        formatDuration(busy), formatDuration(subject.range.duration()), subject.basis,
        answer.answer == Answer::Yes ? "" : "; the rest of the time it has nothing to do");
    return answer;
}

struct Transfers {
    std::size_t copies = 0;
    Ns time = 0;
    Ns exposed = 0;
    Ns working = 0; ///< copies and kernels together
    bool compute = false;
};

/// Copies over the link, and how much of their time no kernel of the same GPU and process runs.
Transfers transfersOf(const Subject& subject)
{
    const MemcpyTable& copies = subject.context.trace.memcpys();
    Transfers sums;
    for (const GpuFacts& gpu : factsOf(subject.context).gpus()) {
        std::vector<TimeRange> ranges;
        for (const std::uint32_t packed : gpu.work) {
            const EventRef event = Links::unpack(packed);
            if (event.kind != EventKind::Memcpy)
                continue;
            const CopyKind kind = copies.copy(event.index).kind;
            if (kind == CopyKind::HtoD || kind == CopyKind::DtoH || kind == CopyKind::HtoA
                || kind == CopyKind::AtoH)
                ranges.push_back(copies.range(event.index));
        }
        sums.copies += ranges.size();
        sums.compute |= !gpu.compute.empty();
        const Intervals time = unionOf(std::move(ranges), subject.range);
        const Ns exposed = totalTime(difference(time, gpu.compute));
        sums.time += totalTime(time);
        sums.exposed += exposed;
        sums.working += exposed + totalTime(gpu.compute);
    }
    return sums;
}

ChecklistAnswer areTransfersHidden(const Subject& subject)
{
    ChecklistAnswer answer;
    answer.id = "transfers_overlapped";
    answer.question = "Are transfers overlapped with compute?";
    answer.rules = {"copies_not_overlapped", "pageable_copies", "cuda_memcpy_async", "cuda_memcpy_sync",
        "copy_round_trips", "tiny_copies", "copies_below_link_rate", "streams_serialized"};
    const Transfers sums = transfersOf(subject);
    if (sums.copies == 0)
        return nothingToJudge(
            std::move(answer), "Does not apply: nothing is copied between host and device in this range.");
    if (!sums.compute)
        return nothingToJudge(std::move(answer),
            fmt::format("Does not apply: no kernel runs beside the {} in this range.",
                counted(sums.copies, "copy", "copies")));
    const double share = shareOf(sums.exposed, sums.working);
    answer.answer = share < exposedCopies ? Answer::Yes : Answer::No;
    answer.figure = formatShare(share) + " exposed";
    answer.explanation
        = fmt::format("{} between host and device take {}, {} of it while no kernel runs: {} of the time in "
                      "which the GPU works.",
            counted(sums.copies, "copy", "copies"), formatDuration(sums.time), formatDuration(sums.exposed),
            formatShare(share));
    if (answer.answer == Answer::Yes && sums.exposed * 2 > sums.time)
        answer.explanation.replace(answer.explanation.size() - 1, 1, ", too little to matter.");
    return answer;
}

ChecklistAnswer areCollectivesHidden(const Subject& subject)
{
    ChecklistAnswer answer;
    answer.id = "collectives_overlapped";
    answer.question = "Are collectives overlapped with compute?";
    answer.rules = {"nccl_exposed", "collective_wait"};
    const std::vector<CollectiveWork> gpus = collectiveWork(subject.context);
    if (gpus.empty())
        return nothingToJudge(std::move(answer), "Does not apply: no NCCL kernel runs in this range.");
    const auto exposedOf = [](const CollectiveWork& gpu) { return totalTime(gpu.exposed); };
    const CollectiveWork& worst = *std::ranges::max_element(gpus, {}, exposedOf);
    const Ns exposed = exposedOf(worst);
    const double share = shareOf(exposed, subject.range.duration());
    answer.answer = share < exposedCollectives ? Answer::Yes : Answer::No;
    answer.figure = formatShare(share) + " exposed";
    answer.explanation = fmt::format("{}{} on GPU {} take {}; nothing computes beside {} of it, of which {} "
                                     "is waiting for other ranks.",
        gpus.size() > 1 ? "The worst: " : "", counted(worst.collectives.size(), "collective"), worst.device,
        formatDuration(totalTime(worst.communicating)), formatDuration(exposed),
        formatDuration(totalTime(worst.exposedWaiting)));
    return answer;
}

/// What rule `id` finds in the judged range.
std::vector<Finding> findingsOf(const Subject& subject, std::string_view id)
{
    const Rule* const rule = findRule(id);
    return rule && rule->applies(subject.context.trace) ? rule->check(subject.context)
                                                        : std::vector<Finding>();
}

ChecklistAnswer isFreeOfWaits(const Subject& subject)
{
    ChecklistAnswer answer;
    answer.id = "no_needless_sync";
    answer.question = "Is it free of needless synchronization?";
    answer.rules = {"sync_per_iteration", "cuda_api_sync", "phase_holds_sync"};
    if (subject.context.trace.apiCalls().empty())
        return nothingToJudge(std::move(answer), "CUDA API calls were not recorded (--trace=cuda).");
    const std::vector<Finding> loops = findingsOf(subject, "sync_per_iteration");
    const std::vector<Finding> calls = findingsOf(subject, "cuda_api_sync");
    Ns cost = 0;
    std::uint64_t count = 0;
    for (const Finding& finding : calls) {
        cost += finding.saving;
        count += finding.evidenceTotal;
    }
    for (const Finding& finding : loops)
        cost = std::max(cost, finding.saving);
    const double share = shareOf(cost, subject.range.duration());
    answer.answer = loops.empty() && share < waitsCost ? Answer::Yes : Answer::No;
    answer.figure = formatShare(share) + " lost";
    if (!loops.empty()) // the worst loop stands for all
        answer.explanation
            = fmt::format("{}, which costs {} at most.", loops.front().title, formatDuration(cost));
    else if (count == 0)
        answer.explanation = "No synchronizing call blocks the host.";
    else
        answer.explanation = fmt::format("{}, and the GPU runs dry right after for {} at most{}.",
            counted(count, "call blocks the host", "calls block the host"), formatDuration(cost),
            answer.answer == Answer::Yes ? "; none comes back in every iteration" : "");
    return answer;
}

struct Fragments {
    std::uint64_t kernels = 0;
    std::uint64_t brief = 0;
    Ns briefTime = 0;
    Ns time = 0; ///< of all kernels, and of graphs traced as a whole
    Ns between = 0; ///< idle time of the GPUs right after short kernels, a launch's worth at most each
};

/// Kernels that a graph launches share one launch: they are never too short.
Fragments fragmentsOf(const Subject& subject, Ns brief)
{
    constexpr Ns launchWorth = 20'000;
    const KernelTable& kernels = subject.context.trace.kernels();
    Fragments sums;
    for (const GpuFacts& gpu : factsOf(subject.context).gpus()) {
        std::vector<TimeRange> after;
        for (const std::uint32_t packed : gpu.work) {
            const EventRef event = Links::unpack(packed);
            if (event.kind != EventKind::Kernel && event.kind != EventKind::GraphTrace)
                continue;
            const Ns length = subject.context.trace.range(event).duration();
            sums.time += length;
            if (event.kind == EventKind::GraphTrace)
                continue;
            ++sums.kernels;
            if (length >= brief || kernels.launch(event.index).graphNodeId != 0)
                continue;
            ++sums.brief;
            sums.briefTime += length;
            const Ns end = kernels.end(event.index);
            after.push_back({end, end + launchWorth});
        }
        sums.between += totalTime(
            difference(unionOf(std::move(after), gpu.span().clippedTo(subject.range)), gpu.busy));
    }
    return sums;
}

/// The default of a threshold of rule `rule`; nothing when there is no such rule or threshold.
std::optional<double> defaultOf(std::string_view rule, std::string_view key)
{
    const Rule* const found = findRule(rule);
    if (!found)
        return std::nullopt;
    const auto threshold = std::ranges::find(found->thresholds, key, &Threshold::key);
    return threshold != found->thresholds.end() ? std::optional(threshold->value) : std::nullopt;
}

ChecklistAnswer areKernelsWhole(const Subject& subject)
{
    ChecklistAnswer answer;
    answer.id = "kernels_not_fragmented";
    answer.question = "Are kernels long enough to be worth their launches?";
    answer.rules = {"kernel_storm", "short_kernels", "launch_bound"};
    const Ns brief = static_cast<Ns>(defaultOf("kernel_storm", "short_ns").value_or(10'000));
    const double most = defaultOf("kernel_storm", "min_share").value_or(60) / 100;
    const Fragments sums = fragmentsOf(subject, brief);
    if (sums.kernels == 0)
        return nothingToJudge(std::move(answer),
            sums.time > 0 ? "Does not apply: all kernels of this range run in graphs traced as a whole."
                          : "Does not apply: no kernel runs in this range.");
    const double share = static_cast<double>(sums.brief) / static_cast<double>(sums.kernels);
    const double timeShare = shareOf(sums.briefTime, sums.time);
    const bool costs = shareOf(sums.between, subject.range.duration()) >= fragmentsCost;
    answer.answer = share >= most && (costs || timeShare >= fragmentsTime) ? Answer::No : Answer::Yes;
    answer.figure = formatShare(share) + " short";
    answer.explanation = fmt::format("{} of {} run for under {}; they take {} of the kernels' time, and the "
                                     "GPU idles {} right after them.",
        formatCount(sums.brief), counted(sums.kernels, "kernel"), formatDuration(brief),
        formatShare(timeShare), formatDuration(sums.between));
    return answer;
}

} // namespace

std::string_view keyOf(Answer answer)
{
    return answer == Answer::NotRecorded ? "not_recorded" : wordOf(answer);
}

std::string_view wordOf(Answer answer)
{
    switch (answer) {
    case Answer::Yes:
        return "yes";
    case Answer::No:
        return "no";
    case Answer::NotRecorded:
        break;
    }
    return "not recorded";
}

TimeRange judgedRange(const Trace& trace, TimeRange window, std::stop_token stop)
{
    RunFacts facts(trace, window, std::move(stop));
    return judgedRange(trace, window, facts);
}

std::vector<ChecklistAnswer> answerChecklist(const Trace& trace, TimeRange window, std::stop_token stop)
{
    RunFacts whole(trace, window, stop);
    const TimeRange range = judgedRange(trace, window, whole);
    const RuleContext context{trace, range, {}, stop, std::make_shared<RunFacts>(trace, range, stop)};
    const Subject subject{context, range, basisOf(whole)};
    std::vector<ChecklistAnswer> answers;
    for (const auto ask :
        {isBusy, areTransfersHidden, areCollectivesHidden, isFreeOfWaits, areKernelsWhole}) {
        if (stop.stop_requested())
            return {};
        answers.push_back(ask(subject));
        answers.back().over = range;
    }
    return stop.stop_requested() ? std::vector<ChecklistAnswer>() : answers;
}

} // namespace warpline
