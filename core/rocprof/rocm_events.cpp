#include "core/rocprof/rocm_events.h"

#include "core/base/median.h"
#include "core/base/saturate.h"
#include "core/import/import_log.h"
#include "core/kernels/demangle.h"
#include "core/kernels/short_name.h"
#include "core/kineto/event_words.h"
#include "core/kineto/json_value.h"
#include "core/kineto/kineto_import.h"
#include "core/store/nvtx_types.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

namespace warpline {

namespace {

constexpr std::size_t enoughToTell = 101;
constexpr std::uint32_t mostPid = 0xFFFFFF; ///< of a GlobalId
constexpr std::string_view deviceSuffix = ".kd"; // of the kernel descriptor, behind mangled names

bool holds(std::string_view text, std::string_view word)
{
    return std::ranges::search(text, word, {}, [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; })
               .begin()
        != text.end();
}

/// Libraries by the category's name.
std::string_view libraryOf(std::string_view category)
{
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> libraries{
        {{"RCCL", "RCCL"}, {"ROCDECODE", "rocDecode"}, {"ROCJPEG", "rocJPEG"}, {"ROCSHMEM", "rocSHMEM"},
            {"HIPFILE", "hipFile"}, {"OMPT", "OpenMP"}, {"MPI", "MPI"}, {"UCX", "UCX"}}};
    for (const auto& [word, library] : libraries) {
        if (holds(category, word))
            return library;
    }
    return {};
}

bool isApi(std::string_view category)
{
    return holds(category, "HIP_") || holds(category, "HSA_");
}

CopyKind copyKindOf(const RocmCopy& copy)
{
    if (copy.sourceDevice >= 0 && copy.destinationDevice >= 0)
        return copy.sourceDevice == copy.destinationDevice ? CopyKind::DtoD : CopyKind::PtoP;
    if (copy.destinationDevice >= 0)
        return CopyKind::HtoD;
    if (copy.sourceDevice >= 0)
        return CopyKind::DtoH;
    return holds(copy.name, "HOST_TO_DEVICE")  ? CopyKind::HtoD
        : holds(copy.name, "DEVICE_TO_HOST")   ? CopyKind::DtoH
        : holds(copy.name, "DEVICE_TO_DEVICE") ? CopyKind::DtoD
        : holds(copy.name, "HOST_TO_HOST")     ? CopyKind::HtoH
                                               : CopyKind::Unknown;
}

std::uint32_t correlationOf(const RocmEvent& event)
{
    return event.correlation > 0 && event.correlation <= std::numeric_limits<std::uint32_t>::max()
        ? static_cast<std::uint32_t>(event.correlation)
        : 0;
}

std::uint32_t rowOf(const RocmEvent& event)
{
    return event.row > 0 && event.row < noIndex ? static_cast<std::uint32_t>(event.row) : 0;
}

GlobalId processIdOf(std::uint32_t pid)
{
    return GlobalId{pid & 0xFFFFFFU} << 24U;
}

/// Bytes of the memory banks that are the GPU's own (HSA_HEAPTYPE_FRAME_BUFFER_PUBLIC and _PRIVATE).
std::int64_t frameBufferBytes(std::string_view banks)
{
    std::int64_t bytes = 0;
    visitList(banks, [&](const JsonValue& bank) {
        if (bank.kind != JsonValue::Kind::Object)
            return;
        std::int64_t size = 0;
        std::int64_t heap = 0;
        for (const auto& [key, value] : fieldsOf(bank.text)) {
            if (key == "size_in_bytes")
                size = integerOf(value).value_or(0);
            else if (key == "heap_type")
                heap = integerOf(value).value_or(0);
        }
        if (heap == 1 || heap == 2)
            bytes = saturatingAdd(bytes, std::max<std::int64_t>(0, size));
    });
    return bytes;
}

} // namespace

std::int32_t deviceNumber(std::int64_t number)
{
    constexpr std::int64_t most = 0xFFFF;
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(number, 0, most));
}

