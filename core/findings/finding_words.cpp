#include "core/findings/finding_words.h"

#include "core/base/shell_words.h"
#include "core/base/utf8.h"
#include "core/findings/merge_ranks.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace warpline {

namespace {

struct Caveat {
    std::string_view rule;
    std::string_view text;
};

constexpr std::string_view spreadCaveat
    = "The recording may be of a stretch that is not typical: look at another one.";
constexpr std::string_view shapesCaveat
    = "The figures are theoretical, from the launch alone; a kernel bound by memory may not gain from more "
      "warps.";
constexpr std::string_view launchesCaveat
    = "The profiler makes launches slower: record without stacks, and compare the step without the profiler.";
constexpr std::string_view onHostCaveat
    = "Only the launching thread is looked at; it may itself wait for another thread that does the work.";
constexpr std::string_view hiddenCaveat
    = "A copy that nothing hides may still have to come first: ask what the next kernel needs.";
constexpr std::string_view ranksCaveat
    = "One report by itself sees its own ranks only, and takes the fastest collective of a size as one that "
      "did not wait; opened with those of the other ranks it tells exactly.";
constexpr std::string_view exactCaveat
    = "Told by the starts and ends of the same collectives on all ranks that are open: a rank whose report "
      "is not there may be the late one.";

constexpr std::string_view boundOfLoneRank
    = " This is an upper bound: the report is of one rank alone, and where it waits for another one anyway, "
      "less is gained. The other ranks' reports, opened together with it, tell.";

constexpr std::array caveats{
    Caveat{"cuda_memcpy_async",
        "Pageable memory may be all that the library hands out; small copies gain nothing."},
    Caveat{"cuda_memcpy_sync", "A synchronous copy may be meant: a result that is needed at once."},
    Caveat{"cuda_memset_sync", "A synchronous set may be meant."},
    Caveat{"cuda_api_sync", "A wait may be needed: a result is read after it."},
    Caveat{"gpu_gaps", spreadCaveat},
    Caveat{"gpu_time_util",
        "Work on another GPU, or on the CPU, may be what the program is about in that time."},
    Caveat{"short_kernels", launchesCaveat},
    Caveat{"copies_not_overlapped", hiddenCaveat},
    Caveat{"gpu_idle_cause", onHostCaveat},
    Caveat{"data_starvation",
        "Told by the names of the program's ranges, or without them by copies that end the gaps: such a "
        "range may do more than load."},
    Caveat{"gap_functions", "Samples are few: a function that is in the gaps by chance may be named."},
    Caveat{"gil", "Waits shorter than the trace of the lock are not seen."},
    Caveat{"launch_bound", launchesCaveat},
    Caveat{"kernel_storm", launchesCaveat},
    Caveat{
        "sync_per_iteration", "A value may be needed on the host in each iteration, as a stopping rule is."},
    Caveat{"pageable_copies",
        "What pinned memory would reach is taken from other copies, or from the link's rate."},
    Caveat{
        "tiny_copies", "Copies that different parts of a program need at different times cannot be joined."},
    Caveat{
        "copies_below_link_rate", "Copies in both directions at once, and other processes, share the link."},
    Caveat{"copy_round_trips", "Told by size and order alone: data of equal size may be other data."},
    Caveat{"repeated_uploads", "Told by size alone: new data of the same size has to be copied."},
    Caveat{"data_region_in_loop", "The host may need or change the data between two regions."},
    Caveat{"copy_bound", spreadCaveat},
    Caveat{"unified_memory_faults", "Faults of the first touch are paid once, whatever is done."},
    Caveat{
        "allocation_in_loop", "Allocations behind a library's own pool may never come back in a longer run."},
    Caveat{"memory_growth", "A cache that fills up looks like growth until it is full."},
    Caveat{"streams_serialized", "Work that depends on what comes before it cannot run at once."},
    Caveat{"tiny_grid", shapesCaveat},
    Caveat{"tail_waves", shapesCaveat},
    Caveat{"partial_warps", shapesCaveat},
    Caveat{"too_small", spreadCaveat},
    Caveat{"top_kernels", "The kernel that takes most may be near its limit already: ncu tells."},
    Caveat{"low_occupancy", shapesCaveat},
    Caveat{"no_tensor_cores",
        "Told by names of kernels: precision may be asked for, and some names say nothing."},
    Caveat{"tensor_core_share", "Told by names of kernels, some of which say nothing."},
    Caveat{exactTopic, exactCaveat},
    Caveat{"nccl_exposed", ranksCaveat},
    Caveat{"collective_wait", ranksCaveat},
    Caveat{"collective_slows_compute", "The same kernel on other data may take longer for another reason."},
    Caveat{"pipeline_bubble", ranksCaveat},
    Caveat{"nvtx_outlier_steps", "A step may have more to do: evaluation, a checkpoint, a longer input."},
    Caveat{"phase_holds_sync", "A phase that waits for its own kernels is as long as they are."},
    Caveat{"token_times", "Steps are told apart by their names; other requests share the GPU."},
    Caveat{"one_time_costs", spreadCaveat},
    Caveat{"start_up", "Caches of a second start in a row make it shorter."},
    Caveat{"host_outside", "A recording that ends early, or one of few steps, makes set-up look long."},
    Caveat{"code_loaded_in_loop",
        "That the gap before a call that loads code is compiling is a guess: something else may take the time "
        "there. And shapes that settle later stop it: record later steps."},
    Caveat{"cpu_contention", "Without thread states a thread that waits looks like one that works."},
    Caveat{"openmp_imbalance",
        "Threads that wait at a barrier may wait for the GPU, through the thread that launches."},
    Caveat{"serial_phases",
        "What one thread does alone may have to be done in order, or the others may wait for something "
        "else."},
    Caveat{"gpu_metrics_limits", "Metrics are of the whole GPU: other processes count as well."},
    Caveat{"failed_calls", "Some calls fail on purpose: a query of what there is."},
    Caveat{"capture_quality", "What is not recorded may not be needed for the question at hand."},
    Caveat{"credentials_in_report", "Told by names of variables alone: the value may be no secret."},
};

/// What a finding is about, without figures.
std::string subjectOf(const Finding& finding)
{
    std::string subject = toUtf8(finding.alike.empty() ? withoutFigures(finding.title) : finding.alike);
    if (const std::string rule = std::string(finding.rule) + " "; subject.starts_with(rule))
        subject.erase(0, rule.size()); // runs put it before Finding::alike
    while (subject.ends_with(' '))
        subject.pop_back();
    std::ranges::replace(subject, '/', '_');
    std::ranges::replace(subject, ' ', '_');
    return subject;
}

/// The processes that have findings' times: those with API calls, else all.
std::size_t placeOf(const Trace& trace, GlobalId process)
{
    std::set<GlobalId> processes;
    for (const Track& track : trace.apiCalls().tracks)
        processes.insert(processOf(track.owner));
    processes.insert(processOf(process));
    return static_cast<std::size_t>(std::distance(processes.begin(), processes.find(processOf(process))));
}

/// The file at `path` for a command: "./-run.sqlite", since a dash begins an option.
std::string fileWord(const std::string& path)
{
    return shellQuoted(path.starts_with('-') ? "./" + path : path);
}

} // namespace

