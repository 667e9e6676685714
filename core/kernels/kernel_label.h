#pragma once

#include <string_view>

namespace warpline {

/// A short label for a kernel. A template kernel that runs a functor (elementwise_kernel, Kernel2,
/// _kernel_agent, par_ranged2d_kernel ...) is labelled with the functor, or with the function that contains
/// its lambda: "CUDAFunctor_add", "PdV_kernel", "cutlass_80_simt_sgemm_128x64...". Others with `shortName`.
/// The result is a view into one of the arguments. O(length).
std::string_view kernelLabel(std::string_view demangled, std::string_view shortName);

} // namespace warpline
