#include "core/glossary/glossary.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

namespace warpline {

namespace {

// In alphabetical order; a test looks.
constexpr std::array entries{
    GlossaryEntry{"barrier", "barriers|implicit barrier|implementation barrier",
        "A place where each thread of a team waits until all have come. OpenMP has one at the end of a parallel loop "
        "(implicit), and its library one at the end of a parallel region (implementation)."},
    GlossaryEntry{"blame", "",
        "What the other ranks waited for this one to come, or for what this one had held up before."},
    GlossaryEntry{"block", "blocks|thread block|thread blocks",
        "A group of up to 1024 threads of a kernel that run on one multiprocessor and can share memory: the "
        "second number in <<<grid, block>>> says how many threads it has."},
    GlossaryEntry{"bubble", "",
        "Time in which a stage of a pipeline has nothing to do because another one is not done with its part."},
    GlossaryEntry{"collective", "collectives",
        "An exchange in which several GPUs take part, such as all-reduce. None can finish before the last has "
        "come."},
    GlossaryEntry{"compute-bound", "compute bound",
        "Limited by arithmetic: more memory bandwidth or fewer copies would not make it faster."},
    GlossaryEntry{"computes alone", "compute alone",
        "Time of kernels beside which no collective runs. The same work is less of it on a rank that waits in its "
        "collectives while it computes: more of it than on another rank is no more work."},
    GlossaryEntry{"confidence", "",
        "How sure a rule is that the pattern it found is the cause it names: certain, likely or possible."},
    GlossaryEntry{"context", "CUDA context",
        "What the driver keeps of one process on one GPU: its memory, its code, its streams. The first CUDA "
        "call makes it, which takes a tenth of a second and more."},
    GlossaryEntry{"correlation", "correlation id",
        "The number that ties a CUDA call on the host to the kernel or copy that it started on the GPU."},
    GlossaryEntry{"CPU sample", "CPU samples",
        "Where a thread was at one moment, looked up some thousand times a second while it ran. Many samples in "
        "a function mean much time in it."},
    GlossaryEntry{"CUDA API call", "CUDA API|CUDA call|CUDA calls",
        "A function of CUDA that the program calls on the CPU, such as cudaMalloc. A launch returns at once; "
        "the GPU does the work later."},
    GlossaryEntry{"CUDA graph", "CUDA graphs|CUDA Graphs",
        "A sequence of kernels and copies that is recorded once and then started with one call, which saves "
        "the cost of launching each."},
    GlossaryEntry{"CUPTI", "",
        "NVIDIA's interface for profilers: nsys and torch.profiler learn from it what CUDA did."},
    GlossaryEntry{"default stream", "stream 7|null stream",
        "Where kernels and copies go when the program names no stream. Work in it waits for all other streams, "
        "and they for it."},
    GlossaryEntry{"device", "", "The GPU, in the words of CUDA; the CPU with its memory is the host."},
    GlossaryEntry{"evidence", "",
        "The events or stretches of time that a finding was made from. A click shows them in the timeline."},
    GlossaryEntry{"expected saving", "expected savings",
        "How much shorter the steps are when they are replayed with the fix: waits, launches, and streams as recorded, "
        "without what the fix removes. \"At most\" is the bound: the time that the cause can cost at all."},
    GlossaryEntry{"exposed", "exposed communication",
        "Time of copies or communication during which no kernel computes: nothing hides it, so it costs its "
        "full length."},
    GlossaryEntry{"exposed wait", "",
        "What a rank waits for others while its GPU computes nothing. Waiting beside kernels leaves the GPU at work, "
        "but may slow them: the waiting collective holds multiprocessors meanwhile."},
    GlossaryEntry{"futex",
        "pthread_cond_wait|pthread_cond_timedwait|pthread_mutex_lock|sem_wait|sem_clockwait",
        "A call in which a thread sleeps until another thread wakes it, or lets go of a lock. Threads without work "
        "wait so: long ones cost nothing by themselves, those of the launching thread may."},
    GlossaryEntry{"gap", "gaps", "A stretch between two pieces of work in which a GPU runs nothing."},
    GlossaryEntry{"GIL", "global interpreter lock",
        "Python's lock that lets only one thread of a process run Python code at a time."},
    GlossaryEntry{"GPU metrics", "GPU metric",
        "Counters of the GPU that are sampled some ten thousand times a second, such as how many multiprocessors "
        "are active. Recording them needs rights that shared machines often do not give."},
    GlossaryEntry{"grid", "",
        "All blocks of one kernel launch: the first number in <<<grid, block>>>. It should have several times "
        "as many blocks as the GPU has multiprocessors."},
    GlossaryEntry{"host", "", "The CPU with its memory, in the words of CUDA; the GPU is the device."},
    GlossaryEntry{"idle", "", "The GPU has nothing to run: no kernel, no copy. It then waits for the host."},
    GlossaryEntry{"kernel", "kernels",
        "A function that runs on the GPU in many threads at once: what is called with <<<grid, block>>>, or by "
        "a library for you."},
    GlossaryEntry{"last in", "",
        "To how many of its exchanges the rank came last: of its own calls, and of the waits of others for its "
        "messages. Where all came within 25 us of one another nobody did."},
    GlossaryEntry{"launch", "launches|launched",
        "The call that hands a kernel to the GPU. It takes the CPU some microseconds and does not wait for the "
        "kernel."},
    GlossaryEntry{"launch latency", "",
        "The time from the start of the launching call to the start of its work on the GPU."},
    GlossaryEntry{"launch-bound", "launch bound|launch_bound",
        "The GPU finishes each kernel before the CPU has launched the next: the CPU sets the pace."},
    GlossaryEntry{"launching thread", "",
        "The thread of the host that makes the CUDA calls which give the GPU its work: what it does while the GPU idles is why the GPU idles."},
    GlossaryEntry{"managed memory", "unified memory|cudaMallocManaged",
        "Memory that CPU and GPU both use under one address (cudaMallocManaged). Its pages move to who "
        "touches them, which costs time unless they are prefetched."},
    GlossaryEntry{"measured time", "",
        "What savings are shares of: steady steps that NVTX ranges name; else a range of the program called "
        "benchmark, or what follows its warm-up; else the time from the first GPU work (of 50 kernels and more: "
        "from the first kernel) to the last."},
    GlossaryEntry{"median", "",
        "The one in the middle when all are sorted by length: half are shorter. A few very long ones do not move it, as they move the mean."},
    GlossaryEntry{"MFU", "model FLOPs utilization",
        "The share of the GPU's peak arithmetic that the FLOPs of the model's operators use in a range."},
    GlossaryEntry{"MIG", "",
        "A part of a GPU that works as a GPU of its own (multi-instance GPU): it has fewer multiprocessors and less memory."},
    GlossaryEntry{"migration", "migrations|page migration|page migrations",
        "A page of unified memory that moves between CPU and GPU because one of them touched it."},
    GlossaryEntry{
        "MPI", "", "The usual library for programs of several processes, often on several machines."},
    GlossaryEntry{"MPS", "Multi-Process Service|nvidia-cuda-mps-control",
        "A service of the driver (nvidia-cuda-mps-control -d) with which kernels of several processes run on one GPU side "
        "by side. Without it they take turns: work of one waits in its queue while another one has the GPU."},
    GlossaryEntry{"multiprocessor", "multiprocessors|SM|SMs|streaming multiprocessor",
        "One of the GPU's processors (SM), some tens to more than a hundred of them. Each holds several blocks at a "
        "time; a grid of one block leaves all but one without work."},
    GlossaryEntry{
        "NCCL", "", "NVIDIA's library for exchanges between GPUs; training on several GPUs uses it."},
    GlossaryEntry{"ncu", "Nsight Compute",
        "NVIDIA's profiler for the inside of one kernel: memory, arithmetic, stalls. What nsys cannot see."},
    GlossaryEntry{"nsys", "Nsight Systems",
        "NVIDIA's profiler that records when things ran. Warpline reads what it exports."},
    GlossaryEntry{"NVSHMEM", "",
        "NVIDIA's library with which a GPU reads and writes the memory of another one, from inside kernels."},
    GlossaryEntry{"NVTX", "NVTX range|NVTX ranges",
        "Names that a program gives to stretches of its own time (nvtxRangePush, torch.cuda.nvtx.range), so "
        "that a timeline can show them."},
    GlossaryEntry{"occupancy", "theoretical occupancy",
        "How many warps could be on a multiprocessor at once, of the most it holds, full or not. It says what would "
        "fit, not how busy the GPU is: one block can have 100 %."},
    GlossaryEntry{"one-time cost", "one-time costs",
        "A cost of the start, such as loading code, that comes once per run and not in each step. It does not count "
        "as a saving."},
    GlossaryEntry{"OS runtime", "osrt",
        "Calls of the operating system that can block, such as read, poll or a lock, as nsys records them."},
    GlossaryEntry{"outlier", "outliers", "A step that takes far longer than the steps like it."},
    GlossaryEntry{"overlap", "overlapped|overlaps",
        "Two things at once, such as a copy while a kernel runs: the shorter one then costs nothing."},
    GlossaryEntry{"page fault", "page faults",
        "A GPU or CPU touches a page of unified memory that is elsewhere, and waits until it has come."},
    GlossaryEntry{"pageable", "pageable memory",
        "Ordinary memory (malloc, new). The GPU cannot read it itself: copies go through a buffer of the driver, at "
        "a fraction of the speed, and the CPU waits for them."},
    GlossaryEntry{"parallel region", "parallel regions",
        "A part of a program that OpenMP runs on all threads of a team at once."},
    GlossaryEntry{"percentile", "p90|p99|percentiles",
        "p90 is the length that nine of ten do not exceed, p99 that ninety-nine of a hundred do not."},
    GlossaryEntry{"persistent kernel", "persistent kernels",
        "A kernel with as many blocks as fit on the GPU at once, which fetch their work in a loop: few blocks are no fault there."},
    GlossaryEntry{"pinned", "pinned memory|page-locked",
        "Memory that the operating system may not move (cudaMallocHost, pin_memory). The GPU copies from it at "
        "full speed, and beside kernels."},
    GlossaryEntry{"poll", "ppoll|epoll_wait",
        "A call in which a thread sleeps until there is something to read: from a socket, a pipe or a driver. Helper "
        "threads of CUDA and of servers spend their lives in it."},
    GlossaryEntry{"prefetch", "prefetched|cudaMemPrefetchAsync",
        "To ask for pages of unified memory before a kernel needs them."},
    GlossaryEntry{"profiler overhead", "overhead",
        "Time that nsys itself takes in the program. It is not there without the profiler."},
    GlossaryEntry{"queue time", "",
        "The time from the return of the launching call to the start of its work: how far the GPU is behind the CPU."},
    GlossaryEntry{"rank", "ranks", "One process of a program that runs as several, by its number."},
    GlossaryEntry{"register", "registers|registers a thread",
        "The fastest memory of the GPU, private to each thread. A kernel that needs many leaves room for fewer threads."},
    GlossaryEntry{"roofline", "rooflines",
        "The time that work needs at least: its FLOPs at the GPU's peak, or its bytes at the bandwidth of memory, "
        "whichever takes longer."},
    GlossaryEntry{"round trip", "round trips",
        "Data that goes from the GPU to the host and back again, or the other way round."},
    GlossaryEntry{"runs dry", "run dry|ran dry",
        "The GPU finishes all that was launched and has nothing to do until the CPU launches more."},
    GlossaryEntry{"saving", "savings|could save",
        "How much shorter the measured time could become at most if the cause were gone. Bounds of several findings "
        "may be about the same time: do not add them."},
    GlossaryEntry{"severity", "",
        "How much of the measured time a finding could save: high from 10 %, medium from 2 %, else low; info is "
        "worth knowing and saves nothing by itself."},
    GlossaryEntry{"shared memory", "",
        "Fast memory that the threads of one block share. A block that uses much of it leaves room for fewer blocks."},
    GlossaryEntry{"spinning", "spins|spin|sched_yield",
        "To wait by asking again and again, on a CPU all the while: fast, and the CPU is lost to others. CUDA's "
        "synchronizing calls do so unless cudaDeviceScheduleBlockingSync is set."},
    GlossaryEntry{"split-K", "",
        "A matrix product whose inner dimension is shared out among several blocks, so that small results fill the GPU, too."},
    GlossaryEntry{"steady step", "steady steps|steady",
        "A step after the program has warmed up: the first ones load code and allocate memory and are left out."},
    GlossaryEntry{"stencil", "stencils",
        "A kernel that makes each cell of a grid from its neighbours. On several processes the cells at the edges (the halo) "
        "have to be exchanged in each step."},
    GlossaryEntry{"step", "steps|iteration|iterations",
        "One round of the program's main loop: a training step, a time step, a token. Found by NVTX ranges that "
        "repeat, or guessed from kernels that do."},
    GlossaryEntry{"stream", "streams",
        "A queue of the GPU: work in one stream runs in order, work in different streams may run at once."},
    GlossaryEntry{"stream 0", "",
        "In nsys' reports the place of pages of unified memory that move between CPU and GPU; no stream of the program."},
    GlossaryEntry{"stream-ordered", "stream-ordered pool|stream-ordered allocation",
        "Memory that is allocated and freed in the order of a stream (cudaMallocAsync), from a pool that keeps it: that makes nobody wait."},
    GlossaryEntry{"synchronization", "synchronize|synchronizing|synchronizing call|cudaDeviceSynchronize",
        "A call in which the CPU waits for the GPU. One before results are read is needed; one in each round "
        "lets the GPU run dry."},
    GlossaryEntry{"tensor core", "tensor cores",
        "The part of a GPU that multiplies small matrices many times faster, for types such as TF32, BF16 or FP16."},
    GlossaryEntry{"thread state", "thread states",
        "Whether a thread ran on a CPU or waited, as the operating system tells."},
    GlossaryEntry{"transfer", "",
        "What an exchange between GPUs takes by itself, from when the last of them has come. Before that the others "
        "wait in it."},
    GlossaryEntry{
        "UCX", "", "A library that moves messages over networks and between GPUs; MPI often stands on it."},
    GlossaryEntry{"warm-up", "warm up",
        "The first steps of a program, slower than the rest because code is loaded and memory allocated in them."},
    GlossaryEntry{"warp", "warps",
        "32 threads of a block that run together. A block of 16 threads leaves half of its warp empty."},
    GlossaryEntry{"wave", "waves|theoretical waves",
        "As many blocks as fit on the GPU at once. 1.1 waves take as long as 2: in the second most of the GPU is empty."},
    GlossaryEntry{"what if", "whatif",
        "The question how long a step would take with something changed. A replay of the recorded steps "
        "answers it: the panel of this name, and warpline-cli whatif."},
    GlossaryEntry{"whole context", "",
        "A row for what is of no stream of its context, such as a wait for all of the device's work."},
};

std::string lowerOf(std::string_view text)
{
    std::string lower(text);
    for (char& c : lower) {
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    }
    return lower;
}

/// Every spelling in lower case.
const std::map<std::string, const GlossaryEntry*>& spellings()
{
    static const std::map<std::string, const GlossaryEntry*> all = [] {
        std::map<std::string, const GlossaryEntry*> made;
        for (const GlossaryEntry& entry : entries) {
            made.emplace(lowerOf(entry.term), &entry);
            std::string_view rest = entry.forms;
            while (!rest.empty()) {
                const std::size_t end = std::min(rest.find('|'), rest.size());
                made.emplace(lowerOf(rest.substr(0, end)), &entry);
                rest.remove_prefix(std::min(rest.size(), end + 1));
            }
        }
        return made;
    }();
    return all;
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
    constexpr std::size_t mostWords = 3;
    for (std::size_t word = 0; word < mostWords; ++word) {
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
    const auto found = spellings().find(lowerOf(term));
    return found != spellings().end() ? found->second : nullptr;
}

std::vector<TermUse> termsIn(std::string_view text)
{
    const std::string lower = lowerOf(text);
    std::vector<TermUse> uses;
    for (std::size_t i = 0; i < lower.size();) {
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
        while (i < lower.size() && isLetter(lower[i]))
            ++i;
    }
    return uses;
}

} // namespace warpline
