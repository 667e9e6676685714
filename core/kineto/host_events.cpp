// Host events: operators, calls, marks, events of allocator and profiler.

#include "core/kineto/collective_words.h"
#include "core/kineto/event_reader.h"
#include "core/store/nvtx_types.h"

#include <algorithm>

namespace warpline {

void EventReader::call(TimeRange time)
{
    const std::string_view category = m_event.category.text;
    const bool named = category == "cuda_driver" || category == "mtia_runtime";
    const std::uint32_t number
        = addLinked(calls, onThread(named ? category : "cuda_runtime", {}), time, m_names(m_event.name));
    calls.addAttribute(0);
    if (m_event.name.text.find("EventRecord") != std::string_view::npos)
        loose.recordCalls.emplace(number, time.start);
    // ROCm records the launched kernel.
    if (const JsonValue& kernel = m_event.argument("kernel"); kernel.isText())
        loose.launchedKernels.emplace(sourceRow(), namesOfKernel(kernel).name);
}

/// Adds `json` to `payload` without the line breaks of traces that are written for the eye: "[[1, 2], []]".
static void addOnOneLine(std::string& payload, std::string_view json)
{
    if (json.find('\n') == std::string_view::npos) {
        payload += json;
        return;
    }
    bool quoted = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        const bool isSpace = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (quoted || !isSpace)
            payload += c;
        if (quoted && c == '\\' && i + 1 < json.size())
            payload += json[++i];
        else if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            payload += ' ';
    }
}

/// The arguments of an operator as JSON: those that repeat between calls, without per-call numbers.
StringId EventReader::payload()
{
    static constexpr std::array<std::string_view, 10> kept{"Input Dims", "Input type", "Input Strides",
        "Concrete Inputs", "Module Hierarchy", "Call stack", "kernel_backend", "kernel_file", "grid",
        "num_warps"};
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
        addOnOneLine(m_payload, value.text);
        m_payload += quote;
    }
    if (m_payload.empty())
        return {};
    m_payload += '}';
    return m_names(m_payload);
}

void EventReader::add(TableBuilder& table, const TrackKey& track, TimeRange time, StringId name)
{
    table.add(table.track(track), time.start, time.end, name, sourceRow());
}

std::uint32_t EventReader::addLinked(
    TableBuilder& table, const TrackKey& track, TimeRange time, StringId name)
{
    add(table, track, time, name);
    const std::uint32_t number = launchNumber();
    table.addCorrelation(number);
    return number;
}

void EventReader::addRange(const TrackKey& track, TimeRange time, StringId name, const NvtxAttributes& range)
{
    add(ranges, track, time, name);
    ranges.addAttribute(attributes.intern(range));
}

void EventReader::range(TimeRange time)
{
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
    addRange(track, time, m_names(m_event.name), range);
    if (m_event.name.text == "record_param_comms")
        collective(track, time);
}

/// PyTorch of 2021 has one category for operators and for annotations of the profiler, loaders and
/// optimizers.
void EventReader::oldOperator(TimeRange time)
{
    static constexpr std::array<std::string_view, 4> annotations{
        "ProfilerStep#", "enumerate(DataLoader)", "Optimizer.", "DistributedDataParallel."};
    const auto isBegun = [&](std::string_view beginning) { return m_event.name.text.starts_with(beginning); };
    if (std::ranges::any_of(annotations, isBegun)) {
        m_event.category.text = "user_annotation";
        m_category = categoryOf(m_event.category.text);
    }
    range(time);
}

void EventReader::osCall(TimeRange time)
{
    add(osCalls, onThread("osrt", {}), time, m_names(m_event.name));
}

/// An NVTX range that Warpline wrote, with its domain as argument.
void EventReader::ownRange(TimeRange time)
{
    addRange(onThread("nvtx", m_names(m_event.argument("domain"))), time, m_names(m_event.name), {});
}

/// Repeats an exchange with other ranks in the format of NCCL's own ranges.
void EventReader::collective(const TrackKey& track, TimeRange time)
{
    const CollectiveWords words = collectiveWordsOf(m_event);
    if (words.name.empty())
        return;
    TrackKey key = track;
    key.family = m_names("NCCL");
    key.source = m_names("cpu_op (record_param_comms)");
    NvtxAttributes range{.payload = m_names(words.payload), .payloadBytes = words.bytes};
    addRange(key, time, m_names(words.name), range);
    std::int64_t& ranks = communicators[words.communicator];
    ranks = std::max(ranks, words.ranks);
}

void EventReader::overhead(TimeRange time)
{
    const ProfilerWork work{thread(), time.start, time.end, m_names(m_event.name), sourceRow()};
    if (work.thread == 0) {
        loose.overheads.push_back(work);
        return;
    }
    addOverhead(work);
}

void EventReader::addOverhead(const ProfilerWork& work)
{
    TrackKey key{.owner = work.thread, .source = m_names("overhead")};
    overheads.add(overheads.track(key), work.start, work.end, work.name, work.sourceRow);
}

void EventReader::readInstant()
{
    if (m_event.name.text == "[memory]" && m_event.argument("Bytes").there()) {
        memory();
        return;
    }
    if (m_event.pid.isText())
        return; // begin and end of the profiler's window, not the program's events
    Ns at = 0;
    if (!time(at))
        return;
    NvtxAttributes mark;
    mark.eventType = nvtxMark;
    if (m_category == nullptr)
        mark.categoryName = m_names(m_event.category);
    const std::string_view category = m_event.category.text;
    StringId domain{};
    if (m_category != nullptr && !m_category->ofKineto) // Warpline's own
        domain = category == keyOf(EventKind::Nvtx) ? m_names(m_event.argument("domain")) : m_names(category);
    addRange(onThread(category.empty() ? "events without a category" : category, domain), {at, at},
        m_names(m_event.name), mark);
}

/// A change of the memory of PyTorch's caching allocator.
void EventReader::memory()
{
    Ns at = 0;
    if (!time(at))
        return;
    const auto bytes = integerOf(m_event.argument("Bytes"));
    if (!bytes) {
        addFault(ProblemKind::CounterWithoutNumber);
        return;
    }
    const bool onGpu = number32("Device Type") != 0;
    TrackKey key = onThread("cpu_instant_event", {});
    key.owner = processOf(key.owner);
    key.device = onGpu ? number32("Device Id", 0) : -1;
    for (const std::string_view what : {"Total Allocated", "Total Reserved"}) {
        const auto total = realOf(m_event.argument(what));
        if (total && (onGpu || what == "Total Allocated"))
            counters[{key.owner, key.device, std::string(what)}].push_back({at, *total, m_number});
    }
    if (!onGpu)
        return;
    GpuMemoryOperation operation{.memory = MemoryKind::Device, .allocates = *bytes > 0, .device = key.device};
    add(allocations, key, {at, at}, m_names(operation.allocates ? "Allocation" : "Deallocation"));
    allocations.addBytes(*bytes < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(*bytes)
                                    : static_cast<std::uint64_t>(*bytes));
    allocations.addAddress(static_cast<std::uint64_t>(integerOf(m_event.argument("Addr")).value_or(0)));
    allocations.addCorrelation(0);
    allocations.addCallchain(tidOf(thread())); // the column is free, and holds who allocated
    allocations.addAttribute(operations.intern(operation));
}

} // namespace warpline
