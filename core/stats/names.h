#pragma once

#include "core/stats/stats_table.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace warpline {

class Trace;

/// Which name of a kernel a table shows: the suffix after the colon in nsys' report names.
enum class KernelNaming : std::uint8_t { Demangled, Base, Mangled };

/// A StatsQuery::variant taken apart: "base", "mangled", "nvtx-name", or two of them joined with a colon.
struct NameVariant {
    KernelNaming kernels = KernelNaming::Demangled;
    bool nvtxPrefix
        = false; ///< "nvtx-name": kernels carry the name of the innermost NVTX range they were started in
};
NameVariant parseVariant(std::string_view variant);
/// The arguments of tables that name kernels, with "nvtx-name"; the first two without it.
inline constexpr std::array<TableArgument, 3> nvtxKernelArguments{
    TableArgument{"base", {}}, TableArgument{"mangled", {}}, TableArgument{"nvtx-name", {}}};
inline constexpr std::span<const TableArgument> kernelArguments = std::span(nvtxKernelArguments).first(2);

/// The name of kernel `i`. Exports before 2021.3 have no mangled names: the demangled one replaces them.
StringId kernelName(const Trace& trace, EventIndex i, KernelNaming naming);

/// "cudaMalloc_v3020" -> "cudaMalloc": runtime calls carry the version of their interface in four digits.
/// Five digits
/// ("cudaGraphLaunch_v10000") and the driver's "_v2" stay, as in nsys' tables.
std::string_view withoutVersion(std::string_view apiName);

/// "[CUDA memcpy Host-to-Device]": how nsys names memory operations.
std::string copyName(CopyKind kind);
inline constexpr std::string_view memsetName = "[CUDA memset]";

/// "domain:name" of an NVTX event; ":name" in the default domain.
std::string nvtxName(const Trace& trace, EventIndex range);
/// Equal for ranges of equal domain and name.
std::uint64_t nvtxNameKey(const Trace& trace, const Track& track, EventIndex range);
std::string nvtxNameOfKey(const Trace& trace, std::uint64_t key);
/// "name/": the prefix of "nvtx-name" for a kernel in a range of that name. Without the domain, unlike
/// nvtxName(): ranges of one name in two domains are merged, as in nsys' tables.
std::string nvtxPrefix(const Trace& trace, StringId name);
/// "PushPop", "StartEnd".
std::string_view nvtxStyle(std::uint8_t eventType);

} // namespace warpline
