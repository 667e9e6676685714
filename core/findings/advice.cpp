// Remedies in terms of the program's language or framework. Rules give general remedies; this file adds those
// for PyTorch, Numba and CuPy, directives, and CUDA C++ with the lines of code.

#include "core/findings/advice.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

/// A text that several topics share has its own key, so that it is translated once.
struct AdviceText {
    std::string_view text;
    std::string_view key = {}; ///< "advice.pinned"; empty: that of the topic

    constexpr AdviceText(const char* own)
        : text(own)
    {
    }
    constexpr AdviceText(const char* shared, const char* sharedKey)
        : text(shared),
          key(sharedKey)
    {
    }
    Message of(std::string_view topic, std::string_view what) const
    {
        return {key.empty() ? topic : key, what, text};
    }
};

struct Advice {
    std::string_view topic;
    AdviceText torch;
    AdviceText arrays; ///< Numba, CuPy
    AdviceText cuda; ///< lines to paste
    AdviceText directives; ///< OpenACC and OpenMP
};

constexpr AdviceText pinnedTorch{
    "PyTorch: DataLoader(pin_memory=True), tensor.pin_memory() and tensor.to(device, non_blocking=True).",
    "advice.pinned"};
constexpr AdviceText pinnedArrays{"Numba: cuda.pinned_array. CuPy: cupyx.empty_pinned.", "advice.pinned"};
constexpr AdviceText pinnedCuda{
    "In CUDA C++:\n  cudaMallocHost(&host, bytes);             // instead of malloc; once, before the "
    "loop\n"
    "  cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream);\n"
    "  cudaFreeHost(host);\nPinning itself takes time: it pays for buffers that are copied several times.",
    "advice.pinned"};
constexpr AdviceText pinnedDirectives{
    "OpenACC: -gpu=pinned with nvc and nvfortran. OpenMP: llvm_omp_target_alloc_host, or cudaHostRegister "
    "on the arrays.",
    "advice.pinned"};
constexpr AdviceText graphTorch{"PyTorch: torch.compile (mode=\"reduce-overhead\" makes graphs), "
                                "torch.cuda.graph, optimizers with fused=True where they have it "
                                "not.",
    "advice.graph"};
constexpr AdviceText exposedTorch{
    "PyTorch: DistributedDataParallel begins all-reduces while backward still runs (tune bucket_cap_mb, "
    "gradient_as_bucket_view=True); BF16 gradients or accumulation with no_sync() send less.",
    "advice.exposed"};
constexpr AdviceText graphArrays{"CuPy: cupy.fuse, ElementwiseKernel, stream.begin_capture.", "advice.graph"};
constexpr AdviceText graphCuda{
    "In CUDA C++, record the launches of a round once and replay them with one call:\n"
    "  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal); /* launch */ "
    "cudaStreamEndCapture(stream, &graph);\n  cudaGraphInstantiate(&exec, graph, 0);\n"
    "  for (...) cudaGraphLaunch(exec, stream);",
    "advice.graph"};
constexpr AdviceText graphDirectives{
    "OpenACC: join neighboring loops in one parallel region, and launch with async so that the host does "
    "not wait. OpenMP: nowait on target regions, or one target region for several loops.",
    "advice.graph"};
constexpr AdviceText waitCuda{
    "In CUDA C++, wait once, where the host uses the results:\n  for (...) step<<<blocks, threads, 0, "
    "stream>>>(...);   // no synchronization here\n  cudaMemcpyAsync(host, device, bytes, "
    "cudaMemcpyDeviceToHost, stream);\n  cudaStreamSynchronize(stream);                         // before "
    "host is read",
    "advice.wait"};
constexpr AdviceText valueCuda{"In CUDA C++, look at the value every hundredth round:\n  if (i % 100 "
                               "== 0) {\n    cudaMemcpyAsync(&value, "
                               "device, sizeof value, cudaMemcpyDeviceToHost, stream);\n    "
                               "cudaStreamSynchronize(stream);\n    if (value "
                               "== 0) break;\n  }",
    "advice.value"};
