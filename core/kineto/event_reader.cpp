// What the events of a trace mean. PyTorch's profiler tells the kind of an event by its category; other
// writers have categories of their own, whose events are ranges of a thread.

#include "core/kineto/event_reader.h"

#include "core/base/saturate.h"
#include "core/kernels/short_name.h"
#include "core/kineto/collective_words.h"
#include "core/store/nvtx_types.h"

#include <algorithm>

namespace warpline {

namespace {

constexpr Ns mostDistance = Ns{208} * 24 * 3600 * 1'000'000'000; // longer than any recording
constexpr Ns longest = Ns{7} * 24 * 3600 * 1'000'000'000; // more is a fault of the recording
constexpr std::uint32_t threadBits = 0xFFFFFF;

/// Ranges that frameworks and devices beside CUDA have: their category is their domain.
constexpr std::string_view sameAsName{};

std::uint64_t hashOf(std::string_view text)
{
    std::uint64_t hash = 14695981039346656037ULL;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return hash;
}

/// A number for a process or thread that fits in 24 bits: the number itself, or one that stands for it.
std::uint32_t idOf(const JsonValue& value)
{
    const auto number = value.there() ? integerOf(value) : 0;
    if (number && *number >= 0 && *number <= threadBits)
        return static_cast<std::uint32_t>(*number);
    if (number && *number < 0)
        return 0; // "-1": of nobody in particular
    constexpr std::uint32_t half = threadBits >> 1U; // made-up ones are above those that systems give
    return (static_cast<std::uint32_t>(hashOf(value.text)) & half) | (half + 1);
}

/// "HtoD" in "Memcpy HtoD (Pageable -> Device)".
CopyKind copyKindOf(std::string_view name)
{
    static constexpr std::array<std::pair<std::string_view, CopyKind>, 10> kinds{{{"HtoD", CopyKind::HtoD},
        {"DtoH", CopyKind::DtoH}, {"DtoD", CopyKind::DtoD}, {"HtoH", CopyKind::HtoH},
        {"PtoP", CopyKind::PtoP}, {"HtoA", CopyKind::HtoA}, {"AtoH", CopyKind::AtoH},
        {"AtoA", CopyKind::AtoA}, {"AtoD", CopyKind::AtoD}, {"DtoA", CopyKind::DtoA}}};
    for (const auto& [word, kind] : kinds) {
        if (name.find(word) != std::string_view::npos)
            return kind;
    }
    return CopyKind::Unknown;
}

MemoryKind memoryKindIn(std::string_view word)
{
    static constexpr std::array<std::pair<std::string_view, MemoryKind>, 7> kinds{
        {{"Pageable", MemoryKind::Pageable}, {"Pinned", MemoryKind::Pinned}, {"Device", MemoryKind::Device},
            {"Array", MemoryKind::Array}, {"Managed Static", MemoryKind::ManagedStatic},
            {"Device Static", MemoryKind::DeviceStatic}, {"Managed", MemoryKind::Managed}}};
    const auto* const found = std::ranges::find(kinds, word, [](const auto& kind) { return kind.first; });
    return found != kinds.end() ? found->second : MemoryKind::Unknown;
}

/// The words in "(Pageable -> Device)" at the end of `name`.
std::pair<std::string_view, std::string_view> memoriesIn(std::string_view name)
{
    const std::size_t open = name.rfind('(');
    const std::size_t close = name.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open)
        return {};
    const std::string_view inside = name.substr(open + 1, close - open - 1);
    const std::size_t arrow = inside.find(" -> ");
    if (arrow == std::string_view::npos)
        return {inside, inside};
    return {inside.substr(0, arrow), inside.substr(arrow + 4)};
}

/// ENUM_CUPTI_SYNC_TYPE, and how nsys calls it.
std::pair<std::uint32_t, std::string_view> syncTypeOf(std::string_view kind)
{
    if (kind.starts_with("Event"))
        return {1, "Event sync"};
    if (kind.starts_with("Stream Wait"))
        return {2, "Stream wait sync"};
    if (kind.starts_with("Stream"))
        return {3, "Stream sync"};
    if (kind.starts_with("Context"))
        return {4, "Context sync"};
    return {0, "Unknown sync"};
}

Dim3 dimensionsOf(const JsonValue& list)
{
    const std::vector<std::int64_t> sides = integersOf(list, 3);
    const auto side = [&](std::size_t i) {
        return i < sides.size() ? static_cast<std::int32_t>(std::clamp<std::int64_t>(sides[i], 0, 0x7FFFFFFF))
                                : 1;
    };
    return {side(0), side(1), side(2)};
}

} // namespace

