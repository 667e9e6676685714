#include "core/kernels/kernel_names.h"

#include "core/base/words.h"

#include <array>

namespace warpline {

namespace {

struct Pattern {
    std::string_view part; ///< of the name, in lower case
    KernelCommunication meaning;
};

constexpr KernelCommunication collective(std::string_view operation)
{
    return {Communication::Collective, operation};
}

/// What NCCL's kernels say behind "ncclDevKernel_".
constexpr std::array<Pattern, 9> ncclOperations{{{"allreduce", collective("all-reduce")},
    {"all_reduce", collective("all-reduce")}, {"allgather", collective("all-gather")},
    {"reducescatter", collective("reduce-scatter")}, {"broadcast", collective("broadcast")},
    {"sendrecv", {Communication::PointToPoint, "send and receive"}}, {"alltoall", collective("all-to-all")},
    {"gather", collective("gather")}, {"reduce", collective("reduce")}}};

/// Others' kernels. The first that fits wins: "allreduce_fusion" also holds a norm.
constexpr std::array<Pattern, 23> others{{// vLLM, SGLang: custom all-reduce over NVLink.
    {"cross_device_reduce_", collective("all-reduce")},
    // TensorRT-LLM, FlashInfer: all-reduce fused with the norm behind it.
    {"allreduce_fusion", collective("all-reduce")}, {"mnnvl_allreduce", collective("all-reduce")},
    {"oneshotallreduce", collective("all-reduce")}, {"twoshotallreduce", collective("all-reduce")},
    {"lamport", collective("all-reduce")}, {"moealltoall", collective("all-to-all")},
    // PyTorch's symmetric memory.
    {"one_shot_all_reduce", collective("all-reduce")}, {"two_shot_all_reduce", collective("all-reduce")},
    {"multimem_all_reduce", collective("all-reduce")}, {"multimem_one_shot", collective("all-reduce")},
    {"multimem_all_gather", collective("all-gather")}, {"symmetric_memory::", collective("barrier")},
    // DeepEP and its kin: experts on other GPUs.
    {"notify_dispatch", collective("all-to-all")}, {"cached_notify", collective("all-to-all")},
    {"get_dispatch_layout", collective("all-to-all")}, {"deep_ep::", collective("all-to-all")},
    {"nccl_ep::", collective("all-to-all")}, {"uccl::", collective("all-to-all")},
    {"nvshmem", collective("NVSHMEM")}, {"mscclpp", collective("MSCCL++")},
    // Transformer Engine: tensor parallelism beside the product.
    {"userbuffers_", collective("userbuffers")}, {"c10d::barrier", collective("barrier")}}};

template <std::size_t count>
const Pattern* firstIn(std::string_view name, const std::array<Pattern, count>& patterns)
{
    for (const Pattern& pattern : patterns) {
        if (containsWord(name, pattern.part))
            return &pattern;
    }
    return nullptr;
}

} // namespace

KernelCommunication communicationOf(std::string_view name)
{
    if (const Pattern* const found = firstIn(name, others))
        return found->meaning;
    if (!name.starts_with("nccl") && !containsWord(name, "nccldevkernel")
        && !containsWord(name, "ncclkernel"))
        return {};
    const Pattern* const found = firstIn(name, ncclOperations);
    return found ? found->meaning : collective("NCCL");
}

bool isCommunication(std::string_view name)
{
    return communicationOf(name).kind != Communication::None;
}

} // namespace warpline
