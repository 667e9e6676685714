#include "tests/fuzz/kept_trace.h"

#include "core/cache/archive.h"
#include "core/cache/trace_archive.h"
#include "core/store/table_types.h"
#include "core/store/trace.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace warpline {

namespace {

constexpr EventIndex eventsOfKind = 70; // more than a block of the index

void requireKept(bool holds)
{
    if (!holds)
        std::abort();
}

/// Two tracks, the first with two lanes, with every column.
void fill(EventTable& table, StringPool& pool)
{
    const std::array<EventIndex, 3> lanes{40, 10, 20};
    EventIndex at = 0;
    for (const EventIndex count : lanes) {
        table.lanes.push_back({at, count});
        for (EventIndex i = 0; i < count; ++i, ++at) {
            table.start.push_back(100 * i);
            table.duration.push_back(i == 7 ? 0 : i + 1 == count ? Ns{1} << 40 : 60);
            table.name.push_back(pool.intern("name" + std::to_string(i % 5)));
            table.sourceRow.push_back(at + 1);
            table.correlation.push_back(at);
            table.bytes.push_back(4096);
            table.callchain.push_back(i % 3);
            table.attribute.push_back(i % 2);
        }
    }
    table.tracks = {{.owner = 0x1000001, .device = 0, .stream = 7, .laneCount = 2, .eventCount = 50},
        {.owner = 0x1000002, .firstLane = 2, .laneCount = 1, .firstEvent = 50, .eventCount = 20}};
    table.indexBlocks();
}

std::shared_ptr<const EventTable> tableOf(EventKind kind, StringPool& pool)
{
    return withTableType(
        kind, [&]<typename Table>(std::type_identity<Table>) -> std::shared_ptr<const EventTable> {
            auto table = std::make_shared<Table>();
            table->kind = kind;
            fill(*table, pool);
            if constexpr (std::is_same_v<Table, KernelTable>)
                table->launches.resize(2);
            if constexpr (std::is_same_v<Table, MemcpyTable>)
                table->copies.resize(2);
            if constexpr (std::is_same_v<Table, NvtxTable>)
                table->attributes.resize(2);
            if constexpr (std::is_same_v<Table, LibraryCallTable>)
                table->messages.resize(2);
            if constexpr (std::is_same_v<Table, GraphEventTable>)
                table->nodes.resize(2);
            if constexpr (std::is_same_v<Table, GpuMemoryTable>)
                table->operations.resize(2);
            if constexpr (std::is_same_v<Table, PageFaultTable>) {
                table->sites.resize(1);
                table->site.assign(eventsOfKind, 0);
            }
            if constexpr (requires { table->address; })
                table->address.assign(eventsOfKind, 65536);
            return table;
        });
}

Trace madeTrace()
{
    Trace trace;
    auto pool = std::make_shared<StringPool>();
    for (const EventKind kind : allEventKinds())
        trace.tables[indexOf(kind)] = tableOf(kind, *pool);
    const StringId name = pool->intern("name");
    trace.processes = {{0x1000000, 1, name}};
    trace.threads = {{0x1000001, name, 20}};
    trace.devices.resize(1);
    trace.ordinals.resize(1);
    trace.streams.resize(1);
    trace.networkWaits.resize(1);
    trace.info.problems.resize(1);
    trace.info.tables = {{"TABLE", 70, true}};
    Callchains chains{{1, 2}, {0, 1, 3}, {{name, name}, {name, name}, {name, name}}};
    trace.samplingChains = std::make_shared<const Callchains>(chains);
    trace.cudaChains = trace.samplingChains;
    trace.pythonChains = trace.samplingChains;
    Links links;
    for (auto& column : links.apiOf)
        column.assign(eventsOfKind, 3);
    links.firstWork.assign(eventsOfKind, noIndex);
    links.firstWork[3] = Links::pack({EventKind::Kernel, 2});
    links.moreWork = {{3, Links::pack({EventKind::Memset, 5})}};
    trace.links = std::make_shared<const Links>(links);
    CounterSeries series;
    series.name = name;
    series.times = std::make_shared<const std::vector<Ns>>(std::vector<Ns>{1, 2, 3});
    series.values = {1, 2, 3};
    series.summarize();
    trace.counters = {series, series};
    trace.session = {0, Ns{1} << 41};
    trace.pool = pool;
    trace.complete = true;
    return trace;
}

const ReportKey keyOfMade{"/report", 1, 2, 3};

std::string placeOfKept()
{
    return "/dev/shm/warpline-fuzz-" + std::to_string(::getpid()) + ".trace";
}

/// The output of writeTrace() for it.
std::string keptFile()
{
    const std::string path = placeOfKept();
    requireKept(writeTrace(madeTrace(), keyOfMade, path));
    std::ifstream file(path, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(file)), {});
    std::filesystem::remove(path);
    return bytes;
}

/// Sets the hash of each block of [from, to) to that of its current content.
void makeHashesRight(std::string& file, std::size_t from, std::size_t to)
{
    constexpr std::size_t headBytes = 16;
    while (to - from >= headBytes) {
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, file.data() + from, sizeof bytes);
        if (bytes > to - from - headBytes)
            return;
        const std::uint64_t hash = hashOf(std::as_bytes(std::span(file.data() + from + headBytes, bytes)));
        std::memcpy(file.data() + from + sizeof bytes, &hash, sizeof hash);
        from = std::min(
            to, from + headBytes + (bytes + archiveAlignment - 1) / archiveAlignment * archiveAlignment);
    }
}

