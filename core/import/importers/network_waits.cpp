// How long network adapters and InfiniBand switches waited to send: the samples of one metric, "Send waits".

#include "core/import/scan.h"

#include "core/base/words.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace warpline::network_waits {

namespace {

constexpr std::string_view adapterTable = "NET_NIC_METRIC";
constexpr std::string_view switchTable = "NET_IB_SWITCH_METRIC";
constexpr std::array<std::string_view, 2> tables{adapterTable, switchTable};
constexpr std::array<std::string_view, 3> nameTables{
    "TARGET_INFO_NETWORK_METRICS", "TARGET_INFO_NIC_INFO", "NIC_ID_MAP"};

using MetricKey = std::pair<std::int64_t, std::int64_t>; // list, index in it

/// The metrics that count waiting to send: "IB: Send waits" and its like.
std::set<MetricKey> sendWaits(ImportJob& job)
{
    std::set<MetricKey> metrics;
    constexpr std::string_view table = "TARGET_INFO_NETWORK_METRICS";
    constexpr std::array<std::string_view, 3> columns{"metricsListId", "metricsIdx", "name"};
    enum At : int { AtList = 1, AtIndex, AtName };
    const auto read = scanTable(job, table, columns, {}, [&](const sqlite::Row& row) {
        if (containsWord(row.text(AtName), "send wait"))
            metrics.insert({row.integer(AtList), row.integer(AtIndex)});
    });
    if (!read.ok())
        job.log.add(table, ProblemKind::NetworkMetricNamesUnreadable);
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
    constexpr std::array<std::string_view, 4> columns{"globalId", "nicId", "GUID", "name"};
    enum At : int { AtGlobalId = 1, AtAdapter, AtGuid, AtName };
    if (read.ok())
        read = scanTable(job, "TARGET_INFO_NIC_INFO", columns, {}, [&](const sqlite::Row& row) {
            const Adapter adapter{
                static_cast<std::uint64_t>(row.integer(AtGuid)), job.trace.pool().intern(row.text(AtName))};
            if (!row.isNull(AtGlobalId))
                byId[row.integer(AtGlobalId)] = adapter;
            for (const std::int64_t id : globalIds[row.integer(AtAdapter)])
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
    constexpr std::array<std::string_view, 7> columns{
        "start", "end", "globalId", "metricsListId", "metricsIdx", "value", "GUID"};
    enum At : int { AtStart = 1, AtEnd, AtDevice, AtList, AtIndex, AtValue, AtGuid };
    for (const std::string_view table : tables) {
        RowChecks checks;
        const auto rows = scanTable(job, table, columns, {}, [&](const sqlite::Row& row) {
            NetworkWait wait;
            if (!metrics.contains({row.integer(AtList), row.integer(AtIndex)})
                || !checks.times(row, AtStart, AtEnd, wait.start, wait.end))
                return;
            wait.ticks = row.real(AtValue);
            wait.guid = static_cast<std::uint64_t>(row.integer(AtGuid, row.integer(AtDevice)));
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

extern constinit const Importer networkWaitTimes{.id = "network-waits",
    .progressText = "Reading network waits",
    .needs = tables,
    .alsoReads = nameTables,
    .run = importWaits};

} // namespace warpline::network_waits
