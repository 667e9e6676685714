// NVTX ranges and marks. Rows of other types name things: 75 domains, 33 categories, 39 threads. The name of
// an event is in `text`, or in `textId` when the string was registered; both occur in one file. A range
// without an end was still open when recording stopped: it ends with the session, so this importer runs after
// those of other events.

#include "core/base/stop.h"
#include "core/import/event_parts.h"
#include "core/import/frames.h"
#include "core/import/nvtx_payloads.h"
#include "core/import/python_stacks.h"
#include "core/store/nvtx_types.h"
#include "core/store/payload_fields.h"

#include <charconv>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

namespace warpline::nvtx {

namespace {

constexpr std::string_view table = "NVTX_EVENTS";
constexpr std::array<std::string_view, 1> tables{table};
constexpr std::array<std::string_view, 4> payloadTables{
    "NVTX_PAYLOAD_SCHEMAS", "NVTX_PAYLOAD_SCHEMA_ENTRIES", "NVTX_PAYLOAD_ENUMS", "NVTX_PAYLOAD_ENUM_ENTRIES"};
constexpr std::array<std::string_view, 17> columns{"start", "end", "eventType", "globalTid", "endGlobalTid",
    "text", "textId", "domainId", "category", "color", "uint64Value", "int64Value", "doubleValue",
    "uint32Value", "int32Value", "floatValue", "jsonTextId"};
enum Column : int {
    AtStart = 1,
    AtEnd,
    AtType,
    AtThread,
    AtEndThread,
    AtText,
    AtTextId,
    AtDomain,
    AtCategory,
    AtColor,
    AtU64,
    AtI64,
    AtF64,
    AtU32,
    AtI32,
    AtF32,
    AtJsonTextId,
    AtJsonText,
    AtBinary,
    AtEventId,
};

constexpr std::string_view messageSizeField = "Message size [bytes]"; // of NCCL's payloads
constexpr std::size_t maxFieldNames = 64; // payloads with more different fields are no table

/// Names from the naming rows. Names of domains and categories are per process.
struct Names {
    std::map<std::pair<GlobalId, std::int64_t>, StringId> domains;
    std::map<std::tuple<GlobalId, std::int64_t, std::int64_t>, StringId> categories;
    std::vector<Thread> threads;
    StringId pythonSamples{}; ///< the name of their domain; empty: the report has none
    Ns lastTime = std::numeric_limits<Ns>::min(); ///< at which anything began or ended
};

class NvtxPart {
public:
    NvtxPart(ImportJob& job, const Names& names, const NvtxPayloads& payloads, StringId source, Ns sessionEnd)
        : builder(EventKind::Nvtx),
          m_strings(job.strings),
          m_pool(job.trace.pool()),
          m_names(names),
          m_payloads(payloads),
          m_source(source),
          m_sessionEnd(sessionEnd)
    {
    }

    void read(const sqlite::Row& row)
    {
        const std::int64_t type = row.integer(AtType, nvtxPushPop);
        if (type != nvtxPushPop && type != nvtxStartEnd && type != nvtxMark)
            return;
        Ns start = 0;
        Ns end = 0;
        const bool open = type != nvtxMark && row.isNull(AtEnd);
        if (!checks.times(row, AtStart, open || row.isNull(AtEnd) ? -1 : AtEnd, start, end))
            return;
        if (open) {
            end = std::max(start, m_sessionEnd);
            ++openRanges;
        }
        TrackKey key;
        key.owner = static_cast<GlobalId>(row.integer(AtThread));
        const std::int64_t domain = row.integer(AtDomain);
        key.family = domainName(processOf(key.owner), domain);
        key.source = m_source;
        const bool isPythonSample
            = type == nvtxMark && key.family != StringId{} && key.family == m_names.pythonSamples;
        std::uint32_t stack = 0;
        NvtxAttributes attributes = attributesOf(row, key.owner, domain);
        if (isPythonSample)
            std::tie(stack, attributes.payload) = pythonSampleOf(row, domain);
        else
            addPayload(row, domain, attributes);
        attributes.eventType = static_cast<std::uint8_t>(type);
        attributes.open = open;
        StringId name = textOf(row);
        if (name == StringId{} && type == nvtxMark)
            name = stack != 0 ? pythonStacks->innermost(stack) : key.family; // a domain that needs no names
        builder.add(builder.track(key), start, end, name, sourceRowOf(row));
        builder.addAttribute(pool.intern(attributes));
        if (m_names.pythonSamples != StringId{})
            builder.addCallchain(stack);
    }

