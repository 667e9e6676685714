#pragma once

#include "core/base/time.h"
#include "core/operators/own_models.h"
#include "core/operators/work_model.h"
#include "core/store/event_kind.h"

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

class Trace;

/// The common data of calls of one operator with the same shapes and types.
struct OperatorShape {
    std::string operatorName; ///< "aten::mm"; of kernels outside of all operators their short name
    bool isKernel = false; ///< such kernels: their shapes are unknown
    std::string shapes; ///< JSON: "[[8192,2048],[2048,1024],[]]"; empty: not recorded
    std::vector<std::string> types; ///< "c10::BFloat16", as recorded, one an argument; empty: not recorded
    /// Id of a kernel class: the model's, else that of the longest kernel.
    std::string kernelClass;
    Work work; ///< of one call; FLOPs and bytes are not known where no model knows the operator
    /// The arithmetic for the roofline: by the types, or by kernels' names where these are more specific
    /// (TF32). Unknown where neither shows it.
    MathType arithmetic = MathType::Unknown;
    MathUnit unit = MathUnit::Unknown; ///< Simt for everything but products
    bool overHost = false; ///< copies between host and GPU, to which the GPU's limits do not apply
    bool typesFromKernels = false; ///< types were not recorded: bytes follow from names of kernels
};

/// A call of an operator that launched work on a GPU.
struct OperatorRun {
    /// Its range on the host. For a kernel outside of operators the kernel; for a CUDA graph replay the
    /// launch of the graph.
    EventRef event;
    std::uint32_t shape = 0; ///< row of OperatorWorks::shapes
    std::uint32_t firstWork = 0; ///< of OperatorWorks::work
    std::uint32_t workCount = 0;
    Ns gpu = 0; ///< sum of its kernels, copies and memsets
};

/// The operator and the amount of work of each piece of GPU work. A piece belongs to the innermost operator
/// around its launch; where that one has no model, to the innermost that has. Parts of a convolution,
/// attention or product belong to the outermost operator of that kind, as torch.utils.flop_counter counts
/// them. Work of a CUDA graph belongs to the operator that captured it, see GraphOrigins.
struct OperatorWorks {
    std::vector<OperatorShape> shapes;
    std::vector<OperatorRun> runs;
    std::vector<EventRef> work; ///< GPU work of runs, one after another
    std::vector<std::uint32_t> runOfKernel; ///< by index of the kernel: its run, or noIndex

    /// The call that launched `gpuWork`; nullptr: it is no kernel.
    const OperatorRun* runOf(EventRef gpuWork) const;
    const OperatorShape& shapeOf(const OperatorRun& run) const { return shapes[run.shape]; }
    std::span<const EventRef> workOf(const OperatorRun& run) const
    {
        return std::span(work).subspan(run.firstWork, run.workCount);
    }
    bool empty() const { return runs.empty(); }
};

/// Finds them: O(n log n) in ranges and calls. Throws Stopped when `stop` is requested.
OperatorWorks findOperatorWorks(const Trace& trace, const std::stop_token& stop = {});
/// The same by the models `own` before the built-in ones, and not by those of ownWorkModels().
OperatorWorks findOperatorWorks(
    const Trace& trace, const OwnWorkModels& own, const std::stop_token& stop = {});

/// The same, worked out once for as long as the trace's links are. Safe to call from several threads.
std::shared_ptr<const OperatorWorks> operatorWorksOf(const Trace& trace, const std::stop_token& stop = {});

} // namespace warpline
