#include "core/store/library_domains.h"

#include "core/base/ascii_case.h"

#include <algorithm>
#include <array>
#include <string>

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
    const std::string lower = lowered(domain);
    return std::ranges::find(domains, lower) != domains.end() || lower.starts_with("ucx")
        || lower.starts_with("openacc") || lower.starts_with("cudaq") || isCommunicationLibrary(domain);
}

} // namespace warpline
