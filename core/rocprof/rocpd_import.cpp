#include "core/rocprof/rocpd_import.h"

#include "core/base/saturate.h"
#include "core/base/stop.h"
#include "core/kineto/event_words.h"
#include "core/kineto/json_value.h"
#include "core/rocprof/rpd_import.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace warpline {

namespace {

constexpr std::string_view stringTable = "rocpd_string";

/// The suffixes of the tables of each process of a database, which contain its id.
std::vector<std::string> suffixesOf(const std::vector<std::string>& tables)
{
    std::vector<std::string> suffixes;
    for (const std::string& table : tables) {
        if (table.starts_with(stringTable))
            suffixes.push_back(table.substr(stringTable.size()));
    }
    return suffixes;
}

/// Tables that this file reads, or reads with others, without their suffix.
constexpr std::array<std::string_view, 22> knownTables{"rocpd_arg", "rocpd_event", "rocpd_info_agent",
    "rocpd_info_category", "rocpd_info_kernel_symbol", "rocpd_info_node", "rocpd_info_pmc",
    "rocpd_info_process", "rocpd_info_thread", "rocpd_kernel_dispatch", "rocpd_memory_allocate",
    "rocpd_memory_copy", "rocpd_metadata", "rocpd_pmc_event", "rocpd_region", "rocpd_sample", "rocpd_string",
    "rocpd_timestamp", "rocpd_track", "rocpd_info_queue", "rocpd_info_stream", "rocpd_info_code_object"};

/// The tables of all processes, with their suffix.
std::vector<std::string> readTables(const std::vector<std::string>& suffixes)
{
    std::vector<std::string> tables;
    for (const std::string& suffix : suffixes) {
        for (const std::string_view table : knownTables)
            tables.push_back(std::string(table) + suffix);
    }
    return tables;
}

/// The tables of one process.
class ProcessTables {
public:
    ProcessTables(const RocmRows& rows, std::string suffix)
        : m_rows(rows),
          m_suffix(std::move(suffix))
    {
    }

    Result<void> read()
    {
        for (const auto step :
            {&ProcessTables::readPlaces, &ProcessTables::readAgents, &ProcessTables::readKernelNames,
                &ProcessTables::readKernels, &ProcessTables::readCopies, &ProcessTables::readRegions,
                &ProcessTables::readMarks, &ProcessTables::readAllocations, &ProcessTables::readCounters}) {
            if (auto done = (this->*step)(); !done.ok())
                return done;
        }
        return {};
    }

private:
    const std::set<std::string, std::less<>>& columnsOf(std::string_view table)
    {
        const auto [place, added] = m_columns.try_emplace(std::string(table));
        if (added) {
            const auto columns = m_rows.report.columns(std::string(table) + m_suffix);
            if (columns.ok()) {
                for (const auto& column : columns.value())
                    place->second.insert(column.name);
            }
        }
        return place->second;
    }
    bool has(std::string_view table, std::string_view column) { return columnsOf(table).contains(column); }
    std::string named(std::string_view table) const
    {
        return sqlite::quotedName(std::string(table) + m_suffix);
    }

