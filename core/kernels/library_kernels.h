#pragma once

#include <string_view>

namespace warpline {

// Kernels whose grid is chosen by a library: advice on blocks and occupancy does not apply.

/// True for kernels of dense solvers (cuSOLVER): gesvdbj_batch_32x16, getrf_pivot, kernel_trsm_l_mul32 ...
bool isSolverKernel(std::string_view name);

/// True for matrix products of cuBLAS, cuBLASLt, cuDNN and rocBLAS: nvjet_sm90_..., ampere_sgemm_...,
/// sm80_xmma_gemm_..., cutlass_80_tensorop_..., Cijk_...; and for those of solvers.
bool isLibraryKernel(std::string_view name);

} // namespace warpline