    TableBuilder builder;
    RowChecks checks;
    RecordPool<NvtxAttributes> pool;
    /// Shared, because snapshots are copies of parts and need no stacks.
    std::shared_ptr<PythonStacks> pythonStacks = std::make_shared<PythonStacks>();
    std::uint64_t unnamedFrames = 0;
    std::uint64_t openRanges = 0;
    std::uint64_t unreadPayloads = 0;

private:
    StringId domainName(GlobalId process, std::int64_t domain)
    {
        if (domain == 0)
            return {};
        const auto found = m_names.domains.find({process, domain});
        return found != m_names.domains.end() ? found->second
                                              : m_pool.intern("Domain " + std::to_string(domain));
    }

    StringId textOf(const sqlite::Row& row)
    {
        if (!row.isNull(AtText))
            return intern(row.text(AtText));
        return checks.name(m_strings, row, AtTextId);
    }

    /// Names repeat: look them up here before taking the pool's lock.
    StringId intern(std::string_view text)
    {
        const auto known = m_cache.find(text);
        if (known != m_cache.end())
            return known->second;
        const StringId id = m_pool.intern(text);
        m_cache.emplace(m_pool[id], id);
        return id;
    }

    NvtxAttributes attributesOf(const sqlite::Row& row, GlobalId thread, std::int64_t domain)
    {
        NvtxAttributes attributes;
        attributes.hasColor = !row.isNull(AtColor);
        attributes.color = static_cast<std::uint32_t>(row.integer(AtColor));
        attributes.category = row.integer32(AtCategory);
        if (attributes.category != 0) {
            const auto found = m_names.categories.find({processOf(thread), domain, attributes.category});
            if (found != m_names.categories.end())
                attributes.categoryName = found->second;
        }
        const auto endThread = static_cast<GlobalId>(row.integer(AtEndThread));
        attributes.endThread = endThread != thread ? endThread : 0;
        return attributes;
    }

    void addPayload(const sqlite::Row& row, std::int64_t domain, NvtxAttributes& attributes)
    {
        attributes.payload = payloadOf(row, domain);
        if (attributes.payload != StringId{})
            attributes.payloadBytes = messageBytes(attributes.payload);
    }

    /// The stack of a sample of Python, 0 where the report left it out, and the rest of its payload.
    std::pair<std::uint32_t, StringId> pythonSampleOf(const sqlite::Row& row, std::int64_t domain)
    {
        std::string decoded;
        std::string_view payload;
        if (!row.isNull(AtJsonText)) {
            payload = row.text(AtJsonText);
        } else if (!row.isNull(AtJsonTextId)) {
            payload = m_pool[checks.name(m_strings, row, AtJsonTextId)];
        } else if (!row.isNull(AtBinary) && !row.text(AtBinary).empty()) {
            decoded = m_payloads.decode(domain, row.text(AtBinary));
            unreadPayloads += decoded.empty() ? 1 : 0;
            payload = decoded;
        } else if (!row.isNull(AtEventId)) {
            payload = m_payloads.ofEvent(row.integer(AtEventId));
        }
        const PythonSample sample = pythonStacks->intern(payload, m_strings, m_pool);
        unnamedFrames += sample.unnamed;
        return {sample.stack, sample.facts};
    }

    /// The message size in NCCL's payload; -1 when it has no such field.
    std::int64_t messageBytes(StringId payload) const
    {
        std::int64_t bytes = -1;
        if (const auto field = findPayloadField(m_pool[payload], messageSizeField))
            std::from_chars(field->value.data(), field->value.data() + field->value.size(), bytes);
        return bytes;
    }

