// Finds the label of a template kernel: the first name among its template arguments that is neither a type
// nor one of the wrappers with which libraries pass functors.

#include "core/kernels/kernel_label.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace warpline {

namespace {

/// Kernels that run a functor.
constexpr std::array<std::string_view, 24> runners{"vectorized_elementwise_kernel",
    "unrolled_elementwise_kernel", "elementwise_kernel", "elementwise_kernel_with_index",
    "legacy_elementwise_kernel", "index_elementwise_kernel", "_scatter_gather_elementwise_kernel",
    "distribution_elementwise_grid_stride_kernel", "vectorized_templated_elementwise_kernel", "reduce_kernel",
    "multi_tensor_apply_kernel", "Kernel", "Kernel2", "device_kernel", "_kernel_agent", "static_kernel",
    "transform_kernel", "cuda_parallel_launch_local_memory", "cuda_parallel_launch_constant_memory",
    "cuda_parallel_launch_global_memory", "forall_cuda_kernel", "forallp_cuda_kernel", "launch_global",
    "launch_global_fcn"};

/// Generic words, whose brackets may contain a label.
constexpr std::array<std::string_view, 52> wrappers{"void", "int", "long", "short", "char", "bool", "float",
    "double", "unsigned", "signed", "const", "volatile", "half", "Half", "BFloat16", "__half",
    "__nv_bfloat16", "complex", "true", "false", "gpu_kernel_impl_nocast", "gpu_kernel_impl",
    "gpu_index_kernel", "normal_and_transform", "uniform_and_transform", "TensorListMetadata",
    "TensorListScalarListMetadata", "FusedOptimizerTensorListMetadata", "BinaryFunctor", "UnaryFunctor",
    "AUnaryFunctor", "BUnaryFunctor", "ReduceOp", "func_wrapper_t", "ParallelForAgent", "for_each_f",
    "unary_transform_f", "binary_transform_f", "wrapped_function", "ParallelFor", "ParallelReduce",
    "ParallelScan", "CombinedFunctorReducer", "enable_sm80_to_sm89", "enable_sm90", "enable_sm90_or_later",
    "CUDAGeneratorImpl", "size_t", "identity", "OpaqueType", "operator", "T1"};
/// Prefixes and suffixes of names whose brackets contain only types and addresses.
constexpr std::array<std::string_view, 4> dataStarts{
    "cuda_exec", "RangePolicy", "MDRangePolicy", "TeamPolicy"};
constexpr std::array<std::string_view, 13> dataEnds{"iterator", "_ptr", "vector", "array", "tuple", "pair",
    "allocator", "Metadata", "OpFunctor", "OpScalarFunctor", "OpListFunctor", "OpScalarListFunctor",
    "OpScalarTensorFunctor"};

bool isNameCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '~' || c == '$';
}

/// The place behind the bracket that closes the one at `open`.
std::size_t afterBracket(std::string_view text, std::size_t open)
{
    const char opening = text[open];
    const char closing = opening == '(' ? ')' : opening == '[' ? ']' : opening == '{' ? '}' : '>';
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        depth += text[i] == opening ? 1 : 0;
        depth -= text[i] == closing ? 1 : 0;
        if (depth == 0)
            return i + 1;
    }
    return text.size();
}

/// The first '<' behind the function's name; npos: it has no template arguments.
std::size_t templateOf(std::string_view name)
{
    for (std::size_t i = 0; i < name.size() && name[i] != '('; ++i) {
        if (name[i] != '<')
            continue;
        if (!name.substr(i).starts_with("<unnamed>"))
            return i;
        i += std::string_view("<unnamed>").size() - 1;
    }
    return std::string_view::npos;
}

bool isData(std::string_view word)
{
    return std::ranges::any_of(dataStarts, [&](std::string_view start) { return word.starts_with(start); })
        || std::ranges::any_of(dataEnds, [&](std::string_view end) { return word.ends_with(end); });
}

/// The first informative name in `text`, which begins after the '<' of a template.
std::string_view firstTellingName(std::string_view text)
{
    std::size_t i = 0;
    int depth = 1;
    while (i < text.size()) {
        const char c = text[i];
        if (text.substr(i).starts_with("<unnamed>")) {
            i += std::string_view("<unnamed>").size();
        } else if (c == '(' || c == '[' || c == '{') {
            i = afterBracket(text, i);
        } else if (c == '<' || c == '>') {
            depth += c == '<' ? 1 : -1;
            ++i;
            if (depth == 0)
                break;
        } else if (!isNameCharacter(c)) {
            ++i;
        } else {
            const std::size_t begin = i;
            while (i < text.size() && isNameCharacter(text[i]))
                ++i;
            const std::string_view word = text.substr(begin, i - begin);
            const std::string_view rest = text.substr(i);
            const bool digits = std::isdigit(static_cast<unsigned char>(word.front())) != 0;
            // "main::[lambda" and "Solver::operator()" are about main and Solver, other scopes are names.
            const bool scope = rest.starts_with("::") && !rest.starts_with("::[lambda")
                && !rest.starts_with("::{lambda") && !rest.starts_with("::operator");
            if (isData(word) && rest.starts_with("<"))
                i = afterBracket(text, i);
            else if (!scope && !digits && !isData(word)
                && std::ranges::find(wrappers, word) == wrappers.end())
                return word;
        }
    }
    return {};
}

} // namespace

std::string_view kernelLabel(std::string_view demangled, std::string_view shortName)
{
    // Numba's names end in a signature of a hundred letters: "divide_by[abi:v3,cw51cXTL...]".
    shortName = shortName.substr(0, shortName.find("[abi:"));
    const std::string_view plain = shortName.empty() ? demangled : shortName;
    const std::size_t open = templateOf(demangled);
    if (open == std::string_view::npos)
        return plain;
    const bool runsAnything = std::ranges::find(runners, shortName) != runners.end()
        || demangled.find("[lambda(", open) != std::string_view::npos
        || demangled.find("{lambda(", open) != std::string_view::npos;
    if (!runsAnything)
        return plain;
    const std::string_view found = firstTellingName(demangled.substr(open + 1));
    return found.empty() ? plain : found;
}

} // namespace warpline
