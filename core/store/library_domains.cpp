#include "core/store/library_domains.h"

#include "core/base/ascii_case.h"

#include <algorithm>
#include <array>

namespace warpline {

bool isCommunicationLibrary(std::string_view family)
{
    static constexpr std::array<std::string_view, 5> families{"MPI", "UCX", "NVSHMEM", "OpenSHMEM", "OSHMEM"};
    return std::ranges::find(families, family) != families.end();
}

bool isLibraryDomain(std::string_view domain)
{
    static constexpr std::array<std::string_view, 25> domains{"nccl", "cccl", "cuda core compute libraries",
        "cub", "thrust", "cublas", "cublaslt", "cudnn", "cusolver", "cusparse", "cufft", "curand", "tensorrt",
        "myelin-exec", "mpi", "gil trace", "python periodic sampling", "python functions trace", "libcudf",
        "cudf_python", "stdpar", "nvshmem", "pytorch", "python", "gpu annotations"};
    static constexpr std::array<std::string_view, 3> beginnings{"ucx", "openacc", "cudaq"};
    // Called for each of any number of domains of a thread: allocates nothing.
    return std::ranges::any_of(domains, [&](std::string_view each) { return isLowered(domain, each); })
        || std::ranges::any_of(
            beginnings, [&](std::string_view each) { return isLowered(domain.substr(0, each.size()), each); })
        || isCommunicationLibrary(domain) || domain.ends_with(exportedEnding);
}

bool isGraphicsFamily(std::string_view family)
{
    static constexpr std::array<std::string_view, 5> beginnings{
        "OpenGL", "Vulkan", "Direct3D", "Video", "KHR debug"};
    return std::ranges::any_of(
        beginnings, [&](std::string_view beginning) { return family.starts_with(beginning); });
}

bool isGraphicsCalls(std::string_view family)
{
    return isGraphicsFamily(family) && !family.ends_with(" labels") && !family.ends_with(" command buffers")
        && !family.ends_with(" pipelines") && !family.ends_with(" pipeline stages");
}

} // namespace warpline