constexpr AdviceText waitDirectives{
    "OpenACC: async on compute regions and one wait at the end. OpenMP: nowait and "
    "depend on target regions.",
    "advice.wait"};
constexpr AdviceText allocationCuda{
    "In CUDA C++, allocate once and reuse:\n  cudaMalloc(&buffer, largest);               // before the "
    "loop\n  for (...) kernel<<<blocks, threads>>>(buffer);\n  cudaFree(buffer);                           "
    "// after it; or cudaMallocAsync, which keeps a pool",
    "advice.allocation"};
constexpr AdviceText dataRegion{
    "OpenACC: one data region (or enter data) around the loop, present in it. OpenMP: target data or "
    "target enter data around the loop.",
    "advice.data_region"};
constexpr AdviceText overlapCuda{
    "In CUDA C++, two streams that take turns, with pinned host memory:\n  cudaStream_t s = streams[i % "
    "2];\n  cudaMemcpyAsync(device[i % 2], host + i * n, bytes, cudaMemcpyHostToDevice, s);\n"
    "  kernel<<<blocks, threads, 0, s>>>(device[i % 2], n);",
    "advice.overlap"};

constexpr AdviceText streamsCuda{
    "In CUDA C++, a stream for each chunk, none of them the default one:\n  "
    "cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking);   // or compile with --default-stream "
    "per-thread\n  cudaMemcpyAsync(device + i * n, host + i * n, bytes, cudaMemcpyHostToDevice, "
    "streams[i]);\n"
    "  kernel<<<blocks, threads, 0, streams[i]>>>(device + i * n, n);",
    "advice.streams"};

