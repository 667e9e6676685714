#include "core/glossary/glossary.h"

#include "core/base/ascii_case.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

namespace warpline {

namespace {

// In alphabetical order; a test looks.
constexpr std::array
    entries{
        GlossaryEntry{"barrier", "barriers|implicit barrier|implementation barrier",
            "A point where each thread of a team waits for all others. OpenMP has one at the end of a parallel loop (implicit) and one at the end of a parallel region (implementation)."},
        GlossaryEntry{"blame", "",
            "The time that other ranks wait for this rank, directly or because it delayed a rank before."},
        GlossaryEntry{"block", "blocks|thread block|thread blocks",
            "A group of up to 1024 threads of a kernel that run on one multiprocessor and can share memory. Its size is the second value in <<<grid, block>>>."},
        GlossaryEntry{
            "bubble", "", "Time in which a pipeline stage is idle because it waits for another stage."},
        GlossaryEntry{"collective", "collectives",
            "An exchange between several GPUs, such as all-reduce. It cannot finish before the last GPU has joined."},
        GlossaryEntry{"compute-bound", "compute bound",
            "Limited by arithmetic. More memory bandwidth or fewer copies do not make it faster."},
        GlossaryEntry{"computes alone", "compute alone",
            "Kernel time while no collective runs. Compare it between ranks with care: a rank whose collectives wait during its kernels has less of it for the same work."},
        GlossaryEntry{
            "confidence", "", "How sure a rule is of the cause that it names: certain, likely or possible."},
        GlossaryEntry{"context", "CUDA context",
            "The state of one process on one GPU: memory, code and streams. The first CUDA call creates it, which takes a tenth of a second or more."},
        GlossaryEntry{"correlation", "correlation id",
            "The number that links a CUDA call on the host to the kernel or copy that it starts on the GPU."},
        GlossaryEntry{"CPU sample", "CPU samples",
            "The code that a thread runs at one moment, recorded about a thousand times per second. Many samples in a function mean much time in it."},
        GlossaryEntry{"CUDA API call", "CUDA API|CUDA call|CUDA calls",
            "A CUDA function that the program calls on the CPU, such as cudaMalloc. A launch returns at once; the GPU does the work later."},
        GlossaryEntry{"CUDA graph", "CUDA graphs|CUDA Graphs",
            "A sequence of kernels and copies that is recorded once and then launched with one call. It saves the cost of launching each."},
        GlossaryEntry{
            "CUPTI", "", "NVIDIA's profiling interface. nsys and torch.profiler use it to trace CUDA."},
        GlossaryEntry{"default stream", "stream 7|null stream",
            "The stream of kernels and copies for which the program names none. Its work waits for all other blocking streams, and they wait for it."},
        GlossaryEntry{"device", "", "The GPU, in CUDA's terms. The CPU with its memory is the host."},
        GlossaryEntry{"evidence", "",
            "The events or intervals that support a finding. Click one to show it in the timeline."},
        GlossaryEntry{"expected saving", "expected savings",
            "How much shorter the steps are in a replay with the fix. The replay keeps recorded waits, launches and streams, except for what the fix removes. The potential saving is its upper bound."},
        GlossaryEntry{"exposed", "exposed communication",
            "Time of copies or communication while no kernel computes. Nothing hides it, so it costs its full length."},
        GlossaryEntry{"exposed wait", "",
            "The time that a rank waits for others while its GPU computes nothing. Waits during kernels cost less, but may slow the kernels: a waiting collective occupies multiprocessors."},
        GlossaryEntry{"futex",
            "pthread_cond_wait|pthread_cond_timedwait|pthread_mutex_lock|sem_wait|sem_clockwait",
            "A system call in which a thread sleeps until another thread wakes it or releases a lock. Idle threads wait in it at no cost. In the launching thread, it can delay the GPU."},
        GlossaryEntry{
            "gap", "gaps", "An interval between two kernels or copies in which a GPU runs nothing."},
        GlossaryEntry{"GIL", "global interpreter lock",
            "Python's lock that lets only one thread of a process run Python code at a time."},
        GlossaryEntry{"GPU metrics", "GPU metric",
            "Hardware counters of the GPU, sampled about ten thousand times per second, such as the share of active multiprocessors. Recording them needs permissions that shared machines often do not grant."},
        GlossaryEntry{"grid", "",
            "All blocks of one kernel launch, the first value in <<<grid, block>>>. It should have several times as many blocks as the GPU has multiprocessors."},
        GlossaryEntry{"host", "", "The CPU with its memory, in CUDA's terms. The GPU is the device."},
        GlossaryEntry{"idle", "", "The GPU runs nothing: no kernel and no copy."},
        GlossaryEntry{"kernel", "kernels",
            "A function that runs on the GPU in many threads at once. The program launches it with <<<grid, block>>>, or a library does."},
        GlossaryEntry{"last in", "",
            "The number of exchanges at which the rank arrives last. If all ranks arrive within 25 us of each other, none counts as last."},
        GlossaryEntry{"launch", "launches|launched",
            "The call that gives a kernel to the GPU. It takes the CPU some microseconds and does not wait for the kernel."},
        GlossaryEntry{"launch latency", "",
            "The time from the start of the launch call to the start of its work on the GPU."},
        GlossaryEntry{"launch-bound", "launch bound|launch_bound",
            "The GPU finishes each kernel before the CPU has launched the next one, so the CPU sets the pace. Also: host-bound."},
        GlossaryEntry{"launching thread", "",
            "The host thread that launches the GPU's work. What it does while the GPU is idle is the cause of the idle time."},
        GlossaryEntry{"managed memory", "unified memory|cudaMallocManaged",
            "Memory that CPU and GPU use under one address (cudaMallocManaged). Its pages move to the processor that accesses them, which costs time unless they are prefetched."},
        GlossaryEntry{"measured time", "",
            "The time that savings are shares of. It is the steady steps named by NVTX ranges; otherwise, a range named benchmark or the time after warm-up; otherwise, the time from the first to the last GPU work."},
        GlossaryEntry{"median", "",
            "The middle value when all are sorted: half are shorter. A few very long ones do not change it, unlike the mean."},
        GlossaryEntry{"MFU", "model FLOPs utilization",
            "The FLOPs of the model's operators in a range, as a share of what the GPU could compute at its peak rate."},
        GlossaryEntry{"MIG", "",
            "A part of a GPU that works as a separate GPU (multi-instance GPU), with fewer multiprocessors and less memory."},
        GlossaryEntry{"migration", "migrations|page migration|page migrations",
            "The move of a page of unified memory between CPU and GPU because one of them accesses it."},
        GlossaryEntry{
            "MPI", "", "The standard library for programs of several processes, often on several machines."},
        GlossaryEntry{"MPS", "Multi-Process Service|nvidia-cuda-mps-control",
            "A driver service (nvidia-cuda-mps-control -d) that runs kernels of several processes on one GPU concurrently. Without it, they take turns: work of one process waits while another one uses the GPU."},
        GlossaryEntry{"multiprocessor", "multiprocessors|SM|SMs|streaming multiprocessor",
            "One of the GPU's processors (SM). A GPU has some tens to more than a hundred. Each holds several blocks at a time; a grid of one block leaves all others idle."},
        GlossaryEntry{
            "NCCL", "", "NVIDIA's library for communication between GPUs, used by training on several GPUs."},
        GlossaryEntry{"ncu", "Nsight Compute",
            "NVIDIA's profiler for single kernels: memory, arithmetic, stalls. It shows what nsys cannot."},
        GlossaryEntry{"noise", "",
            "How much two recordings of the same program differ. A comparison only reports a difference beyond it."},
        GlossaryEntry{"nsys", "Nsight Systems",
            "NVIDIA's profiler that records a timeline of a program. Warpline reads its exports."},
        GlossaryEntry{
            "NVSHMEM", "", "NVIDIA's library that lets kernels read and write the memory of other GPUs."},
        GlossaryEntry{"NVTX", "NVTX range|NVTX ranges",
            "Named ranges that a program marks in its own code (nvtxRangePush, torch.cuda.nvtx.range) for timelines."},
        GlossaryEntry{"occupancy", "theoretical occupancy",
            "The warps that fit on a multiprocessor at once, as a share of its maximum. It does not say how busy the GPU is: a single block can have 100%."},
        GlossaryEntry{"one-time cost", "one-time costs",
            "A cost that occurs once per run, such as loading code, and not in each step. It does not count as a saving."},
        GlossaryEntry{"OS runtime", "osrt",
            "System calls and library calls that can block, such as read, poll or a lock, as nsys records them."},
        GlossaryEntry{"outlier", "outliers", "A step that takes much longer than similar steps."},
        GlossaryEntry{"overlap", "overlapped|overlaps",
            "Two activities at the same time, such as a copy during a kernel. The shorter one then costs nothing."},
        GlossaryEntry{"page fault", "page faults",
            "An access of a GPU or CPU to a page of unified memory that is elsewhere. It waits until the page has moved."},
        GlossaryEntry{"pageable",
            "pageable memory", "Ordinary host memory (malloc, new). The GPU cannot read it directly: copies go through a driver buffer at a fraction of the speed, and the CPU waits for them."},
        GlossaryEntry{"parallel region", "parallel regions",
            "A part of a program that OpenMP runs on all threads of a team at once."},
        GlossaryEntry{"percentile", "p90|p99|percentiles",
            "The value below which this share of all values lies: 90% are at most p90, 99% at most p99."},
        GlossaryEntry{"persistent kernel", "persistent kernels",
            "A kernel with as many blocks as fit on the GPU at once, which fetch work in a loop. Its low number of blocks is not a problem."},
        GlossaryEntry{"pinned", "pinned memory|page-locked",
            "Host memory that the operating system does not move (cudaMallocHost, pin_memory). The GPU copies from it at full speed, also during kernels."},
        GlossaryEntry{"poll", "ppoll|epoll_wait",
            "A system call in which a thread sleeps until there is something to read from a socket, a pipe or a driver. Helper threads of CUDA and of servers spend most of their time in it."},
        GlossaryEntry{"prefetch", "prefetched|cudaMemPrefetchAsync",
            "To move pages of unified memory before a kernel needs them."},
        GlossaryEntry{"profiler overhead", "overhead",
            "Time that the profiler itself takes in the program. It does not exist without the profiler."},
        GlossaryEntry{"queue time", "",
            "The time from the return of the launch call to the start of its work: how far the GPU is behind the CPU."},
        GlossaryEntry{"rank", "ranks",
            "The number of a process in a program of several processes, and the process itself."},
        GlossaryEntry{"register", "registers|registers a thread",
            "The fastest memory of the GPU, private to each thread. The more registers a kernel needs, the fewer threads fit."},
        GlossaryEntry{"regression", "regressions",
            "A step that is slower than before, by more than the noise and by more than the limit that you set."},
        GlossaryEntry{"roofline", "rooflines",
            "The minimum time of work: its FLOPs at the peak rate of the GPU, or its bytes at the memory bandwidth, whichever takes longer."},
        GlossaryEntry{"round trip", "round trips", "Data that goes from the GPU to the host and back."},
        GlossaryEntry{"runs dry", "run dry|ran dry",
            "The GPU finishes all launched work and is idle until the CPU launches more."},
        GlossaryEntry{"saving", "savings|could save",
            "The upper bound of the time saved if the cause is removed. Several findings may claim the same time, so do not add their savings."},
        GlossaryEntry{"severity", "",
            "The potential saving as a share of the measured time: high from 10%, medium from 2%, otherwise low. A finding of severity info saves nothing by itself."},
        GlossaryEntry{"shared memory", "",
            "Fast memory that the threads of one block share. The more a block uses, the fewer blocks fit on a multiprocessor."},
        GlossaryEntry{"spinning", "spins|spin|sched_yield",
            "To wait in a loop on a CPU. It reacts fast, but the CPU is not available to others. CUDA's synchronizing calls spin unless cudaDeviceScheduleBlockingSync is set."},
        GlossaryEntry{"split-K", "",
            "A matrix product whose inner dimension is split among several blocks, so that small results also fill the GPU."},
        GlossaryEntry{"steady step", "steady steps|steady",
            "A step after warm-up. The first steps load code and allocate memory and are excluded."},
        GlossaryEntry{"stencil", "stencils",
            "A kernel that computes each cell of a grid from its neighbors. With several processes, the cells at the edges (the halo) are exchanged in each step."},
        GlossaryEntry{"step", "steps|iteration|iterations",
            "One iteration of the program's main loop: a training step, a time step, a token. Warpline detects steps from repeating NVTX ranges, or guesses them from repeating kernels."},
        GlossaryEntry{"stream", "streams",
            "A queue of the GPU. Work in one stream runs in order; work in different streams may run concurrently."},
        GlossaryEntry{"stream 0", "",
            "In reports of nsys, the place of unified memory migrations. It is not a stream of the program."},
        GlossaryEntry{"stream-ordered", "stream-ordered pool|stream-ordered allocation",
            "Memory that is allocated and freed in stream order (cudaMallocAsync) from a pool, without waiting."},
        GlossaryEntry{"synchronization", "synchronize|synchronizing|synchronizing call|cudaDeviceSynchronize",
            "A call in which the CPU waits for the GPU. It is needed before results are read. In every iteration, it lets the GPU run dry."},
        GlossaryEntry{"tensor core", "tensor cores",
            "A unit of the GPU that multiplies small matrices many times faster, for types such as TF32, BF16 or FP16."},
        GlossaryEntry{"thread state", "thread states",
            "Whether a thread runs on a CPU or waits, as recorded by the operating system."},
        GlossaryEntry{"transfer", "",
            "The time of an exchange from the arrival of the last rank. Before that, the other ranks wait in it."},
        GlossaryEntry{"UCX", "",
            "A library that moves messages over networks and between GPUs. MPI is often built on it."},
        GlossaryEntry{"warm-up", "warm up",
            "The first steps of a program, which are slower because they load code and allocate memory."},
        GlossaryEntry{"warp", "warps",
            "32 threads of a block that run together. A block of 16 threads leaves half of its warp empty."},
        GlossaryEntry{"wave", "waves|theoretical waves",
            "As many blocks as fit on the GPU at once. 1.1 waves take as long as 2, because most of the GPU is idle in the second one."},
        GlossaryEntry{"what if", "whatif",
            "An estimate of the step time after a change, from a replay of the recorded steps. See the panel What if and warpline-cli whatif."},
        GlossaryEntry{"whole context", "",
            "A row for activities that belong to no single stream of a context, such as a wait for the whole device."},
    };

/// Every spelling in lower case.
const std::map<std::string, const GlossaryEntry*>& spellings()
{
    static const std::map<std::string, const GlossaryEntry*> all = [] {
        std::map<std::string, const GlossaryEntry*> made;
        for (const GlossaryEntry& entry : entries) {
            made.emplace(lowered(entry.term), &entry);
            std::string_view rest = entry.forms;
            while (!rest.empty()) {
                const std::size_t end = std::min(rest.find('|'), rest.size());
                made.emplace(lowered(rest.substr(0, end)), &entry);
                rest.remove_prefix(std::min(rest.size(), end + 1));
            }
        }
        return made;
    }();
    return all;
}

/// The first of `names` that `text` has at `begin`; length 0: none.
std::pair<std::size_t, const GlossaryEntry*> nameAt(
    const TermNames& names, std::string_view text, std::size_t begin)
{
    for (const auto& [name, entry] : names) {
        if (text.substr(begin).starts_with(name))
            return {name.size(), entry};
    }
    return {0, nullptr};
}

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'
        || static_cast<unsigned char>(c) >= 0x80;
}

/// The longest spelling that `lower` has at `begin` as whole words; length 0: none.
std::pair<std::size_t, const GlossaryEntry*> longestAt(const std::string& lower, std::size_t begin)
{
    std::pair<std::size_t, const GlossaryEntry*> best{0, nullptr};
    std::size_t end = begin;
    constexpr std::size_t maxWords = 3;
    for (std::size_t word = 0; word < maxWords; ++word) {
        while (end < lower.size() && (isLetter(lower[end]) || lower[end] == '-'))
            ++end;
        if (const auto found = spellings().find(lower.substr(begin, end - begin)); found != spellings().end())
            best = {end - begin, found->second};
        if (end >= lower.size() || lower[end] != ' ')
            break;
        ++end;
    }
    return best;
}

} // namespace

