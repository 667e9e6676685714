#include "core/import/wddm_packets.h"

#include "core/import/scan.h"

#include <array>
#include <map>
#include <set>

namespace warpline {

namespace {

/// The columns that identify packets of a kind of queue.
struct QueueTables {
    std::string_view starts;
    std::string_view stops;
    std::string_view queue; ///< column of both
    std::string_view startNumber;
    std::string_view stopNumber;
    std::string_view family;
};
constexpr std::array<QueueTables, 3> queues{
    {{"WDDM_QUEUE_PACKET_START_EVENTS", "WDDM_QUEUE_PACKET_STOP_EVENTS", "context", "submitSequence",
         "submitSequence", "WDDM queue packets"},
        {"WDDM_DMA_PACKET_START_EVENTS", "WDDM_DMA_PACKET_STOP_EVENTS", "context", "uliSubmissionId",
            "uliCompletionId", "WDDM DMA packets"},
        {"WDDM_PAGING_QUEUE_PACKET_START_EVENTS", "WDDM_PAGING_QUEUE_PACKET_STOP_EVENTS", "pagingQueue",
            "sequenceId", "sequenceId", "WDDM paging packets"}}};

/// DXGK_ENGINE_TYPE of Windows.
constexpr std::array<std::string_view, 9> engines{"Other", "3D", "Video Decode", "Video Encode",
    "Video Processing", "Scene Assembly", "Copy", "Overlay", "Crypto"};

struct WddmContext {
    std::int64_t node = 0;
    std::string name;
};

/// Starts of stop events, by queue and number, in order of time.
using Stops = std::map<std::pair<std::int64_t, std::int64_t>, std::multiset<Ns>>;

class WddmReader {
public:
    WddmReader(ImportJob& job, TableBuilder& all, const std::function<void(const MessageFacts&)>& finish)
        : m_job(job),
          m_all(all),
          m_finish(finish)
    {
    }

    Result<void> read()
    {
        const std::array<std::string_view, 3> columns{"context", "nodeOrdinal", "friendlyName"};
        const auto contexts
            = scanTable(m_job, "TARGET_INFO_WDDM_CONTEXTS", columns, {}, [&](const sqlite::Row& row) {
                  m_contexts[row.integer(1)] = {row.integer(2), std::string(row.text(3))};
              });
        if (!contexts.ok())
            return contexts.error();
        for (const QueueTables& queue : queues) {
            if (auto done = readQueue(queue); !done.ok())
                return done;
        }
        return readEvictions();
    }

private:
    Result<void> readQueue(const QueueTables& queue)
    {
        Stops stops;
        const std::array<std::string_view, 3> stopColumns{"start", queue.queue, queue.stopNumber};
        const auto ended = scanEvents(
            m_job, queue.stops, stopColumns, {1}, [&](const sqlite::Row& row, TimeRange time, RowChecks&) {
                stops[{row.integer(2), row.integer(3)}].insert(time.start);
            });
        if (!ended.ok())
            return ended.error();
        const std::array<std::string_view, 6> columns{
            "start", "globalTid", queue.queue, queue.startNumber, "gpu", "engineType"};
        enum At : int { AtStart = 1, AtThread, AtQueue, AtNumber, AtGpu, AtEngine };
        const bool paging = queue.queue != "context";
        std::uint64_t open = 0;
        const auto read = [&](const sqlite::Row& row, TimeRange time, RowChecks&) {
            const auto found = stops.find({row.integer(AtQueue), row.integer(AtNumber)});
            const auto stop = found == stops.end() ? std::multiset<Ns>::iterator()
                                                   : found->second.lower_bound(time.start);
            if (found == stops.end() || stop == found->second.end()) {
                ++open;
                return;
            }
            const std::int64_t context = row.integer(AtQueue);
            const auto known = m_contexts.find(context);
            const std::int64_t engine = row.integer(AtEngine, 0);
            TrackKey key = trackOf(row, AtThread, AtGpu, queue.family, queue.starts);
            key.context = numberOf(context);
            MessageFacts facts;
            if (!paging) {
                facts.communicator = context;
                facts.root = engine;
                facts.tag = known != m_contexts.end() ? known->second.node : 0;
            }
            m_all.add(m_all.track(key), time.start, *stop,
                m_job.trace.pool().intern(paging ? "paging" : nameOf(engine, known)), sourceRowOf(row));
            m_finish(facts);
        };
        const auto rows = scanEvents(m_job, queue.starts, columns, {AtStart}, read);
        if (!rows.ok())
            return rows.error();
        m_job.log.add(queue.starts, ProblemKind::PacketWithoutEnd, open);
        m_all.countSourceRows(rows.value() + ended.value());
        return {};
    }

    Result<void> readEvictions()
    {
        constexpr std::string_view table = "WDDM_EVICT_ALLOCATION_EVENTS";
        const std::array<std::string_view, 4> columns{"start", "end", "globalTid", "gpu"};
        const auto rows = scanEvents(
            m_job, table, columns, {1, 2}, [&](const sqlite::Row& row, TimeRange time, RowChecks&) {
                m_all.add(m_all.track(trackOf(row, 3, 4, "WDDM evictions", table)), time.start, time.end,
                    m_job.trace.pool().intern("eviction"), sourceRowOf(row));
                m_finish({});
            });
        if (!rows.ok())
            return rows.error();
        m_all.countSourceRows(rows.value());
        return {};
    }

    TrackKey trackOf(
        const sqlite::Row& row, int thread, int gpu, std::string_view family, std::string_view source)
    {
        TrackKey key{.owner = processOf(static_cast<GlobalId>(row.integer(thread))),
            .device = static_cast<std::int32_t>(row.integer(gpu, 0) & 0xFF),
            .family = m_job.trace.pool().intern(family),
            .source = m_job.trace.pool().intern(source)};
        return key;
    }

    /// Contexts are addresses: rows of the timeline count them.
    std::int32_t numberOf(std::int64_t context)
    {
        return m_numbers.try_emplace(context, static_cast<std::int32_t>(m_numbers.size())).first->second;
    }

    /// The engine's name, or that of the context where the engine is none of Windows' own.
    std::string nameOf(std::int64_t engine, std::map<std::int64_t, WddmContext>::const_iterator context) const
    {
        if (engine > 0 && engine < static_cast<std::int64_t>(engines.size()))
            return std::string(engines[static_cast<std::size_t>(engine)]);
        const bool isNamed = context != m_contexts.end() && !context->second.name.empty();
        return isNamed ? context->second.name : std::string(engines.front());
    }

    ImportJob& m_job;
    TableBuilder& m_all;
    const std::function<void(const MessageFacts&)>& m_finish;
    std::map<std::int64_t, WddmContext> m_contexts;
    std::map<std::int64_t, std::int32_t> m_numbers;
};

} // namespace

std::string_view labelOf(WddmQueue queue)
{
    static constexpr std::array<std::string_view, 3> labels{"queue", "dma", "paging"};
    return labels[static_cast<std::size_t>(queue)];
}

std::string_view sourceOf(WddmQueue queue)
{
    return queues[static_cast<std::size_t>(queue)].starts;
}

Result<void> appendWddmPackets(
    ImportJob& job, TableBuilder& all, const std::function<void(const MessageFacts&)>& finish)
{
    return WddmReader(job, all, finish).read();
}

} // namespace warpline