constexpr std::array<Advice, 48> adviceList{{
    {"pageable_copies.loading",
        "PyTorch: create the weights on the device (with torch.device(\"cuda\"):), or load them there (safetensors.torch.load_file(path, device=\"cuda\")).",
        "", pinnedCuda, pinnedDirectives},
    {"streams_serialized",
        "PyTorch: torch.cuda.Stream for copies and for branches that do not depend on each other.",
        "Numba: stream = cuda.stream() for each chunk, passed to the copies and the kernel. CuPy: "
        "cupy.cuda.Stream(non_blocking=True).",
        streamsCuda, "OpenACC: async(1), async(2) and wait. OpenMP: nowait with depend."},
    {"unified_memory_faults", "", "",
        "In CUDA C++:\n  cudaMemPrefetchAsync(p, bytes, device, stream);           // before the kernel\n"
        "  kernel<<<blocks, threads, 0, stream>>>(p, n);\n"
        "  cudaMemPrefetchAsync(p, bytes, cudaCpuDeviceId, stream);  // before the host reads",
        ""},
    {"unified_memory_faults.evictions", "", "",
        "In CUDA C++:\n"
        "  cudaMemAdvise(rare, bytes, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);  // stays on the host\n"
        "  cudaMemAdvise(rare, bytes, cudaMemAdviseSetAccessedBy, device);  // kernels read it over the link\n"
        "  cudaMemPrefetchAsync(tile, tileBytes, device, stream);           // the next tile only",
        ""},
    {"code_loaded_in_loop",
        "PyTorch: where the kernels named are cuDNN's attention for each length: "
        "torch.backends.cuda.enable_cudnn_sdp(False), or a static key-value cache "
        "(cache_implementation=\"static\").",
        "", "", ""},
    {"pageable_copies", pinnedTorch, pinnedArrays, pinnedCuda, pinnedDirectives},
    {"cuda_memcpy_async", pinnedTorch, pinnedArrays, pinnedCuda, pinnedDirectives},
    {"cuda_memcpy_sync", pinnedTorch, pinnedArrays, overlapCuda, dataRegion},
    {"copies_not_overlapped", "PyTorch: pin_memory=True, non_blocking=True and a prefetching loader.", "",
        overlapCuda, "OpenACC: async queues, one for copies. OpenMP: nowait with depend."},
    {"tiny_copies", "", "",
        "In CUDA C++, put what belongs together in one struct or pass it by value:\n  struct Parameters { "
        "float a, b; int n; };\n  kernel<<<blocks, threads>>>(Parameters{a, b, n});   // no copy at all",
        dataRegion},
    {"copy_round_trips", "", "",
        "In CUDA C++, leave the data where it is between the kernels:\n  first<<<blocks, threads>>>(data);"
        "\n  second<<<blocks, threads>>>(data);   // same pointer, no copies between",
        dataRegion},
    {"repeated_uploads", "PyTorch: create the tensor on the device once and reuse it.",
        "Create the device array once (cuda.to_device, cupy.asarray) and reuse it.",
        "In CUDA C++, move cudaMemcpy(d_points, points, bytes, cudaMemcpyHostToDevice) above the for.",
        "OpenACC: #pragma acc data copyin(points[0:n]) around the loop. OpenMP: #pragma omp target data "
        "map(to: points[0:n])."},
    {"gil", "PyTorch: DataLoader(num_workers=...) loads in separate processes.", "", "", ""},
    {"allocation_in_loop",
        "PyTorch: do not call torch.cuda.empty_cache() in the loop, keep shapes constant, set "
        "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True.",
        "CuPy: its memory pool reuses memory, unless the loop frees it (free_all_blocks).", allocationCuda,
        dataRegion},
    {"memory_growth",
        "PyTorch: sums of losses that keep the graph (use .item() every hundredth step, or .detach()), lists "
        "of tensors.",
        "", "", ""},
    {"one_time_costs.compiling",
        "PyTorch: torch.compile and Triton cache compiled code in TORCHINDUCTOR_CACHE_DIR and TRITON_CACHE_DIR.",
        "Numba: @cuda.jit(cache=True) caches compiled kernels. Or call each kernel once before timing.",
        "NVRTC: cache the compiled code (nvrtcGetCUBIN), or compile for this GPU beforehand: nvcc -arch=native.",
        ""},
    {"too_small", "PyTorch: torch.compile fuses elementwise operators into one kernel.",
        "CuPy: cupy.fuse fuses elementwise operations. Numba: write them as one kernel.", "", ""},
    {"launch_bound", graphTorch, graphArrays, graphCuda, graphDirectives},
    {"kernel_storm", graphTorch, graphArrays, graphCuda, graphDirectives},
    {"short_kernels", graphTorch, graphArrays, graphCuda, graphDirectives},
    {"sync_per_iteration.value",
        "PyTorch: .item(), .cpu(), float(tensor), print(tensor) and if tensor: all wait. Read losses every "
        "hundredth step, or copy with non_blocking=True and look a step later. In generation loops decide "
        "on the device, or check for the end every few tokens.",
        "CuPy: float(array), array.get(). Numba: copy_to_host.", valueCuda, waitDirectives},
    {"sync_per_iteration.device", "PyTorch: torch.cuda.synchronize.",
        "CuPy: Device().synchronize(). Numba: cuda.synchronize().", waitCuda, waitDirectives},
    {"sync_per_iteration.stream", "", "", waitCuda, waitDirectives},
    {"sync_per_iteration.event", "PyTorch: stream.wait_event(event) instead of event.synchronize().",
        "CuPy: stream.wait_event(event). Numba: event.wait(stream).",
        "In CUDA C++:\n  cudaEventRecord(done, a);\n  cudaStreamWaitEvent(b, done, 0);          // stream b "
        "waits, "
        "the host does not\n  next<<<blocks, threads, 0, b>>>(...);",
        waitDirectives},
    {"tiny_copies.back", "", "", valueCuda, dataRegion},
    {"cuda_api_sync", "PyTorch: .item(), .cpu(), print(tensor) and torch.cuda.synchronize() in a loop wait.",
        "", waitCuda, waitDirectives},
    {"gpu_idle_cause.data",
        "PyTorch: DataLoader(num_workers=..., prefetch_factor=..., persistent_workers=True, "
        "pin_memory=True), a prefetching stream, DALI.",
        "", "", ""},
    {"gpu_idle_cause.allocation",
        "PyTorch: its caching allocator reuses memory, unless the loop calls torch.cuda.empty_cache().", "",
        allocationCuda, dataRegion},
    {"gpu_idle_cause.copy", "", "", overlapCuda, ""},
    {"gpu_idle_cause.wait", "PyTorch: .item(), .cpu() and torch.cuda.synchronize() wait.", "", waitCuda,
        waitDirectives},
    {"gpu_idle_cause.start", "PyTorch: torch.cuda.profiler.start and stop around the steady steps.",
        "CuPy: cupyx.profiler.profile().",
        "In CUDA C++: cudaProfilerStart() before the steady steps, cudaProfilerStop() after them.", ""},
    {"data_starvation",
        "PyTorch: DataLoader(num_workers=as many as the numbers above ask for, prefetch_factor=2 or more, persistent_workers=True, "
        "pin_memory=True) with tensor.to(device, non_blocking=True). Transforms on the GPU: NVIDIA DALI, "
        "torchvision v2 on CUDA tensors.",
        "", "", ""},
    {"no_tensor_cores",
        "PyTorch: torch.autocast(\"cuda\", dtype=torch.bfloat16), or TF32 for FP32 data: "
        "torch.set_float32_matmul_precision(\"high\"), torch.backends.cuda.matmul.allow_tf32 = True, "
        "torch.backends.cudnn.allow_tf32 = True.",
        "CuPy: CUPY_TF32=1 in the environment.",
        "With cuBLAS:\n  cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH);   // or compute type CUBLAS_COMPUTE_32F_FAST_TF32\nWith cuDNN: CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION. In your own kernels: nvcuda::wmma or CUTLASS.",
        ""},
    {"no_tensor_cores.attention",
        "PyTorch: torch.autocast(\"cuda\", dtype=torch.bfloat16), or q, k and v in BF16 or FP16, for "
        "scaled_dot_product_attention.",
        "", "", ""},
    {"separate_attention",
        "PyTorch: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True).",
        "JAX: jax.nn.dot_product_attention.", "", ""},
    {"layout_conversions",
        "PyTorch: model.to(memory_format=torch.channels_last), and the same for the input.", "",
        "With cuDNN: CUDNN_TENSOR_NHWC for all tensors.", ""},
    {"elementwise_chains",
        "PyTorch: torch.compile, or torch.jit.script for a function; optimizers with fused=True; "
        "torch.nn.functional has fused forms (addcmul, silu, rms_norm).",
        "CuPy: @cupy.fuse, ElementwiseKernel. Numba: one @cuda.jit kernel, or @vectorize for the whole "
        "expression.",
        "", "OpenACC and OpenMP: join neighboring loops in one region."},
    {"memory_fills",
        "PyTorch: torch.empty instead of torch.zeros, optimizer.zero_grad(set_to_none=True), out= for results "
        "that overwrite all of a tensor.",
        "CuPy: cupy.empty instead of cupy.zeros.", "", ""},
    {"staged_uploads",
        "PyTorch: DataLoader(pin_memory=True, num_workers=...) pins ahead in a separate thread. For your own tensors, keep one buffer: pinned = torch.empty(size, pin_memory=True) before the loop, and pinned.copy_(batch) a step ahead.",
        "CuPy: cupyx.empty_pinned once, before the loop.", pinnedCuda, ""},
    {"allocation_in_loop.pinned",
        "PyTorch: keep one pinned buffer instead of tensor.pin_memory() in each step.",
        "CuPy: cupyx.empty_pinned once, before the loop.", pinnedCuda, ""},
    {"no_tensor_cores.host",
        "PyTorch: torch.set_float32_matmul_precision(\"high\") and torch.backends.cudnn.allow_tf32 = True first. torch.autocast adds casts, each of which is a launch. Use torch.compile with it, or keep the weights in BF16.",
        "CuPy: CUPY_TF32=1 in the environment.",
        "With cuBLAS:\n  cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH);   // or compute type "
        "CUBLAS_COMPUTE_32F_FAST_TF32\nWith cuDNN: CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION.",
        ""},
    {"no_tensor_cores.half", "PyTorch: torch.autocast(\"cuda\", dtype=torch.bfloat16).", "",
        "With cuBLAS: cublasGemmEx with CUDA_R_16BF or CUDA_R_16F operands and CUBLAS_COMPUTE_32F. In your own kernels: nvcuda::wmma or CUTLASS.",
        ""},
    {"no_tensor_cores.fp16",
        "PyTorch: torch.autocast(\"cuda\", dtype=torch.float16) with torch.amp.GradScaler.", "",
        "With cuBLAS: cublasGemmEx with CUDA_R_16F operands and CUBLAS_COMPUTE_32F. In your own kernels: nvcuda::wmma or CUTLASS.",
        ""},
    {"tiny_grid", "", "",
        "In CUDA C++, many blocks of 256 threads, one thread for each element:\n  int threads = 256, blocks "
        "= (n + threads - 1) / threads;\n  kernel<<<blocks, threads>>>(n, x, y);\n  // in the kernel: int i "
        "= blockIdx.x * blockDim.x + threadIdx.x; if (i < n) ...",
        "OpenACC: parallel loop gang vector, collapse(2) for nested loops. OpenMP: target teams distribute "
        "parallel for collapse(2)."},
    {"nccl_exposed", exposedTorch, "", "", ""},
    {"collective_wait",
        "PyTorch: bucket samples by length, DistributedSampler with equal shards; checkpoints and "
        "evaluation on one rank only hold all others.",
        "", "", ""},
    {"nvtx_outlier_steps", "Python: gc.freeze() before the loop, gc.disable() in it.",
        "Python: gc.freeze() before the loop, gc.disable() in it.", "", ""},
    {"phase_holds_sync",
        "PyTorch: gradient clipping and scalers that read a norm (error_if_nonfinite, .item()), optimizers "
        "with foreach=False, and prints wait.",
        "", "", ""},
}};

