// The file: a head (magic, hash of the sources, places of the sections), then one section for the facts, one
// a kind of event, one for everything else. Sections are read side by side. What a record holds is said once,
// in describe(), for both directions.

#include "core/cache/trace_archive.h"

#include "core/base/platform/platform.h"
#include "core/cache/archive.h"
#include "core/store/table_types.h"
#include "trace_sources.h"

#include <atomic>
#include <filesystem>
#include <mutex>
#include <thread>

namespace warpline {

namespace {

/// Other sizes of the records mean another build with other columns: its files are not ours.
constexpr std::uint64_t layout = sizeof(Track) + 1000 * sizeof(KernelLaunch)
    + 100'000 * sizeof(CopyAttributes) + 10'000'000 * sizeof(NvtxAttributes)
    + 1'000'000'000ULL * sizeof(StackFrame) + 100'000'000'000ULL * sizeof(MessageFacts);

constexpr std::size_t factsSection = 0;
constexpr std::size_t firstTable = 1;
constexpr std::size_t restSection = firstTable + eventKindCount;
constexpr std::size_t sectionCount = restSection + 1;

struct Head {
    std::array<char, 8> magic{'W', 'R', 'P', 'T', 'R', 'A', 'C', 'E'};
    std::uint64_t sources = traceSources; ///< of the build that wrote it: others may read reports otherwise
    std::uint64_t sections = sectionCount;
    std::uint64_t layout = warpline::layout;
    std::array<std::uint64_t, sectionCount + 1> places{}; ///< each ends where the next begins
};
static_assert(sizeof(Head) % archiveAlignment == 0);

// Records with members that are not plain: their own describe(). Lists of them: their number, then each.

template <typename Archive, typename T>
requires std::is_same_v<std::remove_const_t<T>, Device>
void describe(Archive& archive, T& device)
{
    archive(device.id);
    archive(device.name);
    archive(device.chip);
    archive(device.busLocation);
    archive(device.uuid);
    archive(device.memoryBytes);
    archive(device.memoryBandwidth);
    archive(device.clockRate);
    archive(device.l2CacheBytes);
    archive(device.multiprocessors);
    archive(device.maxWarpsPerSm);
    archive(device.maxBlocksPerSm);
    archive(device.maxRegistersPerSm);
    archive(device.maxSharedPerSm);
    archive(device.threadsPerWarp);
    archive(device.computeMajor);
    archive(device.computeMinor);
}

template <typename Archive, typename T>
requires std::is_same_v<std::remove_const_t<T>, std::pair<std::string, std::string>>
void describe(Archive& archive, T& pair)
{
    archive(pair.first);
    archive(pair.second);
}

template <typename Archive, typename T>
requires std::is_same_v<std::remove_const_t<T>, SourceTable>
void describe(Archive& archive, T& table)
{
    archive(table.name);
    archive(table.rows);
    archive(table.known);
}

template <typename Archive, typename T>
requires std::is_same_v<std::remove_const_t<T>, DiagnosticLine>
void describe(Archive& archive, T& line)
{
    archive(line.time);
    archive(line.severity);
    archive(line.text);
}

template <typename Archive, typename T>
requires std::is_same_v<std::remove_const_t<T>, ProgramOutput>
void describe(Archive& archive, T& output)
{
    archive(output.process);
    archive(output.name);
    archive(output.text);
}

template <typename Archive, typename T>
requires std::is_same_v<std::remove_const_t<T>, Problem>
void describe(Archive& archive, T& problem)
{
    archive(problem.table);
    archive(problem.message);
    archive(problem.count);
}

template <typename T> void describeList(ArchiveWriter& archive, const std::vector<T>& list)
{
    archive(list.size());
    for (const T& each : list)
        describe(archive, each);
}

template <typename T> void describeList(ArchiveReader& archive, std::vector<T>& list)
{
    std::size_t count = 0;
    archive(count);
    for (std::size_t i = 0; i < count && archive.ok(); ++i)
        describe(archive, list.emplace_back());
}

template <typename Archive, typename Info> void describeInfo(Archive& archive, Info& info)
{
    archive(info.path);
    archive(info.fileBytes);
    archive(info.schemaVersion);
    archive(info.exporterVersion);
    archive(info.captureVersion);
    archive(info.hostName);
    archive(info.operatingSystem);
    archive(info.commandLine);
    archive(info.startedUtcNs);
    archive(info.startedUtc);
    describeList(archive, info.capture);
    describeList(archive, info.exported);
    describeList(archive, info.system);
    describeList(archive, info.tables);
    describeList(archive, info.readBySqlite);
    archive(info.gpuMetricSamples);
    describeList(archive, info.diagnostics);
    describeList(archive, info.output);
    describeList(archive, info.problems);
}

template <typename Archive, typename T> void describeFacts(Archive& archive, T& trace)
{
    archive(trace.session);
    archive(trace.processes);
    archive(trace.threads);
    describeList(archive, trace.devices);
    archive(trace.ordinals);
    archive(trace.streams);
    archive(trace.mpiRanks);
    archive(trace.communicators);
    archive(trace.networkWaits);
    describeInfo(archive, trace.info);
}

// --- names

void writePool(ArchiveWriter& archive, const StringPool& pool)
{
    std::string all;
    std::vector<std::uint64_t> ends;
    for (std::uint32_t i = 0; i < pool.size(); ++i) {
        all += pool[StringId{i}];
        ends.push_back(all.size());
    }
    archive(ends);
    archive(all);
}

std::shared_ptr<StringPool> readPool(ArchiveReader& archive)
{
    auto pool = std::make_shared<StringPool>();
    std::vector<std::uint64_t> ends;
    std::string all;
    archive(ends);
    archive(all);
    std::uint64_t from = 0;
    for (std::size_t i = 0; i < ends.size() && archive.check(ends[i] >= from && ends[i] <= all.size()); ++i) {
        // Equal ids need equal order, and each string once.
        const StringId id = pool->intern(std::string_view(all).substr(from, ends[i] - from));
        archive.check(raw(id) == i);
        from = ends[i];
    }
    return pool;
}

// --- tables

template <typename Archive, typename Table> void describeColumns(Archive& archive, Table& table)
{
    archive(table.tracks);
    archive(table.lanes);
    archive(table.start);
    table.duration.describe(archive);
    archive(table.name);
    archive(table.sourceRow);
    archive(table.correlation);
    archive(table.bytes);
    archive(table.callchain);
    archive(table.attribute);
    archive(table.durationPrefix);
    archive(table.pausesBefore);
    archive(table.longestPause);
    archive(table.sourceRows);
}

void checkColumns(ArchiveReader& archive, const EventTable& table, std::size_t names)
{
    const std::size_t n = table.size();
    const auto fits = [n](const auto& column) { return column.empty() || column.size() == n; };
    archive.check(n < noIndex && table.duration.size() == n && table.name.size() == n && fits(table.sourceRow)
        && fits(table.correlation) && fits(table.bytes) && fits(table.callchain) && fits(table.attribute));
    std::uint64_t events = 0;
    for (const Lane& lane : table.lanes) {
        archive.check(lane.first == events);
        events += lane.count;
    }
    archive.check(events == n);
    std::uint64_t lanes = 0;
    for (const Track& track : table.tracks) {
        archive.check(track.firstLane == lanes && raw(track.family) < names && raw(track.source) < names);
        lanes += track.laneCount;
    }
    archive.check(lanes == table.lanes.size());
}

/// Makes a table of `kind`'s type, or takes `table` as one, and gives it to `use`.
template <typename Archive, typename Table> void describeOwn(Archive& archive, Table& table)
{
    using Plain = std::remove_const_t<Table>;
    if constexpr (std::is_same_v<Plain, KernelTable>)
        archive(table.launches);
    if constexpr (std::is_same_v<Plain, MemcpyTable>)
        archive(table.copies);
    if constexpr (std::is_same_v<Plain, NvtxTable>) {
        archive(table.attributes);
        archive(table.payloadFields);
    }
    if constexpr (std::is_same_v<Plain, LibraryCallTable>)
        archive(table.messages);
    if constexpr (std::is_same_v<Plain, GpuMemoryTable>)
        archive(table.operations);
    if constexpr (
        std::is_same_v<Plain,
            MemcpyTable> || std::is_same_v<Plain, GpuMemoryTable> || std::is_same_v<Plain, PageFaultTable>)
        archive(table.address);
    if constexpr (std::is_same_v<Plain, PageFaultTable>) {
        archive(table.sites);
        archive(table.site);
    }
}

void writeTable(ArchiveWriter& archive, const EventTable& table)
{
    withTableType(table.kind, [&]<typename Table>(std::type_identity<Table>) {
        const auto& typed = static_cast<const Table&>(table);
        describeColumns(archive, typed);
        describeOwn(archive, typed);
    });
}

std::shared_ptr<const EventTable> readTable(ArchiveReader& archive, EventKind kind, std::size_t names)
{
    return withTableType(
        kind, [&]<typename Table>(std::type_identity<Table>) -> std::shared_ptr<const EventTable> {
            auto table = std::make_shared<Table>();
            table->kind = kind;
            describeColumns(archive, *table);
            describeOwn(archive, *table);
            checkColumns(archive, *table, names);
            return table;
        });
}

// --- what is left

template <typename Archive, typename T> void describeChains(Archive& archive, T& chains)
{
    archive(chains.id);
    archive(chains.firstFrame);
    archive(chains.frames);
}

void writeChains(ArchiveWriter& archive, const std::shared_ptr<const Callchains>& chains)
{
    archive(chains != nullptr);
    if (chains)
        describeChains(archive, *chains);
}

std::shared_ptr<const Callchains> readChains(ArchiveReader& archive)
{
    bool there = false;
    archive(there);
    if (!there)
        return nullptr;
    auto chains = std::make_shared<Callchains>();
    describeChains(archive, *chains);
    archive.check(chains->firstFrame.empty() ? chains->id.empty() && chains->frames.empty()
                                             : chains->firstFrame.size() == chains->id.size() + 1
                && chains->firstFrame.back() <= chains->frames.size());
    return chains;
}

template <typename Archive, typename T> void describeLinks(Archive& archive, T& links)
{
    for (auto& column : links.apiOf)
        archive(column);
    archive(links.firstWork);
}

void writeLinks(ArchiveWriter& archive, const Links& links)
{
    describeLinks(archive, links);
    std::vector<EventIndex> calls;
    std::vector<std::uint32_t> work;
    for (const auto& [call, packed] : links.moreWork) {
        calls.push_back(call);
        work.push_back(packed);
    }
    archive(calls);
    archive(work);
}

std::shared_ptr<const Links> readLinks(ArchiveReader& archive)
{
    auto links = std::make_shared<Links>();
    describeLinks(archive, *links);
    std::vector<EventIndex> calls;
    std::vector<std::uint32_t> work;
    archive(calls);
    archive(work);
    archive.check(calls.size() == work.size());
    for (std::size_t i = 0; archive.ok() && i < calls.size(); ++i)
        links->moreWork.emplace_back(calls[i], work[i]);
    return links;
}

template <typename Archive, typename T> void describeCounter(Archive& archive, T& series)
{
    archive(series.kind);
    archive(series.name);
    archive(series.unit);
    archive(series.device);
    archive(series.owner);
    archive(series.values);
    archive(series.lowest);
    archive(series.highest);
    archive(series.blockLow);
    archive(series.blockHigh);
}

void writeCounters(ArchiveWriter& archive, const std::vector<CounterSeries>& counters)
{
    archive(counters.size());
    const std::vector<Ns>* before = nullptr;
    for (const CounterSeries& series : counters) {
        describeCounter(archive, series);
        // Series that were sampled together share their times, and follow one another.
        archive(series.times.get() == before);
        if (series.times.get() != before)
            archive(*series.times);
        before = series.times.get();
    }
}

std::vector<CounterSeries> readCounters(ArchiveReader& archive)
{
    std::size_t count = 0;
    archive(count);
    std::vector<CounterSeries> counters;
    std::shared_ptr<const std::vector<Ns>> before;
    for (std::size_t i = 0; i < count && archive.ok(); ++i) {
        CounterSeries& series = counters.emplace_back();
        describeCounter(archive, series);
        bool shared = false;
        archive(shared);
        if (!shared) {
            auto times = std::make_shared<std::vector<Ns>>();
            archive(*times);
            before = std::move(times);
        }
        series.times = before;
        archive.check(before && before->size() == series.values.size());
    }
    return counters;
}

void writeRest(ArchiveWriter& archive, const Trace& trace)
{
    writeChains(archive, trace.samplingChains);
    writeChains(archive, trace.cudaChains);
    writeChains(archive, trace.osRuntimeChains);
    writeLinks(archive, *trace.links);
    writeCounters(archive, trace.counters);
}

void writeKey(ArchiveWriter& archive, const ReportKey& key)
{
    archive(key.path);
    archive(key.bytes);
    archive(key.changed);
    archive(key.sample);
}

ReportKey readKey(ArchiveReader& archive)
{
    ReportKey key;
    archive(key.path);
    archive(key.bytes);
    archive(key.changed);
    archive(key.sample);
    return key;
}

/// The trace in the making, with the sections still to be read, for several threads.
class Reading {
public:
    Reading(std::span<const std::byte> bytes, const Head& head)
        : m_bytes(bytes),
          m_head(head)
    {
    }