const std::array<EventReader::Category, 38> EventReader::categoryList{{
    {"kernel", &EventReader::kernel, {}, true},
    {"Kernel", &EventReader::kernel, {}, true},
    {"gpu_memcpy", &EventReader::memcpy, {}, true},
    {"Memcpy", &EventReader::memcpy, {}, true},
    {"gpu_memset", &EventReader::memset, {}, true},
    {"Memset", &EventReader::memset, {}, true},
    {"cuda_runtime", &EventReader::call, {}, true},
    {"Runtime", &EventReader::call, {}, true},
    {"cuda_driver", &EventReader::call, {}, true},
    {"cpu_op", &EventReader::range, "PyTorch", true},
    {"Operator", &EventReader::range, "PyTorch", true},
    {"user_annotation", &EventReader::range, "", true},
    {"python_function", &EventReader::range, "Python", true},
    {"gpu_user_annotation", &EventReader::gpuRange, "GPU annotations", true},
    {"cuda_sync", &EventReader::synchronization, {}, true},
    {"cuda_event", &EventReader::cudaEvent, {}, true},
    {"overhead", &EventReader::overhead, {}, true},
    {"Trace", &EventReader::skip, {}, true},
    {"ac2g", &EventReader::skip, {}, true},
    {"fwdbwd", &EventReader::skip, {}, true},
    {"async_cpu_to_gpu", &EventReader::skip, {}, true},
    {"cpu_to_cuda", &EventReader::skip, {}, true},
    {"external_correlation", &EventReader::range, sameAsName, true},
    {"collective_comm", &EventReader::range, sameAsName, true},
    {"cuda_profiler_range", &EventReader::range, sameAsName, true},
    {"hardware_counters", &EventReader::range, sameAsName, true},
    {"glow_runtime", &EventReader::range, sameAsName, true},
    {"mtia_runtime", &EventReader::range, sameAsName, true},
    {"mtia_ccp_events", &EventReader::range, sameAsName, true},
    {"mtia_insight", &EventReader::range, sameAsName, true},
    {"mtia_counters", &EventReader::range, sameAsName, true},
    {"hpu_op", &EventReader::range, sameAsName, true},
    {"xpu_runtime", &EventReader::range, sameAsName, true},
    {"xpu_driver", &EventReader::range, sameAsName, true},
    {"xpu_sync", &EventReader::range, sameAsName, true},
    {"xpu_scope_profiler", &EventReader::range, sameAsName, true},
    {"privateuse1_runtime", &EventReader::range, sameAsName, true},
    {"privateuse1_driver", &EventReader::range, sameAsName, true},
}};

StringId NameCache::operator()(std::string_view text)
{
    const auto known = m_known.find(text);
    if (known != m_known.end())
        return known->second;
    const StringId id = m_pool.intern(text);
    m_known.emplace(m_pool[id], id);
    return id;
}

std::size_t LaunchHash::operator()(const KernelLaunch& launch) const
{
    std::size_t hash = raw(launch.shortName);
    for (const auto part :
        {static_cast<std::uint64_t>(launch.grid.x), static_cast<std::uint64_t>(launch.grid.y),
            static_cast<std::uint64_t>(launch.block.x), static_cast<std::uint64_t>(launch.registersPerThread),
            static_cast<std::uint64_t>(launch.dynamicSharedMemory), launch.graphNodeId})
        hash = hash * 1099511628211ULL + part;
    return hash;
}

std::size_t CopyHash::operator()(const CopyAttributes& copy) const
{
    return (static_cast<std::size_t>(copy.kind) << 16U | static_cast<std::size_t>(copy.source) << 8U
               | static_cast<std::size_t>(copy.destination))
        * 1099511628211ULL
        + copy.graphNodeId;
}

std::size_t AttributesHash::operator()(const NvtxAttributes& a) const
{
    return (std::size_t{raw(a.payload)} * 1099511628211ULL + raw(a.categoryName)) * 1099511628211ULL
        + a.eventType;
}

std::size_t OperationHash::operator()(const GpuMemoryOperation& operation) const
{
    return static_cast<std::size_t>(operation.memory) << 8U | static_cast<std::size_t>(operation.allocates)
        | static_cast<std::size_t>(static_cast<std::uint32_t>(operation.device)) << 16U;
}

