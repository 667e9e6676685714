#include "core/findings/checklist_questions.h"

#include "core/analysis/collectives.h"
#include "core/analysis/trace_analysis.h"
#include "core/base/message_names.h"
#include "core/base/share.h"
#include "core/base/stop.h"
#include "core/coverage/gpu_times.h"
#include "core/coverage/migrations.h"
#include "core/coverage/packed_intervals.h"
#include "core/derive/communication.h"
#include "core/findings/evidence.h"
#include "core/findings/expected_savings.h"
#include "core/findings/link_rate.h"
#include "core/findings/lost_work.h"
#include "core/findings/recording_advice.h"
#include "core/findings/savings.h"
#include "core/store/event_loops.h"
#include "core/store/gpu_names.h"
#include "core/store/library_domains.h"
#include "core/store/trace.h"
#include "core/store/unified_memory.h"

#include <algorithm>
#include <map>
#include <optional>

namespace warpline {

namespace {

constexpr double exposedCopies = 0.05; ///< of the time kernels or copies run: exposed from here on
constexpr double exposedCollectives = 0.05; ///< of the measured time
constexpr double fragmentsCost = 0.01; ///< of the measured time, idle between short kernels
constexpr std::uint64_t minKernels = 50; ///< fewer short ones are no storm

struct Transfers {
    std::size_t copies = 0;
    std::size_t migrations = 0; ///< of unified memory, all
    std::size_t missed = 0; ///< those of them that kernels wait for
    Ns time = 0; ///< of copies
    Ns exposed = 0; ///< of copies
    Ns stalled = 0; ///< kernels wait for pages
    Ns working = 0; ///< copies and kernels together
    bool compute = false;
};

/// Pages that faults move are no work of a GPU's, so that they are counted in the table itself.
void countMigrations(const ChecklistSubject& subject, Transfers& sums)
{
    const MemcpyTable& copies = subject.context.trace.memcpys();
    for (const Track& track : copies.tracks) {
        if (!passes(subject.covers, track))
            continue;
        for (const EventIndex i : eventsIn(copies, track, subject.range, subject.context.stop)) {
            sums.migrations += isMigration(copies.copy(i).kind) ? 1 : 0;
            sums.missed += stallsKernels(copies.copy(i)) ? 1 : 0;
        }
    }
}

/// Copies over the link, and how much of their time no kernel of the same GPU runs; and the time in which
/// kernels run but wait for pages.
Transfers transfersOf(const ChecklistSubject& subject)
{
    const MemcpyTable& copies = subject.context.trace.memcpys();
    Transfers sums;
    const auto ofGpus = subject.context.facts.gpuTimes(subject.range);
    for (const auto& [gpu, times] : *ofGpus)
        sums.stalled += subject.isAbout(gpu.first, gpu.second) ? totalTime(times.stalled) : 0;
    countMigrations(subject, sums);
    struct Device {
        Intervals copying;
        PackedIntervals compute;
    };
    std::map<MachineGpu, Device> devices; // for all processes
    for (const GpuFacts& gpu : subject.context.facts.gpus()) {
        if (!subject.isAbout(gpu.process, gpu.device))
            continue;
        std::vector<TimeRange> ranges;
        forEachOfKind(gpu, EventKind::Memcpy, subject.context.stop, [&](EventRef copy) {
            if (isBetweenHostAndGpu(copies.copy(copy.index).kind))
                ranges.push_back(copies.range(copy.index));
        });
        sums.copies += ranges.size();
        sums.compute |= !gpu.compute.empty();
        Device& device = devices[machineGpu(subject.context.trace, gpu.process, gpu.device)];
        device.copying
            = united(device.copying, unionOf(std::move(ranges), subject.range, subject.context.stop));
        device.compute = united(device.compute, gpu.compute);
    }
    for (const auto& [key, device] : devices) {
        const Ns exposed = totalTime(difference(device.copying, device.compute));
        sums.time += totalTime(device.copying);
        sums.exposed += exposed;
        sums.working += exposed + totalTime(device.compute);
    }
    return sums;
}

struct Fragments {
    std::uint64_t kernels = 0;
    std::uint64_t brief = 0;
    Ns briefTime = 0;
    Ns time = 0; ///< of all kernels that compute, and of graphs traced as a whole
    bool isWorst = false; ///< several GPUs
    Ns between = 0; ///< idle time of a GPU right after short kernels, a launch's worth at most each: of the
                    ///< GPU with most
};

/// Kernels that a graph launches share one launch: they are never too short. Those that communicate do not
/// count, as in other kernel time: they wait for others.
Fragments fragmentsOf(const ChecklistSubject& subject, Ns brief)
{
    constexpr Ns launchWorth = 20'000;
    const KernelTable& kernels = subject.context.trace.kernels();
    const CommunicationKernels communicates(subject.context.trace);
    Fragments sums;
    std::map<MachineGpu, Intervals> behind; // short kernels of all processes
    for (const GpuFacts& gpu : subject.context.facts.gpus()) {
        if (!subject.isAbout(gpu.process, gpu.device))
            continue;
        std::vector<TimeRange> after;
        for (const std::uint32_t packed : stoppableItems(gpu.work, subject.context.stop)) {
            const EventRef event = Links::unpack(packed);
            if (event.kind != EventKind::Kernel && event.kind != EventKind::GraphTrace)
                continue;
            if (event.kind == EventKind::Kernel && communicates[event.index])
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
            // One short kernel follows on another: few ranges are left of millions.
            const Ns end = kernels.end(event.index);
            if (!after.empty() && after.back().start <= end && end <= after.back().end)
                after.back().end = std::max(after.back().end, end + launchWorth);
            else
                after.push_back({end, end + launchWorth});
        }
        Intervals& all = behind[machineGpu(subject.context.trace, gpu.process, gpu.device)];
        all = united(all, unionOf(std::move(after), gpu.span().clippedTo(subject.range)));
    }
    const auto devices = busyByDevice(subject.context.trace, subject.context.facts, subject.range);
    sums.isWorst = behind.size() > 1;
    for (const auto& [key, ranges] : behind)
        sums.between = std::max(sums.between, totalTime(ranges) - commonTime(ranges, devices.at(key).busy));
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

/// What the finding about short kernels expects to save, by a replay; 0: it expects nothing.
Ns expectedOfShort(const ChecklistSubject& subject)
{
    const ChecklistSubject whole{
        subject.whole, subject.range, subject.basis, subject.knownWaits, subject.covers, subject.whole};
    for (const std::string_view rule : {"kernel_storm", "short_kernels"}) { // the first absorbs the second
        std::vector<Finding> found = findingsOf(whole, rule);
        if (found.empty())
            continue;
        tellLoneRank(subject.whole, found);
        expectSavings(subject.whole, found);
        return showsExpected(found.front()) ? found.front().expected->expected : 0;
    }
    return 0;
}

} // namespace

std::vector<Finding> findingsOf(const ChecklistSubject& subject, std::string_view id)
{
    const Rule* const rule = findRule(id);
    if (!rule || !rule->applies(subject.context.trace, subject.context.stop))
        return {};
    std::vector<Finding> found = rule->find(subject.context);
    std::erase_if(found, [&](const Finding& finding) {
        return finding.process != 0 && !subject.isAbout(finding.process, finding.device);
    });
    return found;
}

std::vector<CollectiveWork> collectivesOf(const ChecklistSubject& subject)
{
    const RuleContext& context = subject.context;
    std::vector<CollectiveWork> gpus = context.facts.communication(context.window).collectives;
    std::erase_if(gpus, [&](const CollectiveWork& gpu) { return !subject.isAbout(gpu.process, gpu.device); });
    return gpus;
}

void setFigure(ChecklistAnswer& answer, double share, std::string_view of)
{
    constexpr double shown = 0.0005; // smaller shares are "<0.1%", which follows no "up to" or "about"
    const bool isSmall = (of == "bound" || of == "expected") && share > 0 && share < shown;
    answer.figure = Message("checklist.figure",
        "{of, select, small {less than 0.1% lost} bound {up to {share} lost} expected {about {share} lost} lost {{share} lost} computing {{share} computing} exposed {{share} exposed} hidden {{share} hidden} other {{share} short}}",
        {{"share", Share{share}}, {"of", Name{isSmall ? std::string("small") : std::string(of)}}});
    answer.percent = 100 * share;
}

ChecklistAnswer nothingToJudge(const Trace& trace, ChecklistAnswer answer, Message why)
{
    if (isCudaRecorded(trace)) {
        answer.answer = Answer::NotApplicable;
        answer.explanation = Message("checklist.not_applicable", "Does not apply: {why}.",
            {{"why",
                why.empty() ? Message("checklist.no_gpu_work", "the program launches no GPU work")
                            : std::move(why)}});
    } else if (wasCudaTraced(trace.info).value_or(false)) {
        answer.answer = Answer::NotApplicable;
        answer.explanation = Message(
            "checklist.no_cuda_call", "Does not apply: CUDA was traced, but the program made no CUDA call.");
    } else {
        answer.answer = Answer::NotRecorded;
        answer.explanation
            = Message("checklist.not_recorded", "No CUDA work was recorded. To record it: {how}.",
                {{"how",
                    recorderOf(trace.info) == Recorder::NsightSystems
                        ? nameMessage("nsys profile " + traceOption(trace))
                        : Message(recordingAdvice(trace).cudaCalls)}});
    }
    return answer;
}

ChecklistAnswer areTransfersHidden(const ChecklistSubject& subject)
{
    ChecklistAnswer answer;
    answer.id = "transfers_overlapped";
    answer.question = Message("checklist.transfers", "Are transfers overlapped with compute?");
    answer.rules = {"copies_not_overlapped", "pageable_copies", "cuda_memcpy_async", "cuda_memcpy_sync",
        "copy_round_trips", "tiny_copies", "copies_below_link_rate", "streams_serialized",
        "unified_memory_faults", "data_region_in_loop", "copy_bound", "repeated_uploads"};
    const Trace& trace = subject.context.trace;
    const Transfers sums = transfersOf(subject);
    if (sums.copies == 0 && usesManagedMemory(trace, subject.context.stop)
        && !hasMigrations(trace, subject.context.stop)) {
        answer.explanation = Message("checklist.migrations_not_recorded",
            "The program uses managed memory (cudaMallocManaged), but its migrations were not recorded. To record them: nsys profile --cuda-um-gpu-page-faults=true --cuda-um-cpu-page-faults=true (not on Windows).");
        return answer;
    }
    if (sums.copies == 0 && sums.stalled == 0) {
        if (const LostWork lost = lostCopies(subject.context.facts); !lost.what.empty()) {
            answer.answer = Answer::NotRecorded;
            answer.explanation = lost.text();
            return answer;
        }
        return nothingToJudge(trace, std::move(answer),
            sums.migrations > 0 ? Message("checklist.only_migrations",
                "data moves only by {migrations, plural, one {# page migration} other {# page migrations}} of unified memory, and no kernel waits for them",
                {{"migrations", Count{sums.migrations}}})
                                : Message("checklist.no_copies",
                                    "nothing is copied between host and device in this range"));
    }
    if (!sums.compute)
        return nothingToJudge(trace, std::move(answer),
            {"checklist.no_kernel_hides",
                "this range has no kernel that could hide its {copies, plural, one {# copy} other {# copies}}",
                {{"copies", Count{sums.copies}}}});
    const Ns lost = sums.exposed + sums.stalled;
    const double share = shareOf(lost, sums.working);
    // Copies of which nothing is hidden are not overlapped, however short they are.
    const bool mostlyExposed = lost * 2 > sums.time + sums.stalled;
    answer.answer = share >= exposedCopies ? Answer::No : mostlyExposed ? Answer::Negligible : Answer::Yes;
    const bool isHidden = answer.answer == Answer::Yes; // a yes in the sense of the question
    setFigure(answer, isHidden ? 1 - share : share, isHidden ? "hidden" : "exposed");
    answer.percent = 100 * share;
    if (sums.copies > 0)
        answer.explanation = Message("checklist.copies",
            "{copies, plural, one {# copy} other {# copies}} between host and device, {basis}: {time}, {some, select, yes {{exposed}} other {nothing}} of it while no kernel runs.",
            {{"copies", Count{sums.copies}}, {"basis", subject.basis}, {"time", Duration{sums.time}},
                {"some", yesOrNo(sums.exposed > 0)}, {"exposed", Duration{sums.exposed}}});
    if (sums.stalled > 0)
        answer.explanation += Message("checklist.pages_move",
            "Kernels wait {time} for pages ({missed, plural, one {# migration} other {# migrations}} to the GPU without a prefetch).",
            {{"time", Duration{sums.stalled}}, {"missed", Count{sums.missed}}});
    answer.explanation += Message("checklist.transfer_share",
        "That is {share} of the time in which {copies, select, yes {kernels or such copies run} other {kernels run}}{small, select, yes {, too little to matter} other {}}.",
        {{"share", Share{share}}, {"copies", yesOrNo(sums.copies > 0)},
            {"small", yesOrNo(answer.answer == Answer::Negligible)}});
    return answer;
}

/// Why there is nothing to report about collectives on the GPU, and where other communication appears.
static Message noCollectives(const ChecklistSubject& subject)
{
    const Trace& trace = subject.context.trace;
    if (!subject.context.facts.communication(subject.range).pointToPoint.empty())
        return {"checklist.only_sends",
            "no collective runs on the GPU in this range. For sends and receives, see the first answer and the finding \"{finding}\"",
            {{"finding", findRule("pipeline_bubble")->titleText()}}};
    const bool mpi = std::ranges::any_of(trace.table(EventKind::Library).tracks,
        [&](const Track& track) { return isCommunicationLibrary(trace.text(track.family)); });
    return mpi
        ? Message("checklist.only_mpi",
            "no collective runs on the GPU in this range. For waits of the host in MPI, see the finding \"{finding}\"",
            {{"finding", findRule("gpu_idle_cause")->titleText()}})
        : Message("checklist.no_collective", "no collective runs in this range");
}

ChecklistAnswer areCollectivesHidden(const ChecklistSubject& subject)
{
    ChecklistAnswer answer;
    answer.id = "collectives_overlapped";
    answer.question = Message("checklist.collectives", "Are collectives overlapped with compute?");
    answer.rules = {"nccl_exposed", "collective_wait"};
    const Trace& trace = subject.context.trace;
    const std::vector<CollectiveWork> gpus = collectivesOf(subject);
    if (gpus.empty())
        return nothingToJudge(trace, std::move(answer), noCollectives(subject));
    const auto exposedOf = [](const CollectiveWork& gpu) { return totalTime(gpu.exposed); };
    const CollectiveWork& worst = *std::ranges::max_element(gpus, {}, exposedOf);
    const Ns exposed = exposedOf(worst);
    const double share = shareOf(exposed, subject.range.duration());
    const Ns total = totalTime(worst.communicating);
    answer.answer = share >= exposedCollectives ? Answer::No
        : exposed * 2 > total                   ? Answer::Negligible
                                                : Answer::Yes;
    setFigure(answer, share, "exposed");
    const Ns waiting = totalTime(exposedWaitingOf(subject, worst));
    answer.explanation = Message("checklist.worst_collectives",
        "{several, select, yes {The worst: } other {}}{collectives, plural, one {# collective on {gpu} takes} other {# collectives on {gpu} take}} {total}; "
        "nothing computes during {some, select, yes {{exposed}} other {nothing}} of it, of which "
        "{waits, select, least {at least about {waiting}} some {{waiting}} other {nothing}} is waiting for other GPUs{small, select, yes {, too little to matter} other {}}.",
        {{"several", yesOrNo(gpus.size() > 1)}, {"collectives", Count{worst.collectives.size()}},
            {"gpu", Name{gpuName(trace, worst.process, worst.device)}}, {"total", Duration{total}},
            {"some", yesOrNo(exposed > 0)}, {"exposed", Duration{exposed}},
            {"waits",
                Name{waiting <= 0                    ? "none"
                        : isLeastWait(subject, gpus) ? "least"
                                                     : "some"}},
            {"waiting", Duration{waiting}}, {"small", yesOrNo(answer.answer == Answer::Negligible)}});
    return answer;
}

ChecklistAnswer areKernelsWhole(const ChecklistSubject& subject)
{
    ChecklistAnswer answer;
    answer.id = "kernels_not_fragmented";
    answer.question = Message("checklist.kernels", "Are kernels long enough to be worth their launches?");
    answer.rules = {"kernel_storm", "short_kernels", "launch_bound"};
    const Ns brief = static_cast<Ns>(defaultOf("kernel_storm", "short_ns").value_or(10'000));
    const double most = defaultOf("kernel_storm", "min_share").value_or(60) / 100;
    const Fragments sums = fragmentsOf(subject, brief);
    if (sums.kernels > 0 && sums.brief == sums.kernels && sums.kernels < minKernels)
        return nothingToJudge(subject.context.trace, std::move(answer),
            {"checklist.few_kernels",
                "this range has only {kernels, plural, one {# short kernel} other {# short kernels}}",
                {{"kernels", Count{sums.kernels}}}});
    if (sums.kernels == 0)
        return nothingToJudge(subject.context.trace, std::move(answer),
            sums.time > 0 ? Message(
                "checklist.only_graphs", "all kernels of this range run in graphs traced as a whole")
                          : Message("checklist.no_kernel", "no kernel computes in this range"));
    const double share = static_cast<double>(sums.brief) / static_cast<double>(sums.kernels);
    const double timeShare = shareOf(sums.briefTime, sums.time);
    const bool costs = shareOf(sums.between, subject.range.duration()) >= fragmentsCost;
    const bool storm = share >= most && sums.brief >= minKernels;
    // Short kernels are fine where there is little to compute; their cost is the idle time after them.
    answer.answer = !storm ? Answer::Yes : costs ? Answer::No : Answer::Negligible;
    // Where the host's launches pace the GPU the kernels are too short for it, however many those are.
    Ns paced = 0;
    for (const Finding& finding : findingsOf(subject, "launch_bound"))
        paced = std::max(paced, finding.saving);
    const bool isPaced = sums.brief > 0 && shareOf(paced, subject.range.duration()) >= fragmentsCost;
    // A graph removes more than the idle time right after short kernels: later work is launched earlier, too.
    const Ns replayed = storm && !costs && !isPaced ? expectedOfShort(subject) : 0;
    const bool isReplayed = shareOf(replayed, subject.range.duration()) >= fragmentsCost;
    if (isPaced || isReplayed)
        answer.answer = Answer::No;
    setFigure(answer, share, "short");
    if (answer.answer == Answer::Yes && sums.brief > 0) // next to a yes, the share alone would read as a no
        answer.figure = share < most
            ? Message("checklist.short_within_limit", "{share} short, limit {limit}",
                {{"share", Share{share}}, {"limit", Share{most}}})
            : Message("checklist.few_short", "only {kernels} short", {{"kernels", Count{sums.brief}}});
    if (sums.brief == 0) {
        answer.explanation = Message("checklist.no_short_kernel",
            "{kernels, plural, =1 {The one kernel runs} other {All # kernels run}} for {brief} or longer, or in a graph.",
            {{"kernels", Count{sums.kernels}}, {"brief", Duration{brief}}});
        return answer;
    }
    answer.explanation = Message("checklist.short_kernels",
        "{short} of {kernels, plural, one {# kernel} other {# kernels}} {short, plural, =1 {runs} other {run}} for less than {brief}: {share} of kernel time. "
        "{some, select, yes {{several, select, yes {The worst GPU} other {The GPU}} is idle for {between}} other {No GPU is idle}} right after them{small, select, yes {, too little to matter} other {}}.",
        {{"short", Count{sums.brief}}, {"kernels", Count{sums.kernels}}, {"brief", Duration{brief}},
            {"share", Share{timeShare}}, {"several", yesOrNo(sums.isWorst)},
            {"some", yesOrNo(sums.between > 0)}, {"between", Duration{sums.between}},
            {"small", yesOrNo(answer.answer == Answer::Negligible && sums.between > 0)}});
    if (isPaced)
        answer.explanation += Message(
            "checklist.paced", "Host-bound: the GPU waits {time} for launches.", {{"time", Duration{paced}}});
    if (isReplayed)
        answer.explanation += Message("checklist.replayed_kernels",
            "A replay with CUDA graphs saves more: about {time}.", {{"time", Duration{replayed}}});
    return answer;
}

} // namespace warpline
