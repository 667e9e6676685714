#include "core/store/gpu_names.h"

#include "core/base/message_names.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpline {

std::int32_t gpuNumber(const Trace& trace, GlobalId owner, std::int32_t cuda)
{
    // The importer has checked that ordinals refer to GPUs; others keep their number.
    const auto key = std::pair(pidOf(owner), cuda);
    const auto after = std::ranges::upper_bound(trace.ordinals, key, {}, &DeviceOrdinal::key);
    return after != trace.ordinals.begin() && std::prev(after)->key() == key ? std::prev(after)->device
                                                                             : cuda;
}

bool areNumbersCommon(const Trace& trace)
{
    return !trace.ordinals.empty() || trace.devices.size() <= 1;
}

MachineGpu machineGpu(const Trace& trace, GlobalId owner, std::int32_t cuda)
{
    return {gpuNumber(trace, owner, cuda), areNumbersCommon(trace) ? 0 : pidOf(owner)};
}

std::string gpuName(const Trace& trace, GlobalId owner, std::int32_t cuda)
{
    return fmt::format(
        "{} {}", gpuApiOf(trace) == GpuApi::Mtia ? "MTIA" : "GPU", gpuNumber(trace, owner, cuda));
}

Message gpuNameWithOrdinal(const Trace& trace, GlobalId owner, std::int32_t cuda)
{
    const std::int32_t number = gpuNumber(trace, owner, cuda);
    return number == cuda ? nameMessage(fmt::format("GPU {}", number))
                          : Message("gpu.ordinal", "GPU {gpu} ({api} device {device} of its process)",
                              {{"gpu", Ordinal{number}}, {"api", Name{std::string(gpuApiName(trace))}},
                                  {"device", Ordinal{cuda}}});
}

GpuMaker gpuMakerOf(const Trace& trace)
{
    if (trace.devices.empty())
        return GpuMaker::Nvidia;
    const Device& device = trace.devices.front();
    constexpr std::int32_t wavefront = 64; // threads; of AMD's accelerators
    if (device.threadsPerWarp == wavefront || device.name.find("AMD") != std::string::npos
        || device.name.find("Radeon") != std::string::npos)
        return GpuMaker::Amd;
    // A device without compute capability does not run CUDA.
    const bool isKnown = device.computeMajor > 0 || device.name.find("NVIDIA") != std::string::npos;
    return isKnown || device.multiprocessors > 0 ? GpuMaker::Nvidia : GpuMaker::Other;
}

GpuApi gpuApiOf(const Trace& trace)
{
    if (trace.apiCalls().empty())
        return gpuMakerOf(trace) == GpuMaker::Amd ? GpuApi::Hip : GpuApi::Cuda;
    StringId seen{}; // of many tracks, most are from one source
    const bool ofMtia = std::ranges::any_of(trace.apiCalls().tracks, [&](const Track& track) {
        const bool isNew = track.source != seen;
        seen = track.source;
        return isNew && trace.text(seen).starts_with("mtia");
    });
    const std::string_view first = trace.name({EventKind::ApiCall, 0});
    return ofMtia                                               ? GpuApi::Mtia
        : first.starts_with("hip") || first.starts_with("hsa_") ? GpuApi::Hip
                                                                : GpuApi::Cuda;
}

std::string_view nameOf(GpuApi api)
{
    return api == GpuApi::Hip ? "HIP" : api == GpuApi::Mtia ? "MTIA" : "CUDA";
}

std::string_view gpuApiName(const Trace& trace)
{
    return nameOf(gpuApiOf(trace));
}

Message kernelProfilerOf(const Trace& trace)
{
    const GpuMaker maker = gpuMakerOf(trace);
    return {"gpu.profiler",
        "{maker, select, nvidia {Nsight Compute} amd {ROCm's rocprof-compute} other {the profiler of the GPU's maker}}",
        {{"maker",
            Name{maker == GpuMaker::Nvidia   ? "nvidia"
                    : maker == GpuMaker::Amd ? "amd"
                                             : "other"}}}};
}

} // namespace warpline
