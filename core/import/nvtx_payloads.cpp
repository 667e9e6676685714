// A binary payload starts with the number of its parts (8 bytes), then for each part its schema, size and
// offset in the data (8 bytes each). A part is decoded entry by entry, by its schema.

#include "core/import/nvtx_payloads.h"

#include "core/base/saturate.h"
#include "core/base/words.h"
#include "core/import/payload_types.h"
#include "core/import/scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace warpline {

namespace {

constexpr int deepest = 8; // schemas inside schemas
constexpr std::uint64_t longestArray = 4096; // elements that are read
// Limit the text of a payload, and so the work: schemas with nested arrays multiply a few bytes.
constexpr std::size_t longestText = 1U << 20U;
constexpr std::size_t maxTextPerByte = 64; // with the name of its field
constexpr std::size_t minTextLimit = 1024;
constexpr std::size_t partBytes = 24;

constexpr std::int64_t flagPointer = 1 << 1;
constexpr std::int64_t flagFromBase = 1 << 2;
constexpr std::int64_t flagFromHere = 1 << 3;
constexpr std::int64_t arrayMask = 7 << 4;
constexpr std::int64_t arrayFixed = 1 << 4;
constexpr std::int64_t arrayZeroTerminated = 2 << 4;
constexpr std::int64_t arrayAsLongAs = 3 << 4;
// Parts that other parts point into, and bytes that mean nothing to others.
constexpr std::int64_t referencedPart = 1022;
constexpr std::int64_t rawPart = 1023;

std::uint64_t wordAt(std::string_view data, std::size_t at)
{
    std::uint64_t word = 0;
    std::memcpy(&word, data.data() + at, sizeof word);
    return word;
}

/// The most text that `data` is decoded to.
std::size_t mostText(std::string_view data)
{
    return std::min(longestText, minTextLimit + maxTextPerByte * data.size());
}

bool holds(std::string_view data, std::size_t at, std::size_t bytes)
{
    return at <= data.size() && bytes <= data.size() - at;
}

} // namespace

void NvtxPayloads::readSchemas(ImportJob& job)
{
    constexpr std::string_view table = "NVTX_PAYLOAD_SCHEMAS";
    constexpr std::string_view entryTable = "NVTX_PAYLOAD_SCHEMA_ENTRIES";
    constexpr std::array<std::string_view, 4> columns{"domainId", "schemaId", "payloadSize", "alignTo"};
    enum At : int { AtDomain = 1, AtSchema, AtSize, AtAlignment };
    auto rows = scanTable(job, table, columns, {}, [&](const sqlite::Row& row) {
        Schema& schema = m_schemas[{row.integer(AtDomain), row.integer(AtSchema)}];
        schema.size = std::max<std::int64_t>(0, row.integer(AtSize));
        schema.alignment = row.integer(AtAlignment);
    });
    constexpr std::array<std::string_view, 8> entryColumns{
        "domainId", "schemaId", "idx", "flags", "type", "name", "arrayOrUnionDetail", "offset"};
    enum AtOfEntry : int {
        OfDomain = 1,
        OfSchema,
        OfIndex,
        OfFlags,
        OfType,
        OfName,
        OfDetail,
        OfOffset,
    };
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, Entry> entries; // rows have no order
    if (rows.ok())
        rows = scanTable(job, entryTable, entryColumns, {}, [&](const sqlite::Row& row) {
            const std::int64_t index = row.integer(OfIndex);
            entries[{row.integer(OfDomain), row.integer(OfSchema), index}] = {row.integer(OfFlags),
                row.integer(OfType), std::string(row.text(OfName)), row.integer(OfDetail),
                row.isNull(OfOffset) ? (index == 0 ? 0 : -1) : row.integer(OfOffset)};
        });
    if (!rows.ok())
        job.log.add(table, ProblemKind::PayloadLayoutUnreadable);
    for (auto& [key, entry] : entries)
        m_schemas[{std::get<0>(key), std::get<1>(key)}].entries.push_back(std::move(entry));
}

