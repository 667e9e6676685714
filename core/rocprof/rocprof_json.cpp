#include "core/rocprof/rocprof_json.h"

#include "core/base/saturate.h"
#include "core/base/stop.h"
#include "core/kineto/event_words.h"
#include "core/kineto/json_value.h"

#include <algorithm>

namespace warpline {

namespace {

constexpr std::string_view rootKey = "rocprofiler-sdk-tool";

/// The field `key` of `object`; none where there is none.
JsonValue fieldOf(const std::vector<JsonField>& object, std::string_view key)
{
    const auto found = std::ranges::find(object, key, &JsonField::key);
    return found != object.end() ? found->value : JsonValue{};
}

JsonValue fieldOf(const JsonValue& object, std::string_view key)
{
    return object.kind == JsonValue::Kind::Object ? fieldOf(fieldsOf(object.text), key) : JsonValue{};
}

std::int64_t numberOf(const JsonValue& value, std::int64_t otherwise = 0)
{
    return integerOf(value).value_or(otherwise);
}

/// Ids of agents, queues and streams are wrapped in an object.
std::int64_t handleOf(const JsonValue& value)
{
    return value.kind == JsonValue::Kind::Object ? numberOf(fieldOf(value, "handle"), -1)
                                                 : numberOf(value, -1);
}

/// The parts of one process' object in the file.
struct ProcessParts {
    std::vector<JsonField> fields; ///< all but the records
    std::vector<std::pair<std::string_view, JsonValue>> records; ///< (list, record), in the order of the file
};

class ProcessReader {
public:
    ProcessReader(const ProcessParts& parts, RocmEvents& events, const std::stop_token& stop)
        : m_parts(parts),
          m_events(events),
          m_stop(stop)
    {
    }

    void read()
    {
        readPlaces();
        readNames();
        const bool dispatches = std::ranges::any_of(
            m_parts.records, [](const auto& record) { return record.first == "kernel_dispatch"; });
        std::map<std::string_view, std::uint64_t> unread;
        for (std::size_t i = 0; i < m_parts.records.size(); ++i) {
            if (i % 4096 == 0)
                throwIfStopped(m_stop);
            const auto& [list, record] = m_parts.records[i];
            const std::vector<JsonField> fields = fieldsOf(record.text);
            m_row = static_cast<std::int64_t>(i) + 1;
            ++m_counts[list];
            m_events.setTable(list);
            if (list == "kernel_dispatch")
                readKernel(fields, fields);
            else if (list == "memory_copy")
                readCopy(fields);
            else if (list == "memory_allocation")
                readAllocation(fields);
            else if (list == "counter_collection")
                readCounters(fields, !dispatches);
            else if (list.ends_with("_api"))
                readCall(fields);
            else
                ++unread[list];
        }
        for (const auto& [list, rows] : m_counts)
            m_events.countRows(list, rows, !unread.contains(list));
    }

private:
    JsonValue part(std::string_view key) const { return fieldOf(m_parts.fields, key); }

    void readPlaces()
    {
        const JsonValue metadata = part("metadata");
        const JsonValue host = fieldOf(fieldOf(metadata, "node"), "hostname");
        m_pid = m_events.processNumber(host.isText() ? textOf(host) : std::string(),
            static_cast<std::uint32_t>(numberOf(fieldOf(metadata, "pid"))));
        std::string command;
        const JsonValue given = fieldOf(metadata, "command");
        if (given.kind == JsonValue::Kind::List)
            visitList(given.text,
                [&](const JsonValue& word) { command += (command.empty() ? "" : " ") + textOf(word); });
        else if (given.isText())
            command = textOf(given);
        m_events.setProcess(m_pid, command);
        if (host.isText())
            m_events.setHost(textOf(host));
        std::int32_t next = 0;
        visitList(part("agents").text, [&](const JsonValue& agent) {
            const std::vector<JsonField> fields = fieldsOf(agent.text);
            constexpr std::int64_t gpu = 2; // ROCPROFILER_AGENT_TYPE_GPU
            if (numberOf(fieldOf(fields, "type")) != gpu)
                return;
            Device device = deviceOfAgent(agent.text);
            if (!fieldOf(fields, "logical_node_type_id").there())
                device.id = next;
            next = device.id + 1;
            m_devices[handleOf(fieldOf(fields, "id"))] = device.id;
            m_events.addDevice(m_pid, std::move(device));
        });
    }

