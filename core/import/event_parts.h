#pragma once

#include "core/import/scan.h"
#include "core/store/table_builder.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

namespace warpline {

/// The device of each context, by the work that ran in it: a context belongs to one device. CUPTI gives all
/// synchronizations device 0.
class ContextDevices {
public:
    /// From the kernels, copies and memsets that `trace` has already.
    explicit ContextDevices(const Trace& trace);

    /// The device of `context` of `process`; `recorded` where nothing ran in it, or work on several devices
    /// is recorded for it.
    std::int32_t of(GlobalId process, std::int32_t context, std::int32_t recorded) const;

private:
    std::map<std::pair<GlobalId, std::int32_t>, std::int32_t> m_devices; ///< -1: several
};

/// One thread's part of a table of events on a device (CUPTI's activity tables). Rows begin with the common
/// columns; see deviceColumns.
class DevicePart {
public:
    /// `source` names the table; `owner` is the process of rows that do not name theirs.
    DevicePart(EventKind kind, const StringTable& strings, StringId source, GlobalId owner);

    TableBuilder builder;
    RowChecks checks;
    const ContextDevices* devices = nullptr; ///< more reliable devices than the rows'; nullptr: use the rows'

protected:
    /// Adds the event of `row`; false when it must be left out. Column 0 is the rowid, 1.. are deviceColumns.
    bool addEvent(const sqlite::Row& row, StringId name);
    const StringTable& m_strings;

private:
    StringId m_source;
    GlobalId m_owner;
};

/// The common first columns of rows of a DevicePart, after the rowid.
inline constexpr std::array<std::string_view, 8> deviceColumns{
    "start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "greenContextId"};
/// Their places in the row.
namespace device_column {
enum At : int { start = 1, end, device, context, stream, correlation, process, greenContext, next };
}
/// The first column after them.
inline constexpr int afterDeviceColumns = device_column::next;

/// Indexes of the common first columns of rows of a ThreadPart.
namespace thread_column {
enum At : int { start = 1, end, thread, name, next };
}

/// One thread's part of a table of calls on CPU threads.
class ThreadPart {
public:
    ThreadPart(EventKind kind, const StringTable& strings, StringId source, StringId family = {});

    TableBuilder builder;
    RowChecks checks;

    /// Adds the event of `row`; false when it must be left out. Column 0 is the rowid, then start, end,
    /// globalTid, name. A row without a name is named after its family.
    bool addEvent(const sqlite::Row& row);

private:
    const StringTable& m_strings;
    StringId m_source;
    StringId m_family;
};

/// Joins `parts` into the first one's builder; logs their checks under `table`.
template <typename Part>
TableBuilder& joinParts(ImportJob& job, std::string_view table, std::vector<std::unique_ptr<Part>>& parts)
{
    RowChecks checks = parts.front()->checks;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        checks.add(parts[i]->checks);
        parts.front()->builder.append(std::move(parts[i]->builder));
        parts[i].reset();
    }
    checks.logTo(job.log, table);
    parts.front()->builder.countSourceRows(job.schema.find(table)->rows);
    return parts.front()->builder;
}

/// Joins columns lists for a SELECT.
std::vector<std::string_view> concat(
    std::span<const std::string_view> a, std::span<const std::string_view> b);

/// The process of events of the device table `table` that do not name theirs: the only process that makes
/// CUDA calls; 0 when there are several, or when its rows have a column for it. Looks through all calls,
/// once.
GlobalId ownerOfDeviceRows(ImportJob& job, std::string_view table);

/// Sets the table of `all`, for which `rows` rows were read. Error: they could not be read.
Result<void> setTable(ImportJob& job, const Result<std::uint64_t>& rows, TableBuilder& all);

/// Reads `table` in Parts of `make()`, and appends them to `all`, each after `join(part)`. Snapshots are
/// `finishPart(part)`.
template <typename Part, typename Make, typename FinishPart, typename Join>
Result<void> appendParts(ImportJob& job, std::string_view table, std::span<const std::string_view> columns,
    TableBuilder& all, Make&& make, FinishPart&& finishPart, Join&& join)
{
    auto parts = scanInParts<Part>(job, table, columns, make, [&](Part part) {
        // Events of another table, when there are any, are copied for no part of this one.
        return all.size() > 0 ? nullptr : finishPart(part);
    });
    if (!parts.ok())
        return parts.error();
    for (auto& part : parts.value())
        join(*part);
    all.append(std::move(joinParts(job, table, parts.value())));
    return {};
}

/// Reads those of `tables` that the report has in ThreadParts, `make(source)`, and sets the table of all.
template <typename Part, typename Make>
Result<void> importCalls(ImportJob& job, EventKind kind, std::span<const std::string_view> tables,
    std::span<const std::string_view> columns, Make&& make)
{
    TableBuilder all(kind);
    for (const std::string_view table : tables) {
        if (!job.schema.has(table))
            continue;
        const StringId source = job.trace.pool().intern(table);
        const auto done = appendParts<Part>(
            job, table, columns, all, [&] { return make(source); },
            [](Part& part) { return finish(part.builder); }, [](Part&) {});
        if (!done.ok())
            return done;
    }
    job.trace.setTable(finish(all));
    return {};
}

/// Reads `table` in DeviceParts, `make(source, owner)`, whose events share the records of `pool`, and sets
/// their Part::table().
template <typename Part, typename Pool, typename Make>
Result<void> importWork(ImportJob& job, std::string_view table, std::span<const std::string_view> ownColumns,
    Pool Part::*pool, Make&& make)
{
    const StringId source = job.trace.pool().intern(table);
    const GlobalId owner = ownerOfDeviceRows(job, table);
    auto parts = scanInParts<Part>(
        job, table, concat(deviceColumns, ownColumns), [&] { return make(source, owner); },
        [](Part part) { return part.table(); });
    if (!parts.ok())
        return parts.error();
    Part& first = *parts.value().front();
    for (auto& part : parts.value())
        part->builder.translateAttributes(first.*pool, (*part).*pool);
    joinParts(job, table, parts.value());
    job.trace.setTable(first.table());
    return {};
}

} // namespace warpline
