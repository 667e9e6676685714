// Tables that are all alike: calls with a name on a thread. Libraries (cuBLAS, MPI, OpenGL ...), calls of OS
// runtime libraries that took long enough to be recorded, and the profiler's own overhead.

#include "core/import/event_parts.h"
#include "core/import/import_log.h"
#include "core/import/library_tables.h"
#include "core/import/vulkan_ranges.h"
#include "core/import/wddm_packets.h"

#include <algorithm>
#include <tuple>

namespace warpline::thread_calls {

namespace {

class CallPart : public ThreadPart {
public:
    using ThreadPart::ThreadPart;
    void read(const sqlite::Row& row) { addEvent(row); }
};

/// Messages of library calls. The first is empty: calls without a message share it.
struct Messages : RecordPool<MessageFacts> {
    Messages() { intern({}); }
};

/// Calls of a library, with their messages.
class LibraryPart : public CallPart {
public:
    LibraryPart(const LibraryTable& table, const ImportJob& job, StringId source, StringId family)
        : CallPart(EventKind::Library, job.strings, source, family),
          m_hasMessages(table.hasMessages),
          m_isVulkan(table.table == vulkanCalls),
          m_hasContexts(hasContextsIn(job))
    {
    }

    void read(const sqlite::Row& row)
    {
        if (!addEvent(row))
            return;
        builder.addAttribute(m_hasMessages ? pool.intern(messageOf(row)) : 0);
        if (m_hasContexts) // each event of a table has the columns that any has
            addContext(builder, m_isVulkan ? checks.correlation(row, AtCorrelation) : 0,
                m_isVulkan ? packedContext(row.integer(AtClass, 0), row.integer(AtContext, 0)) : 0);
    }

    /// Whether each call has the columns of Vulkan's.
    static bool hasContextsIn(const ImportJob& job) { return job.schema.has(vulkanCalls); }
    static void addContext(TableBuilder& builder, std::uint32_t correlation, std::uint32_t context)
    {
        builder.addCorrelation(correlation);
        builder.addCallchain(context);
    }

    static constexpr std::string_view vulkanCalls = "VULKAN_API";
    /// The columns of Vulkan behind those of a call.
    static constexpr std::array<std::string_view, 3> contextColumns{
        "correlationId", "eventClass", "contextId"};
    enum AtOfVulkan : int { AtCorrelation = 5, AtClass, AtContext };

    Messages pool;

    /// The columns after those of a call, in the order of messageOf(). MPI and UCX name them differently:
    /// each pair is one fact, and a table has at most one of the two.
    static constexpr std::array<std::string_view, 9> messageColumns{"size", "packedSize", "recvSize", "tag",
        "remoteRank", "peerWorkerUid", "rootRank", "commHandle", "commUid"};
    enum At : int {
        AtSize = 5, ///< behind the four of a call
        AtPackedSize,
        AtReceived,
        AtTag,
        AtPeer,
        AtPeerWorker,
        AtRoot,
        AtCommunicator,
        AtCommunicatorUid,
    };

private:
    static MessageFacts messageOf(const sqlite::Row& row)
    {
        const auto fact = [&row](int column) { return row.integer(column, notSaid); };
        const auto either = [&fact](int a, int b) { return fact(a) != notSaid ? fact(a) : fact(b); };
        return {either(AtSize, AtPackedSize), fact(AtReceived), fact(AtTag), either(AtPeer, AtPeerWorker),
            fact(AtRoot), either(AtCommunicator, AtCommunicatorUid), 1};
    }

    bool m_hasMessages;
    bool m_isVulkan;
    bool m_hasContexts;
};

/// Library calls in the making: of all tables, with their messages.
struct LibraryCalls {
    bool hasContexts = false; ///< see LibraryPart::hasContextsIn()
    TableBuilder builder{EventKind::Library};
    Messages messages{};

    /// Sets the other columns of an added event.
    void finishEvent(const MessageFacts& facts = {})
    {
        builder.addAttribute(messages.intern(facts));
        if (hasContexts)
            LibraryPart::addContext(builder, 0, 0);
    }

    /// MPI_Waitall, MPI_Testsome ...: one call, that knows how many rows it was.
    void joinRequests(const StringPool& pool)
    {
        builder.foldEqual(
            [&pool](const TrackKey& key) {
                const LibraryTable* const table = findLibraryTable(pool[key.source]);
                return table && table->hasRequests;
            },
            [this](std::uint32_t attribute, std::size_t rows) {
                MessageFacts facts = messages.records[attribute];
                facts.rows = static_cast<std::int64_t>(rows);
                return messages.intern(facts);
            });
    }