    void readNames()
    {
        visitList(part("kernel_symbols").text, [&](const JsonValue& symbol) {
            const std::vector<JsonField> fields = fieldsOf(symbol.text);
            Kernel& kernel = m_kernels[numberOf(fieldOf(fields, "kernel_id"))];
            for (const std::string_view key :
                {"formatted_kernel_name", "demangled_kernel_name", "kernel_name"}) {
                if (kernel.name.empty() && fieldOf(fields, key).isText())
                    kernel.name = textOf(fieldOf(fields, key));
            }
            kernel.registers = static_cast<std::int32_t>(numberOf(fieldOf(fields, "arch_vgpr_count")));
        });
        const JsonValue strings = part("strings");
        visitList(fieldOf(strings, "buffer_records").text, [&](const JsonValue& kind) {
            Kind& read = m_kinds.emplace_back();
            read.name = textOf(fieldOf(kind, "kind"));
            visitList(fieldOf(kind, "operations").text,
                [&](const JsonValue& name) { read.operations.push_back(textOf(name)); });
        });
        visitList(fieldOf(strings, "marker_api").text, [&](const JsonValue& message) {
            m_messages[numberOf(fieldOf(message, "key"))] = textOf(fieldOf(message, "value"));
        });
        visitList(part("counters").text, [&](const JsonValue& counter) {
            m_counters[handleOf(fieldOf(counter, "id"))] = textOf(fieldOf(counter, "name"));
        });
    }

    RocmEvent eventOf(const std::vector<JsonField>& fields) const
    {
        RocmEvent event{.pid = m_pid,
            .tid = static_cast<std::uint32_t>(numberOf(fieldOf(fields, "thread_id"))),
            .start = numberOf(fieldOf(fields, "start_timestamp")),
            .end = numberOf(fieldOf(fields, "end_timestamp")),
            .correlation = numberOf(fieldOf(fieldOf(fields, "correlation_id"), "internal")),
            .row = m_row};
        return event;
    }

    std::int32_t deviceOf(const JsonValue& agent) const
    {
        const auto found = m_devices.find(handleOf(agent));
        return found != m_devices.end() ? found->second : -1;
    }

    /// Newer recordings name HIP's stream, others the hardware queue.
    static std::int32_t streamOf(const JsonValue& stream, const JsonValue& queue)
    {
        const std::int64_t number = handleOf(stream.there() ? stream : queue);
        return number >= 0 && number <= 0x7FFFFFFF ? static_cast<std::int32_t>(number) : -1;
    }

    static Dim3 sidesOf(const JsonValue& size)
    {
        const std::vector<JsonField> sides = fieldsOf(size.text);
        const auto side = [&](std::string_view key) { return natural32Of(numberOf(fieldOf(sides, key), 1)); };
        return {side("x"), side("y"), side("z")};
    }

    /// `fields`: of the record; `times`: of the object with its times.
    void readKernel(const std::vector<JsonField>& fields, const std::vector<JsonField>& times)
    {
        const std::vector<JsonField> info = fieldsOf(fieldOf(times, "dispatch_info").text);
        RocmEvent event = eventOf(times);
        if (event.tid == 0)
            event.tid = static_cast<std::uint32_t>(numberOf(fieldOf(fields, "thread_id")));
        KernelLaunch launch;
        launch.block = sidesOf(fieldOf(info, "workgroup_size"));
        const Dim3 items = sidesOf(fieldOf(info, "grid_size")); // HIP counts work items
        launch.grid = gridInBlocks(items, launch.block);
        launch.dynamicSharedMemory = natural32Of(fieldOf(info, "group_segment_size"));
        launch.localMemoryPerThread = numberOf(fieldOf(info, "private_segment_size"));
        const auto kernel = m_kernels.find(numberOf(fieldOf(info, "kernel_id")));
        if (kernel != m_kernels.end())
            launch.registersPerThread = kernel->second.registers;
        RocmPlace place{.device = deviceOf(fieldOf(info, "agent_id")),
            .stream = streamOf(fieldOf(fields, "stream_id"), fieldOf(info, "queue_id"))};
        m_events.addKernel(event, place,
            kernel != m_kernels.end() ? std::string_view(kernel->second.name) : "unknown kernel", launch);
    }

    void readCopy(const std::vector<JsonField>& fields)
    {
        RocmCopy copy;
        copy.sourceDevice = deviceOf(fieldOf(fields, "src_agent_id"));
        copy.destinationDevice = deviceOf(fieldOf(fields, "dst_agent_id"));
        copy.bytes = naturalOf(numberOf(fieldOf(fields, "bytes")));
        copy.name = operationOf(fields);
        m_events.addCopy(eventOf(fields), streamOf(fieldOf(fields, "stream_id"), {}), copy);
    }