Device deviceOfAgent(std::string_view agentJson)
{
    Device device;
    std::int32_t wavesPerSimd = 0;
    std::int32_t simdsPerCu = 0;
    std::string product;
    for (const auto& [key, value] : fieldsOf(agentJson)) {
        if (key == "logical_node_type_id")
            device.id = deviceNumber(integerOf(value).value_or(0));
        else if (key == "name")
            device.chip = textOf(value);
        else if (key == "product_name" || (key == "model_name" && product.empty()))
            product = textOf(value);
        else if (key == "cu_count")
            device.multiprocessors = natural32Of(value);
        else if (key == "wave_front_size")
            device.threadsPerWarp = std::max(1, natural32Of(value));
        else if (key == "max_waves_per_simd")
            wavesPerSimd = natural32Of(value);
        else if (key == "simd_per_cu")
            simdsPerCu = natural32Of(value);
        else if (key == "lds_size_in_kb")
            device.maxSharedPerSm = std::min(natural32Of(value), 0x1FFFFF) * 1024;
        else if (key == "max_engine_clk_fcompute")
            device.clockRate = std::int64_t{natural32Of(value)} * 1'000'000;
        else if (key == "mem_banks")
            device.memoryBytes = frameBufferBytes(value.text);
        else if (key == "gfx_target_version") {
            device.computeMajor = natural32Of(value) / 10'000;
            device.computeMinor = natural32Of(value) / 100 % 100;
        }
    }
    device.maxWarpsPerSm = std::min(wavesPerSimd, 1000) * std::min(simdsPerCu, 1000);
    device.name = product.empty() ? device.chip : product;
    return device;
}

RocmEvents::RocmEvents(StringPool& pool)
    : m_reader(pool, 0),
      m_names(pool)
{
    m_reader.correlates = true;
    m_reader.extendedGridsAreThreads = false; // a reader of a file knows the unit of its grids
}

std::uint32_t RocmEvents::processNumber(const std::string& node, std::uint32_t pid)
{
    const auto [place, added] = m_numbers.try_emplace({node, pid}, pid & mostPid);
    if (!added || m_behindTaken.size() > mostPid) // all are taken: it shares its number
        return place->second;
    std::vector<std::uint32_t> passed;
    for (auto taken = m_behindTaken.find(place->second); taken != m_behindTaken.end();
         taken = m_behindTaken.find(place->second)) {
        passed.push_back(place->second);
        place->second = taken->second;
    }
    passed.push_back(place->second);
    // The next search skips what this one passed: else each would look at all taken numbers.
    for (const std::uint32_t number : passed)
        m_behindTaken[number] = (place->second + 1) & mostPid;
    return place->second;
}

void RocmEvents::setProcess(std::uint32_t pid, std::string_view command)
{
    const std::string_view program = command.substr(0, command.find(' '));
    m_reader.processNames[processIdOf(pid)].name = m_names(program.substr(program.rfind('/') + 1));
    m_reader.processes.try_emplace(pid & 0xFFFFFFU, 0);
}

void RocmEvents::setThread(std::uint32_t pid, std::uint32_t tid, std::string_view name)
{
    if (!name.empty())
        m_reader.threadNames[processIdOf(pid) | (tid & 0xFFFFFFU)].name = m_names(name);
}

void RocmEvents::addDevice(std::uint32_t pid, Device device)
{
    m_ordinals.emplace(pid & 0xFFFFFFU, device.id);
    if (m_devices.insert(device.id).second)
        m_head.devices.push_back(std::move(device));
}

/// Keeps `add` of an event at `time` until enough of them tell when the recording was: one alone may be
/// wrong.
bool RocmEvents::waits(Ns time, std::function<void()> add)
{
    if (m_usualTime != 0)
        return false;
    m_waiting.emplace_back(time, [this, table = m_table, later = std::move(add)] {
        m_table = table;
        later();
    });
    if (m_waiting.size() == enoughToTell)
        addWaiting();
    return true;
}

void RocmEvents::addWaiting()
{
    std::vector<Ns> times;
    for (const auto& [time, add] : m_waiting) {
        if (time > 0 && time <= latestUtcNs)
            times.push_back(time);
    }
    m_usualTime = times.empty() ? 1 : middleOf(std::move(times));
    const std::string table = m_table;
    for (const auto& [time, add] : std::exchange(m_waiting, {}))
        add();
    m_table = table;
}

/// False where `time` cannot be: none, or half a year or more from the others.
bool RocmEvents::accepts(Ns time)
{
    if (time <= 0) {
        ++m_reader.faults[{m_table, ProblemKind::EventWithoutTime}];
        return false;
    }
    if (time > latestUtcNs || std::abs(time - m_usualTime) > maxDistance) {
        ++m_reader.faults[{m_table, ProblemKind::EventTimeImpossible}];
        return false;
    }
    return true;
}