void NvtxPayloads::readEnums(ImportJob& job)
{
    constexpr std::string_view table = "NVTX_PAYLOAD_ENUMS";
    constexpr std::array<std::string_view, 3> columns{"domainId", "schemaId", "size"};
    enum At : int { AtDomain = 1, AtSchema, AtSize };
    auto rows = scanTable(job, table, columns, {}, [&](const sqlite::Row& row) {
        m_enums[{row.integer(AtDomain), row.integer(AtSchema)}].size
            = static_cast<std::size_t>(std::clamp<std::int64_t>(row.integer(AtSize, 4), 1, 8));
    });
    constexpr std::array<std::string_view, 5> valueColumns{"domainId", "schemaId", "name", "value", "isFlag"};
    enum AtOfValue : int { OfDomain = 1, OfSchema, OfName, OfValue, OfIsFlag };
    if (rows.ok())
        rows = scanTable(job, "NVTX_PAYLOAD_ENUM_ENTRIES", valueColumns, {}, [&](const sqlite::Row& row) {
            Enum& known = m_enums[{row.integer(OfDomain), row.integer(OfSchema)}];
            (row.integer(OfIsFlag) != 0 ? known.flags : known.values)
                .emplace_back(row.integer(OfValue), std::string(row.text(OfName)));
        });
    if (!rows.ok())
        job.log.add(table, ProblemKind::PayloadNamesUnreadable);
    for (auto& [key, known] : m_enums) {
        std::ranges::sort(known.values);
        std::ranges::sort(known.flags);
    }
}

NvtxPayloads NvtxPayloads::read(ImportJob& job)
{
    NvtxPayloads payloads;
    payloads.readSchemas(job);
    payloads.readEnums(job);
    // DYNAMIC_NVTXPAYLOAD_DATATYPE_<process>_<domain>_<schema>, and one more with _<field> for each list in
    // it.
    constexpr std::string_view prefix = "DYNAMIC_NVTXPAYLOAD_DATATYPE_";
    for (const auto& [table, facts] : job.schema.tables()) {
        if (!table.starts_with(prefix))
            continue;
        std::string_view rest = std::string_view(table).substr(prefix.size());
        for (int part = 0; part < 3; ++part)
            takeUpTo(rest, "_");
        payloads.readDynamicTable(job, table, rest);
    }
    return payloads;
}

void NvtxPayloads::readDynamicTable(ImportJob& job, const std::string& table, std::string_view arrayField)
{
    std::vector<std::string_view> columns{"eventId"};
    enum At : int { AtRow, AtEvent };
    for (const std::string& column : job.schema.find(table)->columns) {
        if (column != "eventId")
            columns.push_back(column);
    }
    std::map<std::int64_t, std::vector<std::pair<std::int64_t, std::string>>> fields; // by event, then index
    const auto rows = scanTable(job, table, columns, {}, [&](const sqlite::Row& row) {
        std::string json;
        std::int64_t place = row.integer(AtRow);
        for (std::size_t i = 1; i < columns.size(); ++i) {
            const int at = static_cast<int>(i) + 1;
            if (columns[i] == "idx" || columns[i] == "index" || columns[i] == "elementIdx") {
                place = row.integer(at);
                continue;
            }
            if (row.isNull(at))
                continue;
            json += (json.empty() ? "" : ",") + payloadText(columns[i]) + ":"
                + (row.isText(at) ? payloadText(row.text(at)) : std::string(row.text(at)));
        }
        fields[row.integer(AtEvent)].emplace_back(place, std::move(json));
    });
    if (!rows.ok()) {
        job.log.add(table, ProblemKind::PayloadsUnreadable);
        return;
    }
    for (auto& [event, parts] : fields) {
        std::ranges::sort(parts);
        std::string json;
        for (const auto& [place, part] : parts)
            json += (json.empty() ? "" : ",") + (arrayField.empty() ? part : "{" + part + "}");
        if (!arrayField.empty())
            json = payloadText(arrayField) + ":[" + json + "]";
        if (json.empty())
            continue;
        std::string& whole = m_ofEvent[event];
        if (!whole.empty())
            whole.pop_back(); // the closing brace
        whole += (whole.empty() ? "{" : ",") + json + "}";
    }
}

