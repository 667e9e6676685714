#include "tests/core/findings/drawn_program.h"

#include "core/derive/links.h"
#include "core/store/trace_builder.h"

#include <algorithm>

namespace warpline::test {

namespace {

TrackKey onDevice(std::int32_t device, std::int32_t stream, std::uint32_t tid = 1, std::int32_t context = 1)
{
    TrackKey key;
    key.owner = processOf(DrawnProgram::threadOf(tid));
    key.device = device;
    key.context = context;
    key.stream = stream;
    return key;
}

TrackKey onThread(std::uint32_t tid, StringId family = {})
{
    TrackKey key;
    key.owner = DrawnProgram::threadOf(tid);
    key.family = family;
    return key;
}

Device likeH200(std::int32_t id)
{
    Device device;
    device.id = id;
    device.name = "NVIDIA H200";
    device.multiprocessors = 132;
    device.maxWarpsPerSm = 64;
    device.maxBlocksPerSm = 32;
    device.maxRegistersPerSm = 65'536;
    device.maxSharedPerSm = 233'472;
    device.clockRate = 1'980'000'000;
    device.computeMajor = 9;
    return device;
}

} // namespace

DrawnProgram::DrawnProgram()
{
    m_trace->pool = m_pool;
    m_trace->devices = {likeH200(0), likeH200(1)};
}

TableBuilder& DrawnProgram::builder(EventKind kind)
{
    return m_builders.try_emplace(kind, kind).first->second;
}

void DrawnProgram::addCall(std::string_view name, TimeRange when, std::uint32_t tid,
    std::uint32_t correlation, std::uint32_t returned)
{
    TableBuilder& calls = builder(EventKind::ApiCall);
    calls.add(calls.track(onThread(tid)), when.start, when.end, intern(name), ++m_rows);
    calls.addCorrelation(correlation);
    calls.addAttribute(returned);
}

void DrawnProgram::call(std::string_view name, TimeRange when, std::uint32_t tid, std::uint32_t returned)
{
    addCall(name, when, tid, ++m_correlation, returned);
}

void DrawnProgram::kernel(std::string_view name, Ns launched, TimeRange runs, const KernelLook& look)
{
    ++m_correlation;
    if (look.isLaunchRecorded)
        addCall("cudaLaunchKernel_v7000", {launched, launched + look.callTime}, look.tid, m_correlation);
    TableBuilder& kernels = builder(EventKind::Kernel);
    kernels.add(kernels.track(onDevice(look.device, look.stream, look.tid, look.context)), runs.start,
        runs.end, intern(name), ++m_rows);
    kernels.addCorrelation(m_correlation);
    kernels.addAttribute(static_cast<std::uint32_t>(m_launches.size()));
    KernelLaunch launch;
    launch.shortName = intern(name);
    launch.grid = {look.blocks, 1, 1};
    launch.block = {look.threads, 1, 1};
    launch.registersPerThread = 32;
    launch.dynamicSharedMemory = look.sharedMemory;
    launch.graphNodeId = look.graphNode;
    m_launches.push_back(launch);
}

void DrawnProgram::graph(Ns launched, TimeRange runs)
{
    addCall("cudaGraphLaunch_v10000", {launched, launched + 2 * us}, 1, ++m_correlation);
    TableBuilder& graphs = builder(EventKind::GraphTrace);
    graphs.add(graphs.track(onDevice(0, 7)), runs.start, runs.end, intern("graph"), ++m_rows);
    graphs.addCorrelation(m_correlation);
    graphs.addAttribute(0);
}

void DrawnProgram::copy(TimeRange called, TimeRange runs, const CopyLook& look)
{
    addCall(look.call, called, 1, ++m_correlation);
    TableBuilder& copies = builder(EventKind::Memcpy);
    copies.add(copies.track(onDevice(0, look.stream)), runs.start, runs.end, intern("copy"), ++m_rows);
    copies.addCorrelation(m_correlation);
    copies.addBytes(look.bytes);
    copies.addAddress(0);
    copies.addAttribute(static_cast<std::uint32_t>(m_copies.size()));
    CopyAttributes attributes;
    attributes.kind = look.kind;
    attributes.source = look.kind == CopyKind::HtoD ? look.host : MemoryKind::Device;
    attributes.destination = look.kind == CopyKind::HtoD ? MemoryKind::Device : look.host;
    m_copies.push_back(attributes);
}

void DrawnProgram::set(std::string_view call, MemoryKind memory, TimeRange runs)
{
    addCall(call, runs, 1, ++m_correlation);
    TableBuilder& sets = builder(EventKind::Memset);
    sets.add(sets.track(onDevice(0, 7)), runs.start, runs.end, intern("set"), ++m_rows);
    sets.addCorrelation(m_correlation);
    sets.addBytes(4096);
    sets.addAttribute(static_cast<std::uint32_t>(memory));
}

void DrawnProgram::range(std::string_view name, TimeRange when, std::string_view domain)
{
    TableBuilder& ranges = builder(EventKind::Nvtx);
    TrackKey key = onThread(1, intern(domain));
    if (domain == "Python") // as traces of PyTorch have the calls of its functions
        key.source = intern("python_function");
    ranges.add(ranges.track(key), when.start, when.end, intern(name), ++m_rows);
    ranges.addAttribute(static_cast<std::uint32_t>(m_ranges.size()));
    m_ranges.emplace_back();
}

void DrawnProgram::record(std::int32_t stream, Ns called, std::uint32_t recording)
{
    addCall("cudaEventRecord_v3020", {called, called + 1 * us}, 1, ++m_correlation);
    TableBuilder& records = builder(EventKind::CudaEvent);
    records.add(records.track(onDevice(0, stream)), called, called, intern("record"), ++m_rows);
    records.addCorrelation(m_correlation);
    records.addAttribute(1);
    records.addCallchain(recording);
}

void DrawnProgram::streamWait(std::int32_t stream, Ns called, std::uint32_t recording)
{
    addCall("cudaStreamWaitEvent_v3020", {called, called + 1 * us}, 1, ++m_correlation);
    TableBuilder& waits = builder(EventKind::Synchronization);
    waits.add(waits.track(onDevice(0, stream)), called, called + 1 * us, intern("wait"), ++m_rows);
    waits.addCorrelation(m_correlation);
    waits.addAttribute(2);
    waits.addCallchain(recording);
}

void DrawnProgram::graphNode(Ns time, std::uint64_t node, std::uint64_t original)
{
    TableBuilder& nodes = builder(EventKind::GraphEvent);
    nodes.add(nodes.track(onThread(1)), time, time, intern("node"), ++m_rows);
    nodes.addAttribute(static_cast<std::uint32_t>(m_graphNodes.size()));
    m_graphNodes.push_back({node, original});
}

void DrawnProgram::event(EventKind kind, std::string_view name, TimeRange when, std::uint32_t tid)
{
    TableBuilder& events = builder(kind);
    events.add(events.track(onThread(tid)), when.start, when.end, intern(name), ++m_rows);
    events.addAttribute(0);
}

void DrawnProgram::libraryCall(
    std::string_view family, std::string_view name, TimeRange when, std::uint32_t tid)
{
    TableBuilder& calls = builder(EventKind::Library);
    calls.add(calls.track(onThread(tid, intern(family))), when.start, when.end, intern(name), ++m_rows);
    calls.addAttribute(0);
}

void DrawnProgram::migration(
    CopyKind kind, TimeRange runs, std::uint64_t bytes, std::uint64_t address, std::int32_t cause)
{
    TableBuilder& copies = builder(EventKind::Memcpy);
    TrackKey key = onDevice(0, 0);
    key.context = 0;
    copies.add(copies.track(key), runs.start, runs.end, intern("migration"), ++m_rows);
    copies.addCorrelation(0);
    copies.addBytes(bytes);
    copies.addAddress(address);
    copies.addAttribute(static_cast<std::uint32_t>(m_copies.size()));
    CopyAttributes attributes;
    attributes.kind = kind;
    attributes.source = MemoryKind::Managed;
    attributes.destination = MemoryKind::Managed;
    attributes.migrationCause = cause;
    m_copies.push_back(attributes);
}

void DrawnProgram::faults(TimeRange when, std::uint32_t count, std::uint64_t address)
{
    TableBuilder& faults = builder(EventKind::PageFault);
    faults.add(faults.track(onDevice(0, -1)), when.start, when.end, intern("GPU page faults"), ++m_rows);
    faults.addAttribute(count);
    faults.addAddress(address);
}

void DrawnProgram::hostFault(Ns time)
{
    TableBuilder& faults = builder(EventKind::PageFault);
    TrackKey key;
    key.owner = process;
    faults.add(faults.track(key), time, time, intern("CPU page fault"), ++m_rows);
    faults.addAttribute(1);
    faults.addAddress(0);
}

void DrawnProgram::sample(std::string_view function, std::string_view caller, Ns time, std::uint32_t tid)
{
    if (m_chains->firstFrame.empty())
        m_chains->firstFrame.push_back(0);
    const auto id = static_cast<std::uint32_t>(m_chains->id.size() + 1);
    m_chains->id.push_back(id);
    m_chains->frames.push_back({intern(function), intern("program"), 0, false, false});
    m_chains->frames.push_back({intern(caller), intern("program"), 0, false, false});
    m_chains->firstFrame.push_back(static_cast<std::uint32_t>(m_chains->frames.size()));
    TableBuilder& samples = builder(EventKind::Sample);
    samples.add(samples.track(onThread(tid)), time, time, intern(function), ++m_rows);
    samples.addAttribute(0);
    samples.addCallchain(id);
}

void DrawnProgram::allocation(Ns time, std::uint64_t bytes, bool allocates, std::uint64_t address)
{
    std::vector<std::uint64_t>& held = m_held[bytes];
    const std::uint64_t own = m_operations.size() + 1;
    const std::uint64_t place = address != 0 ? address : allocates || held.empty() ? own : held.back();
    if (allocates)
        held.push_back(place);
    else if (!held.empty())
        held.pop_back();
    TableBuilder& memory = builder(EventKind::GpuMemory);
    memory.add(memory.track(onDevice(0, -1)), time, time, intern("memory"), ++m_rows);
    memory.addBytes(bytes);
    memory.addAttribute(static_cast<std::uint32_t>(m_operations.size()));
    memory.addAddress(place);
    m_operations.push_back({MemoryKind::Device, allocates, 0});
}

void DrawnProgram::metric(std::string_view name, TimeRange when, Ns period, float value)
{
    auto times = std::make_shared<std::vector<Ns>>();
    for (Ns time = when.start; time < when.end; time += period)
        times->push_back(time);
    CounterSeries series;
    series.kind = CounterKind::GpuMetric;
    series.name = intern(name);
    series.unit = intern("%");
    series.device = 0;
    series.values.assign(times->size(), value);
    series.times = std::move(times);
    series.lowest = value;
    series.highest = value;
    m_trace->counters.push_back(std::move(series));
}

std::shared_ptr<const Trace> DrawnProgram::finish()
{
    TimeRange session;
    for (auto& [kind, builder] : m_builders) {
        std::shared_ptr<EventTable> table;
        if (kind == EventKind::Kernel) {
            auto kernels = std::make_shared<KernelTable>();
            kernels->launches = m_launches;
            table = kernels;
        } else if (kind == EventKind::Memcpy) {
            auto copies = std::make_shared<MemcpyTable>();
            copies->copies = m_copies;
            table = copies;
        } else if (kind == EventKind::PageFault) {
            table = std::make_shared<PageFaultTable>();
        } else if (kind == EventKind::Nvtx) {
            auto ranges = std::make_shared<NvtxTable>();
            ranges->attributes = m_ranges;
            table = ranges;
        } else if (kind == EventKind::GpuMemory) {
            auto memory = std::make_shared<GpuMemoryTable>();
            memory->operations = m_operations;
            table = memory;
        } else if (kind == EventKind::GraphEvent) {
            auto made = std::make_shared<GraphEventTable>();
            made->nodes = m_graphNodes;
            table = made;
        } else {
            table = std::make_shared<EventTable>();
        }
        builder.finishInto(*table);
        if (kind == EventKind::Memcpy)
            static_cast<MemcpyTable&>(*table).address = builder.takeAddresses();
        if (kind == EventKind::GpuMemory)
            static_cast<GpuMemoryTable&>(*table).address = builder.takeAddresses();
        if (kind == EventKind::PageFault)
            static_cast<PageFaultTable&>(*table).address = builder.takeAddresses();
        const TimeRange span = spanOf(*table);
        session = session.empty() ? span : session.unitedWith(span);
        m_trace->tables[indexOf(kind)] = std::move(table);
    }
    if (!m_chains->empty())
        m_trace->samplingChains = m_chains;
    m_trace->session = {session.start, session.end + 1};
    m_trace->links = linkWork(*m_trace);
    m_trace->complete = true;
    return m_trace;
}

} // namespace warpline::test
