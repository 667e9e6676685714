#pragma once

#include <string_view>

namespace warpline {

/// The name of a kernel to show in little room. A kernel made from a template that runs anybody's code
/// (elementwise_kernel, Kernel2, _kernel_agent, par_ranged2d_kernel ...) goes by the functor it runs, or by
/// the function that holds its lambda: "CUDAFunctor_add", "PdV_kernel", "cutlass_80_simt_sgemm_128x64...".
/// Others go by `shortName`. The answer is a part of one of the arguments. O(length).
std::string_view kernelLabel(std::string_view demangled, std::string_view shortName);

} // namespace warpline
