// Network adapters and InfiniBand switches: one series per device, port and metric. A row counts between its
// start and its end. And how long they waited to send: the samples of one metric, "Send waits".

#include "core/base/words.h"
#include "core/import/scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace warpline::network_metrics {

namespace {

constexpr std::string_view adapterTable = "NET_NIC_METRIC";
constexpr std::string_view switchTable = "NET_IB_SWITCH_METRIC";
constexpr std::array<std::string_view, 2> tables{adapterTable, switchTable};
constexpr std::array<std::string_view, 4> nameTables{
    "TARGET_INFO_NETWORK_METRICS", "TARGET_INFO_NIC_INFO", "NET_IB_DEVICE_INFO", "NIC_ID_MAP"};
constexpr std::array<std::string_view, 7> columns{
    "start", "end", "globalId", "portId", "metricsListId", "metricsIdx", "value"};
enum At : int { AtStart = 1, AtEnd, AtDevice, AtPort, AtList, AtIndex, AtValue };

struct MetricName {
    std::string name;
    std::string unit;
};
using MetricKey = std::pair<std::int64_t, std::int64_t>; // list, index in it

std::map<MetricKey, MetricName> metricNames(ImportJob& job)
{
    std::map<MetricKey, MetricName> names;
    constexpr std::string_view table = "TARGET_INFO_NETWORK_METRICS";
    constexpr std::array<std::string_view, 4> nameColumns{"metricsListId", "metricsIdx", "name", "unit"};
    enum AtOfName : int { OfList = 1, OfIndex, OfName, OfUnit };
    const auto read = scanTable(job, table, nameColumns, {}, [&](const sqlite::Row& row) {
        names[{row.integer(OfList), row.integer(OfIndex)}]
            = {std::string(row.text(OfName)), std::string(row.text(OfUnit))};
    });
    if (!read.ok())
        job.log.add(table, ProblemKind::NetworkMetricNamesUnreadable);
    return names;
}

/// Names of adapters and switches by the id in metrics: a globalId, which NIC_ID_MAP maps to the adapter, or
/// a GUID.
std::map<std::int64_t, std::string> deviceNames(ImportJob& job)
{
    std::map<std::int64_t, std::string> names;
    std::map<std::int64_t, std::string> adapters; // by nicId
    for (const std::string_view table : {"TARGET_INFO_NIC_INFO", "NET_IB_DEVICE_INFO"}) {
        constexpr std::array<std::string_view, 5> nameColumns{"globalId", "GUID", "guid", "name", "nicId"};
        enum AtOfDevice : int { OfGlobalId = 1, OfGuid, OfGuidBefore, OfName, OfAdapter };
        const auto read = scanTable(job, table, nameColumns, {}, [&](const sqlite::Row& row) {
            const std::string name(row.text(OfName));
            for (const int id : {OfGlobalId, OfGuid, OfGuidBefore}) {
                if (!row.isNull(id) && !name.empty())
                    names.insert_or_assign(row.integer(id), name);
            }
            if (!row.isNull(OfAdapter))
                adapters.insert_or_assign(row.integer(OfAdapter), name);
        });
        if (!read.ok())
            job.log.add(table, ProblemKind::NetworkDeviceNamesUnreadable);
    }
    constexpr std::array<std::string_view, 2> mapColumns{"globalId", "nicId"};
    enum AtOfMap : int { OfGlobalId = 1, OfAdapter };
    const auto read = scanTable(job, "NIC_ID_MAP", mapColumns, {}, [&](const sqlite::Row& row) {
        if (const auto known = adapters.find(row.integer(OfAdapter)); known != adapters.end())
            names.insert_or_assign(row.integer(OfGlobalId), known->second);
    });
    if (!read.ok())
        job.log.add("NIC_ID_MAP", ProblemKind::NetworkAdapterNamesUnreadable);
    return names;
}

struct Sample {
    Ns start;
    Ns end;
    double value;
    auto operator<=>(const Sample&) const = default;
};

/// A value holds to the end of its row: where nothing follows at once, zero does.
CounterSeries seriesOf(std::vector<Sample>& samples)
{
    std::ranges::sort(samples);
    CounterSeries series;
    series.kind = CounterKind::Network;
    std::vector<std::pair<Ns, double>> values;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        values.emplace_back(samples[i].start, samples[i].value);
        const bool gap = i + 1 == samples.size() || samples[i + 1].start > samples[i].end;
        if (gap && samples[i].end > samples[i].start)
            values.emplace_back(samples[i].end, 0);
    }
    series.setSamples(values);
    return series;
}

