#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace warpline {

struct ImportJob;

/// The layouts of binary payloads of a report's NVTX events, from its own tables, and payload fields that
/// nsys wrote as separate tables. Entries are decoded by their schema; type numbers are those of
/// nvToolsExtPayload.h.
class NvtxPayloads {
public:
    /// Reads NVTX_PAYLOAD_SCHEMAS, _SCHEMA_ENTRIES, _ENUMS, _ENUM_ENTRIES, and
    /// DYNAMIC_NVTXPAYLOAD_DATATYPE_*. Logs errors.
    static NvtxPayloads read(ImportJob& job);

    bool hasSchemas() const { return !m_schemas.empty() || !m_enums.empty(); }
    bool hasEvents() const { return !m_ofEvent.empty(); }
    /// The payload in `data` (NVTX_EVENTS.binaryData in domain `domain`) as a JSON object: the same text that
    /// nsys writes to jsonText. Empty when the data or its schema is unsupported.
    std::string decode(std::int64_t domain, std::string_view data) const;
    /// The payload of the event `eventId` from a separate table, as a JSON object; empty: none.
    std::string_view ofEvent(std::int64_t eventId) const;

private:
    using Key = std::pair<std::int64_t, std::int64_t>; // domain, schema

    struct Entry {
        std::int64_t flags = 0;
        std::int64_t type = 0;
        std::string name;
        std::int64_t detail = 0; ///< length of an array, or the entry that holds it
        std::int64_t offset = -1; ///< -1: behind the entry before it
    };
    struct Schema {
        std::int64_t size = 0; ///< 0: depends on the data
        std::int64_t alignment = 0;
        std::vector<Entry> entries;
    };
    struct Enum {
        std::size_t size = 4;
        std::vector<std::pair<std::int64_t, std::string>> values;
        std::vector<std::pair<std::int64_t, std::string>> flags;
    };
    /// The text of a decoded entry, and its value for arrays whose length is an entry.
    struct Value {
        std::string json;
        std::uint64_t number = 0;
        std::size_t end = 0; ///< the first byte behind it
    };

    void readSchemas(ImportJob& job);
    void readEnums(ImportJob& job);
    void readDynamicTable(ImportJob& job, const std::string& table, std::string_view arrayField);

    const Schema* schema(std::int64_t domain, std::int64_t id) const;
    const Enum* enumeration(std::int64_t domain, std::int64_t id) const;
    /// Bytes of one value of `type`; 0 when that depends on the data or is not known.
    std::size_t sizeOf(std::int64_t domain, std::int64_t type) const;
    std::size_t alignmentOf(std::int64_t domain, std::int64_t type) const;
    bool readObject(std::int64_t domain, const Schema& schema, std::string_view data, std::size_t at,
        int depth, Value& value) const;
    bool readArray(std::int64_t domain, const Entry& entry, std::span<const std::uint64_t> numbers,
        std::string_view data, std::size_t at, int depth, Value& value) const;
    bool readOne(std::int64_t domain, std::int64_t type, std::string_view data, std::size_t at, int depth,
        Value& value) const;

    std::map<Key, Schema> m_schemas;
    std::map<Key, Enum> m_enums;
    std::unordered_map<std::int64_t, std::string> m_ofEvent;
};

} // namespace warpline