/// The same of an event; repairs one that ends before it starts.
bool RocmEvents::accepts(RocmEvent& event)
{
    if (!accepts(event.start) || (event.end > event.start && !accepts(event.end)))
        return false;
    if (event.end < event.start) {
        ++m_reader.faults[{m_table, ProblemKind::EventEndsBeforeStart}];
        event.end = event.start;
    }
    m_reader.earliest = std::min(m_reader.earliest, event.start);
    ++m_reader.processes[event.pid & 0xFFFFFFU];
    ++m_events;
    return true;
}

TrackKey RocmEvents::onThread(const RocmEvent& event, std::string_view source)
{
    TrackKey key{.owner = processIdOf(event.pid) | (event.tid & 0xFFFFFFU), .source = m_names(source)};
    return key;
}

TrackKey RocmEvents::onDevice(const RocmEvent& event, RocmPlace place, std::string_view source)
{
    TrackKey key{.owner = processIdOf(event.pid),
        .device = place.device,
        .stream = place.stream,
        .source = m_names(source)};
    return key;
}

void RocmEvents::addKernel(
    const RocmEvent& given, RocmPlace place, std::string_view name, KernelLaunch launch)
{
    if (waits(given.start, [=, this, kept = std::string(name)] { addKernel(given, place, kept, launch); }))
        return;
    RocmEvent event = given;
    if (!accepts(event))
        return;
    if (name.ends_with(deviceSuffix))
        name.remove_suffix(deviceSuffix.size());
    StringId readable = m_names(name);
    if (name.starts_with("_Z")) {
        launch.mangledName = readable;
        if (const std::string text = demangled(name); !text.empty())
            readable = m_names(text);
    }
    launch.shortName = m_names(shortNameOf(m_names.pool()[readable]));
    m_reader.kernels.add(m_reader.kernels.track(onDevice(event, place, "KERNEL_DISPATCH")), event.start,
        event.end, readable, rowOf(event));
    m_reader.kernels.addCorrelation(correlationOf(event));
    m_reader.kernels.addAttribute(m_reader.launches.intern(launch));
}

void RocmEvents::addCopy(const RocmEvent& given, std::int32_t stream, const RocmCopy& copy)
{
    if (waits(given.start, [=, this, name = std::string(copy.name)] {
            RocmCopy kept = copy;
            kept.name = name;
            addCopy(given, stream, kept);
        }))
        return;
    RocmEvent event = given;
    if (!accepts(event))
        return;
    CopyAttributes attributes;
    attributes.kind = copyKindOf(copy);
    attributes.sourceDevice = copy.sourceDevice;
    attributes.destinationDevice = copy.destinationDevice;
    attributes.source = copy.sourceDevice >= 0 ? MemoryKind::Device : MemoryKind::Unknown;
    attributes.destination = copy.destinationDevice >= 0 ? MemoryKind::Device : MemoryKind::Unknown;
    attributes.graphNodeId = copy.graphNode;
    const std::int32_t device = copy.destinationDevice >= 0 ? copy.destinationDevice : copy.sourceDevice;
    m_reader.memcpys.add(m_reader.memcpys.track(onDevice(event, {device, stream}, "MEMORY_COPY")),
        event.start, event.end, m_names("Memcpy " + std::string(labelOf(attributes.kind))), rowOf(event));
    m_reader.memcpys.addCorrelation(correlationOf(event));
    m_reader.memcpys.addBytes(copy.bytes);
    m_reader.memcpys.addAttribute(m_reader.copies.intern(attributes));
}

void RocmEvents::addRegion(
    const RocmEvent& given, std::string_view category, std::string_view name, std::string_view message)
{
    if (waits(given.start,
            [=, this, kept = std::array{std::string(category), std::string(name), std::string(message)}] {
                addRegion(given, kept[0], kept[1], kept[2]);
            }))
        return;
    RocmEvent event = given;
    if (!accepts(event))
        return;
    TrackKey key = onThread(event, category);
    if (isApi(category)) {
        m_reader.calls.add(m_reader.calls.track(key), event.start, event.end, m_names(name), rowOf(event));
        m_reader.calls.addCorrelation(correlationOf(event));
        m_reader.calls.addAttribute(0);
        return;
    }
    if (const std::string_view library = libraryOf(category); !library.empty()) {
        key.family = m_names(library);
        m_libraries.add(m_libraries.track(key), event.start, event.end, m_names(name), rowOf(event));
        m_libraries.addCorrelation(0);
        m_libraries.addAttribute(0);
        return;
    }
    NvtxAttributes range;
    range.eventType = event.start == event.end ? nvtxMark : nvtxPushPop;
    key.family = m_names(holds(category, "MARKER") ? std::string_view("roctx") : category);
    m_reader.ranges.add(m_reader.ranges.track(key), event.start, event.end,
        m_names(message.empty() ? name : message), rowOf(event));
    m_reader.ranges.addAttribute(m_reader.attributes.intern(range));
}

