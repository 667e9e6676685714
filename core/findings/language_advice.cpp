// Remedies for programs on top of CUDA C++: Kokkos, RAJA, parallel algorithms of ISO C++, Julia and CUDA
// Fortran. Rules with the same remedy share an entry.

#include "core/findings/advice.h"

#include <algorithm>
#include <array>
#include <utility>

namespace warpline {

namespace {

struct Words {
    std::string_view key;
    std::string_view kokkos;
    std::string_view raja;
    std::string_view stdPar;
    std::string_view julia;
    std::string_view fortran;
};

constexpr Words pinning{"advice.pinning",
    "Kokkos: make the host side a View in Kokkos::CudaHostPinnedSpace "
    "(SharedHostPinnedSpace), and deep_copy with "
    "an execution space instance.",
    "RAJA: take host arrays from Umpire's pinned allocator (ResourceManager::getAllocator(\"PINNED\")).",
    "ISO C++: compile with -gpu=unified or managed, so that nothing is copied by hand; else cudaMallocHost "
    "for the host side.",
    "Julia: CUDA.pin(array) once, before the loop, then copyto!.",
    "CUDA Fortran: real, pinned, allocatable :: host(:), and cudaMemcpyAsync with a stream."};
constexpr Words overlap{"advice.overlap",
    "Kokkos: two instances (Kokkos::Experimental::partition_space), one for "
    "deep_copy(instance, ...), one in the "
    "RangePolicy.",
    "RAJA: resources::Cuda objects, one for copies (memcpy), one for forall.",
    "ISO C++: algorithms run one after another in one stream; overlap takes CUDA or senders "
    "(std::execution).",
    "Julia: work in tasks (@async, Threads.@spawn): each has a stream of its own.",
    "CUDA Fortran: cudaMemcpyAsync(device, host, n, stream) and <<<blocks, threads, 0, "
    "stream>>> in two streams."};
constexpr Words fewerCopies{"advice.fewer_copies",
    "Kokkos: keep the View in the device's memory space, and deep_copy and create_mirror_view outside of the loop. A DualView syncs only what was modified.",
    "RAJA: leave the data in Umpire's device pool; with CHAI, arrays move only where the other side wrote.",
    "ISO C++: let all steps of the loop be algorithms on the same vector, so that its pages stay on the GPU.",
    "Julia: keep CuArrays across iterations; CuArray(x) and Array(y) belong outside of the loop.",
    "CUDA Fortran: assign to device arrays before the loop (a_d = a) and back after it."};
constexpr Words fusing{"advice.fusing",
    "Kokkos: put the bodies into one parallel_for (or a MDRangePolicy over both loops), or record them with "
    "Kokkos::Experimental::create_graph.",
    "RAJA: join neighboring loops in one forall, RAJA::kernel or launch, and many small ones in a "
    "WorkGroup.",
    "ISO C++: fuse steps into one for_each over views::iota, and use transform_reduce instead of transform "
    "and reduce.",
    "Julia: fuse broadcasts with dots (y .= a .* x .+ y), or write one @cuda kernel; "
    "CUDA.capture records a graph.",
    "CUDA Fortran: join neighboring loops (!$cuf kernel do over both), or record them with cudaGraph "
    "functions."};
constexpr Words waiting{"advice.waiting",
    "Kokkos: leave Kokkos::fence() out of the loop; a parallel_reduce into a scalar "
    "waits, one into a View does not.",
    "RAJA: use cuda_exec_async, and read ReduceSum and its like after the loop: reading waits.",
    "ISO C++: each algorithm returns when it is done; put more into each, or reduce in the same pass.",
    "Julia: CUDA.synchronize(), Array(x), sum(x) and x[i] wait: leave them out of the loop.",
    "CUDA Fortran: cudaDeviceSynchronize and assignments between host and device arrays "
    "wait: once, after the loop."};
constexpr Words allocating{"advice.allocating",
    "Kokkos: allocate Views before the loop (Kokkos::view_alloc(WithoutInitializing)), scratch memory with "
    "set_scratch_size.",
    "RAJA: allocate from an Umpire pool (QuickPool): it keeps what is freed.",
    "ISO C++: make the vectors before the loop and reuse them.",
    "Julia: write into existing arrays (mul!, .=, copyto!). CUDA.unsafe_free!(x) gives memory back to the pool.",
    "CUDA Fortran: allocate device arrays before the loop; automatic device arrays are allocated at each call."};
constexpr Words filling{"advice.filling",
    "Kokkos: more iterations for the policy (collapse loops in an MDRangePolicy), "
    "TeamPolicy with AUTO team size.",
    "RAJA: cuda_exec<256>, and collapse nested loops (RAJA::kernel with statement::CudaKernel) so that "
    "there are more blocks.",
    "ISO C++: one flat loop over all elements: for_each over views::cartesian_product or iota(0, n * m).",
    "Julia: threads = 256 and blocks = cld(n, threads) in @cuda; "
    "launch_configuration(kernel.fun) suggests both.",
    "CUDA Fortran: !$cuf kernel do(2) <<<*, *>>>, or blocks = (n + 255) / 256 with 256 threads."};
constexpr Words pages{"advice.pages", "Kokkos: CudaSpace with deep_copy instead of CudaUVMSpace.",
    "RAJA: Umpire's device pool with explicit copies, or its prefetch operation on unified memory.",
    "ISO C++: initialize inside a parallel algorithm, so that the GPU touches the pages first, and do not access them from the host in the loop.",
    "Julia: CuArray in device memory (not unified), or CUDA.prefetch.",
    "CUDA Fortran: device instead of managed arrays, or cudaMemPrefetchAsync(a, n, device)."};

struct Topic {
    std::string_view id; ///< see adviceFor()
    const Words* words;
};

constexpr std::array topics{
    Topic{"pageable_copies", &pinning},
    Topic{"cuda_memcpy_async", &pinning},
    Topic{"cuda_memcpy_sync", &overlap},
    Topic{"copies_not_overlapped", &overlap},
    Topic{"streams_serialized", &overlap},
    Topic{"gpu_idle_cause.copy", &overlap},
    Topic{"repeated_uploads", &fewerCopies},
    Topic{"copy_round_trips", &fewerCopies},
    Topic{"tiny_copies", &fewerCopies},
    Topic{"launch_bound", &fusing},
    Topic{"kernel_storm", &fusing},
    Topic{"short_kernels", &fusing},
    Topic{"sync_per_iteration.value", &waiting},
    Topic{"sync_per_iteration.device", &waiting},
    Topic{"sync_per_iteration.stream", &waiting},
    Topic{"sync_per_iteration.event", &waiting},
    Topic{"cuda_api_sync", &waiting},
    Topic{"gpu_idle_cause.wait", &waiting},
    Topic{"allocation_in_loop", &allocating},
    Topic{"gpu_idle_cause.allocation", &allocating},
    Topic{"tiny_grid", &filling},
    Topic{"partial_warps", &filling},
    Topic{"unified_memory_faults", &pages},
};

} // namespace

Message languageAdviceFor(std::string_view topic, const ProgramKind& program)
{
    const auto* const found = std::ranges::find(topics, topic, &Topic::id);
    Message text;
    if (found == topics.end())
        return text;
    const Words& words = *found->words;
    const auto add = [&](bool uses, std::string_view what, std::string_view part) {
        if (uses)
            text += Message(words.key, what, part);
    };
    add(program.kokkos, "kokkos", words.kokkos);
    add(program.raja, "raja", words.raja);
    add(program.stdPar, "std_par", words.stdPar);
    add(program.julia, "julia", words.julia);
    add(program.fortran && !program.openAcc && !program.openMp, "fortran", words.fortran);
    return text;
}

std::vector<Message> allLanguageAdvice()
{
    std::vector<Message> all;
    for (const Topic& topic : topics) {
        const Words& words = *topic.words;
        for (const auto& [what, text] :
            {std::pair(std::string_view("kokkos"), words.kokkos), {"raja", words.raja},
                {"std_par", words.stdPar}, {"julia", words.julia}, {"fortran", words.fortran}})
            all.emplace_back(words.key, what, text);
    }
    return all;
}

} // namespace warpline
