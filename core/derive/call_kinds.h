#pragma once

#include "core/store/event_table.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace warpline {

class Trace;

/// Kinds of calls of CUDA's runtime and driver, and of HIP, by name.
enum class CallKind : std::uint8_t {
    Other,
    Launch, ///< kernels and graphs
    Copy,
    Set,
    DeviceSync, ///< cudaDeviceSynchronize, cuCtxSynchronize
    StreamSync,
    EventSync,
    Allocate, ///< memory of the device, mappings included; not from a pool
    Release,
    PinHost, ///< cudaHostAlloc, cudaHostRegister and their releases
    LoadModule, ///< loads or compiles code
    MakeContext,
    CreateStream,
    Handle, ///< creates or destroys an event, graph or texture, or destroys a stream
};

constexpr bool waits(CallKind kind)
{
    return kind == CallKind::DeviceSync || kind == CallKind::StreamSync || kind == CallKind::EventSync;
}
constexpr bool allocates(CallKind kind)
{
    return kind == CallKind::Allocate || kind == CallKind::Release || kind == CallKind::PinHost;
}

/// Whether it creates or destroys something that a loop could reuse, other than memory.
constexpr bool changesHandles(CallKind kind)
{
    return kind == CallKind::CreateStream || kind == CallKind::Handle;
}
/// Whether calls of `kind` neither start work, wait, nor load code.
constexpr bool startsNothing(CallKind kind)
{
    return kind == CallKind::Other || changesHandles(kind);
}

/// The name without the version that the runtime adds: "cudaMemcpyAsync_v3020" -> "cudaMemcpyAsync".
std::string_view bareCallName(std::string_view name);
/// True for calls of CUDA's runtime, and for those of HIP, which has one interface for runtime and driver.
bool isRuntimeCall(std::string_view name);
/// The kind of the call `name` of CUDA or HIP: hipExtModuleLaunchKernel is a launch.
CallKind callKindOf(std::string_view name);

/// Whether `call` of `kind` asks for pinned memory: PyTorch's allocator of pinned memory looks first, by
/// querying its events, which of its buffers are free again.
bool asksForPinned(const Trace& trace, EventIndex call, CallKind kind);

/// callKindOf() for the calls of a trace. Cheap to make: tests each text of the report once.
class CallKinds {
public:
    explicit CallKinds(const Trace& trace);
    CallKind operator[](EventIndex call) const { return m_kinds[raw(m_calls->name[call])]; }

private:
    const EventTable* m_calls;
    std::vector<CallKind> m_kinds; ///< by StringId
};

} // namespace warpline
