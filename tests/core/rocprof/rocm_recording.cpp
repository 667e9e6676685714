#include "tests/core/rocprof/rocm_recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace warpline::test {

namespace {

constexpr std::int64_t us = 1000;
constexpr std::int64_t boot = 7'000'000'000'000; // ns since the machine started
constexpr std::string_view suffix = "_00000190_9e1b_7c52_a0a6_000000000001";

struct Region {
    std::string_view category;
    std::string_view name;
    std::string_view message;
    std::int64_t start;
    std::int64_t end;
    std::int64_t correlation;
};
constexpr std::array regions = std::to_array<Region>({
    {"MARKER_CORE_RANGE_API", "roctxThreadRangeA", "step \\\"one\\\"", 0, 100, 1},
    {"HIP_RUNTIME_API_EXT", "hipMemcpyAsync", "", 5, 10, 2},
    {"HSA_CORE_API", "hsa_signal_wait_scacquire", "", 6, 9, 3},
    {"HIP_RUNTIME_API_EXT", "hipLaunchKernel", "", 12, 15, 4},
    {"HIP_RUNTIME_API_EXT", "hipGraphLaunch", "", 16, 18, 5},
    {"RCCL_API", "ncclAllReduce", "", 20, 24, 6},
    {"HIP_RUNTIME_API_EXT", "hipDeviceSynchronize", "", 30, 90, 7},
    {"MARKER_CORE_RANGE_API", "roctxMarkA", "here", 50, 50, 8},
});

struct Kernel {
    std::int64_t symbol;
    std::int64_t agent;
    std::int64_t stream;
    std::int64_t start;
    std::int64_t end;
    std::int64_t correlation;
    std::int64_t graphNode;
};
constexpr std::array kernels = std::to_array<Kernel>({
    {1, 4, 0, 20, 50, 4, 0},
    {2, 4, 3, 50, 60, 5, 77},
    {1, 5, 3, 40, 45, 5, 78},
});
constexpr std::array<std::string_view, 3> symbols{
    "", "_Z6vecAddPfS_i.kd", "Cijk_Ailk_Bljk_HHS_BH_MT128x128x32.kd"};

constexpr std::string_view agentJson
    = R"({{"size":1,"id":{{"handle":{0}}},"type":{1},"cu_count":{2},"wave_front_size":64,"max_waves_per_simd":8,)"
      R"("simd_per_cu":4,"lds_size_in_kb":64,"max_engine_clk_fcompute":2100,"gfx_target_version":90402,)"
      R"("mem_banks":[{{"heap_type":1,"size_in_bytes":206141652992}},{{"heap_type":0,"size_in_bytes":5}}],)"
      R"("name":"{3}","product_name":"{4}","logical_node_type_id":{5}}})";

std::string agentOf(std::int64_t id)
{
    const bool gpu = id >= 4;
    return fmt::format(agentJson, id, gpu ? 2 : 1, gpu ? 304 : 0, gpu ? "gfx942" : "AMD EPYC",
        gpu ? "AMD Instinct MI300X" : "AMD EPYC 9654", gpu ? id - 4 : 0);
}

/// Names with numbers, as the database and the JSON number them.
class Numbers {
public:
    std::int64_t of(std::string_view text)
    {
        const auto found = std::ranges::find(m_texts, text);
        if (found != m_texts.end())
            return found - m_texts.begin() + 1;
        m_texts.emplace_back(text);
        return static_cast<std::int64_t>(m_texts.size());
    }
    const std::vector<std::string>& texts() const { return m_texts; }

private:
    std::vector<std::string> m_texts;
};

/// Writes the tables of one of the two versions.
class RocpdWriter {
public:
    explicit RocpdWriter(bool tracks)
        : m_tracks(tracks)
    {
    }