    std::shared_ptr<const LibraryCallTable> table()
    {
        auto made = std::make_shared<LibraryCallTable>();
        builder.finishInto(*made);
        made->messages = std::move(messages.records);
        return made;
    }
};

/// Reads `library` and appends its calls to `all`.
Result<void> appendLibrary(ImportJob& job, const LibraryTable& library, LibraryCalls& all)
{
    const StringId source = job.trace.pool().intern(library.table);
    const StringId family = job.trace.pool().intern(library.family);
    std::vector<std::string_view> columns{"start", "end", "globalTid", library.name};
    if (library.hasMessages)
        columns = concat(columns, LibraryPart::messageColumns);
    else if (library.table == LibraryPart::vulkanCalls)
        columns = concat(columns, LibraryPart::contextColumns);
    return appendParts<LibraryPart>(
        job, library.table, columns, all.builder,
        [&] { return std::make_unique<LibraryPart>(library, job, source, family); },
        [&all](LibraryPart& part) {
            return LibraryCalls{all.hasContexts, std::move(part.builder), std::move(part.pool)}.table();
        },
        [&all](LibraryPart& part) { part.builder.translateAttributes(all.messages, part.pool); });
}

/// Reads the events of `library` one by one, with the columns `more` behind those of a call. `placeOf(row)`:
/// the track of an event, without its source, and the column of its name.
template <typename PlaceOf>
Result<void> appendEvents(ImportJob& job, const LibraryTable& library, std::span<const std::string_view> more,
    LibraryCalls& all, PlaceOf placeOf)
{
    const StringId source = job.trace.pool().intern(library.table);
    const std::array<std::string_view, 4> columns{"start", "end", "globalTid", library.name};
    const auto rows
        = scanEvents(job, library.table, concat(columns, more), {thread_column::start, thread_column::end},
            [&](const sqlite::Row& row, TimeRange time, RowChecks& checks) {
                auto [track, name] = placeOf(row);
                track.source = source;
                all.builder.add(all.builder.track(track), time.start, time.end,
                    checks.name(job.strings, row, name), sourceRowOf(row));
                all.finishEvent();
            });
    if (!rows.ok())
        return rows.error();
    all.builder.countSourceRows(rows.value());
    return {};
}

/// Ranges of KHR_debug: a class of them ran on the GPU, in a row of their own; the others belong to their
/// thread.
Result<void> appendByClass(ImportJob& job, const LibraryTable& library, LibraryCalls& all)
{
    const StringId family = job.trace.pool().intern(library.family);
    const StringId gpuFamily = job.trace.pool().intern(std::string(library.family) + " GPU ranges");
    constexpr std::array<std::string_view, 1> more{"eventClass"};
    return appendEvents(job, library, more, all, [&](const sqlite::Row& row) {
        const auto thread = static_cast<GlobalId>(row.integer(thread_column::thread));
        const bool isOnGpu = row.integer(thread_column::next, 0) == library.gpuClass;
        const TrackKey track{.owner = isOnGpu ? processOf(thread) : thread,
            .device = isOnGpu ? 0 : -1, // the export does not record the GPU
            .family = isOnGpu ? gpuFamily : family};
        return std::pair(track, int{thread_column::name});
    });
}

/// GPU workloads: the device in `gpu`, no stream. Those with a text are labels, in a row of their own.
Result<void> appendWorkload(ImportJob& job, const LibraryTable& library, LibraryCalls& all)
{
    const StringId family = job.trace.pool().intern(library.family);
    std::string labelFamily(library.family); // "Vulkan GPU workload" -> "Vulkan GPU labels"
    labelFamily.replace(labelFamily.rfind(' ') + 1, std::string::npos, "labels");
    const StringId labels = job.trace.pool().intern(labelFamily);
    constexpr std::array<std::string_view, 2> more{"gpu", "textId"};
    enum At : int { AtGpu = thread_column::next, AtText };
    return appendEvents(job, library, more, all, [&](const sqlite::Row& row) {
        const bool isLabel = !row.isNull(AtText);
        const TrackKey track{.owner = processOf(static_cast<GlobalId>(row.integer(thread_column::thread))),
            .device = static_cast<std::int32_t>(row.integer(AtGpu, 0) & 0xFF),
            .family = isLabel ? labels : family};
        return std::pair(track, isLabel ? int{AtText} : int{thread_column::name});
    });
}

/// A call that begins or ends a label.
struct LabelCall {
    std::tuple<GlobalId, std::int64_t, std::int64_t> label; ///< thread, context, number
    TimeRange time;
    bool begins = false;
    StringId name{};
    std::uint32_t sourceRow = 0;
};

/// Debug labels: rows with a text begin one, and rows without end it; both share thread, context and number.
/// A label lasts from the end of the first call to the start of the second, and is a mark without a second.
Result<void> appendLabels(ImportJob& job, const LibraryTable& library, LibraryCalls& all)
{
    const StringId source = job.trace.pool().intern(library.table);
    const StringId family = job.trace.pool().intern(library.family);
    const std::array<std::string_view, 6> columns{
        "start", "end", "globalTid", library.name, "correlationId", "contextId"};
    enum At : int { AtStart = 1, AtEnd, AtThread, AtName, AtNumber, AtContext };
    std::vector<LabelCall> calls;
    const auto add = [&](const LabelCall& begun, Ns end) {
        const TrackKey track{.owner = std::get<0>(begun.label), .family = family, .source = source};
        all.builder.add(all.builder.track(track), begun.time.end, std::max(end, begun.time.end), begun.name,
            begun.sourceRow);
        all.finishEvent();
    };
    const auto rows = scanEvents(job, library.table, columns, {AtStart, AtEnd},
        [&](const sqlite::Row& row, TimeRange time, RowChecks& checks) {
            const bool begins = !row.isNull(AtName);
            calls.push_back({{static_cast<GlobalId>(row.integer(AtThread)), row.integer(AtContext, 0),
                                 row.integer(AtNumber, 0)},
                time, begins, begins ? checks.name(job.strings, row, AtName) : StringId{}, sourceRowOf(row)});
        });
    if (!rows.ok())
        return rows.error();
    // Rows have any order.
    std::ranges::stable_sort(
        calls, {}, [](const LabelCall& call) { return std::tuple(call.label, call.time.start); });
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const bool isEnded
            = i + 1 < calls.size() && calls[i + 1].label == calls[i].label && !calls[i + 1].begins;
        if (calls[i].begins)
            add(calls[i], isEnded ? calls[i + 1].time.start : calls[i].time.end);
    }
    all.builder.countSourceRows(rows.value());
    return {};
}

Result<void> importLibraries(ImportJob& job)
{
    LibraryCalls all{LibraryPart::hasContextsIn(job)};
    for (const LibraryTable& library : libraryTables()) {
        if (!job.schema.has(library.table))
            continue;
        auto added = library.onGpu ? appendWorkload(job, library, all)
            : library.hasLabels    ? appendLabels(job, library, all)
            : library.gpuClass > 0 ? appendByClass(job, library, all)
                                   : appendLibrary(job, library, all);
        if (!added.ok())
            return added;
    }
    auto added = appendVulkanRanges(job, all.builder, [&] { all.finishEvent(); });
    if (!added.ok())
        return added;
    added = appendWddmPackets(job, all.builder, [&](const MessageFacts& facts) { all.finishEvent(facts); });
    if (!added.ok())
        return added;
    all.joinRequests(job.trace.pool());
    job.trace.setTable(all.table());
    return {};
}

constexpr std::array<std::string_view, 10> otherLibraryTables{"VULKAN_PIPELINE_CREATION_EVENTS",
    "VULKAN_PIPELINE_STAGE_EVENTS", "WDDM_QUEUE_PACKET_START_EVENTS", "WDDM_QUEUE_PACKET_STOP_EVENTS",
    "WDDM_DMA_PACKET_START_EVENTS", "WDDM_DMA_PACKET_STOP_EVENTS", "WDDM_PAGING_QUEUE_PACKET_START_EVENTS",
    "WDDM_PAGING_QUEUE_PACKET_STOP_EVENTS", "TARGET_INFO_WDDM_CONTEXTS", "WDDM_EVICT_ALLOCATION_EVENTS"};
constexpr std::array<std::string_view, 2> overheadTables{"PROFILER_OVERHEAD", "CUPTI_ACTIVITY_KIND_OVERHEAD"};

constexpr std::array<std::string_view, 4> overheadColumns{"start", "end", "globalTid", "nameId"};

Result<void> importOverheads(ImportJob& job)
{
    return importCalls<CallPart>(
        job, EventKind::Overhead, overheadTables, overheadColumns, [&](StringId source) {
            return std::make_unique<CallPart>(EventKind::Overhead, job.strings, source);
        });
}

class OsRuntimePart : public ThreadPart {
public:
    using ThreadPart::ThreadPart;

