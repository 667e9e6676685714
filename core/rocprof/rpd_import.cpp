#include "core/rocprof/rpd_import.h"

#include "core/base/saturate.h"
#include "core/kineto/event_words.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace warpline {

namespace {

bool hasTable(const std::vector<std::string>& tables, std::string_view table)
{
    return std::ranges::find(tables, table) != tables.end();
}

class RpdReader {
public:
    RpdReader(const RocmRows& rows, const std::vector<std::string>& tables)
        : m_rows(rows),
          m_tables(tables)
    {
    }

    Result<void> read()
    {
        std::vector<std::string> read{"rocpd_api", "rocpd_op", "rocpd_api_ops", "rocpd_string",
            "rocpd_ustring", "rocpd_kernelapi", "rocpd_copyapi", "rocpd_metadata", "rocpd_monitor"};
        if (auto checked = m_rows.checkTables(read); !checked.ok())
            return checked;
        if (auto done = readCalls(); !done.ok())
            return done;
        if (auto done = readWork(); !done.ok())
            return done;
        if (auto done = readMonitor(); !done.ok())
            return done;
        m_rows.events.setRecorderName("rocmProfileData");
        for (const std::int32_t gpu : m_gpus) {
            Device device;
            device.id = gpu;
            device.name = "AMD GPU";
            device.threadsPerWarp = 64;
            m_rows.events.addDevice(m_process, device);
        }
        if (!m_readsMonitor)
            read.pop_back();
        m_rows.countUnread(m_tables, read);
        return {};
    }

private:
    /// Ids of calls have 64 bits, those of a second process begin at 2^32: a number of 32 bits for each.
    std::int64_t numberOfCall(std::int64_t id)
    {
        return m_calls.try_emplace(id, static_cast<std::int64_t>(m_calls.size()) + 1).first->second;
    }

    void seen(const RocmEvent& event)
    {
        m_first = std::min(m_first, event.start);
        m_last = std::max(m_last, event.end);
    }

    /// Ranges of roctx are calls named "UserMarker", with the text as argument.
    Result<void> readCalls()
    {
        const std::string texts = hasTable(m_tables, "rocpd_ustring") ? "rocpd_ustring" : "rocpd_string";
        return m_rows.visit("rocpd_api",
            "SELECT A.id, A.pid, A.tid, A.start, A.\"end\", N.string, T.string FROM rocpd_api A LEFT JOIN "
            "rocpd_string N ON N.id = A.apiName_id LEFT JOIN "
                + texts + " T ON T.id = A.args_id",
            [&](const sqlite::Statement& row) {
                RocmEvent event;
                event.row = row.integer(0);
                event.correlation = numberOfCall(event.row);
                event.pid = static_cast<std::uint32_t>(row.integer(1));
                event.tid = static_cast<std::uint32_t>(row.integer(2));
                event.start = row.integer(3);
                event.end = row.integer(4);
                m_process = event.pid;
                seen(event);
                const std::string name(row.text(5));
                const bool marker = name == "UserMarker";
                const bool api = name.starts_with("hip") || name.starts_with("hsa_");
                m_rows.events.addRegion(event,
                    marker    ? "MARKER"
                        : api ? "HIP_API"
                              : "rocpd_api",
                    name, marker ? row.text(6) : std::string_view());
            });
    }

    /// Sampled clocks and similar values of all GPUs of the machine. Sampling continues after the calls and
    /// the work: keeps only values near these.
    Result<void> readMonitor()
    {
        const std::string sql = fmt::format(
            "SELECT deviceType, deviceId, monitorType, start, CAST(value AS REAL) FROM rocpd_monitor "
            "WHERE \"end\" > {} AND start < {}",
            m_first, m_last);
        if (!hasTable(m_tables, "rocpd_monitor") || !m_rows.report.prepare(sql).ok())
            return {}; // missing, or of an undocumented form
        m_readsMonitor = true;
        return m_rows.visit("rocpd_monitor", sql, [&](const sqlite::Statement& row) {
            const std::string_view kind = row.text(2);
            m_rows.events.addReading(m_process, std::max(row.integer(3), m_first),
                fmt::format("{}{} ({} {})", kind, kind.ends_with("clk") ? " [MHz]" : "",
                    row.text(0) == "gpu" ? "GPU" : row.text(0), row.integer(1)),
                row.real(4));
        });
    }