    bool readFacts(const ReportKey& key)
    {
        ArchiveReader archive = section(factsSection);
        archive.check(readKey(archive) == key);
        if (!archive.ok())
            return false;
        m_trace.pool = readPool(archive);
        describeFacts(archive, m_trace);
        return archive.ok();
    }

    /// Reads sections until none is left or one is bad.
    void work(const std::function<void(std::shared_ptr<const Trace>)>& snapshot, const std::stop_token& stop)
    {
        for (std::size_t i = m_next++; i < sectionCount && !m_failed; i = m_next++) {
            if (stop.stop_requested() || !readSection(i))
                m_failed = true;
            else if (snapshot && i < restSection && !m_trace.tables[i - firstTable]->empty())
                publish(snapshot);
        }
    }

    std::shared_ptr<const Trace> finish()
    {
        if (m_failed)
            return nullptr;
        m_trace.complete = true;
        return std::make_shared<const Trace>(std::move(m_trace));
    }

private:
    ArchiveReader section(std::size_t i) const
    {
        return ArchiveReader(m_bytes.subspan(m_head.places[i], m_head.places[i + 1] - m_head.places[i]));
    }

    bool readSection(std::size_t i)
    {
        ArchiveReader archive = section(i);
        if (i < restSection) {
            auto table = readTable(archive, allEventKinds()[i - firstTable], m_trace.pool->size());
            const std::scoped_lock lock(m_mutex);
            m_trace.tables[i - firstTable] = std::move(table);
            return archive.ok();
        }
        auto sampling = readChains(archive);
        auto cuda = readChains(archive);
        auto osRuntime = readChains(archive);
        auto links = readLinks(archive);
        auto counters = readCounters(archive);
        const std::scoped_lock lock(m_mutex);
        m_trace.samplingChains = std::move(sampling);
        m_trace.cudaChains = std::move(cuda);
        m_trace.osRuntimeChains = std::move(osRuntime);
        m_trace.links = std::move(links);
        m_trace.counters = std::move(counters);
        return archive.ok();
    }

