#include "core/store/range_words.h"

#include "core/base/message_names.h"
#include "core/base/utf8.h"
#include "core/store/library_domains.h"
#include "core/store/recorder.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace warpline {

namespace {

/// torch.profiler's name for the ranges of a domain that the importer of its traces assigns.
Message titleOfDomain(std::string_view domain)
{
    if (domain.empty())
        return {"range_title.user", "User annotation"};
    if (domain == "PyTorch")
        return {"range_title.operator", "Operator"};
    if (domain == "Python")
        return {"range_title.python", "Python function"};
    if (domain == "GPU annotations")
        return {"range_title.gpu", "GPU annotation"};
    if (domain == "NCCL")
        return {"range_title.collective", "Collective"};
    return {"range_title.annotation", "Annotation"};
}

/// A domain or library family that importers made up: all others are names of products.
struct MadeUpDomain {
    std::string_view name;
    Literal key;
    Literal label;
};

} // namespace

Name recorderName(Recorder recorder)
{
    return {recorder == Recorder::NsightSystems     ? "nsys"
            : recorder == Recorder::PyTorchProfiler ? "torch"
                                                    : "other"};
}

Message domainText(std::string_view domain)
{
    constexpr std::array madeUp{MadeUpDomain{"GPU annotations", "range_title.gpu_domain", "GPU annotations"},
        MadeUpDomain{frameDomain, "family.frames", "Frames"},
        MadeUpDomain{"CUDA host functions", "family.host_functions", "CUDA host functions"},
        MadeUpDomain{"CUDA JIT compiler", "family.jit", "CUDA JIT compiler"},
        MadeUpDomain{"System calls", "family.system_calls", "System calls"},
        MadeUpDomain{"OpenGL GPU workload", "family.opengl_gpu", "OpenGL GPU workload"},
        MadeUpDomain{"OpenGL GPU labels", "family.opengl_gpu_labels", "OpenGL GPU labels"},
        MadeUpDomain{"KHR debug GPU ranges", "family.khr_gpu", "KHR debug GPU ranges"},
        MadeUpDomain{"Vulkan debug labels", "family.vulkan_labels", "Vulkan debug labels"},
        MadeUpDomain{"Vulkan GPU workload", "family.vulkan_gpu", "Vulkan GPU workload"},
        MadeUpDomain{"Vulkan GPU labels", "family.vulkan_gpu_labels", "Vulkan GPU labels"},
        MadeUpDomain{"Vulkan command buffers", "family.vulkan_buffers", "Vulkan command buffers"},
        MadeUpDomain{"Vulkan pipelines", "family.vulkan_pipelines", "Vulkan pipelines"},
        MadeUpDomain{"Vulkan pipeline stages", "family.vulkan_stages", "Vulkan pipeline stages"},
        MadeUpDomain{"Direct3D 12 GPU workload", "family.d3d12_gpu", "Direct3D 12 GPU workload"},
        MadeUpDomain{"Direct3D 12 GPU labels", "family.d3d12_gpu_labels", "Direct3D 12 GPU labels"},
        MadeUpDomain{"Video decoder", "family.video_decoder", "Video decoder"},
        MadeUpDomain{"Video encoder", "family.video_encoder", "Video encoder"},
        MadeUpDomain{"Video JPEG", "family.video_jpeg", "Video JPEG"}};
    const auto* const found = std::ranges::find(madeUp, domain, &MadeUpDomain::name);
    return found != madeUp.end() ? Message(found->key, found->label) : nameMessage(toUtf8(domain));
}

Message rangeTextOf(const Trace& trace)
{
    return {"ranges.one", "{recorder, select, nsys {NVTX range} torch {annotated range} other {range}}",
        {{"recorder", recorderName(recorderOf(trace.info))}}};
}

Message rangesTextOf(const Trace& trace)
{
    return {"ranges.several",
        "{recorder, select, nsys {NVTX ranges} torch {annotated ranges} other {ranges}}",
        {{"recorder", recorderName(recorderOf(trace.info))}}};
}

Message rangesTitleOf(const Trace& trace)
{
    return {"ranges.title", "{recorder, select, nsys {NVTX ranges} torch {Annotated ranges} other {Ranges}}",
        {{"recorder", recorderName(recorderOf(trace.info))}}};
}

Message kindText(EventKind kind)
{
    return {keyOf(kind), "kind_title", titleOf(kind)};
}

Message titleOf(const Trace& trace, EventKind kind, bool recordedOnGpu)
{
    if (recordedOnGpu)
        return {"range_title.gpu", "GPU annotation"};
    const Recorder recorder = recorderOf(trace.info);
    const bool isRange = kind == EventKind::Nvtx || kind == EventKind::NvtxProjected;
    if (!isRange || recorder == Recorder::NsightSystems)
        return kindText(kind);
    return {"range_title.kind",
        "{recorder, select, torch {Annotation} other {Range}}{where, select, gpu { on the GPU} other {}}",
        {{"recorder", recorderName(recorder)}, {"where", Name{kind == EventKind::Nvtx ? "host" : "gpu"}}}};
}

Message titleOf(const Trace& trace, EventRef event)
{
    if (event.kind != EventKind::Nvtx || recorderOf(trace.info) != Recorder::PyTorchProfiler)
        return titleOf(trace, event.kind);
    return titleOfDomain(trace.text(trace.nvtx().trackOf(event.index).family));
}

} // namespace warpline
