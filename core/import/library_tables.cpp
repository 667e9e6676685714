#include "core/import/library_tables.h"

#include "core/store/mpi_tables.h"

#include <array>

namespace warpline {

namespace {

constexpr std::array tables{
    LibraryTable{"CUBLAS_EVENTS", "cuBLAS", "nameId"},
    LibraryTable{"CUDNN_EVENTS", "cuDNN", "nameId"},
    LibraryTable{mpi_table::collectives, "MPI", "textId", false, true},
    LibraryTable{mpi_table::pointToPoint, "MPI", "textId", false, true},
    LibraryTable{mpi_table::startWait, "MPI", "textId", false, false, true},
    LibraryTable{mpi_table::other, "MPI", "textId"},
    LibraryTable{"UCP_SUBMIT_EVENTS", "UCX", "textId", false, true},
    LibraryTable{"UCP_PROGRESS_EVENTS", "UCX", "textId", false, true},
    LibraryTable{"UCP_EVENTS", "UCX", "textId"},
    LibraryTable{"CUDA_HOST_CALLBACK", "CUDA host functions", "nameId"},
    LibraryTable{"CUPTI_ACTIVITY_KIND_JIT", "CUDA JIT compiler", "nameId"},
    LibraryTable{"SYSCALL", "System calls", "nameId"},
    LibraryTable{"OPENGL_API", "OpenGL", "nameId"},
    LibraryTable{"OPENGL_WORKLOAD", "OpenGL GPU workload", "nameId", true},
    LibraryTable{"KHR_DEBUG_EVENTS", "KHR debug", "textId", false, false, false, false, 63},
    LibraryTable{"VULKAN_API", "Vulkan", "nameId"},
    LibraryTable{"VULKAN_DEBUG_API", "Vulkan debug labels", "textId", false, false, false, true},
    LibraryTable{"VULKAN_WORKLOAD", "Vulkan GPU workload", "nameId", true},
    LibraryTable{"DX12_API", "Direct3D 12", "nameId"},
    LibraryTable{"DX12_WORKLOAD", "Direct3D 12 GPU workload", "nameId", true},
    LibraryTable{"DXGI_API", "DXGI", "nameId"},
    LibraryTable{"NVAPI_API", "NVAPI", "nameId"},
    LibraryTable{"D3D11_PIX_DEBUG_API", "Direct3D 11 PIX", "textId", false, false, false, true},
    LibraryTable{"D3D12_PIX_DEBUG_API", "Direct3D 12 PIX", "textId", false, false, false, true},
    LibraryTable{"NVVIDEO_DECODER_API", "Video decoder", "nameId"},
    LibraryTable{"NVVIDEO_ENCODER_API", "Video encoder", "nameId"},
    LibraryTable{"NVVIDEO_JPEG_API", "Video JPEG", "nameId"},
    LibraryTable{"CUPTI_ACTIVITY_KIND_OPENACC_DATA", "OpenACC", "nameId"},
    LibraryTable{"CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH", "OpenACC", "nameId"},
    LibraryTable{"CUPTI_ACTIVITY_KIND_OPENACC_OTHER", "OpenACC", "nameId"},
    LibraryTable{"OPENMP_EVENT_KIND_CANCEL", "OpenMP", "nameId"},
    LibraryTable{"OPENMP_EVENT_KIND_CRITICAL_SECTION", "OpenMP", "nameId"},
    LibraryTable{"OPENMP_EVENT_KIND_DISPATCH", "OpenMP", "nameId"},
    LibraryTable{"OPENMP_EVENT_KIND_FLUSH", "OpenMP", "nameId"},
    LibraryTable{"OPENMP_EVENT_KIND_LOCK_DESTROY", "OpenMP", "nameId"},
    LibraryTable{"OPENMP_EVENT_KIND_LOCK_INIT", "OpenMP", "nameId"},
    LibraryTable{"OPENMP_EVENT_KIND_MASTER", "OpenMP", "nameId"},
    LibraryTable{"OPENMP_EVENT_KIND_MUTEX_RELEASED", "OpenMP", "nameId"},
    LibraryTable{"OPENMP_EVENT_KIND_MUTEX_WAIT", "OpenMP", "nameId"},
    LibraryTable{"OPENMP_EVENT_KIND_PARALLEL", "OpenMP", "nameId"},
    LibraryTable{"OPENMP_EVENT_KIND_REDUCTION", "OpenMP", "nameId"},
    LibraryTable{"OPENMP_EVENT_KIND_SYNC_REGION", "OpenMP", "nameId"},
    LibraryTable{"OPENMP_EVENT_KIND_SYNC_REGION_WAIT", "OpenMP", "nameId"},
    LibraryTable{"OPENMP_EVENT_KIND_TASK", "OpenMP", "nameId"},
    LibraryTable{"OPENMP_EVENT_KIND_TASK_CREATE", "OpenMP", "nameId"},
    LibraryTable{"OPENMP_EVENT_KIND_TASK_SCHEDULE", "OpenMP", "nameId"},
    LibraryTable{"OPENMP_EVENT_KIND_THREAD", "OpenMP", "nameId"},
    LibraryTable{"OPENMP_EVENT_KIND_WORKSHARE", "OpenMP", "nameId"},
};

} // namespace

std::span<const LibraryTable> libraryTables()
{
    return tables;
}

const LibraryTable* findLibraryTable(std::string_view table)
{
    for (const LibraryTable& known : tables) {
        if (known.table == table)
            return &known;
    }
    return nullptr;
}

} // namespace warpline