void EventFaults::add(const EventFaults& other)
{
    broken += other.broken;
    noTime += other.noTime;
    outOfRange += other.outOfRange;
    noEnd += other.noEnd;
    tooLong += other.tooLong;
    negative += other.negative;
    otherPhase += other.otherPhase;
    noNumber += other.noNumber;
}

Ns middleTimeOf(const EventBlock& block)
{
    std::vector<Ns> times;
    RawEvent event;
    for (const auto& [first, last] : block.events) {
        if (!parseEvent(std::string_view(block.text).substr(first, last - first), event)
            || event.isPhase('M'))
            continue;
        if (const auto time = nanosecondsOf(event.start))
            times.push_back(*time);
    }
    if (times.empty())
        return 0;
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::ranges::nth_element(times, middle);
    return *middle;
}

EventReader::EventReader(StringPool& pool, Ns middle)
    : m_names(pool),
      m_middle(middle)
{
}

void EventReader::read(const EventBlock& block)
{
    m_number = block.firstEvent;
    for (const auto& [first, last] : block.events) {
        ++m_number;
        if (parseEvent(std::string_view(block.text).substr(first, last - first), m_event))
            readEvent();
        else
            ++faults.broken;
    }
}

void EventReader::count(std::string_view category)
{
    const auto known = categories.find(category);
    if (known != categories.end())
        ++known->second;
    else
        categories.emplace(category, 1);
}

const EventReader::Category* EventReader::categoryOf(std::string_view name)
{
    if (name == m_lastCategory)
        return m_lastFound;
    const auto* const found = std::ranges::find(categoryList, name, &Category::name);
    m_lastCategory = name;
    m_lastFound = found != categoryList.end() ? found : nullptr;
    return m_lastFound;
}

void EventReader::readEvent()
{
    const std::string_view category = m_event.category.text;
    m_category = categoryOf(category);
    isKineto = isKineto || (m_category != nullptr && m_category->ofKineto);
    count(!category.empty() ? category : m_event.isPhase('M') ? "metadata" : "events without a category");
    switch (m_event.phase.text.size() == 1 ? m_event.phase.text.front() : '\0') {
    case 'X':
        readComplete();
        break;
    case 'i':
    case 'I':
        readInstant();
        break;
    case 'C':
        readCounter();
        break;
    case 'M':
        readName();
        break;
    case 'B':
        readEnd(true);
        break;
    case 'E':
        readEnd(false);
        break;
    case 's':
    case 't':
    case 'f':
        break; // flows: links are found by correlation ids
    default:
        ++faults.otherPhase;
        break;
    }
}

void EventReader::readComplete()
{
    if (m_category != nullptr)
        (this->*m_category->handle)();
    else
        range();
}

/// When the event was. False when it does not say.
bool EventReader::time(Ns& start)
{
    const auto at = nanosecondsOf(m_event.start);
    if (!at) {
        ++faults.noTime;
        return false;
    }
    // Both are within 63 bits, so that their difference may not be.
    if (*at < saturatingAdd(m_middle, -mostDistance) || *at > saturatingAdd(m_middle, mostDistance)) {
        ++faults.outOfRange;
        return false;
    }
    start = *at - m_middle;
    earliest = std::min(earliest, start);
    return true;
}

/// The event's time. False when it has none; an end that cannot be makes it a mark, and is counted.
bool EventReader::times(Ns& start, Ns& end)
{
    if (!time(start))
        return false;
    end = start;
    if (!m_event.duration.there()) {
        ++faults.noEnd;
        return true;
    }
    const Ns duration = nanosecondsOf(m_event.duration).value_or(longest + 1);
    faults.negative += duration < 0 ? 1 : 0;
    faults.tooLong += duration > longest ? 1 : 0;
    if (duration > 0 && duration <= longest)
        end += duration;
    return true;
}

GlobalId EventReader::thread() const
{
    const std::uint32_t pid = idOf(m_event.pid);
    return pid == 0 ? GlobalId{idOf(m_event.tid)} : GlobalId{pid} << 24U | idOf(m_event.tid);
}

std::int32_t EventReader::number32(std::string_view key, std::int32_t otherwise) const
{
    const auto number = integerOf(m_event.argument(key));
    return number && *number >= -0x7FFFFFFF && *number <= 0x7FFFFFFF ? static_cast<std::int32_t>(*number)
                                                                     : otherwise;
}