    /// "X.column", or "NULL" where the table has none.
    std::string column(std::string_view table, std::string_view alias, std::string_view column)
    {
        return has(table, column) ? std::string(alias) + "." + sqlite::quotedName(column) : "NULL";
    }
    /// The column for where an event of `table` (X) ran: its own, or its track's (T).
    std::string place(std::string_view table, std::string_view name)
    {
        return has(table, name)      ? column(table, "X", name)
            : has(table, "track_id") ? column("rocpd_track", "T", name)
                                     : "NULL";
    }
    /// A time of X: in the row itself, or in a table of times.
    std::string time(std::string_view table, std::string_view name)
    {
        if (has(table, name) || !has(table, std::string(name) + "_id"))
            return column(table, "X", name);
        return "(SELECT value FROM " + named("rocpd_timestamp") + " WHERE id = X."
            + sqlite::quotedName(std::string(name) + "_id") + ")";
    }
    /// Begins with pid, tid, start, end, correlation, id; then `more`. Joins the event (E) and the track (T).
    std::string query(
        std::string_view table, const std::string& start, const std::string& end, const std::string& more)
    {
        std::string sql = "SELECT " + place(table, "pid") + ", " + place(table, "tid") + ", " + start + ", "
            + end + ", " + column("rocpd_event", "E", "stack_id") + ", X.id"
            + (more.empty() ? "" : ", " + more) + " FROM " + named(table) + " X LEFT JOIN "
            + named("rocpd_event") + " E ON E.id = X.event_id";
        if (has(table, "track_id"))
            sql += " LEFT JOIN " + named("rocpd_track") + " T ON T.id = X.track_id";
        return sql;
    }
    static constexpr int firstOwnColumn = 6;
    /// The text with the id that the column `id` has.
    std::string textOfId(std::string_view id) const
    {
        return "(SELECT string FROM " + named(stringTable) + " WHERE id = " + std::string(id) + ")";
    }

    /// The pid of the process with this number in rocpd_info_process; the number where there is none.
    std::uint32_t pidOf(std::int64_t process) const
    {
        const auto pid = m_pids.find(process);
        return static_cast<std::uint32_t>(pid != m_pids.end() ? pid->second : process);
    }

    RocmEvent eventOf(const sqlite::Statement& row)
    {
        RocmEvent event;
        event.pid = pidOf(row.integer(0, m_process));
        const std::int64_t thread = row.integer(1);
        const auto tid = m_tids.find(thread);
        event.tid = static_cast<std::uint32_t>(tid != m_tids.end() ? tid->second : thread);
        event.start = row.integer(2);
        event.end = row.integer(3);
        event.correlation = row.integer(4);
        event.row = row.integer(5);
        return event;
    }

    /// Calls visit(Statement) for each row of `sql`; counts them as rows of `table`. Nothing where there is
    /// no such table.
    Result<void> visit(std::string_view table, const std::string& sql,
        const std::function<void(const sqlite::Statement&)>& visitRow)
    {
        if (columnsOf(table).empty())
            return {};
        return m_rows.visit(std::string(table) + m_suffix, sql, visitRow);
    }

    Result<void> readPlaces()
    {
        auto done = visit("rocpd_info_process",
            "SELECT id, pid, " + column("rocpd_info_process", "X", "command") + " FROM "
                + named("rocpd_info_process") + " X",
            [&](const sqlite::Statement& row) {
                m_process = row.integer(0);
                m_pids[row.integer(0)] = row.integer(1);
                m_rows.events.setProcess(static_cast<std::uint32_t>(row.integer(1)), row.text(2));
            });
        if (!done.ok())
            return done;
        done = visit("rocpd_info_thread",
            "SELECT id, tid, pid, " + column("rocpd_info_thread", "X", "name") + " FROM "
                + named("rocpd_info_thread") + " X",
            [&](const sqlite::Statement& row) {
                m_tids[row.integer(0)] = row.integer(1);
                m_rows.events.setThread(
                    pidOf(row.integer(2)), static_cast<std::uint32_t>(row.integer(1)), row.text(3));
            });
        if (!done.ok())
            return done;
        return visit("rocpd_info_node",
            "SELECT " + column("rocpd_info_node", "X", "hostname") + " FROM " + named("rocpd_info_node")
                + " X",
            [&](const sqlite::Statement& row) { m_rows.events.setHost(std::string(row.text(0))); });
    }

