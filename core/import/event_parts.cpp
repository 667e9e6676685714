#include "core/import/event_parts.h"

namespace warpline {

ContextDevices::ContextDevices(const Trace& trace)
{
    for (const EventKind kind : {EventKind::Kernel, EventKind::Memcpy, EventKind::Memset}) {
        for (const Track& track : trace.table(kind).tracks) {
            const auto [place, added] = m_devices.try_emplace({track.owner, track.context}, track.device);
            if (!added && place->second != track.device)
                place->second = -1;
        }
    }
}

std::int32_t ContextDevices::of(GlobalId process, std::int32_t context, std::int32_t recorded) const
{
    const auto found = m_devices.find({process, context});
    return found != m_devices.end() && found->second >= 0 ? found->second : recorded;
}

DevicePart::DevicePart(EventKind kind, const StringTable& strings, StringId source, GlobalId owner)
    : builder(kind),
      m_strings(strings),
      m_source(source),
      m_owner(owner)
{
}

bool DevicePart::addEvent(const sqlite::Row& row, StringId name)
{
    Ns start = 0;
    Ns end = 0;
    if (!checks.times(row, device_column::start, device_column::end, start, end))
        return false;
    TrackKey key;
    key.device = row.integer32(device_column::device, -1);
    key.context = row.integer32(device_column::context, -1);
    key.stream = row.integer32(device_column::stream, -1);
    key.owner
        = static_cast<GlobalId>(row.integer(device_column::process, static_cast<std::int64_t>(m_owner)));
    if (devices)
        key.device = devices->of(key.owner, key.context, key.device);
    key.greenContext = static_cast<std::int32_t>(row.integer(device_column::greenContext, -1));
    key.source = m_source;
    builder.add(builder.track(key), start, end, name, sourceRowOf(row));
    builder.addCorrelation(checks.correlation(row, device_column::correlation));
    return true;
}

ThreadPart::ThreadPart(EventKind kind, const StringTable& strings, StringId source, StringId family)
    : builder(kind),
      m_strings(strings),
      m_source(source),
      m_family(family)
{
}

bool ThreadPart::addEvent(const sqlite::Row& row)
{
    Ns start = 0;
    Ns end = 0;
    if (!checks.times(row, thread_column::start, thread_column::end, start, end))
        return false;
    TrackKey key{.owner = static_cast<GlobalId>(row.integer(thread_column::thread)),
        .family = m_family,
        .source = m_source};
    const StringId name = checks.name(m_strings, row, thread_column::name);
    builder.add(builder.track(key), start, end, name == StringId{} ? m_family : name, sourceRowOf(row));
    return true;
}

std::vector<std::string_view> concat(std::span<const std::string_view> a, std::span<const std::string_view> b)
{
    std::vector<std::string_view> joined(a.begin(), a.end());
    joined.insert(joined.end(), b.begin(), b.end());
    return joined;
}

GlobalId ownerOfDeviceRows(ImportJob& job, std::string_view table)
{
    if (job.schema.has(table, "globalPid"))
        return 0;
    constexpr std::string_view calls = "CUPTI_ACTIVITY_KIND_RUNTIME";
    if (!job.cudaProcess) {
        job.cudaProcess = 0;
        auto query = job.schema.has(calls, "globalTid")
            ? job.report.prepare(
                "SELECT min(process), max(process) FROM (SELECT globalTid & ~16777215 AS process FROM "
                + std::string(calls) + ")")
            : Result<sqlite::Statement>(Error{});
        if (query.ok() && query.value().step() == sqlite::Statement::Step::Row
            && query.value().integer(0) == query.value().integer(1))
            job.cudaProcess = static_cast<GlobalId>(query.value().integer(0));
    }
    return *job.cudaProcess;
}

Result<void> setTable(ImportJob& job, const Result<std::uint64_t>& rows, TableBuilder& all)
{
    if (!rows.ok())
        return rows.error();
    all.countSourceRows(rows.value());
    job.trace.setTable(finish(all));
    return {};
}

} // namespace warpline