void RocmEvents::addAllocation(
    const RocmEvent& given, std::int32_t device, std::uint64_t address, std::uint64_t bytes, bool releases)
{
    if (waits(given.start, [=, this] { addAllocation(given, device, address, bytes, releases); }))
        return;
    RocmEvent event = given;
    const std::pair place{event.pid, address};
    if (const auto known = m_allocated.find(place); releases && known != m_allocated.end()) {
        std::tie(device, bytes) = known->second;
        m_allocated.erase(known);
    } else if (!releases) {
        m_allocated[place] = {device, bytes};
    }
    if (device < 0 || !accepts(event))
        return;
    GpuMemoryOperation operation{.memory = MemoryKind::Device, .allocates = !releases, .device = device};
    m_reader.allocations.add(m_reader.allocations.track(onDevice(event, {device, -1}, "MEMORY_ALLOCATION")),
        event.end, event.end, m_names(releases ? "Deallocation" : "Allocation"), rowOf(event));
    m_reader.allocations.addBytes(bytes);
    m_reader.allocations.addAddress(address);
    m_reader.allocations.addCorrelation(0);
    m_reader.allocations.addAttribute(m_reader.operations.intern(operation));
}

void RocmEvents::addCounter(
    const RocmEvent& kernel, std::int32_t device, std::string_view counter, double value)
{
    if (waits(kernel.start,
            [=, this, kept = std::string(counter)] { addCounter(kernel, device, kept, value); }))
        return;
    const Ns end = std::max(kernel.start, kernel.end);
    if (!accepts(kernel.start) || !accepts(end))
        return;
    const std::string name = std::string(counter) + " (GPU " + std::to_string(device) + ")";
    constexpr double most = 1e18; // as of all counters: sums stay numbers
    const double bounded = std::isnan(value) ? 0 : std::clamp(value, -most, most);
    auto& changes = m_kernelCounters[{processIdOf(kernel.pid), -1, name}];
    changes.push_back({kernel.start, bounded, 1});
    changes.push_back({end, -bounded, -1});
}

void RocmEvents::addKernelCounters()
{
    for (auto& [key, changes] : m_kernelCounters) {
        std::ranges::stable_sort(changes, {}, &CounterChange::time);
        CounterValues& values = m_reader.counters[key];
        double sum = 0;
        std::int64_t running = 0;
        for (std::size_t i = 0; i < changes.size(); ++i) {
            running += changes[i].kernels;
            sum = running == 0 ? 0 : sum + changes[i].value;
            if (i + 1 == changes.size() || changes[i + 1].time != changes[i].time)
                values.push_back({changes[i].time, sum});
        }
    }
}

void RocmEvents::addReading(std::uint32_t pid, Ns time, const std::string& name, double value)
{
    if (waits(time, [=, this] { addReading(pid, time, name, value); }))
        return;
    if (accepts(time))
        m_reader.counters[{processIdOf(pid), -1, name}].push_back({time, value});
}

void RocmEvents::countRows(std::string_view table, std::uint64_t rows, bool known)
{
    if (rows > 0)
        m_tables.push_back({std::string(table), rows, known});
}

void RocmEvents::fill(TraceBuilder& trace, ImportLog& log)
{
    if (m_usualTime == 0)
        addWaiting();
    addKernelCounters();
    constexpr Ns never = std::numeric_limits<Ns>::max();
    if (m_reader.earliest == never) { // counters alone have times
        for (const auto& [key, values] : m_reader.counters) {
            for (const CounterValue& value : values)
                m_reader.earliest = std::min(m_reader.earliest, value.time);
        }
    }
    const Ns zero = m_reader.earliest == never ? 0 : m_reader.earliest;
    fillTrace(m_reader, m_head, 0, trace, log);
    auto libraries = unownedTableOf<LibraryCallTable>(m_libraries, zero);
    libraries->messages.resize(1); // no event has a message
    trace.setTable(std::move(libraries));
    trace.edit([&](Trace& made) {
        made.ordinals.clear();
        for (const auto& [pid, device] : m_ordinals)
            made.ordinals.push_back({pid, device, device});
        setRecorder(made.info, Recorder::OtherTracer, m_recorder);
        made.info.tables = std::move(m_tables);
        std::ranges::sort(made.info.tables, {}, &SourceTable::name);
    });
}

} // namespace warpline