std::string messageOf(const Finding& finding)
{
    std::string text = finding.message + finding.alone;
    text += finding.ofLoneRank ? boundOfLoneRank : std::string_view();
    return text;
}

std::string_view caveatOf(const Finding& finding)
{
    return caveatOf(finding.topic == exactTopic ? exactTopic : finding.rule);
}

std::string_view caveatOf(std::string_view rule)
{
    const auto found = std::ranges::find(caveats, rule, &Caveat::rule);
    return found != caveats.end() ? found->text : std::string_view();
}

std::string stableId(const Trace& trace, const Finding& finding)
{
    std::string who = "all";
    if (finding.process != 0) {
        const auto rank = trace.mpiRanks.empty() ? std::nullopt : trace.mpiRank(finding.process);
        who = rank ? fmt::format("rank {}", *rank)
                   : fmt::format("process {}", placeOf(trace, finding.process));
    }
    const std::string gpu = finding.device >= 0 ? fmt::format("gpu {}", finding.device) : "no gpu";
    return fmt::format("{}/{}/{}/{}", finding.rule, who, gpu, subjectOf(finding));
}

std::string askOn(const Trace& trace, const Finding& finding)
{
    TimeRange range = finding.where;
    for (const Evidence& proof : finding.evidence)
        range = range.empty() ? proof.range : range.unitedWith(proof.range);
    const std::string where
        = range.empty() ? std::string() : fmt::format(" --range {}:{}", range.start, range.end);
    return fmt::format("warpline-cli analyze --explain --rule {}{} {}", finding.rule, where,
        fileWord(toUtf8(trace.info.path)));
}

} // namespace warpline