    std::string write()
    {
        create();
        add("info_node", "1, 'host7'");
        add("info_process", "501, 4711, '/opt/bin/train --fast'");
        add("info_thread", "601, 501, 4712, 'launcher'");
        for (const std::int64_t id : {0, 4, 5})
            add("info_agent",
                fmt::format("{}, '{}', {}, '{}', '{}', '{}'", id, id >= 4 ? "GPU" : "CPU",
                    id >= 4 ? id - 4 : 0, id >= 4 ? "gfx942" : "AMD EPYC",
                    id >= 4 ? "AMD Instinct MI300X" : "", agentOf(id)));
        for (std::size_t i = 1; i < symbols.size(); ++i)
            add("info_kernel_symbol", fmt::format("{}, '{}', '', 24", i, symbols[i]));
        for (const Region& region : regions)
            addRegion(region);
        std::int64_t dispatch = 0;
        for (const Kernel& kernel : kernels) {
            ++dispatch;
            const std::int64_t event = addEvent("KERNEL_DISPATCH", kernel.correlation, "{}");
            add("kernel_dispatch",
                fmt::format("{}, {}, {}, {}, 64, 1, 1, 1000, 2, 1, 512, 16, {}", dispatch,
                    placeAndTime(kernel.start, kernel.end, kernel.agent, kernel.stream), kernel.symbol, event,
                    kernel.graphNode));
            // Two instances of a counter.
            add("pmc_event", fmt::format("{}, {}, 9, 20", 2 * dispatch, event));
            add("pmc_event", fmt::format("{}, {}, 9, 22", 2 * dispatch + 1, event));
        }
        add("info_pmc", "9, 'SQ_WAVES'");
        addCopy(1, 8, 18, 0, 4, "MEMORY_COPY_HOST_TO_DEVICE", 4096);
        addCopy(2, 62, 64, 4, 5, "MEMORY_COPY_DEVICE_TO_DEVICE", 128);
        addAllocation(1, 1, "ALLOC", 4, 1024);
        addAllocation(2, 95, "FREE", -1, 0);
        add("gpu_pc_sample", "1");
        for (std::size_t i = 0; i < m_names.texts().size(); ++i)
            add("string", fmt::format("{}, '{}'", i + 1, m_names.texts()[i]));
        return "BEGIN;\n" + m_sql + "COMMIT;\n";
    }

private:
    void create()
    {
        const std::string place
            = m_tracks ? "track_id, start_id, end_id" : "pid, tid, agent_id, stream_id, start, end";
        table("metadata", "tag, value");
        add("metadata", m_tracks ? "'schema_version', '4'" : "'schema_version', '3.0.3'");
        table("string", "id INTEGER PRIMARY KEY, string");
        table("info_node", "id INTEGER PRIMARY KEY, hostname");
        table("info_process", "id INTEGER PRIMARY KEY, pid, command");
        table("info_thread", "id INTEGER PRIMARY KEY, pid, tid, name");
        table("info_agent", "id INTEGER PRIMARY KEY, type, type_index, name, product_name, extdata");
        table("info_kernel_symbol", "id INTEGER PRIMARY KEY, kernel_name, display_name, arch_vgpr_count");
        table("info_pmc", "id INTEGER PRIMARY KEY, name");
        table("event", "id INTEGER PRIMARY KEY, category_id, stack_id, extdata");
        table("region", "id INTEGER PRIMARY KEY, " + place + ", name_id, event_id");
        table("sample",
            std::string("id INTEGER PRIMARY KEY, track_id, ")
                + (m_tracks ? "name_id, timestamp_id" : "timestamp") + ", event_id");
        table("track",
            std::string("id INTEGER PRIMARY KEY, pid, tid, ") + (m_tracks ? "agent_id, stream_id, " : "")
                + "name_id");
        if (m_tracks)
            table("timestamp", "id INTEGER PRIMARY KEY, value");
        if (m_tracks)
            table("info_category", "id INTEGER PRIMARY KEY, name");
        table("kernel_dispatch",
            "id INTEGER PRIMARY KEY, " + place
                + ", kernel_id, event_id, workgroup_size_x, workgroup_size_y, workgroup_size_z, grid_size_x,"
                  " grid_size_y, grid_size_z, group_segment_size, private_segment_size, graph_node_id");
        table("memory_copy",
            "id INTEGER PRIMARY KEY, " + place + ", src_agent_id, dst_agent_id, size, name_id, event_id");
        table(
            "memory_allocate", "id INTEGER PRIMARY KEY, " + place + ", type, level, address, size, event_id");
        table("pmc_event", "id INTEGER PRIMARY KEY, event_id, pmc_id, value");
        table("gpu_pc_sample", "id INTEGER PRIMARY KEY");
    }

    void table(std::string_view name, const std::string& columns)
    {
        std::string quoted = columns;
        if (const std::size_t at = quoted.find(" end,"); at != std::string::npos)
            quoted.replace(at, 5, " \"end\",");
        m_sql += fmt::format("CREATE TABLE \"rocpd_{}{}\" ({});\n", name, suffix, quoted);
        m_sql += fmt::format("CREATE VIEW \"rocpd_{0}\" AS SELECT * FROM \"rocpd_{0}{1}\";\n", name, suffix);
    }
    void add(std::string_view name, const std::string& values)
    {
        m_sql += fmt::format("INSERT INTO \"rocpd_{}{}\" VALUES ({});\n", name, suffix, values);
    }

