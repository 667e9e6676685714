#include "core/findings/checklist_questions.h"

#include "core/base/format.h"
#include "core/findings/collectives.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/findings/run_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace warpline {

namespace {

constexpr double busyEnough = 0.80;
constexpr double exposedCopies = 0.05; ///< of the time the GPU works, from which on copies count as exposed
constexpr double exposedCollectives = 0.05; ///< of the judged time
constexpr double waitsCost = 0.01; ///< of the judged time
constexpr double fragmentsCost = 0.01; ///< of the judged time, idle between short kernels
constexpr std::uint64_t fewestKernels = 50; ///< fewer short ones are no storm
constexpr double fragmentsTime = 0.10; ///< of the time of all kernels that short ones take

double shareOf(Ns part, Ns whole)
{
    return static_cast<double>(part) / static_cast<double>(std::max<Ns>(1, whole));
}

ChecklistAnswer nothingToJudge(ChecklistAnswer answer, std::string why)
{
    answer.answer = Answer::NotRecorded;
    answer.explanation = std::move(why);
    return answer;
}

/// When each GPU of the report worked, however many processes share it. By the report's number of the GPU.
std::map<std::int32_t, Intervals> busyByDevice(const ChecklistSubject& subject)
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

struct Transfers {
    std::size_t copies = 0;
    std::size_t migrations = 0; ///< of unified memory: the program asks for none of them
    Ns time = 0;
    Ns exposed = 0;
    Ns working = 0; ///< copies and kernels together
    bool compute = false;
};

/// Copies over the link, and how much of their time no kernel of the same GPU and process runs.
Transfers transfersOf(const ChecklistSubject& subject)
{
    const MemcpyTable& copies = subject.context.trace.memcpys();
    Transfers sums;
    for (const GpuFacts& gpu : factsOf(subject.context).gpus()) {
        std::vector<TimeRange> ranges;
        for (const std::uint32_t packed : stoppableItems(gpu.work, subject.context.stop)) {
            const EventRef event = Links::unpack(packed);
            if (event.kind != EventKind::Memcpy)
                continue;
            const CopyKind kind = copies.copy(event.index).kind;
            if (kind == CopyKind::HtoD || kind == CopyKind::DtoH || kind == CopyKind::HtoA
                || kind == CopyKind::AtoH)
                ranges.push_back(copies.range(event.index));
            sums.migrations += kind == CopyKind::UnifiedHtoD || kind == CopyKind::UnifiedDtoH ? 1 : 0;
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

/// What rule `id` finds in the judged range.
std::vector<Finding> findingsOf(const ChecklistSubject& subject, std::string_view id)
{
    const Rule* const rule = findRule(id);
    return rule && rule->applies(subject.context.trace) ? rule->check(subject.context)
                                                        : std::vector<Finding>();
}

struct Waits {
    std::size_t calls = 0;
    Ns lost = 0; ///< idle time of the GPUs right after the calls, no more than each call took
};

/// All calls that wait, of runtime and driver.
Waits waitsOf(const ChecklistSubject& subject)
{
    RunFacts& facts = factsOf(subject.context);
    Waits waiting;
    for (const GlobalId thread : callingThreads(subject.context.trace)) {
        const std::vector<const GpuFacts*> gpus = gpusOf(facts, thread);
        forEachOuterCall(subject.context, thread, subject.range, [&](EventIndex call) {
            if (!waits(facts.callKinds()[call]))
                return;
            ++waiting.calls;
            const TimeRange range = subject.context.trace.range({EventKind::ApiCall, call});
            Ns idle = 0;
            for (const GpuFacts* const gpu : gpus) {
                const auto next = std::ranges::upper_bound(
                    gpu->gaps, range.end, {}, [](const IdleGap& gap) { return gap.range.end; });
                if (next != gpu->gaps.end() && next->range.start <= range.end)
                    idle = std::max(idle, next->range.end - range.end);
            }
            waiting.lost += std::min(idle, range.duration());
        });
    }
    return waiting;
}

struct Fragments {
    std::uint64_t kernels = 0;
    std::uint64_t brief = 0;
    Ns briefTime = 0;
    Ns time = 0; ///< of all kernels, and of graphs traced as a whole
    Ns between = 0; ///< idle time of the GPUs right after short kernels, a launch's worth at most each
};

/// Kernels that a graph launches share one launch: they are never too short.
Fragments fragmentsOf(const ChecklistSubject& subject, Ns brief)
{
    constexpr Ns launchWorth = 20'000;
    const KernelTable& kernels = subject.context.trace.kernels();
    Fragments sums;
    for (const GpuFacts& gpu : factsOf(subject.context).gpus()) {
        std::vector<TimeRange> after;
        for (const std::uint32_t packed : stoppableItems(gpu.work, subject.context.stop)) {
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

} // namespace

ChecklistAnswer isBusy(const ChecklistSubject& subject)
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

ChecklistAnswer areTransfersHidden(const ChecklistSubject& subject)
{
    ChecklistAnswer answer;
    answer.id = "transfers_overlapped";
    answer.question = "Are transfers overlapped with compute?";
    answer.rules = {"copies_not_overlapped", "pageable_copies", "cuda_memcpy_async", "cuda_memcpy_sync",
        "copy_round_trips", "tiny_copies", "copies_below_link_rate", "streams_serialized"};
    const Transfers sums = transfersOf(subject);
    if (sums.copies == 0 && sums.migrations > 0)
        return nothingToJudge(std::move(answer),
            fmt::format("Does not apply: data moves by {} of unified memory alone.",
                counted(sums.migrations, "page migration")));
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
    answer.explanation = fmt::format(
        "{} between host and device: {}, {} of it while no kernel runs, which is {} of the time "
        "in which the GPU works.",
        counted(sums.copies, "copy", "copies"), formatDuration(sums.time), formatDuration(sums.exposed),
        formatShare(share));
    if (answer.answer == Answer::Yes && sums.exposed * 2 > sums.time)
        answer.explanation.replace(answer.explanation.size() - 1, 1, ", too little to matter.");
    return answer;
}

ChecklistAnswer areCollectivesHidden(const ChecklistSubject& subject)
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

ChecklistAnswer isFreeOfWaits(const ChecklistSubject& subject)
{
    ChecklistAnswer answer;
    answer.id = "no_needless_sync";
    answer.question = "Is it free of needless synchronization?";
    answer.rules = {"sync_per_iteration", "cuda_api_sync", "phase_holds_sync"};
    if (subject.context.trace.apiCalls().empty())
        return nothingToJudge(std::move(answer), "CUDA API calls were not recorded (--trace=cuda).");
    if (subject.range.empty())
        return nothingToJudge(std::move(answer), "No GPU works in this range.");
    const std::vector<Finding> loops = findingsOf(subject, "sync_per_iteration");
    const Waits waiting = waitsOf(subject);
    Ns cost = waiting.lost;
    for (const Finding& finding : loops)
        cost = std::max(cost, finding.saving);
    const double share = shareOf(cost, subject.range.duration());
    answer.answer = loops.empty() && share < waitsCost ? Answer::Yes : Answer::No;
    answer.figure = formatShare(share) + " lost";
    if (!loops.empty()) // the worst loop stands for all
        answer.explanation = fmt::format(
            "{}; the GPU runs dry after waits for {} at most.", loops.front().title, formatDuration(cost));
    else if (waiting.calls == 0)
        answer.explanation = "No synchronizing call blocks the host.";
    else if (cost == 0)
        answer.explanation
            = fmt::format("The host waits in {}, at no cost to the GPU.", counted(waiting.calls, "call"));
    else
        answer.explanation
            = fmt::format("The host waits in {}, and the GPU runs dry right after for {} at most{}.",
                counted(waiting.calls, "call"), formatDuration(cost),
                answer.answer == Answer::Yes ? "; no needless wait comes back in every iteration" : "");
    return answer;
}

ChecklistAnswer areKernelsWhole(const ChecklistSubject& subject)
{
    ChecklistAnswer answer;
    answer.id = "kernels_not_fragmented";
    answer.question = "Are kernels long enough to be worth their launches?";
    answer.rules = {"kernel_storm", "short_kernels", "launch_bound"};
    const Ns brief = static_cast<Ns>(defaultOf("kernel_storm", "short_ns").value_or(10'000));
    const double most = defaultOf("kernel_storm", "min_share").value_or(60) / 100;
    const Fragments sums = fragmentsOf(subject, brief);
    if (sums.kernels > 0 && sums.brief == sums.kernels && sums.kernels < fewestKernels)
        return nothingToJudge(std::move(answer),
            fmt::format("Does not apply: {} alone in this range.", counted(sums.kernels, "short kernel")));
    if (sums.kernels == 0)
        return nothingToJudge(std::move(answer),
            sums.time > 0 ? "Does not apply: all kernels of this range run in graphs traced as a whole."
                          : "Does not apply: no kernel runs in this range.");
    const double share = static_cast<double>(sums.brief) / static_cast<double>(sums.kernels);
    const double timeShare = shareOf(sums.briefTime, sums.time);
    const bool costs = shareOf(sums.between, subject.range.duration()) >= fragmentsCost;
    const bool storm = share >= most && sums.brief >= fewestKernels;
    answer.answer = storm && (costs || timeShare >= fragmentsTime) ? Answer::No : Answer::Yes;
    answer.figure = formatShare(share) + " short";
    if (sums.brief == 0) {
        answer.explanation = fmt::format("None of {} is launched singly and runs for under {}.",
            counted(sums.kernels, "kernel"), formatDuration(brief));
        return answer;
    }
    answer.explanation = fmt::format("{} of {} kernels run for under {}: {} of the kernels' time, and the "
                                     "GPU idles {} right after them.",
        formatCount(sums.brief), formatCount(sums.kernels), formatDuration(brief), formatShare(timeShare),
        formatDuration(sums.between));
    return answer;
}

} // namespace warpline