    void publish(const std::function<void(std::shared_ptr<const Trace>)>& snapshot)
    {
        std::shared_ptr<Trace> shown;
        {
            const std::scoped_lock lock(m_mutex);
            shown = std::make_shared<Trace>(m_trace);
        }
        // Rows ask the links of calls and work, and both tables may not be there yet.
        shown->links = nullptr;
        const std::scoped_lock lock(m_publishing);
        snapshot(std::move(shown));
    }

    std::span<const std::byte> m_bytes;
    const Head& m_head;
    std::atomic<std::size_t> m_next{firstTable};
    std::atomic<bool> m_failed{false};
    std::mutex m_mutex; ///< of m_trace
    std::mutex m_publishing;
    Trace m_trace;
};

/// The head of the file, when it is one of ours and its sections lie inside it.
bool readHead(std::span<const std::byte> bytes, Head& head)
{
    const Head ours;
    if (bytes.size() < sizeof head)
        return false;
    std::memcpy(&head, bytes.data(), sizeof head);
    if (head.magic != ours.magic || head.sources != ours.sources || head.sections != ours.sections
        || head.layout != ours.layout || head.places.front() != sizeof head
        || head.places.back() != bytes.size())
        return false;
    const auto aligned = [](std::uint64_t place) { return place % archiveAlignment == 0; };
    return std::ranges::is_sorted(head.places) && std::ranges::all_of(head.places, aligned);
}

} // namespace

bool isTraceOf(const std::string& path, const ReportKey& key)
{
    const platform::MappedFile file(platform::pathOf(path));
    Head head;
    if (!readHead(file.bytes(), head))
        return false;
    ArchiveReader facts(file.bytes().subspan(head.places[factsSection]));
    return readKey(facts) == key && facts.ok();
}

bool writeTrace(const Trace& trace, const ReportKey& key, const std::string& path, std::stop_token stop)
{
    if (!trace.complete || !trace.links)
        return false;
    ArchiveWriter archive(path, stop);
    Head head;
    archive.raw(head); // room for it
    head.places[factsSection] = archive.place();
    writeKey(archive, key);
    writePool(archive, *trace.pool);
    describeFacts(archive, trace);
    for (std::size_t i = 0; i < eventKindCount && archive.ok() && !stop.stop_requested(); ++i) {
        head.places[firstTable + i] = archive.place();
        writeTable(archive, *trace.tables[i]);
    }
    head.places[restSection] = archive.place();
    writeRest(archive, trace);
    head.places[sectionCount] = archive.place();
    archive.goTo(0);
    archive.raw(head);
    if (archive.close() && !stop.stop_requested())
        return true;
    std::error_code ignored;
    std::filesystem::remove(platform::pathOf(path), ignored);
    return false;
}

std::shared_ptr<const Trace> readTrace(const std::string& path, const ReportKey& key, unsigned threads,
    const std::function<void(std::shared_ptr<const Trace>)>& snapshot, const std::stop_token& stop)
{
    const platform::MappedFile file(platform::pathOf(path));
    Head head;
    if (!readHead(file.bytes(), head))
        return nullptr;
    Reading reading(file.bytes(), head);
    if (!reading.readFacts(key))
        return nullptr;
    {
        std::vector<std::jthread> others;
        for (unsigned i = 1; i < threads; ++i)
            others.emplace_back([&] { reading.work(snapshot, stop); });
        reading.work(snapshot, stop);
    }
    return reading.finish();
}

} // namespace warpline
