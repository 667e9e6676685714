#include "core/findings/recording_advice.h"

#include "core/base/glob.h"
#include "core/base/message_names.h"
#include "core/base/words.h"
#include "core/store/gpu_names.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

constexpr RecordingAdvice nsys{
    .recorderName = "nsys",
    .cudaCalls = {"recording_nsys.cuda_calls", "nsys profile --trace=cuda"},
    .hostCode = {"recording_nsys.host_code", "CPU samples: nsys profile --sample=process-tree"},
    .hostCodeOfPython = {"recording_nsys.host_code_of_python",
        "CPU samples: nsys profile --sample=process-tree; Python: --python-sampling=true"},
    .osCalls = {"recording_nsys.os_calls",
        "Record with --trace=osrt to see the call, and see the rows of the other threads for what it waits for."},
    .steadySteps = {"recording_nsys.steady_steps", "nsys profile --capture-range=cudaProfilerApi"},
};

constexpr RecordingAdvice torch{
    .recorderName = "torch.profiler",
    .cudaCalls = {"recording_torch.cuda_calls",
        "activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA] of torch.profiler.profile"},
    .hostCode
    = {"recording_torch.host_code", "functions of Python: with_stack=True of torch.profiler.profile"},
    .hostCodeOfPython = {"recording_torch.host_code_of_python",
        "functions of Python: with_stack=True of torch.profiler.profile"},
    .osCalls = {"recording_torch.os_calls",
        "torch.profiler does not see in which call; nsys profile --trace=osrt does."},
    .steadySteps = {"recording_torch.steady_steps",
        "schedule=torch.profiler.schedule(wait=2, warmup=2, active=5), with p.step() after each step"},
};

constexpr RecordingAdvice other{
    .recorderName = "",
    .cudaCalls = {"recording_other.cuda_calls", "nsys profile --trace=cuda"},
    .hostCode = {"recording_other.host_code", "CPU samples: nsys profile --sample=process-tree"},
    .hostCodeOfPython = {"recording_other.host_code_of_python",
        "CPU samples: nsys profile --sample=process-tree; Python: --python-sampling=true"},
    .osCalls = {"recording_other.os_calls", "nsys profile --trace=osrt shows in which call."},
    .steadySteps = {"recording_other.steady_steps", "a profiler that begins late"},
};

constexpr RecordingAdvice rocm{
    .recorderName = "rocprofiler",
    .cudaCalls = {"recording_rocm.cuda_calls", "rocprofv3 --sys-trace"},
    .hostCode = {"recording_rocm.host_code", "CPU samples: rocprof-sys-sample"},
    .hostCodeOfPython = {"recording_rocm.host_code_of_python", "CPU samples of Python: py-spy record"},
    .osCalls = {"recording_rocm.os_calls", "rocprof-sys-sample shows in which call."},
    .steadySteps = {"recording_rocm.steady_steps",
        "rocprofv3 --selected-regions, with roctxProfilerResume() after the first steps"},
};

} // namespace

Message RecordingAdvice::recorder() const
{
    return recorderName.empty() ? Message("recording_other.recorder", "the tool that wrote this trace")
                                : nameMessage(std::string(recorderName));
}

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

std::string_view exportedTables(const ReportInfo& info)
{
    return exportSetting(info, "EXPORT_PARAM_TABLES_TO_EXPORT");
}

bool isLeftOut(const ReportInfo& info, std::string_view table)
{
    std::string_view rest = exportedTables(info);
    bool isSelected = false;
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view entry = trimmed(rest.substr(0, comma), " ");
        rest.remove_prefix(std::min(comma + 1, rest.size()));
        // It is not known which tables match an entry that is no glob, such as a regular expression.
        if (matchesGlob(table, entry) || entry.find_first_of(".[](){}|^$+\\") != std::string_view::npos)
            return false;
        isSelected = isSelected || !entry.empty();
    }
    return isSelected;
}

} // namespace warpline