/// The text of `advice` for PyTorch, by how the program uses it.
Message torchWords(const Advice& advice, const ProgramKind& program)
{
    if (advice.torch.key == graphTorch.key && program.shards)
        return {"advice.graph_sharded",
            "PyTorch: under FSDP, wrap fewer and larger units; torch.compile; optimizers with fused=True where they "
            "have it not."};
    if (advice.torch.key == graphTorch.key && program.generates)
        return {"advice.graph_generating",
            "PyTorch: torch.compile (mode=\"reduce-overhead\" makes graphs) with a key-value cache of fixed size, "
            "torch.cuda.graph."};
    if (advice.torch.key == exposedTorch.key && program.shards && !program.reduces)
        return {"advice.exposed_sharded",
            "PyTorch: FSDP gathers ahead with forward_prefetch=True and BackwardPrefetch.BACKWARD_PRE (fully_shard: "
            "set_modules_to_forward_prefetch); MixedPrecision with BF16 parameters sends half, "
            "reshard_after_forward=False gathers once."};
    return advice.torch.of(advice.topic, "torch");
}

} // namespace

Message adviceFor(std::string_view topic, const ProgramKind& program)
{
    const auto found = std::ranges::find(adviceList, topic, &Advice::topic);
    Message text = languageAdviceFor(topic, program);
    if (found == adviceList.end())
        return text;
    if (program.python && program.torch)
        text += torchWords(*found, program);
    if (program.python && program.arrays)
        text += found->arrays.of(topic, "arrays");
    if (program.openAcc || program.openMp)
        text += found->directives.of(topic, "directives");
    if (program.isPlainCuda())
        text += found->cuda.of(topic, "cuda");
    return text;
}

std::vector<Message> allAdvice()
{
    std::vector<Message> all = allLanguageAdvice();
    for (const Advice& advice : adviceList) {
        for (const Message& each :
            {advice.torch.of(advice.topic, "torch"), advice.arrays.of(advice.topic, "arrays"),
                advice.cuda.of(advice.topic, "cuda"), advice.directives.of(advice.topic, "directives")}) {
            if (!each.empty())
                all.push_back(each);
        }
    }
    return all;
}

} // namespace warpline
