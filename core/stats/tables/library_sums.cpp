// Calls and ranges of libraries by name, from nsys' separate tables. For graphics APIs also labels. On the
// CPU a label lasts from the end of the call that begins it to the start of the call that ends it; both have
// one number. Labels on the GPU are rows of *_WORKLOAD with a text, and those of class 63 in
// KHR_DEBUG_EVENTS.

#include "core/stats/library_groups.h"

#include <array>
#include <string_view>

namespace warpline::library_sums {

namespace {

constexpr std::array nvvideo{LibrarySource{"NVVIDEO_DECODER_API", "Decoder"},
    LibrarySource{"NVVIDEO_ENCODER_API", "Encoder"}, LibrarySource{"NVVIDEO_JPEG_API", "JPEG"}};
constexpr std::array openacc{LibrarySource{"CUPTI_ACTIVITY_KIND_OPENACC_DATA", "Data"},
    LibrarySource{"CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH", "Launch"},
    LibrarySource{"CUPTI_ACTIVITY_KIND_OPENACC_OTHER", "Other"}};
constexpr std::array openmp{LibrarySource{"OPENMP_EVENT_KIND_CANCEL", {}},
    LibrarySource{"OPENMP_EVENT_KIND_CRITICAL_SECTION", {}}, LibrarySource{"OPENMP_EVENT_KIND_DISPATCH", {}},
    LibrarySource{"OPENMP_EVENT_KIND_FLUSH", {}}, LibrarySource{"OPENMP_EVENT_KIND_LOCK_DESTROY", {}},
    LibrarySource{"OPENMP_EVENT_KIND_LOCK_INIT", {}}, LibrarySource{"OPENMP_EVENT_KIND_MASTER", {}},
    LibrarySource{"OPENMP_EVENT_KIND_MUTEX_RELEASED", {}}, LibrarySource{"OPENMP_EVENT_KIND_MUTEX_WAIT", {}},
    LibrarySource{"OPENMP_EVENT_KIND_PARALLEL", {}}, LibrarySource{"OPENMP_EVENT_KIND_REDUCTION", {}},
    LibrarySource{"OPENMP_EVENT_KIND_SYNC_REGION", {}},
    LibrarySource{"OPENMP_EVENT_KIND_SYNC_REGION_WAIT", {}}, LibrarySource{"OPENMP_EVENT_KIND_TASK", {}},
    LibrarySource{"OPENMP_EVENT_KIND_TASK_CREATE", {}}, LibrarySource{"OPENMP_EVENT_KIND_TASK_SCHEDULE", {}},
    LibrarySource{"OPENMP_EVENT_KIND_THREAD", {}}, LibrarySource{"OPENMP_EVENT_KIND_WORKSHARE", {}}};
constexpr std::array syscalls{LibrarySource{"SYSCALL", {}}};
constexpr std::array khrCpu{LibrarySource{"KHR_DEBUG_EVENTS", "KHR debug", "KHR debug"}};
constexpr std::array khrGpu{LibrarySource{"KHR_DEBUG_EVENTS", "KHR debug", "KHR debug GPU ranges"}};
constexpr std::array dx11Pix{LibrarySource{"D3D11_PIX_DEBUG_API", "PIX"}};
constexpr std::array dx12Pix{LibrarySource{"D3D12_PIX_DEBUG_API", "PIX"}};
constexpr std::array dx12Gpu{LibrarySource{"DX12_WORKLOAD", "PIX", "Direct3D 12 GPU labels"}};
constexpr std::array vulkanLabels{LibrarySource{"VULKAN_DEBUG_API", "Vulkan"}};
constexpr std::array vulkanGpu{LibrarySource{"VULKAN_WORKLOAD", "Vulkan", "Vulkan GPU labels"}};

/// The texts of a table.
struct TableWords {
    std::string_view id;
    std::string_view title;
    std::string_view description;
};

template <const auto& sources>
constexpr StatsTable libraryTable(const TableWords& words, Cells (*fill)(const Trace&, const StatsQuery&),
    TableOrigin origin = TableOrigin::Documented, TableGroup group = TableGroup::Other)
{
    return {.id = words.id,
        .title = words.title,
        .description = words.description,
        .applies = [](const Trace& trace) { return hasLibraryEvents(trace, sources); },
        .fill = fill,
        .origin = origin,
        .group = group};
}

template <const auto& sources, bool withEmpty>
constexpr StatsTable labelTable(const TableWords& words, TableOrigin origin = TableOrigin::Documented)
{
    constexpr auto fill = [](const Trace& trace, const StatsQuery& query) {
        return labelSummary(trace, query, sources, withEmpty);
    };
    return libraryTable<sources>(words, fill, origin);
}

} // namespace

extern constinit const StatsTable mpiEventSum = libraryTable<mpiSources>(
    {"mpi_event_sum", "MPI Event Summary",
        "Which MPI calls take longest? MPI calls by name. A call that waits for several requests counts once for each, as its rows in the "
        "report do."},
    [](const Trace& trace, const StatsQuery& query) {
        return librarySummary(trace, query, mpiSources, "Instances", "Name", true);
    },
    TableOrigin::Compared);
extern constinit const StatsTable nvvideoApiSum = libraryTable<nvvideo>(
    {"nvvideo_api_sum", "NvVideo API Summary",
        "Which calls of the video libraries take longest? Calls of the video decoder, encoder and JPEG libraries by name."},
    [](const Trace& trace, const StatsQuery& query) {
        return librarySummary(trace, query, nvvideo, "Num Calls", "Name", true, false, "Event Type");
    });
extern constinit const StatsTable openaccSum = libraryTable<openacc>(
    {"openacc_sum", "OpenACC Summary", "Which OpenACC constructs take longest? OpenACC constructs by name."},
    [](const Trace& trace, const StatsQuery& query) {
        return librarySummary(trace, query, openacc, "Count", "Name", false);
    });
/// Events without a length (the creation of a task) are counted too.
extern constinit const StatsTable openmpSum = libraryTable<openmp>(
    {"openmp_sum", "OpenMP Summary",
        "Which OpenMP events take longest? OpenMP events by name: regions, tasks, barriers, waits."},
    [](const Trace& trace, const StatsQuery& query) {
        return librarySummary(trace, query, openmp, "Count", "Name", false, true);
    },
    TableOrigin::Compared);
extern constinit const StatsTable syscallSum = libraryTable<syscalls>(
    {"syscall_sum", "Syscall Summary", "Which system calls take longest? System calls by name."},
    [](const Trace& trace, const StatsQuery& query) {
        return librarySummary(trace, query, syscalls, "Num Calls", "Name", false);
    },
    TableOrigin::Documented, TableGroup::OperatingSystem);
/// Markers have no length and are left out.
extern constinit const StatsTable openglKhrRangeSum = libraryTable<khrCpu>(
    {"opengl_khr_range_sum", "OpenGL KHR_debug Range Summary",
        "Which ranges of OpenGL take longest? Ranges of OpenGL KHR_debug on the CPU by name."},
    [](const Trace& trace, const StatsQuery& query) {
        return librarySummary(trace, query, khrCpu, "Instances", "Range", false);
    });
extern constinit const StatsTable dx11PixSum = labelTable<dx11Pix, false>({"dx11_pix_sum",
    "DX11 PIX Range Summary", "Which ranges of PIX take longest in Direct3D 11? Ranges on the CPU by name."});
extern constinit const StatsTable dx12PixSum = labelTable<dx12Pix, false>({"dx12_pix_sum",
    "DX12 PIX Range Summary", "Which ranges of PIX take longest in Direct3D 12? Ranges on the CPU by name."});
extern constinit const StatsTable dx12GpuMarkerSum
    = labelTable<dx12Gpu, true>({"dx12_gpu_marker_sum", "DX12 GPU Command List PIX Ranges Summary",
        "Which ranges of PIX take longest on the GPU in Direct3D 12? Ranges on the GPU by name."});
extern constinit const StatsTable openglKhrGpuRangeSum
    = labelTable<khrGpu, true>({"opengl_khr_gpu_range_sum", "OpenGL KHR_debug GPU Range Summary",
        "Which ranges of OpenGL take longest on the GPU? Ranges of KHR_debug on the GPU by name."});
extern constinit const StatsTable vulkanGpuMarkerSum
    = labelTable<vulkanGpu, true>({"vulkan_gpu_marker_sum", "Vulkan GPU Range Summary",
        "Which debug labels of Vulkan take longest on the GPU? Ranges on the GPU by name."});
extern constinit const StatsTable vulkanMarkerSum = labelTable<vulkanLabels, false>(
    {"vulkan_marker_sum", "Vulkan Range Summary",
        "Which debug labels of Vulkan take longest on the CPU? Debug labels by name."},
    TableOrigin::Compared);

} // namespace warpline::library_sums