    std::int64_t addTime(std::int64_t time)
    {
        add("timestamp", fmt::format("{}, {}", ++m_times, boot + time * us));
        return m_times;
    }
    std::int64_t addTrack(std::int64_t agent, std::int64_t stream)
    {
        add("track", fmt::format("{}, 501, 601, {}, {}, NULL", ++m_trackCount, agent, stream));
        return m_trackCount;
    }
    std::string placeAndTime(std::int64_t start, std::int64_t end, std::int64_t agent, std::int64_t stream)
    {
        if (!m_tracks)
            return fmt::format("501, 601, {}, {}, {}, {}", agent, stream, boot + start * us, boot + end * us);
        const std::int64_t track = addTrack(agent, stream);
        const std::int64_t first = addTime(start);
        return fmt::format("{}, {}, {}", track, first, addTime(end));
    }
    std::int64_t addEvent(std::string_view category, std::int64_t correlation, const std::string& extdata)
    {
        std::int64_t id = m_names.of(category);
        if (m_tracks) {
            const std::size_t before = m_categories.texts().size();
            id = m_categories.of(category);
            if (m_categories.texts().size() > before)
                add("info_category", fmt::format("{}, '{}'", id, category));
        }
        add("event", fmt::format("{}, {}, {}, '{}'", ++m_events, id, correlation, extdata));
        return m_events;
    }

    void addRegion(const Region& region)
    {
        const std::int64_t event = addEvent(region.category, region.correlation,
            region.message.empty() ? "{}" : fmt::format(R"({{"message":"{}"}})", region.message));
        const std::int64_t name = m_names.of(region.name);
        if (region.start != region.end) {
            add("region",
                fmt::format("{}, {}, {}, {}", region.correlation,
                    placeAndTime(region.start, region.end, 0, 0), name, event));
        } else if (m_tracks) {
            const std::int64_t track = addTrack(0, 0);
            add("sample",
                fmt::format(
                    "{}, {}, {}, {}, {}", region.correlation, track, name, addTime(region.start), event));
        } else {
            add("track", fmt::format("1, 501, 601, {}", m_names.of(region.category)));
            add("sample", fmt::format("{}, 1, {}, {}", region.correlation, boot + region.start * us, event));
        }
    }
    void addCopy(std::int64_t id, std::int64_t start, std::int64_t end, std::int64_t from, std::int64_t to,
        std::string_view name, std::int64_t bytes)
    {
        const std::int64_t event = addEvent("MEMORY_COPY", id == 1 ? 2 : 0, "{}");
        add("memory_copy",
            fmt::format("{}, {}, {}, {}, {}, {}, {}", id, placeAndTime(start, end, to, 0), from, to, bytes,
                m_names.of(name), event));
    }
    void addAllocation(
        std::int64_t id, std::int64_t at, std::string_view type, std::int64_t agent, std::int64_t bytes)
    {
        const std::int64_t event = addEvent("MEMORY_ALLOCATION", 0, "{}");
        add("memory_allocate",
            fmt::format("{}, {}, '{}', 'REAL', 65536, {}, {}", id, placeAndTime(at, at + 1, agent, 0), type,
                bytes, event));
    }

    bool m_tracks;
    std::string m_sql;
    Numbers m_names;
    Numbers m_categories;
    std::int64_t m_times = 0;
    std::int64_t m_trackCount = 0;
    std::int64_t m_events = 0;
};

std::string idsAndTimes(std::string_view kind, std::string_view operation, std::int64_t correlation,
    std::int64_t start, std::int64_t end, std::map<std::string, Numbers>& kinds, Numbers& kindNames)
{
    const std::int64_t number = kindNames.of(kind);
    return fmt::format(
        R"("kind":{},"operation":{},"thread_id":4712,"correlation_id":{{"internal":{},"external":0}},)"
        R"("start_timestamp":{},"end_timestamp":{})",
        number - 1, kinds[std::string(kind)].of(operation) - 1, correlation, boot + start * us,
        boot + end * us);
}

std::string joined(const std::vector<std::string>& records)
{
    std::string text;
    for (const std::string& record : records)
        text += (text.empty() ? "" : ",\n") + record;
    return "[" + text + "]";
}

} // namespace

std::string rocpdVersion3()
{
    return RocpdWriter(false).write();
}

std::string rocpdVersion4()
{
    return RocpdWriter(true).write();
}

