#include "core/findings/recording_advice.h"

#include "core/store/gpu_names.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

constexpr RecordingAdvice nsys{
    .key = "recording_nsys",
    .recorder = "nsys",
    .cudaCalls = "nsys profile --trace=cuda",
    .hostCode = "CPU samples: nsys profile --sample=process-tree",
    .hostCodeOfPython = "CPU samples: nsys profile --sample=process-tree; Python: --python-sampling=true",
    .osCalls
    = "Record with --trace=osrt to see the call, and see the rows of the other threads for what it waits for.",
    .steadySteps = "nsys profile --capture-range=cudaProfilerApi",
};

constexpr RecordingAdvice torch{
    .key = "recording_torch",
    .recorder = "torch.profiler",
    .cudaCalls = "activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA] of torch.profiler.profile",
    .hostCode = "functions of Python: with_stack=True of torch.profiler.profile",
    .hostCodeOfPython = "functions of Python: with_stack=True of torch.profiler.profile",
    .osCalls = "torch.profiler does not see in which call; nsys profile --trace=osrt does.",
    .steadySteps
    = "schedule=torch.profiler.schedule(wait=2, warmup=2, active=5), with p.step() after each step",
};

constexpr RecordingAdvice other{
    .key = "recording_other",
    .recorder = "the tool that wrote this trace",
    .cudaCalls = "nsys profile --trace=cuda",
    .hostCode = "CPU samples: nsys profile --sample=process-tree",
    .hostCodeOfPython = "CPU samples: nsys profile --sample=process-tree; Python: --python-sampling=true",
    .osCalls = "nsys profile --trace=osrt shows in which call.",
    .steadySteps = "a profiler that begins late",
};

constexpr RecordingAdvice rocm{
    .key = "recording_rocm",
    .recorder = "rocprofiler",
    .cudaCalls = "rocprofv3 --sys-trace",
    .hostCode = "CPU samples: rocprof-sys-sample",
    .hostCodeOfPython = "CPU samples of Python: py-spy record",
    .osCalls = "rocprof-sys-sample shows in which call.",
    .steadySteps = "rocprofv3 --selected-regions, with roctxProfilerResume() after the first steps",
};

} // namespace

const RecordingAdvice& recordingAdvice(Recorder recorder)
{
    return recorder == Recorder::PyTorchProfiler ? torch : recorder == Recorder::OtherTracer ? other : nsys;
}

const RecordingAdvice& recordingAdvice(const Trace& trace)
{
    const Recorder recorder = recorderOf(trace.info);
    return recorder == Recorder::OtherTracer && gpuMakerOf(trace) == GpuMaker::Amd
        ? rocm
        : recordingAdvice(recorder);
}

std::string traceOption(const Trace& trace)
{
    std::string option = "--trace=cuda,nvtx,osrt";
    for (const auto& [family, word] :
        {std::pair("OpenMP", "openmp"), std::pair("MPI", "mpi"), std::pair("UCX", "ucx"),
            std::pair("OpenACC", "openacc"), std::pair("Vulkan", "vulkan"), std::pair("OpenGL", "opengl")}) {
        const bool isTraced = std::ranges::any_of(trace.table(EventKind::Library).tracks,
            [&](const Track& track) { return trace.text(track.family) == family; });
        if (isTraced)
            option += fmt::format(",{}", word);
    }
    return option;
}

std::optional<bool> wasCudaTraced(const ReportInfo& info)
{
    std::optional<bool> traced; // "PROCESS_0:COLLECT_CUDA_TRACE": of any process
    for (const auto& [name, value] : info.capture) {
        if (name.ends_with(":COLLECT_CUDA_TRACE"))
            traced = traced.value_or(false) || value == "true";
    }
    return traced;
}

} // namespace warpline
