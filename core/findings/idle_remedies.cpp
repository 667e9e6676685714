#include "core/findings/idle_remedies.h"

#include "core/findings/recording_advice.h"

namespace warpline {

Message idleRemedyFor(IdleCause doing, const ProgramKind& program, bool namesFunctions)
{
    const RecordingAdvice& advice = recordingAdvice(program.recorder);
    switch (doing) {
    case IdleCause::OtherRanks:
        return Message("idle_remedy.last_rank",
                   "See which rank comes last: it waits little itself, and its own finding says what it does in that time.")
            + Message("idle_remedy.balance",
                "Balance the work, and let kernels run while messages travel (MPI_Isend, MPI_Irecv and MPI_Iallreduce before "
                "the kernel, MPI_Wait after it).")
            + Message("idle_remedy.messages",
                "Send fewer and larger messages, and pass device pointers to a CUDA-aware MPI.");
    case IdleCause::DataLoading:
        return {"idle_remedy.load_ahead",
            "Load the next input while this one computes: in other threads, ahead, from pinned memory. Or keep the data on "
            "the GPU."};
    case IdleCause::CodeLoading:
        return Message("idle_remedy.load_before",
                   "Load modules before the measured part: run each kernel once as a warm-up, or set "
                   "CUDA_MODULE_LOADING=EAGER.")
            + Message("idle_remedy.architecture",
                "Ship code for this GPU's architecture, so that nothing is compiled.");
    case IdleCause::Allocation:
        return {"idle_remedy.allocate_before",
            "Allocate before the loop and reuse the memory, or allocate from a pool (cudaMallocAsync)."};
    case IdleCause::HostWait:
        return {"idle_remedy.no_waits",
            "Remove waits that only order GPU work (use cudaStreamWaitEvent), read results one step late, and let the host "
            "run ahead."};
    case IdleCause::CopyCall:
        return {"idle_remedy.copy_ahead",
            "Copy from pinned memory with cudaMemcpyAsync in a separate stream, one iteration ahead."};
    case IdleCause::Launch:
    case IdleCause::OtherCall:
        return Message("idle_remedy.api_row", "Look at the CUDA API row below the gaps.")
            + Message("idle_remedy.long_call",
                "A call that takes long there waits for a driver lock, for memory, or for room in the launch queue.");
    case IdleCause::OsCall:
        return Message("idle_remedy.os_row",
                   "Look at the OS runtime row below the gaps: locks, sleeps, file reads and waits for other processes.")
            + Message(
                "idle_remedy.move_os", "Move that work to other threads, or start it one step earlier.");
    case IdleCause::HostPages:
        return Message("idle_remedy.prefetch",
                   "Move the pages before the host needs them: call cudaMemPrefetchAsync(p, bytes, cudaCpuDeviceId, stream) and "
                   "wait before the loop that reads them.")
            + Message("idle_remedy.keep_pages",
                "Or compute in a kernel what the host reads, so that the memory stays on the GPU.");
    case IdleCause::Queued:
        return Message(
                   "idle_remedy.launched", "The host has done its part: look at the other rows of this GPU.")
            + Message("idle_remedy.launched_causes",
                "The work may wait for another stream, another process or the display, or the GPU raises its clocks after a "
                "rest.")
            + Message("idle_remedy.mps",
                "Processes that share a GPU, such as MPI ranks, take turns; with MPS (nvidia-cuda-mps-control -d) their "
                "kernels run side by side.");
    case IdleCause::OffCpu:
        return Message("idle_remedy.off_cpu",
                   "The thread computes nothing: it waits for another thread or process, a device, a file or a timer.")
            + Message(advice.osCalls)
            + Message("idle_remedy.paced",
                "Where something outside sets the pace (a camera, requests), there is nothing to fix.");
    default:
        break;
    }
    return (namesFunctions
                   ? Message(
                       "idle_remedy.see_functions", "See the functions of Python in the thread's rows there.")
                   : Message("idle_remedy.what", "Find what the thread computes there ({how}).",
                       {{"how", Message(program.python ? advice.hostCodeOfPython : advice.hostCode)}}))
        + (program.python
                ? Message("idle_remedy.move_step",
                    "Move it off the launching thread, or prepare it one step ahead.")
                : Message("idle_remedy.move_iteration",
                    "Move it off the launching thread or to the GPU, or prepare it one iteration ahead."));
}

std::string_view idleTopicFor(IdleCause doing)
{
    switch (doing) {
    case IdleCause::DataLoading:
        return "gpu_idle_cause.data";
    case IdleCause::Allocation:
        return "gpu_idle_cause.allocation";
    case IdleCause::HostWait:
        return "gpu_idle_cause.wait";
    case IdleCause::CopyCall:
        return "gpu_idle_cause.copy";
    default:
        return {};
    }
}

} // namespace warpline
