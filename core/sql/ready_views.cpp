#include "core/sql/ready_views.h"

#include "core/store/event_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpline {

namespace {

/// The tables and columns of an export, by name.
class Schema {
public:
    explicit Schema(std::span<const SqlTable> tables)
        : m_tables(tables)
    {
    }

    bool has(std::string_view table) const { return find(table) != nullptr; }
    bool has(std::string_view table, std::string_view column) const
    {
        const SqlTable* const found = find(table);
        return found
            && std::ranges::any_of(found->columns, [&](const auto& each) { return each.name == column; });
    }

    bool hasRowid(std::string_view table) const
    {
        const SqlTable* const found = find(table);
        return found && !found->source.empty();
    }

private:
    const SqlTable* find(std::string_view name) const
    {
        const auto found = std::ranges::find(m_tables, name, &SqlTable::name);
        return found == m_tables.end() ? nullptr : &*found;
    }

    std::span<const SqlTable> m_tables;
};

/// One SELECT of a view over one table, which is `t` in its expressions.
class ViewMaker {
public:
    ViewMaker(const Schema& schema, std::string table)
        : m_schema(schema),
          m_table(std::move(table))
    {
    }

    /// A column of the table, or NULL where it has none of that name.
    ViewMaker& column(std::string name, std::string_view stored)
    {
        madeOf(stored, name);
        return expression(std::move(name), "INTEGER",
            m_schema.has(m_table, stored) ? fmt::format("t.\"{}\"", stored) : "NULL");
    }
    /// The text of StringIds that a column holds the id of.
    ViewMaker& text(std::string name, std::string_view stored)
    {
        madeOf(stored, name);
        return expression(std::move(name), "TEXT", textOf(stored));
    }
    ViewMaker& expression(std::string name, std::string type, std::string sql)
    {
        m_columns.push_back({std::move(name), std::move(type)});
        m_expressions.push_back(std::move(sql));
        return *this;
    }
    /// Whoever asks for `stored`, a column of the table, means `name`.
    ViewMaker& madeOf(std::string_view stored, std::string_view name)
    {
        if (stored != name)
            m_renamed.emplace_back(stored, name);
        return *this;
    }
    /// start, end and duration.
    ViewMaker& times()
    {
        column("start", "start").column("end", "end");
        return expression("duration", "INTEGER", has("end") ? "t.\"end\" - t.start" : "0");
    }
    /// The process's own number, of a globalPid or globalTid.
    ViewMaker& pid(std::string_view stored)
    {
        return expression(
            "pid", "INTEGER", has(stored) ? fmt::format("(t.{} >> 24) & 0xFFFFFF", stored) : "NULL");
    }
    ViewMaker& tid()
    {
        return expression("tid", "INTEGER", has("globalTid") ? "t.globalTid & 0xFFFFFF" : "NULL");
    }

    bool has(std::string_view column) const { return m_schema.has(m_table, column); }
    std::string textOf(std::string_view stored) const
    {
        return has(stored) && m_schema.has("StringIds")
            ? fmt::format("(SELECT value FROM StringIds WHERE id = t.\"{}\")", stored)
            : "NULL";
    }

    /// A LEFT JOIN behind the table.
    ViewMaker& join(std::string sql)
    {
        m_join = std::move(sql);
        return *this;
    }

