#include "core/stats/names.h"
#include "core/store/nvtx_types.h"
#include "core/store/trace.h"

#include <algorithm>
#include <cctype>

namespace warpline {

NameVariant parseVariant(std::string_view variant)
{
    return {hasArgument(variant, "base")      ? KernelNaming::Base
            : hasArgument(variant, "mangled") ? KernelNaming::Mangled
                                              : KernelNaming::Demangled,
        hasArgument(variant, "nvtx-name")};
}

StringId kernelName(const Trace& trace, EventIndex i, KernelNaming naming)
{
    const KernelTable& kernels = trace.kernels();
    StringId name = kernels.name[i];
    if (naming == KernelNaming::Base)
        name = kernels.launch(i).shortName;
    else if (naming == KernelNaming::Mangled)
        name = kernels.launch(i).mangledName;
    return name == StringId{} ? kernels.name[i] : name;
}

std::string_view withoutVersion(std::string_view apiName)
{
    constexpr std::size_t length = 6; // "_v3020"
    if (apiName.size() <= length)
        return apiName;
    const std::string_view tail = apiName.substr(apiName.size() - length);
    const bool versioned = tail.starts_with("_v")
        && std::ranges::all_of(tail.substr(2), [](unsigned char c) { return std::isdigit(c) != 0; });
    return versioned ? apiName.substr(0, apiName.size() - length) : apiName;
}

std::string copyName(CopyKind kind)
{
    return "[CUDA memcpy " + std::string(labelOf(kind)) + "]";
}

std::string nvtxName(const Trace& trace, EventIndex range)
{
    const NvtxTable& nvtx = trace.nvtx();
    return nvtxNameOfKey(trace, nvtxNameKey(trace, nvtx.trackOf(range), range));
}

std::uint64_t nvtxNameKey(const Trace& trace, const Track& track, EventIndex range)
{
    return std::uint64_t{raw(track.family)} << 32U | raw(trace.nvtx().name[range]);
}

std::string nvtxNameOfKey(const Trace& trace, std::uint64_t key)
{
    std::string name(trace.text(static_cast<StringId>(key >> 32U)));
    name += ':';
    name += trace.text(static_cast<StringId>(key & 0xFFFFFFFFU));
    return name;
}

std::string nvtxPrefix(const Trace& trace, StringId name)
{
    return std::string(trace.text(name)) + '/';
}

std::string_view nvtxStyle(std::uint8_t eventType)
{
    return eventType == nvtxStartEnd ? "StartEnd" : "PushPop";
}

} // namespace warpline