std::uint32_t EventReader::correlation() const
{
    const auto id = integerOf(m_event.argument("correlation"));
    return id && *id > 0 ? static_cast<std::uint32_t>(*id) : 0;
}

std::uint32_t EventReader::sourceRow() const
{
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(m_number, noIndex - 1));
}

TrackKey EventReader::onDevice(std::string_view source)
{
    constexpr std::int32_t syncOffset = 1'000'000; // what Kineto adds to the stream of a synchronization
    const auto ofEvent = [](const JsonValue& value) {
        const auto number = integerOf(value);
        return number && *number >= -1 && *number <= 0x7FFFFFFF ? static_cast<std::int32_t>(*number) : -1;
    };
    TrackKey key;
    key.device = number32("device", ofEvent(m_event.pid));
    key.context = number32("context", -1);
    const std::int32_t row = ofEvent(m_event.tid);
    key.stream = number32("stream", row >= syncOffset ? row - syncOffset : row);
    key.source = m_names(source);
    return key;
}

TrackKey EventReader::onThread(std::string_view source, StringId domain)
{
    TrackKey key;
    key.owner = thread();
    key.family = domain;
    key.source = m_names(source);
    ++processes[pidOf(key.owner)];
    return key;
}

void EventReader::kernel()
{
    Ns start = 0;
    Ns end = 0;
    if (!times(start, end))
        return;
    const StringId name = m_names(m_event.name);
    auto [known, added] = m_shortNames.try_emplace(raw(name));
    if (added)
        known->second = m_names(shortNameOf(m_names.pool()[name]));
    KernelLaunch launch;
    launch.shortName = known->second;
    launch.grid = dimensionsOf(m_event.argument("grid"));
    launch.block = dimensionsOf(m_event.argument("block"));
    launch.registersPerThread = number32("registers per thread");
    launch.dynamicSharedMemory = number32("shared memory"); // static and dynamic in one number
    launch.graphNodeId = static_cast<std::uint64_t>(integerOf(m_event.argument("graph node id")).value_or(0));
    kernels.add(kernels.track(onDevice("kernel")), start, end, name, sourceRow());
    kernels.addCorrelation(correlation());
    kernels.addAttribute(launches.intern(launch));
}

void EventReader::memcpy()
{
    Ns start = 0;
    Ns end = 0;
    if (!times(start, end))
        return;
    const std::string_view name = m_event.name.text;
    const auto [from, to] = memoriesIn(name);
    CopyAttributes copy;
    copy.kind = copyKindOf(name);
    if (copy.kind == CopyKind::Unknown)
        copy.kind = copyKindOf(m_event.argument("kind").text);
    copy.source = memoryKindIn(from);
    copy.destination = memoryKindIn(to);
    copy.sourceDevice = number32("fromDevice", -1);
    copy.destinationDevice = number32("toDevice", -1);
    copy.graphNodeId = static_cast<std::uint64_t>(integerOf(m_event.argument("graph node id")).value_or(0));
    auto bytes = integerOf(m_event.argument("bytes"));
    if (!bytes)
        bytes = integerOf(m_event.argument("size")); // older ROCm
    memcpys.add(memcpys.track(onDevice("gpu_memcpy")), start, end,
        m_names("Memcpy " + std::string(labelOf(copy.kind))), sourceRow());
    memcpys.addCorrelation(correlation());
    memcpys.addBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, bytes.value_or(0))));
    memcpys.addAttribute(copies.intern(copy));
}

void EventReader::memset()
{
    Ns start = 0;
    Ns end = 0;
    if (!times(start, end))
        return;
    memsets.add(memsets.track(onDevice("gpu_memset")), start, end, m_names("Memset"), sourceRow());
    memsets.addCorrelation(correlation());
    memsets.addBytes(static_cast<std::uint64_t>(
        std::max<std::int64_t>(0, integerOf(m_event.argument("bytes")).value_or(0))));
    memsets.addAttribute(static_cast<std::uint32_t>(memoryKindIn(memoriesIn(m_event.name.text).first)));
}