std::string rocprofJsonText()
{
    std::map<std::string, Numbers> kinds;
    Numbers kindNames;
    std::map<std::string, std::vector<std::string>> lists;
    std::vector<std::string> messages;
    for (const Region& region : regions) {
        const std::string_view list = region.category.starts_with("HIP") ? "hip_api"
            : region.category.starts_with("HSA")                         ? "hsa_api"
            : region.category.starts_with("RCCL")                        ? "rccl_api"
                                                                         : "marker_api";
        lists[std::string(list)].push_back("{"
            + idsAndTimes(
                region.category, region.name, region.correlation, region.start, region.end, kinds, kindNames)
            + "}");
        if (!region.message.empty())
            messages.push_back(
                fmt::format(R"({{"key":{},"value":"{}"}})", region.correlation, region.message));
    }
    std::vector<std::string> counters;
    std::int64_t dispatch = 0;
    for (const Kernel& kernel : kernels) {
        const std::string times = idsAndTimes(
            "KERNEL_DISPATCH", "", kernel.correlation, kernel.start, kernel.end, kinds, kindNames);
        const std::string info = fmt::format(
            R"("dispatch_info":{{"agent_id":{{"handle":{}}},"queue_id":{{"handle":1}},"kernel_id":{},"dispatch_id":{},)"
            R"("private_segment_size":16,"group_segment_size":512,"workgroup_size":{{"x":64,"y":1,"z":1}},)"
            R"("grid_size":{{"x":1000,"y":2,"z":1}}}})",
            kernel.agent, kernel.symbol, ++dispatch);
        lists["kernel_dispatch"].push_back(
            fmt::format(R"({{{},{},"stream_id":{{"handle":{}}}}})", times, info, kernel.stream));
        counters.push_back(fmt::format(
            R"({{"dispatch_data":{{{},{}}},"records":[{{"counter_id":{{"handle":9}},"value":20.0}},)"
            R"({{"counter_id":{{"handle":9}},"value":22.0}}],"thread_id":4712}})",
            times, info));
    }
    const auto copy = [&](std::int64_t start, std::int64_t end, int from, int to, std::string_view name,
                          int bytes) {
        lists["memory_copy"].push_back(fmt::format(
            R"({{{},"src_agent_id":{{"handle":{}}},"dst_agent_id":{{"handle":{}}},"bytes":{},"stream_id":{{"handle":0}}}})",
            idsAndTimes("MEMORY_COPY", name, start == 8 ? 2 : 0, start, end, kinds, kindNames), from, to,
            bytes));
    };
    copy(8, 18, 0, 4, "MEMORY_COPY_HOST_TO_DEVICE", 4096);
    copy(62, 64, 4, 5, "MEMORY_COPY_DEVICE_TO_DEVICE", 128);
    const auto allocation = [&](std::int64_t at, std::string_view name, int agent, int bytes) {
        lists["memory_allocation"].push_back(fmt::format(
            R"({{{},"agent_id":{{"handle":{}}},"address":{{"handle":65536}},"allocation_size":{}}})",
            idsAndTimes("MEMORY_ALLOCATION", name, 0, at, at + 1, kinds, kindNames), agent, bytes));
    };
    allocation(1, "MEMORY_ALLOCATION_ALLOCATE", 4, 1024);
    allocation(95, "MEMORY_ALLOCATION_FREE", 0, 0);
    lists["pc_sample_host_trap"].push_back("{}");

    std::string records;
    for (const auto& [list, rows] : lists)
        records += fmt::format("{}\"{}\":{}", records.empty() ? "" : ",\n", list, joined(rows));
    std::vector<std::string> names;
    for (const std::string& kind : kindNames.texts()) {
        std::string operations;
        for (const std::string& operation : kinds[kind].texts())
            operations += (operations.empty() ? "\"" : ",\"") + operation + "\"";
        names.push_back(fmt::format(R"({{"kind":"{}","operations":[{}]}})", kind, operations));
    }
    return fmt::format(
        R"({{"rocprofiler-sdk-tool":[{{"metadata":{{"pid":4711,"command":["/opt/bin/train","--fast"],"node":{{"hostname":"host7"}}}},
"agents":[{},{},{}],"counters":[{{"id":{{"handle":9}},"name":"SQ_WAVES"}}],
"strings":{{"buffer_records":{},"marker_api":{}}},
"kernel_symbols":[{{"kernel_id":1,"formatted_kernel_name":"{}","arch_vgpr_count":24}},{{"kernel_id":2,"formatted_kernel_name":"{}","arch_vgpr_count":24}}],
"callback_records":{{"counter_collection":{}}},
"buffer_records":{{{}}}}}]}})",
        agentOf(0), agentOf(4), agentOf(5), joined(names), joined(messages), symbols[1], symbols[2],
        joined(counters), records);
}

} // namespace warpline::test
