// How long network adapters and InfiniBand switches waited to send: the samples of one metric, "Send waits".

#include "core/import/scan.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>

namespace warpline {

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
    const auto read = scanTable(job, table, columns, {}, [&](const sqlite::Row& row) {
        std::string name(row.text(3));
        std::ranges::transform(
            name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        if (name.find("send wait") != std::string::npos)
            metrics.insert({row.integer(1), row.integer(2)});
    });
    if (!read.ok())
        job.log.add(table, "Names of network metrics could not be read.");
    return metrics;
}

struct Adapter {
    std::uint64_t guid = 0;
    StringId name{};
};

/// Adapters by globalId: the export has it beside the name, or in a table of its own.
std::map<std::int64_t, Adapter> adapters(ImportJob& job)
{
    std::map<std::int64_t, std::vector<std::int64_t>> globalIds; // by nicId
    constexpr std::array<std::string_view, 2> mapColumns{"nicId", "globalId"};
    auto read = scanTable(job, "NIC_ID_MAP", mapColumns, {},
        [&](const sqlite::Row& row) { globalIds[row.integer(1)].push_back(row.integer(2)); });
    std::map<std::int64_t, Adapter> byId;
    constexpr std::array<std::string_view, 4> columns{"globalId", "nicId", "GUID", "name"};
    if (read.ok())
        read = scanTable(job, "TARGET_INFO_NIC_INFO", columns, {}, [&](const sqlite::Row& row) {
            const Adapter adapter{
                static_cast<std::uint64_t>(row.integer(3)), job.trace.pool().intern(row.text(4))};
            if (!row.isNull(1))
                byId[row.integer(1)] = adapter;
            for (const std::int64_t id : globalIds[row.integer(2)])
                byId[id] = adapter;
        });
    if (!read.ok())
        job.log.add("TARGET_INFO_NIC_INFO", "Names of network adapters could not be read.");
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
    for (const std::string_view table : tables) {
        RowChecks checks;
        const auto rows = scanTable(job, table, columns, {}, [&](const sqlite::Row& row) {
            NetworkWait wait;
            if (!metrics.contains({row.integer(4), row.integer(5)})
                || !checks.times(row, 1, 2, wait.start, wait.end))
                return;
            wait.ticks = row.real(6);
            wait.guid = static_cast<std::uint64_t>(row.integer(7, row.integer(3)));
            if (const auto found = known.find(row.integer(3));
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

} // namespace warpline