/// Reads all of `table`; the results do not matter.
std::size_t askTable(const Trace& trace, const EventTable& table)
{
    std::size_t sum = 0;
    for (EventIndex i = 0; i < table.size(); ++i) {
        const EventRef event{table.kind, i};
        sum += trace.name(event).size() + trace.displayName(event).size() + table.depthOf(i)
            + trace.stackOf(event).size();
        for (const StackFrame& frame : trace.stackOf(event))
            sum += trace.text(frame.symbol).size() + trace.text(frame.module).size();
        if (const EventRef call = trace.apiCallOf(event); call.valid())
            sum += trace.name(call).size();
        for (const EventRef work : trace.workOf(event))
            sum += trace.name(work).size();
        if (trace.links && isDerived(table.kind))
            sum += trace.name(madeFrom(trace, event)).size();
    }
    for (const Lane& lane : table.lanes) {
        for (const TimeRange window : {trace.session, TimeRange{150, 2000}}) {
            const auto [first, last] = table.touching(lane, window);
            requireKept(first >= lane.first && last <= lane.first + lane.count);
            requireKept(table.busy(lane, {-1, std::numeric_limits<Ns>::max() / 4}) >= 0);
            requireKept(table.durationSum(first, last) >= 0 && table.pausesOf(first, last).longest >= 0);
        }
    }
    withTableType(table.kind, [&]<typename Table>(std::type_identity<Table>) {
        const auto& typed = static_cast<const Table&>(table);
        for (EventIndex i = 0; i < table.size(); ++i) {
            if constexpr (std::is_same_v<Table, KernelTable>)
                sum += trace.text(typed.launch(i).shortName).size()
                    + trace.text(typed.launch(i).mangledName).size();
            if constexpr (std::is_same_v<Table, MemcpyTable>)
                sum += labelOf(typed.copy(i).kind).size() + labelOf(typed.copy(i).source).size();
            if constexpr (std::is_same_v<Table, NvtxTable>)
                sum += trace.text(typed.attributesOf(i).payload).size()
                    + (typed.attributesOf(i).open ? 1 : 0);
            if constexpr (std::is_same_v<Table, LibraryCallTable>)
                sum += typed.rowsOf(i);
            if constexpr (std::is_same_v<Table, GraphEventTable>)
                sum += typed.nodeOf(i).node;
            if constexpr (std::is_same_v<Table, GpuMemoryTable>)
                sum += labelOf(typed.operation(i).memory).size() + (typed.operation(i).allocates ? 1 : 0);
            if constexpr (std::is_same_v<Table, PageFaultTable>)
                sum += trace.text(typed.sites[typed.site[i]].file).size();
            if constexpr (requires { typed.address; })
                sum += typed.address.empty() ? 0 : typed.address[i];
        }
    });
    return sum;
}

void askAll(const Trace& trace)
{
    std::size_t sum = 0;
    for (const auto& table : trace.tables)
        sum += askTable(trace, *table) % 1000;
    requireKept(sum < 1'000'000);
    for (const Process& process : trace.processes)
        requireKept(trace.text(process.name).size() < 1000);
    for (const CounterSeries& series : trace.counters) {
        if (series.size() > 0)
            series.extremes(0, series.size());
    }
    for (const Problem& problem : trace.info.problems)
        requireKept(problem.kind <= ProblemKind::CaptureUnreadable);
}

} // namespace

void readKept(std::string_view edits)
{
    static const std::string whole = keptFile();
    static const std::string path = placeOfKept();
    constexpr std::size_t editBytes = 13;
    // Magic, versions, and where the sections begin: of a file with others nothing is read.
    std::uint64_t headBytes = 0;
    std::memcpy(&headBytes, whole.data() + 32, sizeof headBytes);
    std::string file = whole;
    for (; edits.size() >= editBytes; edits.remove_prefix(editBytes)) {
        std::uint32_t place = 0;
        std::memcpy(&place, edits.data() + 1, sizeof place);
        const std::size_t width = std::size_t{1} << (static_cast<unsigned char>(edits[0]) & 3U);
        place %= static_cast<std::uint32_t>(file.size() - headBytes - width);
        std::memcpy(file.data() + headBytes + place / width * width, edits.data() + 5, width);
    }
    for (std::size_t at = 32; at + 8 < headBytes; at += 8) {
        std::array<std::uint64_t, 2> section{};
        std::memcpy(section.data(), file.data() + at, sizeof section);
        makeHashesRight(file, section[0], section[1]);
    }
    std::ofstream(path, std::ios::binary) << file;
    const auto trace = readTrace(path, keyOfMade, 1,
        [](const auto& snapshot) { askTable(*snapshot, snapshot->table(EventKind::CpuCore)); });
    std::filesystem::remove(path);
    requireKept(trace || file != whole);
    if (trace)
        askAll(*trace);
}

} // namespace warpline
