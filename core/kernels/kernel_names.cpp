#include "core/kernels/kernel_names.h"

#include "core/base/ascii_case.h"
#include "core/base/words.h"
#include "core/kernels/short_name.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace warpline {

namespace {

struct Pattern {
    std::string_view part; ///< of the name, in lower case
    KernelCommunication meaning;
    std::uint64_t pairs = pairsOf(part);
};

constexpr KernelCommunication collective(std::string_view operation)
{
    return {Communication::Collective, operation};
}

/// Operations after "ncclDevKernel_" in NCCL's kernel names.
constexpr std::array<Pattern, 9> ncclOperations{{{"allreduce", collective("all-reduce")},
    {"all_reduce", collective("all-reduce")}, {"allgather", collective("all-gather")},
    {"reducescatter", collective("reduce-scatter")}, {"broadcast", collective("broadcast")},
    {"sendrecv", {Communication::PointToPoint, "send and receive"}}, {"alltoall", collective("all-to-all")},
    {"gather", collective("gather")}, {"reduce", collective("reduce")}}};

/// Others' kernels. The first that fits wins: "allreduce_fusion" also holds a norm.
constexpr std::array<Pattern, 24> others{{// vLLM, SGLang: custom all-reduce over NVLink.
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
    // vLLM on ROCm: all-reduce of quantized data.
    {"quickreduce::", collective("all-reduce")},
    // Transformer Engine: tensor parallelism that overlaps products.
    {"userbuffers_", collective("userbuffers")}, {"c10d::barrier", collective("barrier")}}};

/// Searches a name in lower case.
template <std::size_t count>
const Pattern* firstIn(std::string_view lower, const std::array<Pattern, count>& patterns)
{
    const std::uint64_t pairs = pairsOf(lower);
    for (const Pattern& pattern : patterns) {
        if ((pattern.pairs & ~pairs) == 0 && lower.find(pattern.part) != std::string_view::npos)
            return &pattern;
    }
    return nullptr;
}

} // namespace

KernelCommunication communicationOf(std::string_view name)
{
    constexpr std::size_t longest = 1U << 16U; // real names have a few thousand letters
    const std::string lower = lowered(name.substr(0, longest));
    const auto holds = [&](std::string_view part) { return lower.find(part) != std::string::npos; };
    if (const Pattern* const found = firstIn(lower, others))
        return found->meaning;
    // RCCL names its kernels like NCCL, except older ones and those of algorithms loaded from files.
    if (!holds("ccl")
        || (!name.starts_with("nccl") && !name.starts_with("rccl") && !holds("nccldevkernel")
            && !holds("ncclkernel") && !holds("rcclgenerickernel") && !holds("mscclkernel")))
        return {};
    const Pattern* const found = firstIn(lower, ncclOperations);
    return found ? found->meaning : collective("NCCL");
}

KernelCommunication collectiveOfRange(std::string_view name)
{
    if (!name.starts_with("nccl") && !name.starts_with("c10d::"))
        return {};
    std::string word = lowered(name);
    std::erase(word, '_');
    const auto* const found = std::ranges::find_if(
        ncclOperations, [&](const Pattern& each) { return word.find(each.part) != std::string::npos; });
    return found != ncclOperations.end() && found->meaning.kind == Communication::Collective
        ? found->meaning
        : KernelCommunication{};
}

std::string_view elementOfCollective(std::string_view name)
{
    static constexpr std::array<std::string_view, 12> types{
        "i8", "u8", "i32", "u32", "i64", "u64", "f16", "bf16", "f32", "f64", "f8e4m3", "f8e5m2"};
    const std::string_view own = name.substr(0, name.find('('));
    for (const std::string_view type : types) {
        for (std::size_t at = own.find(type); at != std::string_view::npos; at = own.find(type, at + 1)) {
            const std::size_t end = at + type.size();
            if (at > 0 && own[at - 1] == '_' && (end == own.size() || own[end] == '_'))
                return own.substr(at, type.size());
        }
    }
    if (!own.starts_with("ncclDevKernel") && !own.starts_with("ncclSymkDevKernel"))
        return {}; // for others, and NCCL before 2.19, a name without a type has no known meaning
    static constexpr std::array<std::string_view, 4> moved{
        "all-gather", "broadcast", "all-to-all", "send and receive"};
    const std::string_view operation = communicationOf(name).operation;
    return std::ranges::find(moved, operation) != moved.end() ? std::string_view("bytes")
                                                              : std::string_view();
}

bool isCommunication(std::string_view name)
{
    return communicationOf(name).kind != Communication::None;
}

bool isFill(std::string_view kernel)
{
    const auto holds = [&](std::string_view part) { return kernel.find(part) != std::string_view::npos; };
    return holds("at::native::FillFunctor<") || holds("uninitialized_fill") || holds("__fill::functor")
        || shortNameOf(kernel).starts_with("cupy_fill");
}

bool isSolverKernel(std::string_view name)
{
    constexpr std::array<std::string_view, 11> routines{"gesv", "getrf", "getrs", "potrf", "geqrf", "syevj",
        "sytrd", "kernel_trsm", "cusolver", "svd_column_rotate", "svd_row_rotate"};
    return containsAny(name, routines) || name.starts_with("ipiv_lower")
        || name.starts_with("trsm_left_kernel");
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
