#include "core/store/event_kind.h"

namespace warpline {

namespace {

struct KindWords {
    std::string_view key;
    std::string_view title;
};

constexpr std::array<KindWords, eventKindCount> words{{
    {"kernel", "Kernel"},
    {"memcpy", "Memcpy"},
    {"memset", "Memset"},
    {"synchronization", "Synchronization"},
    {"graph", "CUDA graph"},
    {"cuda_event", "CUDA event record"},
    {"host_function", "Host function"},
    {"decompression", "Memory decompression"},
    {"cuda_api", "CUDA API call"},
    {"nvtx", "NVTX"},
    {"osrt", "OS runtime call"},
    {"library", "Library call"},
    {"thread_states", "Thread state"},
    {"cpu_samples", "CPU sample"},
    {"overhead", "Profiler overhead"},
    {"graph_events", "CUDA graph creation"},
    {"gpu_memory", "GPU memory operation"},
    {"gpu_memory_pools", "GPU memory pool operation"},
    {"page_faults", "Unified memory page fault"},
    {"file_access", "File access"},
    {"diagnostics", "Diagnostic"},
    {"nvtx_projected", "NVTX on the GPU"},
    {"cpu_core", "CPU core"},
}};

} // namespace

std::string_view keyOf(EventKind kind)
{
    return words[indexOf(kind)].key;
}

std::string_view kindKeyOf(EventKind kind, bool recordedOnGpu)
{
    return recordedOnGpu ? "gpu_annotation" : keyOf(kind);
}

std::string_view titleOf(EventKind kind)
{
    return words[indexOf(kind)].title;
}

} // namespace warpline
