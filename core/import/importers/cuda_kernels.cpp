// Kernels. Names are ids of StringIds in three forms: demangled, short, mangled (from 2021.3).

#include "core/import/event_parts.h"

namespace warpline::cuda_kernels {

namespace {

constexpr std::string_view table = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr std::array<std::string_view, 1> tables{table};
constexpr std::array<std::string_view, 15> ownColumns{"demangledName", "shortName", "mangledName",
    "registersPerThread", "gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ", "staticSharedMemory",
    "dynamicSharedMemory", "localMemoryPerThread", "sharedMemoryExecuted", "graphNodeId"};

class KernelPart : public DevicePart {
public:
    using DevicePart::DevicePart;

    void read(const sqlite::Row& row)
    {
        int column = afterDeviceColumns;
        StringId demangled = checks.name(m_strings, row, column++);
        KernelLaunch launch;
        launch.shortName = checks.name(m_strings, row, column++);
        launch.mangledName = checks.name(m_strings, row, column++);
        if (demangled == StringId{})
            demangled = launch.shortName;
        if (!addEvent(row, demangled))
            return;
        const auto next = [&] { return row.integer(column++); };
        const auto next32 = [&] { return row.integer32(column++); };
        launch.registersPerThread = next32();
        launch.grid = {next32(), next32(), next32()};
        launch.block = {next32(), next32(), next32()};
        launch.staticSharedMemory = next32();
        launch.dynamicSharedMemory = next32();
        launch.localMemoryPerThread = next();
        launch.sharedMemoryExecuted = next();
        launch.graphNodeId = static_cast<std::uint64_t>(next());
        builder.addAttribute(launches.intern(launch));
    }

    /// Of all events that were read; the part is empty then.
    std::shared_ptr<const KernelTable> table()
    {
        auto kernels = std::make_shared<KernelTable>();
        builder.finishInto(*kernels);
        kernels->launches = std::move(launches.records);
        return kernels;
    }

    RecordPool<KernelLaunch> launches;
};

Result<void> importKernels(ImportJob& job)
{
    return importWork(job, table, ownColumns, &KernelPart::launches, [&](StringId source, GlobalId owner) {
        return std::make_unique<KernelPart>(EventKind::Kernel, job.strings, source, owner);
    });
}

} // namespace

extern constinit const Importer cudaKernels{
    .id = "cuda-kernels", .progressText = "Reading CUDA kernels", .needs = tables, .run = importKernels};

} // namespace warpline::cuda_kernels
