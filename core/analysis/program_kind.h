#pragma once

#include "core/store/recorder.h"

#include <stop_token>
#include <string_view>

namespace warpline {

class Trace;

/// The program's languages and frameworks, from the names of GPU processes, kernels, NVTX ranges and domains,
/// and threads.
struct ProgramKind {
    bool python = false; ///< an interpreter drives the GPU
    bool torch = false; ///< PyTorch; from C++ too
    bool arrays = false; ///< Numba or CuPy
    bool openAcc = false;
    bool openMp = false; ///< target regions on the GPU
    bool kokkos = false;
    bool raja = false;
    bool stdPar = false; ///< parallel algorithms of ISO C++ (nvc++ -stdpar)
    bool julia = false;
    bool fortran = false;
    Recorder recorder = Recorder::NsightSystems; ///< of the report: decides which recording options advice
                                                 ///< may suggest
    bool generates = false; ///< ranges named after prefill or decode: tokens of a language model
    bool reduces = false; ///< GPUs sum over all ranks (all-reduce), as data-parallel training does
    bool shards = false; ///< ranks gather shards (all-gather and reduce-scatter), as FSDP does
    bool loader = false; ///< ranges or threads that load input data are in sight

    /// Kernels and calls of the program's own, in CUDA C++: the case when nothing else is recognized.
    bool isPlainCuda() const
    {
        return !python && !torch && !openAcc && !openMp && !kokkos && !raja && !stdPar && !julia && !fortran;
    }
};

/// True for kernels of the runtime that OpenACC and OpenMP of nvc share: they attach pointers and fill
/// memory, and are none of the program's own.
bool isOfDirectivesRuntime(std::string_view kernel);

/// O(n) in the names of the report.
/// Throws Stopped when `stop` is requested.
ProgramKind programKindOf(const Trace& trace, const std::stop_token& stop = {});

} // namespace warpline