    /// GPUs have HIP's numbers (type_index), or where the table has none, their order.
    Result<void> readAgents()
    {
        const auto own = [&](std::string_view name) { return column("rocpd_info_agent", "X", name); };
        std::int32_t next = 0;
        return visit("rocpd_info_agent",
            "SELECT id, type, " + own("type_index") + ", " + own("name") + ", " + own("product_name") + ", "
                + own("extdata") + " FROM " + named("rocpd_info_agent") + " X ORDER BY id",
            [&](const sqlite::Statement& row) {
                if (row.text(1) != "GPU")
                    return;
                Device device = deviceOfAgent(row.text(5));
                device.id = deviceNumber(row.integer(2, next));
                next = device.id + 1;
                if (!row.text(3).empty())
                    device.chip = std::string(row.text(3));
                if (!row.text(4).empty())
                    device.name = std::string(row.text(4));
                if (device.name.empty())
                    device.name = device.chip;
                m_devices[row.integer(0)] = device.id;
                m_rows.events.addDevice(pidOf(m_process), device);
            });
    }

    Result<void> readKernelNames()
    {
        return visit("rocpd_info_kernel_symbol",
            "SELECT id, " + column("rocpd_info_kernel_symbol", "X", "display_name") + ", "
                + column("rocpd_info_kernel_symbol", "X", "kernel_name") + ", "
                + column("rocpd_info_kernel_symbol", "X", "arch_vgpr_count") + " FROM "
                + named("rocpd_info_kernel_symbol") + " X",
            [&](const sqlite::Statement& row) {
                Kernel& kernel = m_kernels[row.integer(0)];
                kernel.name = std::string(row.text(1).empty() ? row.text(2) : row.text(1));
                kernel.registers = static_cast<std::int32_t>(row.integer(3));
            });
    }

    Result<void> readKernels()
    {
        constexpr std::string_view table = "rocpd_kernel_dispatch";
        const auto own = [&](std::string_view name) { return column(table, "X", name); };
        const std::string stream = place(table, "stream_id");
        const std::string queue = place(table, "queue_id");
        const std::string more = "X.kernel_id, " + place(table, "agent_id") + ", " + stream + ", " + queue
            + ", " + own("workgroup_size_x") + ", " + own("workgroup_size_y") + ", " + own("workgroup_size_z")
            + ", " + own("grid_size_x") + ", " + own("grid_size_y") + ", " + own("grid_size_z") + ", "
            + own("group_segment_size") + ", " + own("private_segment_size") + ", " + own("graph_node_id");
        if (auto done = findStreams(); !done.ok())
            return done;
        const std::string sql = query(table, time(table, "start"), time(table, "end"), more);
        return visit(table, sql, [&](const sqlite::Statement& row) { readKernel(row); });
    }

    /// Recordings without streams have 0 in each row: then the hardware queue replaces the stream.
    Result<void> findStreams()
    {
        constexpr std::string_view table = "rocpd_kernel_dispatch";
        const bool own = has(table, "stream_id");
        if (columnsOf(table).empty() || (!own && !has("rocpd_track", "stream_id")))
            return {};
        const auto streams = m_rows.report.integer("SELECT count(DISTINCT stream_id) FROM "
            + (own ? named(table)
                   : named("rocpd_track") + " WHERE id IN (SELECT track_id FROM " + named(table) + ")"));
        if (!streams.ok())
            return streams.error();
        m_hasStreams = streams.value().value_or(0) > 1;
        return {};
    }

    std::int32_t streamOf(const sqlite::Statement& row, int streamColumn) const
    {
        const std::int64_t stream = row.integer(streamColumn, -1);
        const std::int64_t queue = row.integer(streamColumn + 1, -1);
        const std::int64_t chosen = (stream > 0 || m_hasStreams || queue < 0) ? stream : queue;
        return chosen >= -1 && chosen <= 0x7FFFFFFF ? static_cast<std::int32_t>(chosen) : -1;
    }

    std::int32_t deviceOf(std::int64_t agent) const
    {
        const auto found = m_devices.find(agent);
        return found != m_devices.end() ? found->second : -1;
    }