std::string_view NvtxPayloads::ofEvent(std::int64_t eventId) const
{
    const auto found = m_ofEvent.find(eventId);
    return found != m_ofEvent.end() ? std::string_view(found->second) : std::string_view();
}

const NvtxPayloads::Schema* NvtxPayloads::schema(std::int64_t domain, std::int64_t id) const
{
    const auto found = m_schemas.find({domain, id});
    return found != m_schemas.end() ? &found->second : nullptr;
}

const NvtxPayloads::Enum* NvtxPayloads::enumeration(std::int64_t domain, std::int64_t id) const
{
    const auto found = m_enums.find({domain, id});
    return found != m_enums.end() ? &found->second : nullptr;
}

std::size_t NvtxPayloads::sizeOf(std::int64_t domain, std::int64_t type) const
{
    if (const std::size_t bytes = payloadTypeBytes(type); bytes > 0)
        return bytes;
    if (const Enum* const known = enumeration(domain, type))
        return known->size;
    const Schema* const nested = schema(domain, type);
    return nested ? static_cast<std::size_t>(nested->size) : 0;
}

std::size_t NvtxPayloads::alignmentOf(std::int64_t domain, std::int64_t type) const
{
    if (const Schema* const nested = schema(domain, type))
        return nested->alignment > 0 ? static_cast<std::size_t>(nested->alignment) : 8;
    return std::max<std::size_t>(1, sizeOf(domain, type));
}

std::string NvtxPayloads::decode(std::int64_t domain, std::string_view data) const
{
    if (data.size() < 8)
        return {};
    const std::uint64_t parts = wordAt(data, 0);
    if (parts == 0 || parts > (data.size() - 8) / partBytes)
        return {};
    std::string json;
    for (std::uint64_t part = 0; part < parts; ++part) {
        const std::size_t head = 8 + part * partBytes;
        const std::uint64_t bytes = wordAt(data, head + 8);
        const std::uint64_t place = wordAt(data, head + 16);
        const auto id = static_cast<std::int64_t>(wordAt(data, head));
        if (!holds(data, place, bytes))
            return {};
        if (id == referencedPart || id == rawPart)
            continue;
        Value value;
        // A part of a plain type needs no schema: it is as long a list as there is room for.
        Schema plain;
        const std::size_t plainBytes = payloadTypeBytes(id);
        if (plainBytes > 0)
            plain.entries.push_back({bytes > plainBytes ? arrayFixed : 0, id, "Payload",
                static_cast<std::int64_t>(bytes / plainBytes), 0});
        const Schema* const known = plainBytes > 0 ? &plain : schema(domain, id);
        if (!known || !readObject(domain, *known, data.substr(place, bytes), 0, 0, value))
            return {};
        if (value.json.size() > 2)
            json += (json.empty() ? "" : ",") + value.json.substr(1, value.json.size() - 2);
        if (json.size() > mostText(data)) // parts may share their bytes
            return {};
    }
    return json.empty() ? std::string() : "{" + json + "}";
}

