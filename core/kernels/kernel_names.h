#pragma once

#include <cstdint>
#include <string_view>

namespace warpline {

/// How a kernel exchanges data with other GPUs.
enum class Communication : std::uint8_t {
    None, ///< it computes
    Collective, ///< all ranks take part: all-reduce, all-gather, all-to-all ...
    PointToPoint, ///< one GPU sends, another receives: the stages of a pipeline
};

/// The communication of a kernel by its name.
struct KernelCommunication {
    Communication kind = Communication::None;
    std::string_view operation; ///< "all-reduce", "send and receive"; empty: it computes
};

/// The only function that knows names of communication kernels: NCCL, the custom all-reduces of vLLM, SGLang,
/// TensorRT-LLM and FlashInfer, PyTorch's symmetric memory, DeepEP and similar, NVSHMEM, userbuffers of
/// Transformer Engine. `kernelName` is the demangled name. O(length).
KernelCommunication communicationOf(std::string_view kernelName);

/// The collective that a range of NCCL's or PyTorch's is about: "ncclAllToAll", "nccl:all_to_all",
/// "c10d::alltoall_base_". None for sends, receives and groups. O(length).
KernelCommunication collectiveOfRange(std::string_view name);

/// True for kernels that communicate: they wait for other GPUs, and occupy a few multiprocessors on purpose.
bool isCommunication(std::string_view kernelName);

/// The element type of an NCCL kernel: "f32" in "ncclDevKernel_AllReduce_Sum_f32_RING_LL". "bytes" for
/// operations without arithmetic, whose names have no type: all-gather, broadcast, send and receive,
/// all-to-all. Empty: unknown. O(length).
std::string_view elementOfCollective(std::string_view kernelName);

/// True for kernels that do nothing but set memory to a value: PyTorch's fill_ and zero_, thrust::fill.
/// O(length).
bool isFill(std::string_view kernel);

// Kernels whose grid is chosen by a library: advice on blocks and occupancy does not apply.

/// True for kernels of dense solvers (cuSOLVER): gesvdbj_batch_32x16, getrf_pivot, kernel_trsm_l_mul32 ...
bool isSolverKernel(std::string_view name);

/// True for matrix products of cuBLAS, cuBLASLt, cuDNN and rocBLAS: nvjet_sm90_..., ampere_sgemm_...,
/// sm80_xmma_gemm_..., cutlass_80_tensorop_..., Cijk_...; and for those of solvers.
bool isLibraryKernel(std::string_view name);

} // namespace warpline
