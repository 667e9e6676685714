#include "core/query/event_text.h"

#include "core/base/format.h"
#include "core/base/format_instant.h"
#include "core/base/message_names.h"
#include "core/base/saturate.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/derive/backward_passes.h"
#include "core/derive/memory_lifetimes.h"
#include "core/derive/stream_waits.h"
#include "core/query/graph_captures.h"
#include "core/query/graph_origins.h"
#include "core/query/kernel_occupancy.h"
#include "core/store/attributes.h"
#include "core/store/gpu_names.h"
#include "core/store/nvtx_types.h"
#include "core/store/payload_fields.h"
#include "core/store/place_names.h"
#include "core/store/python_samples.h"
#include "core/store/range_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace warpline {

namespace {

Message shapeText(const KernelLaunch& launch, const Dim3& d)
{
    return isShapeKnown(launch) ? nameMessage(fmt::format("{} x {} x {}", d.x, d.y, d.z))
                                : Message("details.not_recorded", "not recorded");
}

/// labelOf() as a message: "Pageable", "Pinned", "Device".
Message memoryText(MemoryKind kind)
{
    static constexpr std::array<std::string_view, 8> keys{
        "pageable", "pinned", "device", "array", "managed", "device_static", "managed_static", "unknown"};
    return {"memory.kind",
        "{kind, select, pageable {Pageable} pinned {Pinned} device {Device} array {Array} managed {Managed} device_static {Device Static} managed_static {Managed Static} other {Unknown}}",
        {{"kind", Name{std::string(keys.at(static_cast<std::size_t>(kind)))}}}};
}

Name exact(std::int64_t bytes)
{
    return {formatBytes(naturalOf(bytes))};
}

class Facts {
public:
    explicit Facts(std::vector<TextRow>& rows)
        : m_rows(rows)
    {
    }
    void add(Message label, Message value, std::optional<Ns> instant = {})
    {
        if (!value.empty())
            m_rows.push_back({std::move(label), std::move(value), instant});
    }
    /// `value`: a name or a number.
    void add(Message label, std::string value) { add(std::move(label), nameMessage(std::move(value))); }
    void addInstant(Message label, Ns time) { add(std::move(label), nameMessage(formatInstant(time)), time); }

private:
    std::vector<TextRow>& m_rows;
};

void addKernelFacts(const Trace& trace, EventIndex i, Facts& facts)
{
    const KernelLaunch& launch = trace.kernels().launch(i);
    facts.add({"details.grid", "Grid"}, shapeText(launch, launch.grid));
    facts.add({"details.block", "Block"}, shapeText(launch, launch.block));
    if (launch.registersPerThread > 0)
        facts.add({"details.registers_per_thread", "Registers per thread"},
            std::to_string(launch.registersPerThread));
    facts.add({"details.shared_memory", "Shared memory"},
        Message("details.shared", "{static} static + {dynamic} dynamic",
            {{"static", exact(launch.staticSharedMemory)}, {"dynamic", exact(launch.dynamicSharedMemory)}}));
    const Residency residency = residencyOf(trace, i);
    if (const double waves = residency.waves(); waves > 0)
        facts.add({"details.theoretical_waves", "Theoretical waves"},
            waves < 0.005 ? "<0.01" : formatReal(waves, 2));
    if (residency.occupancy > 0)
        facts.add(
            {"details.theoretical_occupancy", "Theoretical occupancy"}, formatShare(residency.occupancy));
    if (launch.graphNodeId != 0)
        facts.add({"details.graph_node", "Graph node"}, std::to_string(launch.graphNodeId));
}

void addByteFacts(const EventTable& table, EventIndex i, Facts& facts)
{
    if (table.bytes.empty())
        return;
    facts.add({"details.size", "Size"}, formatBytes(table.bytes[i]));
    if (table.duration[i] > 0 && table.bytes[i] > 0)
        facts.add({"details.throughput", "Throughput"},
            formatThroughput(
                static_cast<double>(table.bytes[i]) * 1e9 / static_cast<double>(table.duration[i])));
}

void addNvtxFacts(const Trace& trace, EventIndex i, Facts& facts)
{
    const NvtxAttributes& attributes = trace.nvtx().attributesOf(i);
    facts.add({"details.domain", "Domain"}, toUtf8(trace.text(trace.nvtx().trackOf(i).family)));
    facts.add({"details.category", "Category"}, categoryText(trace, attributes));
    constexpr std::size_t maxFields = 100; // laid out in the window's thread
    const std::vector<PayloadField> fields = payloadFields(trace.text(attributes.payload));
    for (std::size_t field = 0; field < std::min(fields.size(), maxFields); ++field)
        facts.add(nameMessage(toUtf8(fields[field].name)), toUtf8(fields[field].value));
    if (fields.size() > maxFields)
        facts.add({"details.more_fields", "More fields"}, formatCount(fields.size() - maxFields));
    if (trace.text(trace.nvtx().trackOf(i).family) == pythonSamplesDomain && lacksPythonStacks(trace))
        facts.add({"details.call_stack", "Call stack"},
            Message("details.no_python", "not in the export: {command} includes Python samples",
                {{"command", Name{std::string(keepsPythonStacks)}}}));
    if (attributes.open)
        facts.add(
            {"details.end", "End"}, Message("details.open", "not recorded, shown to the end of the session"));
    if (attributes.endThread != 0)
        facts.add({"details.ended_on", "Ended on"}, threadLabel(trace, attributes.endThread));
}

/// The operator that autograd joins with operator `i`: "aten::mm, 3.2 ms later".
void addPassFacts(const Trace& trace, EventIndex i, Facts& facts)
{
    const BackwardPass pass = backwardPassOf(trace, i);
    if (pass.forward == noIndex)
        return;
    const NvtxTable& ranges = trace.nvtx();
    const auto name = [&](EventIndex range) { return Name{toUtf8(trace.name({EventKind::Nvtx, range}))}; };
    const auto after = [&](EventIndex first, EventIndex second) {
        return Name{formatDuration(ranges.start[second] - ranges.start[first])};
    };
    if (pass.forward != i)
        facts.add({"details.forward_operator", "Forward operator"},
            Message("details.before", "{range}, {time} before",
                {{"range", name(pass.forward)}, {"time", after(pass.forward, i)}}));
    else if (!pass.backward.empty())
        facts.add({"details.backward_pass", "Backward pass"},
            Message("details.after", "{range}, {time} after",
                {{"range", name(pass.backward.front())}, {"time", after(i, pass.backward.front())}}));
}

void addMemoryFacts(const Trace& trace, EventIndex i, Facts& facts)
{
    const GpuMemoryTable& memory = trace.gpuMemory();
    facts.add({"details.size", "Size"}, formatBytes(memory.bytes[i]));
    facts.add({"details.memory", "Memory"}, memoryText(memory.operation(i).memory));
    facts.add({"details.address", "Address"}, fmt::format("0x{:x}", memory.address[i]));
    const MemoryLifetime lifetime = lifetimeOf(trace, i);
    if (lifetime.allocation == noIndex)
        return;
    const std::string held = formatDuration(lifetime.held.duration());
    facts.add({"details.held_for", "Held for"},
        lifetime.release == noIndex
            ? Message("details.held_on", "{time}, to the end of the report or longer", {{"time", Name{held}}})
            : nameMessage(held));
}

/// "4 ranks, this is rank 2 of it", or the handle when nothing else is known.
Message communicatorText(const Trace& trace, GlobalId thread, std::int64_t handle)
{
    const MpiCommunicator* const known = trace.communicator(thread, handle);
    if (!known || known->size <= 0)
        return nameMessage(fmt::format("0x{:x}", static_cast<std::uint64_t>(handle)));
    return {"details.communicator",
        "{size} {count, plural, one {rank} other {ranks}}, local rank {rank} ({handle})",
        {{"size", Ordinal{known->size}}, {"count", Count{static_cast<std::uint64_t>(known->size)}},
            {"rank", Ordinal{known->localRank}},
            {"handle", Name{fmt::format("0x{:x}", static_cast<std::uint64_t>(handle))}}}};
}

void addMessageFacts(const Trace& trace, EventIndex i, Facts& facts)
{
    if (const std::uint64_t rows = trace.libraryCalls().rowsOf(i); rows > 1)
        facts.add({"details.requests", "Requests"},
            Message("details.requests_of_rows", "{count} (one row of the report each)",
                {{"count", Ordinal{static_cast<std::int64_t>(rows)}}}));
    const MessageFacts* const message = trace.libraryCalls().message(i);
    if (!message)
        return;
    const Track& track = trace.libraryCalls().trackOf(i);
    if (track.device >= 0) { // a packet in a queue of Windows' display driver
        if (message->communicator != notSaid)
            facts.add({"details.context", "Context"},
                fmt::format("0x{:x}", static_cast<std::uint64_t>(message->communicator)));
        if (message->tag != notSaid)
            facts.add({"details.node", "Node"}, std::to_string(message->tag));
        return;
    }
    const GlobalId thread = track.owner;
    const auto addNumber = [&facts](Message label, std::int64_t value) {
        if (value != notSaid)
            facts.add(std::move(label), std::to_string(value));
    };
    const auto addBytes = [&facts](Message label, std::int64_t bytes) {
        if (bytes != notSaid)
            facts.add(std::move(label), exact(bytes).name);
    };
    addBytes({"details.message_size", "Message size"}, message->bytes);
    addBytes({"details.received", "Received"}, message->bytesReceived);
    if (message->communicator != notSaid)
        facts.add({"details.communicator_label", "Communicator"},
            communicatorText(trace, thread, message->communicator));
    addNumber({"details.other_end", "Other end"}, message->peer);
    addNumber({"details.root_rank", "Root rank"}, message->root);
    addNumber({"details.tag", "Tag"}, message->tag);
}

/// The call behind GPU work and how long the work waited, or the work behind a call.
void addLinkFacts(const Trace& trace, EventRef event, Facts& facts)
{
    if (const EventRef call = trace.apiCallOf(event); call.valid()) {
        const TimeRange made = trace.range(call);
        const Ns latency = trace.range(event).start - made.start;
        facts.add({"details.launched_by", "Launched by"}, toUtf8(trace.displayName(call)));
        facts.add({"details.launch_latency", "Launch latency"}, formatDuration(latency));
        facts.add({"details.queue_time", "Queue time"},
            formatDuration(std::max<Ns>(0, trace.range(event).start - made.end)));
    }
    if (event.kind != EventKind::ApiCall)
        return;
    const std::vector<EventRef> work = trace.workOf(event);
    if (work.empty())
        return;
    const EventRef first
        = *std::ranges::min_element(work, {}, [&](EventRef w) { return trace.range(w).start; });
    facts.add(work.size() == 1 ? Message("details.gpu_work", "GPU work")
                               : Message("details.first_gpu_work", "GPU work (first of {count})",
                                   {{"count", Ordinal{static_cast<std::int64_t>(work.size())}}}),
        toUtf8(trace.displayName(first)) + ", " + formatDuration(trace.range(first).duration()));
    facts.add({"details.launch_latency", "Launch latency"},
        formatDuration(trace.range(first).start - trace.range(event).start));
}

/// "AllReduce on Stream 17"
Message workOnStream(const Trace& trace, EventRef work)
{
    return {"details.work_on", "{work} on {stream}",
        {{"work", Name{toUtf8(trace.displayName(work))}},
            {"stream", streamLabel(trace, trace.track(trace.trackOf(work)))}}};
}

/// The work of another stream that this work waited for.
void addWaitFacts(const Trace& trace, EventRef event, Facts& facts)
{
    if (!isGpuWork(event.kind))
        return;
    const auto waits = knownStreamWaits(trace); // to find them takes longer than a tip may
    const StreamWait* const wait = waits ? waitBefore(*waits, event) : nullptr;
    if (!wait || !wait->producer.valid())
        return;
    facts.add({"details.waits_for", "Waits for"}, workOnStream(trace, wait->producer));
    if (!wait->held.empty())
        facts.add({"details.delayed_by_it", "Delayed by it"}, formatDuration(wait->held.duration()));
}

/// The ranges in which the graph node was captured that ran as this work.
void addCaptureFacts(const Trace& trace, EventRef event, Facts& facts)
{
    if (const auto origins = knownGraphOrigins(trace)) {
        const CapturedAt captured = origins->of(trace, event);
        facts.add({"details.captured_in", "Captured in"}, toUtf8(capturedPath(captured)));
        facts.add({"details.captured_shapes", "Captured shapes"}, toUtf8(capturedShapes(captured)));
    }
    if (trace.graphEvents().empty())
        return;
    const auto captures = knownGraphCaptures(trace);
    if (const std::uint64_t node = graphNodeOf(trace, event); node != 0 && captures) {
        const GlobalId process = processOf(trace.track(trace.trackOf(event)).owner);
        facts.add({"details.captured_in", "Captured in"}, toUtf8(captures->pathOf(trace, process, node)));
    }
}

void addKindFacts(const Trace& trace, EventRef event, Facts& facts)
{
    const EventTable& table = trace.table(event.kind);
    switch (event.kind) {
    case EventKind::Kernel:
        addKernelFacts(trace, event.index, facts);
        break;
    case EventKind::Memcpy: {
        const CopyAttributes& copy = trace.memcpys().copy(event.index);
        addByteFacts(table, event.index, facts);
        facts.add({"details.source", "Source"}, memoryText(copy.source));
        facts.add({"details.destination", "Destination"}, memoryText(copy.destination));
        break;
    }
    case EventKind::Memset:
        addByteFacts(table, event.index, facts);
        facts.add({"details.memory", "Memory"}, memoryText(memoryOfSet(trace, event.index)));
        break;
    case EventKind::GpuMemory:
        addMemoryFacts(trace, event.index, facts);
        break;
    case EventKind::Nvtx:
        addNvtxFacts(trace, event.index, facts);
        addPassFacts(trace, event.index, facts);
        break;
    case EventKind::NvtxProjected:
        facts.add({"details.cpu_time", "CPU time"},
            formatDuration(trace.range({EventKind::Nvtx, rangeProjectedBy(trace, event.index)}).duration()));
        break;
    case EventKind::ThreadState:
        facts.add({"details.cpu", "CPU"}, std::to_string(coreOfState(trace, event.index)));
        break;
    case EventKind::Sample:
        facts.add({"details.cpu", "CPU"}, std::to_string(coreOfSample(trace, event.index)));
        break;
    case EventKind::OsRuntime:
        facts.add({"details.during_call", "During the call"}, meaningOfCall(trace, event));
        break;
    case EventKind::ApiCall:
        facts.add({"details.during_call", "During the call"}, meaningOfCall(trace, event));
        if (returnedBy(trace, event.index) != 0)
            facts.add(
                {"details.return_value", "Return value"}, std::to_string(returnedBy(trace, event.index)));
        break;
    case EventKind::FileAccess:
    case EventKind::Decompression:
        addByteFacts(table, event.index, facts);
        break;
    case EventKind::HostFunction:
        if (graphOfHostFunction(trace, event.index) != 0)
            facts.add({"details.graph", "Graph"}, std::to_string(graphOfHostFunction(trace, event.index)));
        break;
    case EventKind::GpuMemoryPool:
        if (table.bytes[event.index] != 0)
            facts.add({"details.pool_size", "Pool size"}, formatBytes(table.bytes[event.index]));
        break;
    case EventKind::Library:
        addMessageFacts(trace, event.index, facts);
        break;
    case EventKind::CpuCore: {
        const GlobalId thread
            = trace.table(EventKind::ThreadState).trackOf(stateShownBy(trace, event.index)).owner;
        facts.add({"details.thread", "Thread"}, threadLabel(trace, thread));
        facts.add({"details.of_process", "Of process"}, processLabel(trace, thread));
        break;
    }
    default:
        break;
    }
}

void addFacts(const Trace& trace, EventRef event, Facts& facts)
{
    addKindFacts(trace, event, facts);
    addLinkFacts(trace, event, facts);
    addWaitFacts(trace, event, facts);
    addCaptureFacts(trace, event, facts);
}

} // namespace

