// GPU events: PyTorch's profiler gets them from CUPTI or ROCm.

#include "core/base/saturate.h"
#include "core/base/words.h"
#include "core/kernels/demangle.h"
#include "core/kernels/short_name.h"
#include "core/kineto/event_reader.h"
#include "core/kineto/event_words.h"

namespace warpline {

namespace {

/// The word after "key:" in "regs:32 grid:1,1,1 block:64,1,1", the format of XLA's profiler.
std::string_view detailOf(std::string_view details, std::string_view key)
{
    for (std::size_t at = details.find(key); at != std::string_view::npos; at = details.find(key, at + 1)) {
        const std::size_t value = at + key.size();
        if ((at == 0 || details[at - 1] == ' ') && value < details.size() && details[value] == ':')
            return details.substr(value + 1, details.find(' ', value) - value - 1);
    }
    return {};
}

std::int64_t numberIn(std::string_view text)
{
    return integerOf(JsonValue{JsonValue::Kind::Number, false, text}).value_or(0);
}

std::int32_t number32In(std::string_view text)
{
    return natural32Of(numberIn(text));
}

/// Parses "4,2,1"; 1 for missing sides.
Dim3 sidesIn(std::string_view text)
{
    Dim3 sides;
    for (std::int32_t* const side : {&sides.x, &sides.y, &sides.z}) {
        if (text.empty())
            break;
        *side = number32In(takeUpTo(text, ","));
    }
    return sides;
}

/// Reads XLA's details of a kernel.
void readKernelDetails(std::string_view details, KernelLaunch& launch)
{
    if (details.empty())
        return;
    launch.grid = sidesIn(detailOf(details, "grid"));
    launch.block = sidesIn(detailOf(details, "block"));
    launch.registersPerThread = number32In(detailOf(details, "regs"));
    launch.staticSharedMemory = number32In(detailOf(details, "static_shared"));
    launch.dynamicSharedMemory = number32In(detailOf(details, "dynamic_shared"));
}

CopyKind copyKindBetween(MemoryKind from, MemoryKind to)
{
    const bool onGpuBefore = from == MemoryKind::Device;
    const bool onGpuAfter = to == MemoryKind::Device;
    return onGpuBefore ? (onGpuAfter ? CopyKind::DtoD : CopyKind::DtoH)
                       : (onGpuAfter ? CopyKind::HtoD : CopyKind::HtoH);
}

MemoryKind memoryOfXla(std::string_view word)
{
    return word == "pageable" ? MemoryKind::Pageable
        : word == "pinned"    ? MemoryKind::Pinned
        : word == "device"    ? MemoryKind::Device
        : word == "managed"   ? MemoryKind::Managed
                              : MemoryKind::Unknown;
}

} // namespace

TrackKey EventReader::onDevice(std::string_view source)
{
    constexpr std::int32_t syncOffset = 1'000'000; // Kineto's offset for streams of synchronizations
    const auto ofEvent = [](const JsonValue& value) {
        const auto number = integerOf(value);
        return number && *number >= -1 && *number <= 0x7FFFFFFF ? static_cast<std::int32_t>(*number) : -1;
    };
    TrackKey key;
    // PyTorch writes the GPU where others write the process; Warpline writes both.
    if (const std::uint32_t pid = idOf(m_event.argument("process")); pid != 0) {
        key.owner = GlobalId{pid} << 24U;
        ++processes[pid];
    }
    key.device = number32("device", number32("dev-id", ofEvent(m_event.pid)));
    key.context = number32("context", -1);
    const std::int32_t row = ofEvent(m_event.tid);
    key.stream = number32("stream", row >= syncOffset ? row - syncOffset : row);
    key.source = m_names(source);
    return key;
}

/// PyTorch's profiler makes names readable, but not all: long ones, and those of new types, stay mangled.
EventReader::KernelNames EventReader::kernelNames(StringId given)
{
    const std::string_view text = m_names.pool()[given];
    const std::string readable = demangled(text);
    KernelNames names{.name = given};
    if (!readable.empty()) {
        names.name = m_names(readable);
        names.mangledName = given;
    }
    names.shortName = m_names(shortNameOf(m_names.pool()[names.name]));
    return names;
}

const EventReader::KernelNames& EventReader::namesOfKernel(const JsonValue& text)
{
    const StringId given = m_names(text);
    const auto [known, added] = m_kernelNames.try_emplace(raw(given));
    if (added)
        known->second = kernelNames(given);
    return known->second;
}

void EventReader::kernel(TimeRange time)
{
    const KernelNames& names = namesOfKernel(m_event.name);
    KernelLaunch launch{.shortName = names.shortName,
        .mangledName = names.mangledName,
        .grid = dimensionsOf(m_event.argument("grid")),
        .block = dimensionsOf(m_event.argument("block")),
        .registersPerThread = number32("registers per thread")};
    launch.dynamicSharedMemory = number32("shared memory"); // static and dynamic in one number
    launch.graphNodeId = static_cast<std::uint64_t>(integerOf(m_event.argument("graph node id")).value_or(0));
    readKernelDetails(m_event.argument("kernel_details").text, launch);
    addLinked(kernels, onDevice("kernel"), time, names.name);
    kernels.addAttribute(launches.intern(launch));
}

void EventReader::memcpy(TimeRange time)
{
    const std::string_view name = m_event.name.text;
    const auto [from, to] = memoriesIn(name);
    CopyAttributes copy;
    copy.kind = copyKindOf(name);
    if (copy.kind == CopyKind::Unknown)
        copy.kind = copyKindOf(m_event.argument("kind").text);
    if (copy.kind == CopyKind::Unknown)
        copy.kind = copyKindOf(m_event.argument("direction").text);
    copy.source = memoryKindIn(from.empty() ? m_event.argument("source").text : from);
    copy.destination = memoryKindIn(to.empty() ? m_event.argument("destination").text : to);
    copy.sourceDevice = number32("fromDevice", -1);
    copy.destinationDevice = number32("toDevice", -1);
    copy.graphNodeId = static_cast<std::uint64_t>(integerOf(m_event.argument("graph node id")).value_or(0));
    auto bytes = integerOf(m_event.argument("bytes"));
    if (const std::string_view details = m_event.argument("memcpy_details").text; !details.empty()) {
        copy.source = memoryOfXla(detailOf(details, "kind_src"));
        copy.destination = memoryOfXla(detailOf(details, "kind_dst"));
        if (copy.kind == CopyKind::Unknown)
            copy.kind = copyKindBetween(copy.source, copy.destination);
        bytes = numberIn(detailOf(details, "size"));
    }
    if (!bytes)
        bytes = integerOf(m_event.argument("size")); // older ROCm
    addLinked(memcpys, onDevice("gpu_memcpy"), time, m_names("Memcpy " + std::string(labelOf(copy.kind))));
    memcpys.addBytes(naturalOf(bytes.value_or(0)));
    memcpys.addAttribute(copies.intern(copy));
}

void EventReader::memset(TimeRange time)
{
    addLinked(memsets, onDevice("gpu_memset"), time, m_names("Memset"));
    memsets.addBytes(naturalOf(integerOf(m_event.argument("bytes")).value_or(0)));
    memsets.addAttribute(static_cast<std::uint32_t>(memoryKindIn(memoriesIn(m_event.name.text).first)));
}

void EventReader::graph(TimeRange time)
{
    if (!m_event.argument("device").there())
        return range(time); // of another writer
    const std::string_view name = m_event.name.text; // "CUDA graph 2"
    add(graphs, onDevice("graph"), time, m_names(m_event.name));
    graphs.addCorrelation(correlation());
    graphs.addAttribute(static_cast<std::uint32_t>(numberIn(name.substr(name.rfind(' ') + 1))));
}

void EventReader::synchronization(TimeRange time)
{
    const JsonValue& kind = m_event.argument("cuda_sync_kind");
    const auto [type, name] = syncTypeOf(kind.there() ? kind.text : m_event.name.text);
    const TrackKey key = onDevice("cuda_sync");
    add(synchronizations, key, time, m_names(name));
    synchronizations.addCorrelation(correlation());
    synchronizations.addAttribute(type);
    // The column for a call stack is free, and stores recordingIn().
    synchronizations.addCallchain(awaitedRecord(key));
}

/// The id of the event record that a synchronization on `stream` waits for: the record's call. 0: unknown.
std::uint32_t EventReader::awaitedRecord(const TrackKey& stream)
{
    const std::int32_t record = number32("wait_on_cuda_event_record_corr_id", -1);
    if (record <= 0)
        return 0;
    AwaitedRecord awaited{stream, static_cast<std::uint32_t>(number32("wait_on_cuda_event_id"))};
    awaited.stream.stream = number32("wait_on_stream", -1);
    loose.awaited.try_emplace(static_cast<std::uint32_t>(record), awaited);
    return static_cast<std::uint32_t>(record);
}

void EventReader::cudaEvent(TimeRange time)
{
    add(cudaEvents, onDevice("cuda_event"), {time.start, time.start}, m_names("CUDA event record"));
    const std::uint32_t number = correlation();
    cudaEvents.addCorrelation(number);
    cudaEvents.addCallchain(number); // one call makes one record: its number is the record's
    loose.recorded.insert(number);
    cudaEvents.addAttribute(static_cast<std::uint32_t>(number32("event_id")));
}

void EventReader::gpuRange(TimeRange time)
{
    TrackKey key = onDevice("gpu_user_annotation");
    key.family = m_names("GPU annotations");
    addRange(key, time, m_names(m_event.name), {});
}

/// Work of Meta's MTIA, an accelerator that is not a GPU: programs on its grid ("pe_exe") and what they are
/// merged from are kernels, "dma_request" copies; waits for events stay ranges in a domain of their own.
void EventReader::mtiaWork(TimeRange time)
{
    const std::string_view name = m_event.name.text;
    if (name.starts_with("event_")) {
        range(time);
        return;
    }
    const TrackKey key = onDevice(m_event.category.text);
    if (name.find("dma") != std::string_view::npos || name.find("memcpy") != std::string_view::npos) {
        addLinked(memcpys, key, time, m_names(m_event.name));
        memcpys.addBytes(naturalOf(integerOf(m_event.argument("bytes")).value_or(0)));
        memcpys.addAttribute(copies.intern({}));
        return;
    }
    const KernelNames& names = namesOfKernel(m_event.name);
    KernelLaunch launch;
    launch.shortName = names.shortName;
    launch.grid = launch.block = {0, 0, 0}; // it has no blocks of threads
    addLinked(kernels, key, time, names.name);
    kernels.addAttribute(launches.intern(launch));
}

/// An event of the original rocprof, which has no categories: its process is the kind (tblextr.py).
void EventReader::firstRocprof(TimeRange time)
{
    enum Kind : std::uint32_t { Copies = 1, Hip, Hsa, Kfd, Gpus = 6 };
    const std::string_view name = m_event.name.text;
    const std::uint32_t kind = idOf(m_event.pid);
    if (kind == Copies && name.find("Fill") != std::string_view::npos)
        memset(time);
    else if (kind == Copies)
        memcpy(time);
    else if (kind == Hip || kind == Hsa || kind == Kfd)
        call(time);
    else if (kind >= Gpus && m_event.argument("dev-id").there() && name != "<barrier packet>")
        kernel(time);
    else
        range(time);
}

/// An event of XLA's profiler (JAX, TensorFlow), which has no categories: its arguments are the kind.
void EventReader::xlaEvent(TimeRange time)
{
    const std::string_view name = m_event.name.text;
    if (m_event.argument("kernel_details").there())
        kernel(time);
    else if (m_event.argument("memcpy_details").there())
        memcpy(time);
    else if (m_event.argument("memset_details").there())
        memset(time);
    else if (name.starts_with("cu") || name.starts_with("hip"))
        call(time);
    else
        range(time);
}

} // namespace warpline