    void readKernel(const sqlite::Statement& row)
    {
        int next = firstOwnColumn;
        const auto kernel = m_kernels.find(row.integer(next++));
        RocmPlace place{.device = deviceOf(row.integer(next++, -1)), .stream = streamOf(row, next)};
        next += 2;
        const auto size = [&] { return natural32Of(row.integer(next++)); };
        KernelLaunch launch;
        launch.block = {size(), size(), size()};
        const Dim3 items{size(), size(), size()}; // HIP counts work items
        launch.grid = gridInBlocks(items, launch.block);
        launch.dynamicSharedMemory = size(); // static and dynamic in one number
        launch.localMemoryPerThread = row.integer(next++);
        launch.graphNodeId = static_cast<std::uint64_t>(row.integer(next++));
        if (kernel != m_kernels.end())
            launch.registersPerThread = kernel->second.registers;
        m_rows.events.addKernel(eventOf(row), place,
            kernel != m_kernels.end() ? std::string_view(kernel->second.name) : "unknown kernel", launch);
    }

    Result<void> readCopies()
    {
        constexpr std::string_view table = "rocpd_memory_copy";
        const std::string more = "X.src_agent_id, X.dst_agent_id, X.size, " + place(table, "stream_id") + ", "
            + place(table, "queue_id") + ", " + textOfId("X.name_id") + ", "
            + column(table, "X", "graph_node_id");
        return visit(table, query(table, time(table, "start"), time(table, "end"), more),
            [&](const sqlite::Statement& row) {
                RocmCopy copy;
                copy.sourceDevice = deviceOf(row.integer(firstOwnColumn, -1));
                copy.destinationDevice = deviceOf(row.integer(firstOwnColumn + 1, -1));
                copy.bytes = naturalOf(row.integer(firstOwnColumn + 2));
                copy.name = row.text(firstOwnColumn + 5);
                copy.graphNode = static_cast<std::uint64_t>(row.integer(firstOwnColumn + 6));
                m_rows.events.addCopy(eventOf(row), streamOf(row, firstOwnColumn + 3), copy);
            });
    }

    /// Where the name of an event's category is.
    std::string category()
    {
        const bool own = !columnsOf("rocpd_info_category").empty();
        return own ? "(SELECT name FROM " + named("rocpd_info_category") + " WHERE id = E.category_id)"
                   : textOfId("E.category_id");
    }

    static std::string messageOf(std::string_view extdata)
    {
        if (extdata.find("message") == std::string_view::npos)
            return {};
        for (const auto& [key, value] : fieldsOf(extdata)) {
            if (key == "message")
                return textOf(value);
        }
        return {};
    }

    void addRegion(const sqlite::Statement& row)
    {
        m_rows.events.addRegion(eventOf(row), row.text(firstOwnColumn), row.text(firstOwnColumn + 1),
            messageOf(row.text(firstOwnColumn + 2)));
    }

    Result<void> readRegions()
    {
        constexpr std::string_view table = "rocpd_region";
        const std::string more
            = category() + ", " + textOfId("X.name_id") + ", " + column("rocpd_event", "E", "extdata");
        return visit(table, query(table, time(table, "start"), time(table, "end"), more),
            [&](const sqlite::Statement& row) { addRegion(row); });
    }

    /// Moments. Those of counters (with rows in rocpd_pmc_event) are no marks.
    Result<void> readMarks()
    {
        constexpr std::string_view table = "rocpd_sample";
        const std::string at = time(table, "timestamp");
        const std::string name = textOfId(has(table, "name_id") ? "X.name_id" : "T.name_id");
        const std::string more = category() + ", " + name + ", " + column("rocpd_event", "E", "extdata")
            + ", "
            + (columnsOf("rocpd_pmc_event").empty() // EXISTS would scan the table for each row
                    ? "0"
                    : "X.event_id IN (SELECT event_id FROM " + named("rocpd_pmc_event") + ")");
        return visit(table, query(table, at, at, more), [&](const sqlite::Statement& row) {
            if (row.integer(firstOwnColumn + 3) == 0)
                addRegion(row);
        });
    }