    Result<void> readWork()
    {
        const bool joined = hasTable(m_tables, "rocpd_api_ops");
        const bool copies = joined && hasTable(m_tables, "rocpd_copyapi");
        const bool kernels = joined && hasTable(m_tables, "rocpd_kernelapi");
        const std::string sql
            = std::string("SELECT O.id, O.start, O.\"end\", O.gpuId, O.queueId, D.string, T.string, ")
            + (joined ? "A.id, A.pid, A.tid, " : "0, 0, 0, ") + (copies ? "C.size, " : "0, ")
            + (kernels
                    ? "K.gridX, K.gridY, K.gridZ, K.workgroupX, K.workgroupY, K.workgroupZ, K.groupSegmentSize"
                    : "0, 0, 0, 0, 0, 0, 0")
            + (joined ? ", N.string" : ", ''")
            + " FROM rocpd_op O LEFT JOIN rocpd_string D ON D.id = O.description_id LEFT JOIN rocpd_string T ON T.id "
              "= O.opType_id"
            + (joined
                    ? " LEFT JOIN rocpd_api_ops J ON J.op_id = O.id LEFT JOIN rocpd_api A ON A.id = J.api_id "
                      "LEFT JOIN rocpd_string N ON N.id = A.apiName_id"
                    : "")
            + (copies ? " LEFT JOIN rocpd_copyapi C ON C.api_ptr_id = A.id" : "")
            + (kernels ? " LEFT JOIN rocpd_kernelapi K ON K.api_ptr_id = A.id" : "")
            // Of several calls the one that says most comes first.
            + " ORDER BY O.id" + (joined ? ", A.id IS NULL" : "") + (copies ? ", C.size IS NULL" : "")
            + (kernels ? ", K.gridX IS NULL" : "");
        return m_rows.visit("rocpd_op", sql, [&](const sqlite::Statement& row) { addWork(row); });
    }

    void addWork(const sqlite::Statement& row)
    {
        enum At : int {
            AtId,
            AtStart,
            AtEnd,
            AtGpu,
            AtQueue,
            AtName,
            AtType,
            AtCall,
            AtPid,
            AtTid,
            AtBytes,
            AtGrid,
            AtLaunch = AtGrid + 7
        };
        RocmEvent event;
        event.row = row.integer(AtId);
        if (std::exchange(m_work, event.row) == event.row)
            return; // by another call, too: it is linked to the first
        event.start = row.integer(AtStart);
        event.end = row.integer(AtEnd);
        event.correlation = row.integer(AtCall) != 0 ? numberOfCall(row.integer(AtCall)) : 0;
        seen(event);
        event.pid = row.integer(AtPid) > 0 ? static_cast<std::uint32_t>(row.integer(AtPid)) : m_process;
        event.tid = static_cast<std::uint32_t>(row.integer(AtTid));
        const std::int32_t gpu = deviceNumber(row.integer(AtGpu));
        const std::int32_t queue = natural32Of(row.integer(AtQueue));
        m_gpus.insert(gpu);
        const std::string type(row.text(AtType));
        const auto says = [&](std::string_view word) { return type.find(word) != std::string::npos; };
        if (says("Barrier") || says("Marker"))
            return; // packets of the queue, no work
        if (says("Copy") || says("Memcpy")) {
            RocmCopy copy;
            const bool toHost = says("ToHost") || says("DtoH");
            const bool fromHost = says("HostTo") || says("HtoD");
            copy.sourceDevice = fromHost ? -1 : gpu;
            copy.destinationDevice = toHost ? -1 : gpu;
            copy.bytes = naturalOf(row.integer(AtBytes));
            m_rows.events.addCopy(event, queue, copy);
            return;
        }
        const auto side = [&](int column) { return natural32Of(row.integer(AtGrid + column)); };
        KernelLaunch launch;
        launch.grid = {side(0), side(1), side(2)};
        launch.block = {side(3), side(4), side(5)};
        if (row.text(AtLaunch) == "hipExtModuleLaunchKernel") // it is given threads, all others blocks
            launch.grid = gridInBlocks(launch.grid, launch.block);
        launch.dynamicSharedMemory = side(6);
        const std::string name(row.text(AtName));
        m_rows.events.addKernel(event, {gpu, queue}, name.empty() ? type : name, launch);
    }

    const RocmRows& m_rows;
    const std::vector<std::string>& m_tables;
    std::uint32_t m_process = 0; ///< for work without a known call
    std::unordered_map<std::int64_t, std::int64_t> m_calls; ///< by id
    Ns m_first = std::numeric_limits<Ns>::max(); ///< of calls and work
    Ns m_last = 0;
    std::optional<std::int64_t> m_work; ///< id of the last row
    std::set<std::int32_t> m_gpus;
    bool m_readsMonitor = false;
};

} // namespace

bool isRpd(const std::vector<std::string>& tables)
{
    return hasTable(tables, "rocpd_op") && hasTable(tables, "rocpd_api") && hasTable(tables, "rocpd_string");
}

Result<void> readRpd(const RocmRows& rows, const std::vector<std::string>& tables)
{
    return RpdReader(rows, tables).read();
}

} // namespace warpline