std::span<const GlossaryEntry> glossary()
{
    return entries;
}

const GlossaryEntry* findTerm(std::string_view term)
{
    const auto found = spellings().find(lowered(term));
    return found != spellings().end() ? found->second : nullptr;
}

std::vector<TermUse> termsIn(std::string_view text, const TermNames& names)
{
    const std::string lower = lowered(text);
    std::vector<TermUse> uses;
    for (std::size_t i = 0; i < lower.size();) {
        if (static_cast<unsigned char>(lower[i]) >= 0xC0) { // where a letter begins that is not Latin
            if (const auto [length, entry] = nameAt(names, lower, i); length > 0) {
                uses.push_back({i, length, entry});
                i += length;
                continue;
            }
        }
        const bool begins
            = isLetter(lower[i]) && (i == 0 || (!isLetter(lower[i - 1]) && lower[i - 1] != '-'));
        if (!begins) {
            ++i;
            continue;
        }
        const auto [length, entry] = longestAt(lower, i);
        if (length > 0) {
            uses.push_back({i, length, entry});
            i += length;
            continue;
        }
        // Skips a word without a term; letters of other scripts are checked one by one.
        do {
            ++i;
        } while (i < lower.size() && isLetter(lower[i]) && static_cast<unsigned char>(lower[i]) < 0xC0);
    }
    return uses;
}

} // namespace warpline