std::string categoryText(const Trace& trace, const NvtxAttributes& attributes)
{
    if (attributes.categoryName != StringId{})
        return toUtf8(trace.text(attributes.categoryName));
    return attributes.category != 0 ? std::to_string(attributes.category) : std::string();
}

void prepareFacts(const Trace& trace, const std::stop_token& stop)
{
    streamWaitsOf(trace, stop);
    throwIfStopped(stop);
    if (!trace.graphEvents().empty())
        graphCapturesOf(trace);
    graphOriginsOf(trace);
}

std::vector<TextRow> tooltipOf(const Trace& trace, EventRef event)
{
    std::vector<TextRow> rows;
    rows.push_back({nameMessage(toUtf8(trace.displayName(event))), {}});
    Facts facts(rows);
    const TimeRange range = trace.range(event);
    facts.addInstant({"details.start", "Start"}, range.start);
    if (range.end > range.start)
        facts.add({"details.duration", "Duration"}, formatDuration(range.duration()));
    const Track& track = trace.track(trace.trackOf(event));
    if (track.stream >= 0)
        facts.add({"details.stream", "Stream"}, streamLabel(trace, track));
    addFacts(trace, event, facts);
    return rows;
}

EventDetails eventDetails(const Trace& trace, EventRef event)
{
    EventDetails details;
    const EventTable& table = trace.table(event.kind);
    const TimeRange range = trace.range(event);
    const Track& track = trace.track(trace.trackOf(event));
    const bool onThread = track.device < 0 && tidOf(track.owner) != 0;
    Facts where(details.where);
    where.add({"details.kind", "Kind"}, titleOf(trace, event));
    where.add({"details.duration", "Duration"}, formatDuration(range.duration()));
    where.addInstant({"details.start", "Start"}, range.start);
    // A thread is shown by its own name, with the family of its events.
    if (onThread)
        where.add({"details.thread", "Thread"}, threadLabel(trace, track.owner));
    else
        where.add({"details.where", "Where"}, placeOf(trace, trace.trackOf(event)));
    Facts facts(details.facts);
    addFacts(trace, event, facts);
    Facts ids(details.ids);
    ids.addInstant({"details.end", "End"}, range.end);
    ids.add({"details.name", "Name"}, toUtf8(trace.name(event)));
    if (event.kind == EventKind::Kernel)
        ids.add({"details.mangled_name", "Mangled name"},
            toUtf8(trace.text(trace.kernels().launch(event.index).mangledName)));
    ids.add({"details.process", "Process"}, track.owner ? processLabel(trace, track.owner) : Message());
    if (track.device >= 0) {
        const Device* const device = trace.device(track.owner, track.device);
        Message gpu = gpuNameWithOrdinal(trace, track.owner, track.device);
        ids.add({"details.device", "Device"},
            device ? Message("details.device", "{gpu} - {name}",
                {{"gpu", std::move(gpu)}, {"name", Name{toUtf8(device->name)}}})
                   : std::move(gpu));
    }
    if (track.context >= 0)
        ids.add({"details.context", "Context"}, std::to_string(track.context));
    if (onThread && event.kind != EventKind::Nvtx) // NVTX rows show their domain
        ids.add({"details.library", "Library"}, domainText(trace.text(track.family)));
    if (event.kind != EventKind::Nvtx && !table.correlation.empty() && table.correlation[event.index] != 0)
        ids.add({"details.correlation_id", "Correlation id"}, std::to_string(table.correlation[event.index]));
    return details;
}

std::vector<TextRow> detailsOf(const Trace& trace, EventRef event)
{
    EventDetails details = eventDetails(trace, event);
    std::vector<TextRow> all = std::move(details.where);
    for (std::vector<TextRow>* const part : {&details.facts, &details.ids})
        std::ranges::move(*part, std::back_inserter(all));
    return all;
}

} // namespace warpline