    std::string select(std::string_view condition = {}) const
    {
        std::string sql = "SELECT ";
        for (std::size_t i = 0; i < m_columns.size(); ++i)
            sql += fmt::format("{}{} AS \"{}\"", i == 0 ? "" : ", ", m_expressions[i], m_columns[i].name);
        sql += fmt::format(" FROM {} t {}",
            m_schema.has(m_table) ? sqlite::quotedName(m_table) : "(SELECT 1 WHERE 0)", m_join);
        return condition.empty() ? sql : sql + " WHERE " + std::string(condition);
    }
    /// With the rowid of the table behind the columns that it was given.
    ReadyView view(std::string name, std::string_view condition = {})
    {
        const bool hasRowid = m_schema.hasRowid(m_table);
        expression("rowid", "INTEGER", hasRowid ? "t.rowid" : "NULL");
        return {{std::move(name), m_columns, true, m_schema.has(m_table), hasRowid ? m_table : std::string(),
                    "rowid", m_renamed},
            select(condition)};
    }

private:
    const Schema& m_schema;
    std::string m_table;
    std::string m_join;
    std::vector<sqlite::Database::ColumnInfo> m_columns;
    std::vector<std::string> m_expressions;
    std::vector<std::pair<std::string, std::string>> m_renamed;
};

/// Adds the common columns of work on a device.
void addDeviceColumns(ViewMaker& maker)
{
    maker.column("device", "deviceId")
        .column("context", "contextId")
        .column("stream", "streamId")
        .pid("globalPid")
        .column("correlation", "correlationId")
        .column("graph_node", "graphNodeId");
}

ReadyView kernelsView(const Schema& schema)
{
    ViewMaker maker(schema, "CUPTI_ACTIVITY_KIND_KERNEL");
    maker.times().text("name", "demangledName").text("short_name", "shortName");
    addDeviceColumns(maker);
    for (const char* const side : {"X", "Y", "Z"})
        maker.column(fmt::format("grid_{:c}", side[0] + ('a' - 'A')), std::string("grid") + side);
    for (const char* const side : {"X", "Y", "Z"})
        maker.column(fmt::format("block_{:c}", side[0] + ('a' - 'A')), std::string("block") + side);
    maker.column("registers", "registersPerThread")
        .column("static_shared", "staticSharedMemory")
        .column("dynamic_shared", "dynamicSharedMemory");
    return maker.view("kernels");
}

/// A CASE expression that names the ids of an enumeration with Warpline's labels.
template <typename Kind> std::string namedBy(std::string_view column, int last)
{
    std::string sql = fmt::format("CASE t.\"{}\"", column);
    for (int id = 0; id <= last; ++id)
        sql += fmt::format(" WHEN {} THEN '{}'", id, labelOf(static_cast<Kind>(id)));
    return sql + " END";
}

ReadyView copiesView(const Schema& schema)
{
    ViewMaker maker(schema, "CUPTI_ACTIVITY_KIND_MEMCPY");
    const auto memory = [&](const char* name, const char* column) {
        maker.expression(name, "TEXT",
            maker.has(column) ? namedBy<MemoryKind>(column, static_cast<int>(MemoryKind::Unknown)) : "NULL");
    };
    maker.times().column("bytes", "bytes");
    maker.expression("direction", "TEXT",
        maker.has("copyKind") ? namedBy<CopyKind>("copyKind", static_cast<int>(CopyKind::UnifiedDtoD))
                              : "NULL");
    memory("source", "srcKind");
    memory("destination", "dstKind");
    addDeviceColumns(maker);
    return maker.view("copies");
}

ReadyView setsView(const Schema& schema)
{
    ViewMaker maker(schema, "CUPTI_ACTIVITY_KIND_MEMSET");
    maker.times().column("bytes", "bytes").column("value", "value");
    addDeviceColumns(maker);
    return maker.view("sets");
}

ViewMaker apiMaker(const Schema& schema, const char* table)
{
    ViewMaker maker(schema, table);
    maker.times().text("name", "nameId").pid("globalTid").tid();
    maker.column("correlation", "correlationId").column("returned", "returnValue");
    return maker;
}

/// The calls of the runtime; files before 2021 may keep those of the driver apart.
ReadyView apiView(const Schema& schema)
{
    const char* const runtime = "CUPTI_ACTIVITY_KIND_RUNTIME";
    const char* const driver = "CUPTI_ACTIVITY_KIND_DRIVER";
    const bool onlyDriver = schema.has(driver) && !schema.has(runtime);
    ReadyView view = apiMaker(schema, onlyDriver ? driver : runtime).view("api_calls");
    if (schema.has(driver) && !onlyDriver) {
        ViewMaker part = apiMaker(schema, driver);
        part.expression("rowid", "INTEGER", "NULL"); // one number cannot name rows of two tables
        view.sql += " UNION ALL " + part.select();
    }
    return view;
}

/// Calls of the driver that a runtime call made share its id: the outermost call, which comes first, counts.
/// A join without GROUP BY has its first rows soon.
ReadyView launchesView(const ReadyView& kernels, const ReadyView& calls)
{
    ReadyView view{kernels.table,
        "SELECT k.*, a.start AS call_start, a.\"end\" AS call_end, a.name AS call, a.tid AS tid, "
        "k.start - a.start AS latency FROM kernels k "
        "JOIN api_calls a ON a.correlation = k.correlation AND a.pid IS k.pid "
        "LEFT JOIN api_calls o ON o.correlation = k.correlation AND o.pid IS k.pid "
        "AND (o.start, -o.\"end\") < (a.start, -a.\"end\") WHERE o.start IS NULL"};
    view.table.name = "launches";
    view.table.isRecorded = kernels.table.isRecorded && calls.table.isRecorded;
    for (const char* const number : {"call_start", "call_end"})
        view.table.columns.push_back({number, "INTEGER"});
    view.table.columns.push_back({"call", "TEXT"});
    for (const char* const number : {"tid", "latency"})
        view.table.columns.push_back({number, "INTEGER"});
    return view;
}

/// Ranges and marks: 59 push/pop, 60 start/end, 34 mark; registered ones are 70 and 71 in some versions.
/// Leaves out rows that only name a domain (75) or a category (33).
ReadyView nvtxView(const Schema& schema)
{
    ViewMaker maker(schema, "NVTX_EVENTS");
    maker.column("start", "start").column("end", "end");
    maker.expression("duration", "INTEGER", maker.has("end") ? "t.\"end\" - t.start" : "NULL");
    const std::string registered = maker.textOf("textId");
    const std::string name = maker.has("text") ? fmt::format("coalesce(t.text, {})", registered) : registered;
    maker.expression("name", "TEXT", name).madeOf("text", "name").madeOf("textId", "name");
    maker.madeOf("domainId", "domain");
    const bool hasDomains = maker.has("domainId") && maker.has("eventType") && maker.has("globalTid");
    maker.expression("domain", "TEXT", hasDomains ? "d.name" : "NULL");
    if (hasDomains) {
        maker.join(fmt::format("LEFT JOIN (SELECT t.domainId, t.globalTid >> 24 AS process, max({}) AS name "
                               "FROM NVTX_EVENTS t WHERE t.eventType = 75 GROUP BY 1, 2) d "
                               "ON d.domainId = t.domainId AND d.process = t.globalTid >> 24",
            name));
    }
    maker.column("type", "eventType").pid("globalTid").tid().column("category", "category");
    return maker.view("nvtx_ranges", maker.has("eventType") ? "t.eventType NOT IN (33, 75)" : "");
}

ReadyView osView(const Schema& schema)
{
    ViewMaker maker(schema, "OSRT_API");
    maker.times().text("name", "nameId").pid("globalTid").tid().column("returned", "returnValue");
    return maker.view("os_calls");
}

ReadyView threadsView(const Schema& schema)
{
    ViewMaker maker(schema, "ThreadNames");
    maker.text("name", "nameId").pid("globalTid").tid().column("global_tid", "globalTid");
    return maker.view("threads");
}

/// CPU samples with the function they were taken in.
ReadyView samplesView(const Schema& schema)
{
    ViewMaker maker(schema, "COMPOSITE_EVENTS");
    const bool hasStacks = maker.has("id") && schema.has("SAMPLING_CALLCHAINS") && schema.has("StringIds");
    const auto innermost = [&](const char* column) {
        return hasStacks ? fmt::format("(SELECT value FROM StringIds WHERE id = c.{})", column)
                         : std::string("NULL");
    };
    if (hasStacks)
        maker.join("LEFT JOIN (SELECT id, symbol, module FROM SAMPLING_CALLCHAINS WHERE stackDepth = 0) c "
                   "ON c.id = t.id");
    maker.column("start", "start").column("cpu", "cpu").pid("globalTid").tid().column("stack", "id");
    maker.expression("function", "TEXT", innermost("symbol"))
        .expression("module", "TEXT", innermost("module"));
    return maker.view("samples");
}

} // namespace

std::vector<ReadyView> readyViews(std::span<const SqlTable> tables)
{
    const Schema schema(tables);
    const ReadyView kernels = kernelsView(schema);
    const ReadyView calls = apiView(schema);
    std::vector<ReadyView> views{kernels, copiesView(schema), setsView(schema), calls,
        launchesView(kernels, calls), nvtxView(schema), osView(schema), threadsView(schema),
        samplesView(schema)};
    // A table of the file keeps its own name.
    std::erase_if(views, [&](const ReadyView& view) { return schema.has(view.table.name); });
    return views;
}

} // namespace warpline