    void readAllocation(const std::vector<JsonField>& fields)
    {
        const std::string_view operation = operationOf(fields);
        const auto says
            = [&](std::string_view word) { return operation.find(word) != std::string_view::npos; };
        const bool releases = says("FREE");
        if (!releases && !says("ALLOCATE"))
            return;
        const JsonValue address = fieldOf(fields, "address");
        m_events.addAllocation(eventOf(fields), deviceOf(fieldOf(fields, "agent_id")),
            static_cast<std::uint64_t>(handleOf(address)),
            naturalOf(numberOf(fieldOf(fields, "allocation_size"))), releases);
    }

    void readCounters(const std::vector<JsonField>& fields, bool withKernels)
    {
        const std::vector<JsonField> dispatch = fieldsOf(fieldOf(fields, "dispatch_data").text);
        if (withKernels)
            readKernel(fields, dispatch);
        std::map<std::int64_t, double> sums; // a record for each instance of a counter
        visitList(fieldOf(fields, "records").text, [&](const JsonValue& record) {
            sums[handleOf(fieldOf(record, "counter_id"))] += realOf(fieldOf(record, "value")).value_or(0);
        });
        const RocmEvent event = eventOf(dispatch);
        const std::int32_t device = deviceOf(fieldOf(fieldOf(dispatch, "dispatch_info"), "agent_id"));
        for (const auto& [counter, value] : sums) {
            const auto name = m_counters.find(counter);
            if (name != m_counters.end())
                m_events.addCounter(event, device, name->second, value);
        }
    }

    void readCall(const std::vector<JsonField>& fields)
    {
        const auto kind = static_cast<std::size_t>(numberOf(fieldOf(fields, "kind"), -1));
        const RocmEvent event = eventOf(fields);
        const auto message = m_messages.find(event.correlation);
        m_events.addRegion(event, kind < m_kinds.size() ? m_kinds[kind].name : std::string_view(),
            operationOf(fields), message != m_messages.end() ? std::string_view(message->second) : "");
    }

    std::string_view operationOf(const std::vector<JsonField>& fields) const
    {
        const auto kind = static_cast<std::size_t>(numberOf(fieldOf(fields, "kind"), -1));
        const auto operation = static_cast<std::size_t>(numberOf(fieldOf(fields, "operation"), -1));
        return kind < m_kinds.size() && operation < m_kinds[kind].operations.size()
            ? std::string_view(m_kinds[kind].operations[operation])
            : std::string_view();
    }

    struct Kernel {
        std::string name;
        std::int32_t registers = 0;
    };
    struct Kind {
        std::string name; ///< "HIP_RUNTIME_API"
        std::vector<std::string> operations;
    };

    const ProcessParts& m_parts;
    RocmEvents& m_events;
    const std::stop_token& m_stop;
    std::uint32_t m_pid = 0;
    std::int64_t m_row = 0;
    std::map<std::string_view, std::uint64_t> m_counts;
    std::map<std::int64_t, std::int32_t> m_devices; ///< by the agent's handle
    std::map<std::int64_t, Kernel> m_kernels;
    std::map<std::int64_t, std::string> m_counters;
    std::map<std::int64_t, std::string> m_messages; ///< of markers, by correlation
    std::vector<Kind> m_kinds;
};

/// Goes through the lists of an object of records, and keeps the records of each. False at a fault.
bool readLists(JsonReader& reader, ProcessParts& parts)
{
    if (!reader.take('{'))
        return false;
    for (std::string_view list; reader.key(list); reader.take(',')) {
        if (!reader.take('[')) {
            if (!reader.value().there())
                return false;
            continue;
        }
        for (JsonValue record = reader.value(); record.there(); record = reader.value()) {
            if (record.kind == JsonValue::Kind::Object)
                parts.records.emplace_back(list, record);
            reader.take(',');
        }
        if (!reader.take(']'))
            return false;
    }
    return reader.take('}');
}

bool readProcess(JsonReader& reader, ProcessParts& parts)
{
    for (std::string_view key; reader.key(key); reader.take(',')) {
        if (key == "buffer_records" || key == "callback_records") {
            if (!readLists(reader, parts))
                return false;
            continue;
        }
        const JsonValue value = reader.value();
        if (!value.there())
            return false;
        parts.fields.push_back({key, value});
    }
    return reader.take('}');
}

} // namespace

bool readRocprofJson(std::string_view text, RocmEvents& events, const std::stop_token& stop)
{
    JsonReader reader(text);
    std::string_view key;
    if (!reader.take('{'))
        return false;
    while (reader.key(key) && key != rootKey) {
        if (!reader.value().there())
            return false;
        reader.take(',');
    }
    const bool list = reader.take('[');
    bool whole = true;
    while (whole && reader.take('{')) {
        ProcessParts parts;
        whole = readProcess(reader, parts);
        ProcessReader(parts, events, stop).read();
        reader.take(',');
    }
    return whole && (!list || reader.take(']'));
}

} // namespace warpline