Result<void> importNetwork(ImportJob& job)
{
    using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>; // device, port, metric
    const auto metrics = metricNames(job);
    const auto devices = deviceNames(job);
    for (const std::string_view table : tables) {
        std::map<Key, std::vector<Sample>> series;
        const auto rows = scanEvents(
            job, table, columns, {AtStart, AtEnd}, [&](const sqlite::Row& row, TimeRange time, RowChecks&) {
                series[{row.integer(AtDevice), row.integer(AtPort), row.integer(AtList),
                           row.integer(AtIndex)}]
                    .push_back({time.start, time.end, row.real(AtValue)});
            });
        if (!rows.ok())
            return rows.error();
        for (auto& [key, samples] : series) {
            const auto& [device, port, list, index] = key;
            CounterSeries counter = seriesOf(samples);
            const auto metric = metrics.find({list, index});
            const auto name = devices.find(device);
            const std::string on = name != devices.end()
                ? name->second
                : fmt::format("{} {:x}", table == adapterTable ? "NIC" : "Switch", device);
            counter.name = job.trace.pool().intern(fmt::format("{}, port {}: {}", on, port,
                metric != metrics.end() ? metric->second.name : fmt::format("Metric {}", index)));
            counter.unit
                = job.trace.pool().intern(metric != metrics.end() ? metric->second.unit : std::string());
            job.trace.extendSession({counter.times->front(), counter.times->back()});
            job.trace.edit([&](Trace& trace) { trace.counters.push_back(std::move(counter)); });
        }
    }
    return {};
}

/// The metrics that count waiting to send: "IB: Send waits" and its like.
std::set<MetricKey> sendWaits(ImportJob& job)
{
    std::set<MetricKey> metrics;
    for (const auto& [key, metric] : metricNames(job)) {
        if (containsWord(metric.name, "send wait"))
            metrics.insert(key);
    }
    return metrics;
}

struct Adapter {
    std::uint64_t guid = 0;
    StringId name{};
};

/// Adapters by globalId, which the export has next to the name, or in a table of its own.
std::map<std::int64_t, Adapter> adapters(ImportJob& job)
{
    std::map<std::int64_t, std::vector<std::int64_t>> globalIds; // by nicId
    constexpr std::array<std::string_view, 2> mapColumns{"nicId", "globalId"};
    enum AtOfMap : int { OfAdapter = 1, OfGlobalId };
    auto read = scanTable(job, "NIC_ID_MAP", mapColumns, {}, [&](const sqlite::Row& row) {
        globalIds[row.integer(OfAdapter)].push_back(row.integer(OfGlobalId));
    });
    std::map<std::int64_t, Adapter> byId;
    constexpr std::array<std::string_view, 4> infoColumns{"globalId", "nicId", "GUID", "name"};
    enum AtOfInfo : int { InfoGlobalId = 1, InfoAdapter, InfoGuid, InfoName };
    if (read.ok())
        read = scanTable(job, "TARGET_INFO_NIC_INFO", infoColumns, {}, [&](const sqlite::Row& row) {
            const Adapter adapter{static_cast<std::uint64_t>(row.integer(InfoGuid)),
                job.trace.pool().intern(row.text(InfoName))};
            if (!row.isNull(InfoGlobalId))
                byId[row.integer(InfoGlobalId)] = adapter;
            for (const std::int64_t id : globalIds[row.integer(InfoAdapter)])
                byId[id] = adapter;
        });
    if (!read.ok())
        job.log.add("TARGET_INFO_NIC_INFO", ProblemKind::NetworkAdapterNamesUnreadable);
    return byId;
}

Result<void> importWaits(ImportJob& job)
{
    const std::set<MetricKey> metrics = sendWaits(job);
    if (metrics.empty())
        return {};
    const auto known = adapters(job);
    std::vector<NetworkWait> waits;
    std::vector<std::string_view> waitColumns(columns.begin(), columns.end());
    waitColumns.emplace_back("GUID");
    constexpr int atGuid = AtValue + 1;
    for (const std::string_view table : tables) {
        RowChecks checks;
        const auto rows = scanTable(job, table, waitColumns, {}, [&](const sqlite::Row& row) {
            NetworkWait wait;
            if (!metrics.contains({row.integer(AtList), row.integer(AtIndex)})
                || !checks.times(row, AtStart, AtEnd, wait.start, wait.end))
                return;
            wait.ticks = row.real(AtValue);
            wait.guid = static_cast<std::uint64_t>(row.integer(atGuid, row.integer(AtDevice)));
            if (const auto found = known.find(row.integer(AtDevice));
                table == adapterTable && found != known.end()) {
                wait.guid = found->second.guid;
                wait.device = found->second.name;
            }
            waits.push_back(wait);
        });
        if (!rows.ok())
            return rows.error();
        checks.logTo(job.log, table);
    }
    std::ranges::sort(waits, {},
        [](const NetworkWait& wait) { return std::tuple(wait.start, wait.end, wait.guid, wait.ticks); });
    job.trace.edit([&](Trace& trace) { trace.networkWaits = std::move(waits); });
    return {};
}

} // namespace

extern constinit const Importer networkMetrics{.id = "network-metrics",
    .progressText = "Reading network metrics",
    .needs = tables,
    .alsoReads = nameTables,
    .run = importNetwork};

extern constinit const Importer networkWaitTimes{.id = "network-waits",
    .progressText = "Reading network waits",
    .needs = tables,
    .alsoReads = nameTables,
    .run = importWaits};

} // namespace warpline::network_metrics