    void read(const sqlite::Row& row)
    {
        if (addEvent(row))
            builder.addCallchain(callchainOf(row, thread_column::next));
    }
};

constexpr std::array<std::string_view, 1> osRuntimeTables{"OSRT_API"};
constexpr std::array<std::string_view, 5> osRuntimeColumns{
    "start", "end", "globalTid", "nameId", "callchainId"};

Result<void> importOsRuntime(ImportJob& job)
{
    return importCalls<OsRuntimePart>(
        job, EventKind::OsRuntime, osRuntimeTables, osRuntimeColumns, [&](StringId source) {
            return std::make_unique<OsRuntimePart>(EventKind::OsRuntime, job.strings, source);
        });
}

} // namespace

extern constinit const Importer libraries{.id = "libraries",
    .progressText = "Reading library calls",
    .needs = {}, // any of libraryTables(); skips quickly when there is none
    .alsoReads = otherLibraryTables,
    .run = importLibraries};

extern constinit const Importer overheads{.id = "overhead",
    .progressText = "Reading profiler overhead",
    .needs = overheadTables,
    .run = importOverheads};

extern constinit const Importer osRuntime{.id = "os-runtime",
    .progressText = "Reading OS runtime calls",
    .needs = osRuntimeTables,
    .run = importOsRuntime};

} // namespace warpline::thread_calls
