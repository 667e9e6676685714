// Does the GPU compute? A GPU that spins in a collective, waits for pages or copies is busy but computes
// nothing, so only computing counts. The explanation lists the rest of the time.

#include "core/analysis/trace_analysis.h"
#include "core/base/message_names.h"
#include "core/findings/checklist_questions.h"
#include "core/store/trace.h"

#include "core/analysis/collectives.h"
#include "core/analysis/scope.h"
#include "core/base/series.h"
#include "core/base/share.h"
#include "core/coverage/gpu_times.h"
#include "core/coverage/interval_times.h"
#include "core/coverage/migrations.h"
#include "core/derive/communication.h"
#include "core/query/kernel_occupancy.h"
#include "core/store/event_loops.h"
#include "core/store/gpu_names.h"

#include <algorithm>
#include <map>

namespace warpline {

namespace {

/// The activity of one GPU of the machine, for all processes that share it.
struct DeviceTimes {
    GpuTimes times;
    Intervals waiting; ///< inside kernels that communicate, for others
    bool isLeast = false; ///< isLeastWait()
};

/// GPUs that work in the report but not in the range are there, and idle.
std::map<MachineGpu, DeviceTimes> timesByDevice(const ChecklistSubject& subject)
{
    const Trace& trace = subject.context.trace;
    std::map<MachineGpu, DeviceTimes> devices;
    for (const EventKind kind : {EventKind::Kernel, EventKind::GraphTrace}) {
        for (const Track& track : trace.table(kind).tracks) {
            if (passes(subject.covers, track))
                devices[machineGpu(trace, track.owner, track.device)];
        }
    }
    const RuleContext& context = subject.context;
    const auto ofGpus = context.facts.gpuTimes(subject.range);
    for (const auto& [gpu, times] : *ofGpus) {
        if (!subject.isAbout(gpu.first, gpu.second))
            continue;
        DeviceTimes& device = devices[machineGpu(trace, gpu.first, gpu.second)];
        device.times = together(device.times, times);
    }
    for (const auto& gpus :
        {collectivesOf(subject), context.facts.communication(context.window).pointToPoint}) {
        for (const CollectiveWork& gpu : gpus) {
            if (!subject.isAbout(gpu.process, gpu.device))
                continue;
            DeviceTimes& device = devices[machineGpu(trace, gpu.process, gpu.device)];
            const Intervals waiting = exposedWaitingOf(subject, gpu);
            device.waiting.insert(device.waiting.end(), waiting.begin(), waiting.end());
            if (!waiting.empty())
                device.isLeast = isLeastWait(subject, gpus);
        }
    }
    for (auto& [key, device] : devices)
        device.waiting = intersection(unionOf(std::move(device.waiting), subject.range, subject.context.stop),
            difference(difference(device.times.communicating, device.times.computing), device.times.stalled));
    return devices;
}

/// "499.2 ms only communicating, 498.0 ms of it waiting for other GPUs; 1.240 ms idle". Page migrations of
/// unified memory outside of kernels count as copies; `pagesMove` mentions them.
Message restOf(const GpuSplit& split, Ns waiting, bool isLeast, bool pagesMove)
{
    std::vector<Message> list;
    if (split.communicating > 0)
        list.push_back(Message("checklist.communicating",
            "{time} only communicating{waits, select, none {} other {, {waits, select, least {at least about } other {}}{waiting} of it waiting for other GPUs}}",
            {{"time", Duration{split.communicating}},
                {"waits",
                    Name{waiting <= 0 ? "none"
                            : isLeast ? "least"
                                      : "some"}},
                {"waiting", Duration{waiting}}}));
    if (split.stalled > 0)
        list.push_back(Message("checklist.stalled", "{time} in kernels that wait for pages",
            {{"time", Duration{split.stalled}}}));
    if (split.copying > 0)
        list.push_back(Message("checklist.copying",
            "{time} only copying{pages, select, yes { or moving pages of unified memory} other {}}",
            {{"time", Duration{split.copying}}, {"pages", yesOrNo(pagesMove)}}));
    if (split.idle > 0)
        list.push_back(Message("checklist.idle", "{time} idle", {{"time", Duration{split.idle}}}));
    return list.empty()
        ? Message()
        : Message("checklist.rest", "The rest: {list}.", {{"list", seriesOf(std::move(list))}});
}

/// The time in which all kernels of GPU `key` have fewer blocks than it has multiprocessors, however short
/// they are. O(kernels).
Intervals smallGridTime(const ChecklistSubject& subject, MachineGpu key)
{
    const Trace& trace = subject.context.trace;
    const KernelTable& kernels = trace.kernels();
    const CommunicationKernels communicates(trace);
    std::vector<TimeRange> small;
    std::vector<TimeRange> others;
    for (const Track& track : kernels.tracks) {
        const Device* const device = trace.device(track.owner, track.device);
        if (machineGpu(trace, track.owner, track.device) != key || !passes(subject.covers, track))
            continue;
        for (const EventIndex i : eventsIn(kernels, track, subject.range, subject.context.stop)) {
            const bool isSmall = device && isShapeKnown(kernels.launch(i))
                && static_cast<double>(kernels.launch(i).grid.volume()) < device->multiprocessors;
            if (!communicates[i])
                (isSmall ? small : others).push_back(kernels.range(i));
        }
    }
    return difference(unionOf(std::move(small), subject.range, subject.context.stop),
        unionOf(std::move(others), subject.range, subject.context.stop));
}

/// "But for 53.83 ms of that it runs kernels with fewer blocks than multiprocessors, ...": a GPU that
/// computes may use only a small part of itself. Empty where that is a small part of `computing`.
Message smallGridsText(const ChecklistSubject& subject, MachineGpu key, const GpuTimes& times)
{
    constexpr double minCauseShare = 0.2;
    const Ns small = commonTime(smallGridTime(subject, key), times.computing);
    const double share = shareOf(small, totalTime(times.computing));
    if (share < minCauseShare)
        return {};
    Ns found = 0; // the finding leaves out the short ones, which cost more to launch
    for (const Finding& finding : findingsOf(subject, "tiny_grid")) {
        if (machineGpu(subject.context.trace, finding.process, finding.device) == key)
            found += totalTime(finding.claims, subject.range);
    }
    return {"checklist.small_grids",
        "For {time} of that ({share}), it only runs kernels with fewer blocks than multiprocessors, so most of the GPU is idle"
        "{found, select, none {} some { (finding tiny_grid: {found_time} of it in the longer ones)} other { (finding tiny_grid)}}.",
        {{"time", Duration{small}}, {"share", Share{std::min(1.0, share)}},
            {"found",
                Name{found == 0         ? "none"
                        : found < small ? "some"
                                        : "all"}},
            {"found_time", Duration{found}}}};
}

/// The kernel of a report that has but one, and no graph: from its first to its last work it always computes.
EventRef onlyKernel(const ChecklistSubject& subject)
{
    const Trace& trace = subject.context.trace;
    const bool one = trace.kernels().size() == 1 && trace.table(EventKind::GraphTrace).empty();
    return one ? EventRef{EventKind::Kernel, 0} : EventRef{};
}

} // namespace

Intervals exposedWaitingOf(const ChecklistSubject& subject, const CollectiveWork& gpu)
{
    const auto known = subject.knownWaits.find({gpu.process, gpu.device});
    return known == subject.knownWaits.end()
        ? gpu.exposedWaiting
        : intersection(unionOf(known->second, subject.range, subject.context.stop), gpu.exposed);
}

bool isLeastWait(const ChecklistSubject& subject, const std::vector<CollectiveWork>& gpus)
{
    return subject.knownWaits.empty() && gpus.size() == 1;
}

bool isCudaRecorded(const Trace& trace)
{
    return !trace.apiCalls().empty() || std::ranges::any_of(allEventKinds(), [&](EventKind kind) {
        return isGpuWork(kind) && !trace.table(kind).empty();
    });
}

ChecklistAnswer isBusy(const ChecklistSubject& subject)
{
    ChecklistAnswer answer;
    answer.id = "gpu_busy";
    answer.question = Message("checklist.busy", "Does the GPU compute over 80% of the time?");
    answer.rules = {"gpu_idle_cause", "data_starvation", "launch_bound", "pipeline_bubble", "collective_wait",
        "nccl_exposed", "copies_not_overlapped", "gpu_gaps", "gpu_time_util", "code_loaded_in_loop",
        "one_time_costs", "cpu_contention", "unified_memory_faults", "data_region_in_loop", "copy_bound",
        "tiny_grid"};
    if (subject.range.empty())
        return nothingToJudge(subject.context.trace, std::move(answer), {});
    const auto devices = timesByDevice(subject);
    if (devices.empty())
        return nothingToJudge(subject.context.trace, std::move(answer),
            {"checklist.no_kernels",
                "this {covers, select, scope {scope} other {report}} has no kernels and no CUDA graphs",
                {{"covers", Name{subject.covers ? "scope" : "report"}}}});
    std::map<MachineGpu, GpuSplit> splits;
    for (const auto& [key, device] : devices)
        splits[key] = splitOf(device.times, subject.range);
    const auto& [least, split]
        = *std::ranges::min_element(splits, {}, [](const auto& device) { return device.second.computing; });
    const Ns waiting = totalTime(devices.at(least).waiting);
    const double share = shareOf(split.computing, subject.range.duration());
    if (const EventRef only = onlyKernel(subject); only.valid() && share > busyEnough)
        return nothingToJudge(subject.context.trace, std::move(answer),
            {"checklist.one_kernel",
                "the report has one kernel, which runs for {time} of the {recorded} recorded",
                {{"time", Duration{subject.context.trace.range(only).duration()}},
                    {"recorded", Duration{subject.context.trace.session.duration()}}}});
    answer.answer = share > busyEnough ? Answer::Yes : Answer::No;
    setFigure(answer, share, "computing");
    answer.parts = {{"computing", split.computing}, {"communicating", split.communicating},
        {"waiting", waiting}, {"stalled", split.stalled}, {"copying", split.copying}, {"idle", split.idle}};
    answer.explanation = Message("checklist.computes",
        "{gpus, plural, =1 {} other {Least busy of # GPUs: }}GPU {number} computes for {some, select, yes {{time}} other {nothing}} of {all}, {basis}.",
        {{"gpus", Count{splits.size()}}, {"number", Ordinal{least.first}},
            {"some", yesOrNo(split.computing > 0)}, {"time", Duration{split.computing}},
            {"all", Duration{subject.range.duration()}}, {"basis", subject.basis}});
    if (answer.answer == Answer::Yes)
        answer.explanation += smallGridsText(subject, least, devices.at(least).times);
    answer.explanation += restOf(split, waiting, devices.at(least).isLeast,
        hasFaultMigrations(subject.context.trace, subject.context.stop));
    return answer;
}

} // namespace warpline
