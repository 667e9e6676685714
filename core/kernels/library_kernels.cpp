#include "core/kernels/library_kernels.h"

#include <algorithm>
#include <array>

namespace warpline {

bool isSolverKernel(std::string_view name)
{
    constexpr std::array<std::string_view, 11> routines{"gesv", "getrf", "getrs", "potrf", "geqrf", "syevj",
        "sytrd", "kernel_trsm", "cusolver", "svd_column_rotate", "svd_row_rotate"};
    return std::ranges::any_of(routines,
               [&](std::string_view routine) { return name.find(routine) != std::string_view::npos; })
        || name.starts_with("ipiv_lower") || name.starts_with("trsm_left_kernel");
}

bool isLibraryKernel(std::string_view name)
{
    constexpr std::array<std::string_view, 16> beginnings{"nvjet_", "ampere_", "volta_", "turing_",
        "maxwell_", "pascal_", "hopper_", "cutlass_", "gemv2", "gemmk1_", "Cijk_", "Custom_Cijk_", "igemm_",
        "MIOpen", "miopenSp3AsmConv", "rocblas_"};
    const bool xmma = name.starts_with("sm") && name.find("_xmma_") != std::string_view::npos;
    return xmma || isSolverKernel(name) || std::ranges::any_of(beginnings, [&](std::string_view beginning) {
        return name.starts_with(beginning);
    });
}

} // namespace warpline
