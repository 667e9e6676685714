#include "core/render/hip_words.h"

#include <array>
#include <string_view>

namespace warpline {

namespace {

/// HIP's names that differ from CUDA's in more than the prefix.
constexpr std::array<WordOfHip, 31> otherWords{{{"cudaMallocHost", "hipHostMalloc"},
    {"cudaHostAlloc", "hipHostMalloc"}, {"cudaFreeHost", "hipHostFree"},
    {"CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"},
    {"CUDA_MODULE_LOADING=EAGER", "HIP_ENABLE_DEFERRED_LOADING=0"},
    {"nvcc -arch=native", "hipcc --offload-arch=native"}, {"CUDA C++", "HIP C++"}, {"CUDA call", "HIP call"},
    {"CUDA API", "HIP API"}, {"CUDA Graph", "HIP graph"}, {"CUDA graph", "HIP graph"},
    {"CUDA-aware MPI", "GPU-aware MPI"}, {"above CUDA", "above HIP"}, {"tensor cores", "matrix cores"},
    {"Nsight Compute measures", "rocprof-compute measures"}, {"ncu tells", "rocprof-compute tells"},
    {"(ncu --set full)", "(rocprof-compute profile)"}, {"Nsight Compute", "rocprof-compute"},
    {"nsys profile --capture-range=cudaProfilerApi --capture-range-end=stop", "rocprofv3 --selected-regions"},
    {"nsys profile --capture-range=cudaProfilerApi", "rocprofv3 --selected-regions"},
    {"nsys profile --sample=process-tree", "perf record -g"}, {"nsys profile --trace=osrt", "strace -f"},
    {"NVLink", "xGMI"}, {"cuRAND", "rocRAND"}, {"CUB, Thrust", "hipCUB, rocThrust"},
    {"Tensor cores", "Matrix cores"}, {"multiprocessor", "compute unit"}, {"Multiprocessor", "Compute unit"},
    {"warps", "wavefronts"}, {": nsys always does, other profilers sometimes do", ""},
    {"nvidia-smi", "amd-smi"}}};

void replaceWords(std::string& text, std::span<const WordOfHip> words)
{
    for (const auto& [cuda, hip] : words) {
        for (std::size_t at = 0; (at = text.find(cuda, at)) != std::string::npos; at += hip.size())
            text.replace(at, cuda.size(), hip);
    }
}

} // namespace

std::string inWordsOfHip(std::string advice, std::span<const WordOfHip> first)
{
    replaceWords(advice, first);
    replaceWords(advice, otherWords);
    constexpr std::string_view function = "cuda"; // and a capital letter: torch.cuda is PyTorch's own
    for (std::size_t at = 0; (at = advice.find(function, at)) != std::string::npos;) {
        const std::size_t next = at + function.size();
        const bool isFunction = next < advice.size() && advice[next] >= 'A' && advice[next] <= 'Z';
        if (isFunction)
            advice.replace(at, function.size(), "hip");
        else
            at = next;
    }
    return advice;
}

std::string tableWordsOfHip(std::string_view text)
{
    static constexpr std::array names{WordOfHip{"CUDA", "HIP"}};
    std::string words(text);
    replaceWords(words, names);
    return words;
}

} // namespace warpline
