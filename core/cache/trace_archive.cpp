// Format: a head (magic, hash of the sources, offsets of the sections), then one section for the facts, one
// per kind of event, and one for the rest. Sections are read in parallel.

#include "core/cache/trace_archive.h"

#include "core/base/parallel.h"
#include "core/base/platform/platform.h"
#include "core/base/saturate.h"
#include "core/cache/archived_links.h"
#include "core/cache/archived_records.h"
#include "core/cache/archived_tables.h"
#include "trace_sources.h"

#include <atomic>
#include <filesystem>
#include <mutex>

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

void writeRest(ArchiveWriter& archive, const Trace& trace)
{
    writeChains(archive, trace.samplingChains);
    writeChains(archive, trace.cudaChains);
    writeChains(archive, trace.osRuntimeChains);
    writeChains(archive, trace.pythonChains);
    writeLinks(archive, *trace.links);
    writeCounters(archive, trace.counters);
}

void writeKey(ArchiveWriter& archive, const ReportKey& key)
{
    archive(key.path, key.bytes, key.changed, key.sample);
}

ReportKey readKey(ArchiveReader& archive)
{
    ReportKey key;
    archive(key.path, key.bytes, key.changed, key.sample);
    return key;
}

/// Rows of the report beyond one a call. Tables list each of them.
std::uint64_t furtherRowsOf(const LibraryCallTable& calls)
{
    std::int64_t rows = 0;
    for (EventIndex i = 0; i < calls.size(); ++i)
        rows = saturatingAdd(rows, static_cast<std::int64_t>(calls.rowsOf(i) - 1));
    return static_cast<std::uint64_t>(rows);
}

/// The trace in the making, with the sections still to be read, for several threads.
class Reading {
public:
    /// `name`: of the file
    Reading(std::span<const std::byte> bytes, const Head& head, std::string name)
        : m_bytes(bytes),
          m_head(head),
          m_name(std::move(name))
    {
    }

    bool readFacts(const ReportKey& key)
    {
        ArchiveReader archive = section(factsSection);
        archive.check(readKey(archive) == key);
        if (!archive.ok())
            return false;
        m_reportBytes = key.bytes;
        m_trace.pool = readPool(archive);
        describeFacts(archive, m_trace);
        archive.check(0 <= m_trace.info.startedUtcNs && m_trace.info.startedUtcNs <= latestUtcNs);
        const auto isNamed
            = [names = m_trace.pool->size()](const auto& each) { return raw(each.name) < names; };
        archive.check(std::ranges::all_of(m_trace.processes, isNamed)
            && std::ranges::all_of(m_trace.threads, isNamed) && std::ranges::all_of(m_trace.streams, isNamed)
            && std::ranges::all_of(m_trace.networkWaits,
                [&](const NetworkWait& wait) { return raw(wait.device) < m_trace.pool->size(); }));
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
        if (m_failed || !m_trace.links || !fitTables(m_trace, *m_trace.links)
            || furtherRowsOf(m_trace.libraryCalls()) > m_reportBytes)
            return nullptr;
        m_trace.complete = true;
        return std::make_shared<const Trace>(std::move(m_trace));
    }

private:
    ArchiveReader section(std::size_t i) const
    {
        return ArchiveReader(
            m_bytes.subspan(m_head.places[i], m_head.places[i + 1] - m_head.places[i]), m_name);
    }

    bool readSection(std::size_t i)
    {
        ArchiveReader archive = section(i);
        if (i < restSection) {
            auto table = readTable(archive, allEventKinds()[i - firstTable], m_trace.pool->size());
            if (!archive.ok()) // another thread may show what is stored
                return false;
            const std::scoped_lock lock(m_mutex);
            m_trace.tables[i - firstTable] = std::move(table);
            return true;
        }
        const std::size_t names = m_trace.pool->size();
        auto sampling = readChains(archive, names);
        auto cuda = readChains(archive, names);
        auto osRuntime = readChains(archive, names);
        auto python = readChains(archive, names);
        auto links = readLinks(archive);
        auto counters = readCounters(archive, names);
        if (!archive.ok())
            return false;
        const std::scoped_lock lock(m_mutex);
        m_trace.samplingChains = std::move(sampling);
        m_trace.cudaChains = std::move(cuda);
        m_trace.osRuntimeChains = std::move(osRuntime);
        m_trace.pythonChains = std::move(python);
        m_trace.links = std::move(links);
        m_trace.counters = std::move(counters);
        return true;
    }

    void publish(const std::function<void(std::shared_ptr<const Trace>)>& snapshot)
    {
        std::shared_ptr<Trace> shown;
        {
            const std::scoped_lock lock(m_mutex);
            shown = std::make_shared<Trace>(m_trace);
        }
        // Rows use the links of calls and work, whose tables may not be read yet. The targets of derived
        // events may be missing, too; finish() checks them.
        shown->links = nullptr;
        const Trace none;
        for (const EventKind kind : allEventKinds()) {
            if (isDerived(kind))
                shown->tables[indexOf(kind)] = none.tables[indexOf(kind)];
        }
        const std::scoped_lock lock(m_publishing);
        snapshot(std::move(shown));
    }

    std::span<const std::byte> m_bytes;
    const Head& m_head;
    std::string m_name;
    std::uint64_t m_reportBytes = 0;
    std::atomic<std::size_t> m_next{firstTable};
    std::atomic<bool> m_failed{false};
    std::mutex m_mutex; ///< of m_trace
    std::mutex m_publishing;
    Trace m_trace;
};

/// Reads the head of the file, when it has the format and its sections lie inside.
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
    Reading reading(file.bytes(), head, path);
    if (!reading.readFacts(key))
        return nullptr;
    const auto work = [&] { reading.work(snapshot, stop); };
    Helpers helpers;
    for (unsigned i = 1; i < threads; ++i)
        helpers.start(work);
    helpers.run(work);
    helpers.join();
    return reading.finish();
}

} // namespace warpline