void EventReader::synchronization()
{
    Ns start = 0;
    Ns end = 0;
    if (!times(start, end))
        return;
    const JsonValue& kind = m_event.argument("cuda_sync_kind");
    const auto [type, name] = syncTypeOf(kind.there() ? kind.text : m_event.name.text);
    synchronizations.add(
        synchronizations.track(onDevice("cuda_sync")), start, end, m_names(name), sourceRow());
    synchronizations.addCorrelation(correlation());
    synchronizations.addAttribute(type);
}

void EventReader::cudaEvent()
{
    Ns start = 0;
    Ns end = 0;
    if (!times(start, end))
        return;
    cudaEvents.add(
        cudaEvents.track(onDevice("cuda_event")), start, start, m_names("CUDA event record"), sourceRow());
    cudaEvents.addCorrelation(correlation());
    cudaEvents.addAttribute(static_cast<std::uint32_t>(number32("event_id")));
}

void EventReader::call()
{
    Ns start = 0;
    Ns end = 0;
    if (!times(start, end))
        return;
    const bool driver = m_event.category.text == "cuda_driver";
    calls.add(calls.track(onThread(driver ? "cuda_driver" : "cuda_runtime", {})), start, end,
        m_names(m_event.name), sourceRow());
    calls.addCorrelation(correlation());
    calls.addAttribute(0);
}

/// What an operator was called with, as JSON: what repeats from call to call, and none of its own numbers.
StringId EventReader::payload()
{
    static constexpr std::array<std::string_view, 9> kept{"Input Dims", "Input type", "Concrete Inputs",
        "Module Hierarchy", "Call stack", "kernel_backend", "kernel_file", "grid", "num_warps"};
    m_payload.clear();
    for (const std::string_view key : kept) {
        const JsonValue& value = m_event.argument(key);
        if (!value.there())
            continue;
        m_payload += m_payload.empty() ? "{\"" : ",\"";
        m_payload += key;
        m_payload += "\":";
        const std::string_view quote = value.isText() ? "\"" : "";
        m_payload += quote;
        m_payload += value.text;
        m_payload += quote;
    }
    if (m_payload.empty())
        return {};
    m_payload += '}';
    return m_names(m_payload);
}

void EventReader::addRange(
    const TrackKey& track, Ns start, Ns end, StringId name, const NvtxAttributes& range)
{
    ranges.add(ranges.track(track), start, end, name, sourceRow());
    ranges.addAttribute(attributes.intern(range));
}

void EventReader::range()
{
    Ns start = 0;
    Ns end = 0;
    if (!times(start, end))
        return;
    const std::string_view category = m_event.category.text;
    const std::string_view source = category.empty() ? "events without a category" : category;
    NvtxAttributes range;
    StringId domain{};
    if (m_category == nullptr)
        range.categoryName = m_names(m_event.category);
    else
        domain = m_names(m_category->domain.data() == nullptr ? category : m_category->domain);
    const TrackKey track = onThread(source, domain);
    range.payload = payload();
    addRange(track, start, end, m_names(m_event.name), range);
    if (m_event.name.text == "record_param_comms")
        collective(track, start, end);
}

/// An exchange with other ranks, once more in the words of NCCL's own ranges.
void EventReader::collective(const TrackKey& track, Ns start, Ns end)
{
    const CollectiveWords words = collectiveWordsOf(m_event);
    if (words.name.empty())
        return;
    TrackKey key = track;
    key.family = m_names("NCCL");
    key.source = m_names("cpu_op (record_param_comms)");
    NvtxAttributes range;
    range.payload = m_names(words.payload);
    range.payloadBytes = words.bytes;
    addRange(key, start, end, m_names(words.name), range);
    std::int64_t& ranks = communicators[words.communicator];
    ranks = std::max(ranks, words.ranks);
}

void EventReader::gpuRange()
{
    Ns start = 0;
    Ns end = 0;
    if (!times(start, end))
        return;
    TrackKey key = onDevice("gpu_user_annotation");
    key.family = m_names("GPU annotations");
    addRange(key, start, end, m_names(m_event.name), {});
}

void EventReader::overhead()
{
    Ns start = 0;
    Ns end = 0;
    if (!times(start, end))
        return;
    TrackKey key;
    key.owner = thread();
    key.source = m_names("overhead");
    overheads.add(overheads.track(key), start, end, m_names(m_event.name), sourceRow());
}