bool NvtxPayloads::readObject(std::int64_t domain, const Schema& schema, std::string_view data,
    std::size_t at, int depth, Value& value) const
{
    if (depth > deepest)
        return false;
    std::size_t behind = at;
    std::vector<std::uint64_t> numbers;
    std::string json;
    for (std::size_t i = 0; i < schema.entries.size(); ++i) {
        const Entry& entry = schema.entries[i];
        const std::size_t alignment = alignmentOf(domain, entry.type);
        std::size_t place = entry.offset >= 0 ? at + static_cast<std::size_t>(entry.offset)
                                              : at + (behind - at + alignment - 1) / alignment * alignment;
        Value part;
        if ((entry.flags & (flagFromBase | flagFromHere)) != 0) {
            if (!holds(data, place, 8))
                return false;
            behind = place + 8;
            const std::uint64_t distance = wordAt(data, place);
            const std::size_t from = (entry.flags & flagFromHere) != 0 ? place + 8 : at;
            if (distance > data.size() - from)
                return false;
            place = from + distance;
        }
        const bool read = (entry.flags & flagPointer) != 0 // an address of the program that is gone
            ? readOne(domain, payloadAddress, data, place, depth, part)
            : (entry.flags & arrayMask) != 0 || (isPayloadText(entry.type) && entry.detail > 0)
                ? readArray(domain, entry, numbers, data, place, depth, part)
                : readOne(domain, entry.type, data, place, depth, part);
        if (!read)
            return false;
        if ((entry.flags & (flagFromBase | flagFromHere)) == 0)
            behind = part.end;
        numbers.push_back(part.number);
        json += (json.empty() ? "" : ",")
            + payloadText(entry.name.empty() ? fmt::format("Field {}", i) : entry.name) + ":" + part.json;
        if (json.size() > mostText(data))
            return false;
    }
    value = {"{" + json + "}", 0, schema.size > 0 ? at + static_cast<std::size_t>(schema.size) : behind};
    return true;
}

bool NvtxPayloads::readArray(std::int64_t domain, const Entry& entry, std::span<const std::uint64_t> numbers,
    std::string_view data, std::size_t at, int depth, Value& value) const
{
    const std::int64_t kind = (entry.flags & arrayMask) != 0 ? entry.flags & arrayMask : arrayFixed;
    const bool endless = kind == arrayZeroTerminated;
    std::uint64_t length = longestArray;
    if (kind == arrayFixed)
        length = naturalOf(entry.detail);
    else if (kind == arrayAsLongAs && entry.detail >= 0
        && static_cast<std::size_t>(entry.detail) < numbers.size())
        length = numbers[static_cast<std::size_t>(entry.detail)];
    else if (!endless)
        return false;
    if (const std::size_t width = payloadCharacterBytes(entry.type); width > 0) {
        if (at > data.size() || (!endless && length > (data.size() - at) / width))
            return false;
        if (endless) {
            for (length = 0; holds(data, at + length * width, width)
                 && payloadInteger(data.substr(at + length * width, width)) != 0;)
                ++length;
        }
        value = {payloadString(data.substr(at, length * width), width), length,
            at + (length + (endless ? 1 : 0)) * width};
        return true;
    }
    if (length > longestArray)
        return false;
    std::string json;
    std::size_t place = at;
    for (std::uint64_t i = 0; i < length; ++i) {
        Value element;
        if (!readOne(domain, entry.type, data, place, depth, element)) {
            if (endless)
                break;
            return false;
        }
        place = element.end;
        if (endless && element.number == 0)
            break;
        json += (json.empty() ? "" : ",") + element.json;
        if (json.size() > mostText(data))
            return false;
    }
    value = {"[" + json + "]", length, place};
    return true;
}

bool NvtxPayloads::readOne(std::int64_t domain, std::int64_t type, std::string_view data, std::size_t at,
    int depth, Value& value) const
{
    if (const std::size_t bytes = payloadTypeBytes(type); bytes > 0) {
        if (!holds(data, at, bytes))
            return false;
        value = {
            payloadScalar(type, data.substr(at, bytes)), payloadInteger(data.substr(at, bytes)), at + bytes};
        return true;
    }
    if (const Enum* const known = enumeration(domain, type)) {
        if (!holds(data, at, known->size))
            return false;
        const std::uint64_t number = payloadInteger(data.substr(at, known->size));
        value = {payloadEnum(number, known->values, known->flags), number, at + known->size};
        return true;
    }
    const Schema* const nested = schema(domain, type);
    return nested && readObject(domain, *nested, data, at, depth + 1, value);
}

} // namespace warpline
