// Labels of graphics APIs by name. On the CPU a label lasts from the end of the call that begins it to the
// start of the call that ends it; both have one number. Those on the GPU are rows with a text of *_WORKLOAD,
// and of KHR_DEBUG_EVENTS those of class 63.

#include "core/stats/library_groups.h"

#include <string_view>

namespace warpline {

namespace {

constexpr LibrarySource dx11Pix{"D3D11_PIX_DEBUG_API", "PIX"};
constexpr LibrarySource dx12Pix{"D3D12_PIX_DEBUG_API", "PIX"};
constexpr LibrarySource dx12Gpu{"DX12_WORKLOAD", "PIX", "Direct3D 12 GPU labels"};
constexpr LibrarySource khrGpu{"KHR_DEBUG_EVENTS", "KHR debug", "KHR debug GPU ranges"};
constexpr LibrarySource vulkan{"VULKAN_DEBUG_API", "Vulkan"};
constexpr LibrarySource vulkanGpu{"VULKAN_WORKLOAD", "Vulkan", "Vulkan GPU labels"};

template <const LibrarySource& source, bool withEmpty>
constexpr StatsTable labelTable(std::string_view id, std::string_view title, std::string_view description,
    TableOrigin origin = TableOrigin::Documented)
{
    return {.id = id,
        .title = title,
        .description = description,
        .arguments = {},
        .applies =
            [](const Trace& trace) {
                return hasLibraryEvents(trace, {&source, 1});
            },
        .fill =
            [](const Trace& trace, const StatsQuery& query) {
                return labelSummary(trace, query, {&source, 1}, withEmpty);
            },
        .origin = origin,
        .group = TableGroup::Other};
}

} // namespace

extern constinit const StatsTable dx11PixSum = labelTable<dx11Pix, false>("dx11_pix_sum",
    "DX11 PIX Range Summary", "Which ranges of PIX take longest in Direct3D 11? Ranges on the CPU by name.");
extern constinit const StatsTable dx12PixSum = labelTable<dx12Pix, false>("dx12_pix_sum",
    "DX12 PIX Range Summary", "Which ranges of PIX take longest in Direct3D 12? Ranges on the CPU by name.");
extern constinit const StatsTable dx12GpuMarkerSum
    = labelTable<dx12Gpu, true>("dx12_gpu_marker_sum", "DX12 GPU Command List PIX Ranges Summary",
        "Which ranges of PIX take longest on the GPU in Direct3D 12? Ranges on the GPU by name.");
extern constinit const StatsTable openglKhrGpuRangeSum
    = labelTable<khrGpu, true>("opengl_khr_gpu_range_sum", "OpenGL KHR_debug GPU Range Summary",
        "Which ranges of OpenGL take longest on the GPU? Ranges of KHR_debug on the GPU by name.");
extern constinit const StatsTable vulkanGpuMarkerSum
    = labelTable<vulkanGpu, true>("vulkan_gpu_marker_sum", "Vulkan GPU Range Summary",
        "Which debug labels of Vulkan take longest on the GPU? Ranges on the GPU by name.");
extern constinit const StatsTable vulkanMarkerSum
    = labelTable<vulkan, false>("vulkan_marker_sum", "Vulkan Range Summary",
        "Which debug labels of Vulkan take longest on the CPU? Debug labels by name.", TableOrigin::Compared);

} // namespace warpline