void EventReader::readInstant()
{
    if (m_event.name.text == "[memory]" && m_event.argument("Bytes").there()) {
        memory();
        return;
    }
    if (m_event.pid.isText())
        return; // where the profiler began and ended to look: beyond what the program did
    Ns at = 0;
    if (!time(at))
        return;
    NvtxAttributes mark;
    mark.eventType = nvtxMark;
    if (m_category == nullptr)
        mark.categoryName = m_names(m_event.category);
    const std::string_view category = m_event.category.text;
    addRange(onThread(category.empty() ? "events without a category" : category, {}), at, at,
        m_names(m_event.name), mark);
}

/// A change of what PyTorch's caching allocator holds.
void EventReader::memory()
{
    Ns at = 0;
    if (!time(at))
        return;
    const auto bytes = integerOf(m_event.argument("Bytes"));
    if (!bytes) {
        ++faults.noNumber;
        return;
    }
    const bool onGpu = number32("Device Type") != 0;
    TrackKey key = onThread("cpu_instant_event", {});
    key.owner = processOf(key.owner);
    key.device = onGpu ? number32("Device Id", 0) : -1;
    for (const std::string_view what : {"Total Allocated", "Total Reserved"}) {
        const auto total = realOf(m_event.argument(what));
        if (total && (onGpu || what == "Total Allocated"))
            counters[{key.owner, key.device, std::string(what)}].emplace_back(at, *total);
    }
    if (!onGpu)
        return;
    GpuMemoryOperation operation;
    operation.memory = MemoryKind::Device;
    operation.allocates = *bytes > 0;
    operation.device = key.device;
    allocations.add(allocations.track(key), at, at,
        m_names(operation.allocates ? "Allocation" : "Deallocation"), sourceRow());
    allocations.addBytes(*bytes < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(*bytes)
                                    : static_cast<std::uint64_t>(*bytes));
    allocations.addAddress(static_cast<std::uint64_t>(integerOf(m_event.argument("Addr")).value_or(0)));
    allocations.addCorrelation(0);
    allocations.addAttribute(operations.intern(operation));
}

void EventReader::readCounter()
{
    Ns at = 0;
    if (!time(at))
        return;
    const GlobalId process = processOf(thread());
    const std::string name = textOf(m_event.name);
    for (const JsonField& field : m_event.arguments) {
        const auto value = realOf(field.value);
        if (!value) {
            ++faults.noNumber;
            continue;
        }
        const bool same = m_event.arguments.size() == 1 || field.key == name;
        counters[{process, -1, same ? name : name + " " + unescaped(field.key)}].emplace_back(at, *value);
    }
}

void EventReader::readName()
{
    const JsonValue& name = m_event.argument("name");
    if (!name.there() || idOf(m_event.pid) == 0)
        return;
    if (m_event.name.text == "process_name")
        processNames[processOf(thread())] = m_names(name);
    else if (m_event.name.text == "thread_name")
        threadNames[thread()] = m_names(name);
}

void EventReader::readEnd(bool begins)
{
    Ns at = 0;
    if (!time(at))
        return;
    ends.push_back({m_number, thread(), at, begins, m_names(m_event.name), m_names(m_event.category)});
    ++processes[pidOf(thread())];
}

void EventReader::append(EventReader&& other)
{
    other.kernels.translateAttributes(launches, other.launches);
    other.memcpys.translateAttributes(copies, other.copies);
    other.ranges.translateAttributes(attributes, other.attributes);
    other.allocations.translateAttributes(operations, other.operations);
    for (const auto table : {&EventReader::kernels, &EventReader::memcpys, &EventReader::memsets,
             &EventReader::synchronizations, &EventReader::cudaEvents, &EventReader::calls,
             &EventReader::ranges, &EventReader::overheads, &EventReader::allocations})
        (this->*table).append(std::move(other.*table));
    ends.insert(ends.end(), other.ends.begin(), other.ends.end());
    for (auto& [key, values] : other.counters) {
        CounterValues& all = counters[key];
        all.insert(all.end(), values.begin(), values.end());
    }
    for (const auto& [pid, events] : other.processes)
        processes[pid] += events;
    processNames.merge(other.processNames);
    threadNames.merge(other.threadNames);
    for (const auto& [category, events] : other.categories)
        categories[category] += events;
    for (const auto& [group, ranks] : other.communicators) {
        std::int64_t& known = communicators[group];
        known = std::max(known, ranks);
    }
    faults.add(other.faults);
    earliest = std::min(earliest, other.earliest);
    isKineto = isKineto || other.isKineto;
}

} // namespace warpline
