#include "core/analysis/program_kind.h"

#include "core/analysis/time_by_name.h"
#include "core/base/words.h"
#include "core/replay/data_loading.h"
#include "core/steps/step_names.h"
#include "core/store/event_loops.h"
#include "core/store/library_domains.h"
#include "core/store/nvtx_types.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace warpline {

namespace {

constexpr std::array<std::string_view, 6> pythonPrograms{
    "python", "torchrun", "pytest", "ipython", "jupyter", "accelerate"};

/// The processes that call CUDA, run work on a GPU or name ranges; others were only there.
std::unordered_set<GlobalId> actors(const Trace& trace)
{
    std::unordered_set<GlobalId> processes;
    for (const EventKind kind : {EventKind::ApiCall, EventKind::Kernel, EventKind::Memcpy, EventKind::Nvtx}) {
        for (const Track& track : trace.table(kind).tracks)
            processes.insert(processOf(track.owner));
    }
    return processes;
}

void judgeProcesses(const Trace& trace, ProgramKind& kind)
{
    const std::unordered_set<GlobalId> processes = actors(trace);
    const auto judge = [&](std::string_view name) {
        const std::string_view file = name.substr(name.find_last_of('/') + 1);
        kind.python = kind.python || std::ranges::any_of(pythonPrograms, [&](std::string_view program) {
            return file.starts_with(program);
        });
        kind.julia = kind.julia || file.starts_with("julia");
    };
    for (const Process& process : trace.processes) {
        if (processes.contains(process.id))
            judge(trace.text(process.name));
    }
    for (const Thread& thread : trace.threads) {
        const std::string_view name = trace.text(thread.name);
        if (!processes.contains(processOf(thread.id)))
            continue;
        kind.torch = kind.torch || name.starts_with("pt_autograd") || name.starts_with("pt_main");
        kind.loader = kind.loader || name.starts_with("pt_data_") || containsWord(name, "dataload");
    }
}

void judgeKernel(std::string_view name, ProgramKind& kind)
{
    const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
    kind.torch = kind.torch || has("at::native") || has("at_cuda_detail") || has("c10::");
    kind.arrays = kind.arrays || name.starts_with("cupy_") || has("[abi:v");
    kind.kokkos = kind.kokkos || has("Kokkos::");
    kind.raja = kind.raja || has("RAJA::") || has("forallp_cuda_kernel");
    // CUDA Fortran calls the kernel `saxpy` of module `mathops` mathops_saxpy_.
    kind.fortran = kind.fortran
        || (name.ends_with('_') && !name.starts_with('_')
            && name.find_first_of("<(: ") == std::string_view::npos);
    kind.openMp = kind.openMp || name.starts_with("__omp_offloading") || name.starts_with("nvkernel_");
    // nvc and nvfortran name a compute region by its function and line: "add_thousand_56_gpu".
    kind.openAcc = kind.openAcc || has("__nv_acc")
        || (!isOfDirectivesRuntime(name) && name.ends_with("_gpu") && name.size() > 5
            && name[name.size() - 5] >= '0' && name[name.size() - 5] <= '9');
    kind.julia = kind.julia || name.starts_with("julia_") || has("CuDeviceArray") || has("CuKernelContext");
}

void judgeRange(std::string_view name, ProgramKind& kind)
{
    kind.torch = kind.torch || name.starts_with("aten::") || name.starts_with("ProfilerStep#");
    kind.loader = kind.loader || isDataLoading(name);
    kind.shards = kind.shards || name.starts_with("FSDP") || name.starts_with("FullySharded");
}

/// Whether a range of the program's own is named after prefill or decode. Names of Python's functions and of
/// operators are no proof: list.extend is no prefill.
bool namesTokens(const Trace& trace, const std::stop_token& stop)
{
    OncePerName isOfTokens([&](StringId name) {
        const StepKind step = stepWorkOf(trace.text(name)).kind;
        return step == StepKind::Prefill || step == StepKind::Decode;
    });
    const NvtxTable& ranges = trace.nvtx();
    for (const Track& track : ranges.tracks) {
        if (isLibraryDomain(trace.text(track.family)))
            continue;
        for (const EventIndex i : eventsOf(track, stop)) {
            if (isOfTokens(ranges.name[i]))
                return true;
        }
    }
    return false;
}

/// What the collectives among the kernels reveal about parallelism.
struct Collectives {
    bool reduce = false;
    bool gather = false;
    bool scatter = false;

    void add(std::string_view kernel)
    {
        const auto has = [&](std::string_view part) { return kernel.find(part) != std::string_view::npos; };
        if (!has("nccl"))
            return;
        reduce = reduce || has("AllReduce");
        gather = gather || has("AllGather");
        scatter = scatter || has("ReduceScatter");
    }
};

} // namespace

bool isOfDirectivesRuntime(std::string_view kernel)
{
    return kernel.find("__pgi_uacc") != std::string_view::npos;
}

ProgramKind programKindOf(const Trace& trace, const std::stop_token& stop)
{
    ProgramKind kind;
    kind.recorder = recorderOf(trace.info);
    kind.torch = kind.recorder == Recorder::PyTorchProfiler;
    judgeProcesses(trace, kind);
    const bool named = std::ranges::any_of(
        trace.processes, [&](const Process& process) { return !trace.text(process.name).empty(); });
    bool directives = false;
    Collectives collectives;
    forEachName(trace.kernels(), stop, [&](StringId id) {
        const std::string_view name = trace.text(id);
        judgeKernel(name, kind);
        collectives.add(name);
        directives = directives || isOfDirectivesRuntime(name);
    });
    forEachName(trace.nvtx(), stop, [&](StringId name) { judgeRange(trace.text(name), kind); });
    kind.generates = namesTokens(trace, stop);
    kind.reduces = collectives.reduce;
    kind.shards = kind.shards || (collectives.gather && collectives.scatter);
    for (const Track& track : trace.nvtx().tracks) {
        const std::string_view domain = trace.text(track.family);
        kind.python = kind.python || domain == "GIL Trace" || domain == pythonSamplesDomain
            || domain == "cudf_python";
        kind.stdPar = kind.stdPar || domain == "STDPAR";
        kind.kokkos = kind.kokkos || domain == "Kokkos";
    }
    for (const SourceTable& table : trace.info.tables) {
        kind.openAcc
            = kind.openAcc || (table.name.starts_with("CUPTI_ACTIVITY_KIND_OPENACC") && table.rows > 0);
        kind.openMp = kind.openMp || table.name.starts_with("CUPTI_ACTIVITY_KIND_OPENMP");
    }
    kind.openAcc = kind.openAcc || (directives && !kind.openMp);
    // CuPy and Numba are Python's own; PyTorch nearly always: without a process name it is assumed.
    kind.python = kind.python || kind.arrays || (kind.torch && !named);
    return kind;
}

} // namespace warpline