    StringId payloadOf(const sqlite::Row& row, std::int64_t domain)
    {
        if (!row.isNull(AtJsonText))
            return intern(row.text(AtJsonText));
        if (!row.isNull(AtJsonTextId))
            return checks.name(m_strings, row, AtJsonTextId);
        for (const int column : {AtU64, AtI64, AtU32, AtI32, AtF64, AtF32}) {
            if (!row.isNull(column))
                return intern(row.text(column)); // SQLite's own text of the number
        }
        if (!row.isNull(AtBinary) && !row.text(AtBinary).empty()) {
            const std::string decoded = m_payloads.decode(domain, row.text(AtBinary));
            unreadPayloads += decoded.empty() ? 1 : 0;
            if (!decoded.empty())
                return intern(decoded);
        }
        return row.isNull(AtEventId) ? StringId{} : intern(m_payloads.ofEvent(row.integer(AtEventId)));
    }

    const StringTable& m_strings;
    StringPool& m_pool;
    const Names& m_names;
    const NvtxPayloads& m_payloads;
    StringId m_source;
    Ns m_sessionEnd;
    std::unordered_map<std::string_view, StringId> m_cache;
};

/// Names of the fields of all payloads.
std::vector<StringId> fieldNames(const std::vector<NvtxAttributes>& attributes, StringPool& pool)
{
    std::set<std::string> names;
    StringId last{};
    for (const NvtxAttributes& each : attributes) {
        if (each.payload == last || names.size() >= maxFieldNames)
            continue;
        last = each.payload;
        for (PayloadField& field : payloadFields(pool[each.payload]))
            names.insert(std::move(field.name));
    }
    std::vector<StringId> ids;
    for (const std::string& name : names)
        ids.push_back(pool.intern(name));
    return ids;
}

/// Brings the stacks of all parts into terms of the first one's, and gives them to the trace.
void joinPythonStacks(ImportJob& job, std::span<const std::unique_ptr<NvtxPart>> parts)
{
    PythonStacks& all = *parts.front()->pythonStacks;
    for (const auto& part : parts.subspan(1))
        part->builder.translateCallchains(all.add(*part->pythonStacks));
    if (all.empty())
        return;
    auto chains = std::make_shared<const Callchains>(all.takeChains());
    job.trace.edit([&](Trace& trace) { trace.pythonChains = std::move(chains); });
}

/// `added` of its events have no row in the report.
std::shared_ptr<const NvtxTable> tableOf(NvtxPart& part, StringPool& pool, std::size_t added = 0)
{
    auto nvtx = std::make_shared<NvtxTable>();
    part.builder.finishInto(*nvtx);
    nvtx->sourceRows = nvtx->size() - added; // rows that only name things are not events
    nvtx->attributes = std::move(part.pool.records);
    nvtx->payloadFields = fieldNames(nvtx->attributes, pool);
    return nvtx;
}

/// The naming rows, which must be read before the other rows.
Result<Names> readNames(ImportJob& job)
{
    constexpr std::array<std::string_view, 8> nameColumns{
        "eventType", "globalTid", "text", "textId", "domainId", "category", "start", "end"};
    enum AtOfName : int { OfType = 1, OfThread, OfText, OfTextId, OfDomain, OfCategory, OfStart, OfEnd };
    Names names;
    const auto addName = [&](const sqlite::Row& row) {
        const std::int64_t type = row.integer(OfType);
        if (type != nvtxDomainName && type != nvtxCategoryName && type != nvtxThreadName)
            return;
        bool missing = false;
        const auto thread = static_cast<GlobalId>(row.integer(OfThread));
        const StringId text = row.isNull(OfText) ? job.strings.at(row.integer(OfTextId), missing)
                                                 : job.trace.pool().intern(row.text(OfText));
        if (type == nvtxThreadName) {
            names.threads.push_back({thread, text});
        } else if (type == nvtxCategoryName) {
            names.categories[{processOf(thread), row.integer(OfDomain), row.integer(OfCategory)}] = text;
        } else {
            names.domains[{processOf(thread), row.integer(OfDomain)}] = text;
            if (job.trace.pool()[text] == pythonSamplesDomain)
                names.pythonSamples = text;
        }
    };
    const Schema::Table& known = *job.schema.find(table);
    const sqlite::TableSource source = sourceOf(job, table, nameColumns);
    sqlite::TableRows rows(source, job.report, known.firstRow, known.lastRow);
    sqlite::TableRows::Step step = sqlite::TableRows::Step::Row;
    for (std::uint64_t i = 0; (step = rows.next()) == sqlite::TableRows::Step::Row; ++i) {
        addName(rows.row());
        const Ns start = rows.row().integer(OfStart);
        names.lastTime = std::max({names.lastTime, start, rows.row().integer(OfEnd, start)});
        if (i % stepsBetweenStops == 0 && job.stop.stop_requested())
            return names;
    }
    if (step == sqlite::TableRows::Step::Failed)
        return rows.error();
    return names;
}

Result<void> importNvtx(ImportJob& job)
{
    auto names = readNames(job);
    if (!names.ok())
        return names.error();
    const StringId source = job.trace.pool().intern(table);
    const NvtxPayloads payloads = NvtxPayloads::read(job);
    // Columns that no payload needs are not asked for: none has an empty name.
    const std::array<std::string_view, 3> payloadColumns{
        "jsonText", payloads.hasSchemas() ? "binaryData" : "", payloads.hasEvents() ? "eventId" : ""};
    const auto allColumns = concat(columns, payloadColumns);
    const Ns sessionEnd = std::max(job.trace.lastTime(), names.value().lastTime);
    auto parts = scanInParts<NvtxPart>(
        job, table, allColumns,
        [&] { return std::make_unique<NvtxPart>(job, names.value(), payloads, source, sessionEnd); },
        [&job](NvtxPart part) { return tableOf(part, job.trace.pool()); });
    if (!parts.ok())
        return parts.error();
    auto& first = *parts.value().front();
    std::uint64_t openRanges = 0;
    std::uint64_t unreadPayloads = 0;
    std::uint64_t unnamedFrames = 0;
    for (auto& part : parts.value()) {
        part->builder.translateAttributes(first.pool, part->pool);
        openRanges += part->openRanges;
        unreadPayloads += part->unreadPayloads;
        unnamedFrames += part->unnamedFrames;
    }
    job.log.add(table, ProblemKind::FrameMissing, unnamedFrames);
    job.log.add(table, ProblemKind::PayloadUnreadable, unreadPayloads);
    job.log.add(table, ProblemKind::RangeOpenInSession, openRanges);
    joinPythonStacks(job, parts.value());
    joinParts(job, table, parts.value());
    NvtxAttributes ofFrame;
    ofFrame.eventType = graphicsFrame;
    const std::vector<Frame> frames = framesOf(*job.trace.snapshot(), job.trace.pool());
    for (const Frame& frame : frames) {
        first.builder.add(first.builder.track(frame.track), frame.time.start, frame.time.end,
            job.trace.pool().intern(frame.name), 0);
        first.builder.addAttribute(first.pool.intern(ofFrame));
    }
    job.trace.setTable(tableOf(first, job.trace.pool(), frames.size()));
    job.trace.edit([&](Trace& trace) {
        for (const Thread& named : names.value().threads) {
            const auto place = std::ranges::lower_bound(trace.threads, named.id, {}, &Thread::id);
            if (place != trace.threads.end() && place->id == named.id)
                place->name = named.name;
            else
                trace.threads.insert(place, named);
        }
    });
    return {};
}

} // namespace

extern constinit const Importer nvtxRanges{.id = "nvtx",
    .progressText = "Reading NVTX ranges",
    .needs = tables,
    .alsoReads = payloadTables,
    .run = importNvtx};

} // namespace warpline::nvtx
