#include "core/findings/idle_remedies.h"

#include "core/findings/recording_advice.h"

#include <fmt/format.h>

namespace warpline {

std::string idleRemedyFor(HostDoing doing, const ProgramKind& program)
{
    const RecordingAdvice& advice = recordingAdvice(program.recorder);
    switch (doing) {
    case HostDoing::Communicating:
        return "See which rank comes last: a rank that waits little itself is the one that the others wait "
               "for, and its own finding says what it does meanwhile. Balance the work, let kernels run "
               "while messages travel (MPI_Isend, MPI_Irecv and MPI_Iallreduce before the kernel, MPI_Wait "
               "after it), send fewer and larger messages, and hand device pointers to a CUDA-aware MPI.";
    case HostDoing::LoadingData:
        return "Load the next input while this one computes: in other threads, ahead, from pinned memory, or "
               "keep the data on the GPU.";
    case HostDoing::LoadingCode:
        return "Load modules before the measured part: run each kernel once as a warm-up, set "
               "CUDA_MODULE_LOADING=EAGER to pay at the start, and ship code for this GPU's architecture so "
               "that nothing is compiled.";
    case HostDoing::Allocating:
        return "Allocate before the loop and reuse, or allocate from a pool (cudaMallocAsync).";
    case HostDoing::Waiting:
        return "Drop waits that only order GPU work (use cudaStreamWaitEvent), read results back one step "
               "late, and let the host run ahead.";
    case HostDoing::Copying:
        return "Copy from pinned memory with cudaMemcpyAsync in a stream of its own, one round ahead.";
    case HostDoing::Launching:
    case HostDoing::OtherCalls:
        return "Look at the CUDA API row under the gaps: a launch or call that takes long there waits for a "
               "lock of the driver, for memory, or for room in the launch queue.";
    case HostDoing::OsCalls:
        return "Look at the OS runtime row under the gaps: locks, sleeps, file reads and waits for other "
               "processes. Move that work to other threads, or begin it a step earlier.";
    case HostDoing::FetchingPages:
        return "Bring the pages before the host needs them, all at once: cudaMemPrefetchAsync(p, bytes, "
               "cudaCpuDeviceId, stream) and a wait before the loop that reads them; or let a kernel compute "
               "what the host reads, so that the memory stays on the GPU.";
    case HostDoing::Launched:
        return "The host has done its part: what the GPU waits for before it begins is in other rows of this "
               "GPU (another stream that the work waits for, another process or the display), or it is the "
               "GPU itself, which clocks up after a rest. Processes that share a GPU, as ranks of MPI do, take "
               "turns on it; with MPS (nvidia-cuda-mps-control -d) their kernels run side by side.";
    case HostDoing::OffCpu:
        return fmt::format(
            "The thread computes nothing: it waits for another thread or process, a device, a file "
            "or a timer. {} Where the program is paced from outside (a camera, requests), there is "
            "nothing to mend.",
            advice.osCalls);
    case HostDoing::OwnCode:
        break;
    }
    return program.python
        ? fmt::format("Find out what the thread computes there ({}) and move it off the launching thread, or "
                      "prepare it one step ahead.",
            advice.hostCodeOfPython)
        : fmt::format(
            "Find out what the thread computes there ({}) and move it off the launching thread or onto "
            "the GPU, or prepare it one round ahead.",
            advice.hostCode);
}

std::string_view idleTopicFor(HostDoing doing)
{
    switch (doing) {
    case HostDoing::LoadingData:
        return "gpu_idle_cause.data";
    case HostDoing::Allocating:
        return "gpu_idle_cause.allocation";
    case HostDoing::Waiting:
        return "gpu_idle_cause.wait";
    case HostDoing::Copying:
        return "gpu_idle_cause.copy";
    default:
        return {};
    }
}

} // namespace warpline