    Result<void> readAllocations()
    {
        constexpr std::string_view table = "rocpd_memory_allocate";
        const std::string more = place(table, "agent_id") + ", X.address, X.size, X.type, X.level";
        return visit(table, query(table, time(table, "start"), time(table, "end"), more) + " ORDER BY X.id",
            [&](const sqlite::Statement& row) {
                const std::string_view type = row.text(firstOwnColumn + 3);
                if (row.text(firstOwnColumn + 4) == "SCRATCH" || (type != "ALLOC" && type != "FREE"))
                    return;
                m_rows.events.addAllocation(eventOf(row), deviceOf(row.integer(firstOwnColumn, -1)),
                    static_cast<std::uint64_t>(row.integer(firstOwnColumn + 1)),
                    naturalOf(row.integer(firstOwnColumn + 2)), type == "FREE");
            });
    }

    /// Hardware counters read around kernels. A counter has a row for each of its instances: they add up.
    Result<void> readCounters()
    {
        if (columnsOf("rocpd_pmc_event").empty() || columnsOf("rocpd_kernel_dispatch").empty())
            return {};
        constexpr std::string_view table = "rocpd_kernel_dispatch";
        const std::string sql = query(table, time(table, "start"), time(table, "end"),
                                    place(table, "agent_id") + ", S.name, S.value")
            + " JOIN (SELECT P.event_id, I.name, sum(P.value) AS value FROM " + named("rocpd_pmc_event")
            + " P JOIN " + named("rocpd_info_pmc")
            + " I ON I.id = P.pmc_id GROUP BY P.event_id, I.name) S ON S.event_id = X.event_id "
              "ORDER BY X.id, S.name";
        return visit("rocpd_pmc_event", sql, [&](const sqlite::Statement& row) {
            m_rows.events.addCounter(eventOf(row), deviceOf(row.integer(firstOwnColumn, -1)),
                row.text(firstOwnColumn + 1), row.real(firstOwnColumn + 2));
        });
    }

    struct Kernel {
        std::string name;
        std::int32_t registers = 0;
    };

    const RocmRows& m_rows;
    std::string m_suffix;
    std::map<std::string, std::set<std::string, std::less<>>> m_columns;
    std::int64_t m_process = 0; ///< of rows that do not name theirs
    std::map<std::int64_t, std::int64_t> m_pids; ///< by number in rocpd_info_process
    std::map<std::int64_t, std::int64_t> m_tids;
    std::map<std::int64_t, std::int32_t> m_devices; ///< by agent
    std::map<std::int64_t, Kernel> m_kernels;
    bool m_hasStreams = false;
};

} // namespace

bool isRocpd(const std::vector<std::string>& tables)
{
    const auto begins = [&](std::string_view beginning) {
        return std::ranges::any_of(
            tables, [&](const std::string& table) { return table.starts_with(beginning); });
    };
    return isRpd(tables)
        || (begins("rocpd_string") && (begins("rocpd_kernel_dispatch") || begins("rocpd_region")));
}

std::string rocpdVersion(sqlite::Database& report)
{
    const auto tables = report.tables();
    if (!tables.ok())
        return {};
    for (const std::string& suffix : suffixesOf(tables.value())) {
        auto rows = report.prepare("SELECT value FROM " + sqlite::quotedName("rocpd_metadata" + suffix)
            + " WHERE tag = 'schema_version'");
        if (rows.ok() && rows.value().step() == sqlite::Statement::Step::Row)
            return std::string(rows.value().text(0));
    }
    return {};
}

Result<void> readRocpd(const RocmRows& rows)
{
    const auto tables = rows.report.tables();
    if (!tables.ok())
        return tables.error();
    if (isRpd(tables.value()))
        return readRpd(rows, tables.value());
    const std::vector<std::string> suffixes = suffixesOf(tables.value());
    const std::vector<std::string> read = readTables(suffixes);
    if (auto checked = rows.checkTables(read); !checked.ok())
        return checked;
    for (const std::string& suffix : suffixes) {
        if (auto done = ProcessTables(rows, suffix).read(); !done.ok())
            return done;
    }
    rows.countUnread(tables.value(), read); // program counters, migrated pages, blobs ...
    return {};
}

} // namespace warpline
