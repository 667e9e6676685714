#include "core/derive/call_kinds.h"

#include "core/base/ascii_case.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

struct NamedKind {
    std::string_view prefix; ///< of the name behind "cuda", "cu" or "hip"
    CallKind kind;
};

// HIP uses CUDA's entries where it has none. The first matching prefix decides, so longer ones come first.
constexpr std::array namedKinds{
    NamedKind{"LaunchHostFunc", CallKind::Other},
    NamedKind{"Launch", CallKind::Launch},
    NamedKind{"GraphLaunch", CallKind::Launch},
    NamedKind{"ModuleLaunch", CallKind::Launch}, // HIP's, as the five behind it
    NamedKind{"ExtLaunch", CallKind::Launch},
    NamedKind{"ExtModuleLaunch", CallKind::Launch},
    NamedKind{"HccModuleLaunch", CallKind::Launch},
    NamedKind{"DrvLaunch", CallKind::Launch},
    NamedKind{"DrvMemcpy", CallKind::Copy},
    NamedKind{"Memcpy", CallKind::Copy},
    NamedKind{"Memset", CallKind::Set},
    NamedKind{"DeviceSynchronize", CallKind::DeviceSync},
    NamedKind{"ThreadSynchronize", CallKind::DeviceSync},
    NamedKind{"CtxSynchronize", CallKind::DeviceSync},
    NamedKind{"StreamSynchronize", CallKind::StreamSync},
    NamedKind{"EventSynchronize", CallKind::EventSync},
    NamedKind{"MallocHost", CallKind::PinHost},
    NamedKind{"HostAlloc", CallKind::PinHost},
    NamedKind{"HostRegister", CallKind::PinHost},
    NamedKind{"HostUnregister", CallKind::PinHost},
    NamedKind{"FreeHost", CallKind::PinHost},
    NamedKind{"HostMalloc", CallKind::PinHost}, // HIP's, as the next
    NamedKind{"HostFree", CallKind::PinHost},
    NamedKind{"MemHostAlloc", CallKind::PinHost},
    NamedKind{"MemAllocHost", CallKind::PinHost},
    NamedKind{"MemHostRegister", CallKind::PinHost},
    NamedKind{"MemHostUnregister", CallKind::PinHost},
    NamedKind{"MemFreeHost", CallKind::PinHost},
    NamedKind{"Malloc", CallKind::Allocate},
    NamedKind{"ExtMalloc", CallKind::Allocate}, // HIP's
    NamedKind{"MemAlloc", CallKind::Allocate},
    NamedKind{"MemCreate", CallKind::Allocate},
    NamedKind{"MemMap", CallKind::Allocate},
    NamedKind{"MemSetAccess", CallKind::Allocate},
    NamedKind{"Free", CallKind::Release},
    NamedKind{"MemFree", CallKind::Release},
    NamedKind{"MemUnmap", CallKind::Release},
    NamedKind{"MemRelease", CallKind::Release},
    NamedKind{"LibraryLoad", CallKind::LoadModule},
    NamedKind{"ModuleLoad", CallKind::LoadModule},
    NamedKind{"Link", CallKind::LoadModule},
    NamedKind{"Init", CallKind::MakeContext},
    NamedKind{"CtxCreate", CallKind::MakeContext},
    NamedKind{"DevicePrimaryCtxRetain", CallKind::MakeContext},
    NamedKind{"StreamCreate", CallKind::CreateStream},
    NamedKind{"StreamDestroy", CallKind::Handle},
    NamedKind{"EventCreate", CallKind::Handle},
    NamedKind{"EventDestroy", CallKind::Handle},
    NamedKind{"GraphInstantiate", CallKind::Handle},
    NamedKind{"GraphExecDestroy", CallKind::Handle},
    NamedKind{"CreateTextureObject", CallKind::Handle},
    NamedKind{"DestroyTextureObject", CallKind::Handle},
    NamedKind{"TexObjectCreate", CallKind::Handle},
    NamedKind{"TexObjectDestroy", CallKind::Handle},
};

/// Prefixes of calls; longer ones first.
constexpr std::array<std::string_view, 3> interfaces{"cuda", "cu", "hip"};

} // namespace

std::string_view bareCallName(std::string_view name)
{
    for (const std::string_view suffix : {"_ptsz", "_ptds", "_spt"}) {
        if (name.ends_with(suffix))
            name.remove_suffix(suffix.size());
    }
    const std::size_t version = name.rfind("_v");
    if (version == std::string_view::npos || version + 2 == name.size())
        return name;
    return std::ranges::all_of(name.substr(version + 2), isDigit) ? name.substr(0, version) : name;
}

bool isRuntimeCall(std::string_view name)
{
    return name.starts_with("cuda") || name.starts_with("hip");
}

CallKind callKindOf(std::string_view name)
{
    const auto* const interface = std::ranges::find_if(
        interfaces, [&](std::string_view begin) { return name.starts_with(begin); });
    if (interface == interfaces.end())
        return CallKind::Other;
    name = bareCallName(name.substr(interface->size()));
    const auto* const found = std::ranges::find_if(
        namedKinds, [&](const NamedKind& known) { return name.starts_with(known.prefix); });
    if (found == namedKinds.end())
        return CallKind::Other;
    // Memory of a pool is allocated and freed in stream order, without the driver.
    const bool pooled = found->kind == CallKind::Allocate || found->kind == CallKind::Release;
    return pooled && name.find("Async") != std::string_view::npos ? CallKind::Other : found->kind;
}

bool asksForPinned(const Trace& trace, EventIndex call, CallKind kind)
{
    return kind == CallKind::PinHost
        || bareCallName(trace.name({EventKind::ApiCall, call})) == "cudaEventQuery";
}

CallKinds::CallKinds(const Trace& trace)
    : m_calls(&trace.apiCalls()),
      m_kinds(trace.pool->size())
{
    for (std::size_t i = 0; i < m_kinds.size(); ++i)
        m_kinds[i] = callKindOf(trace.text(static_cast<StringId>(i)));
}

} // namespace warpline
