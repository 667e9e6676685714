// Sums that SQLite computes from a report itself, for the tables of statistics.

#include "tests/core/stats/sql_oracles.h"

#include "tests/support/report_fixture.h"

namespace warpline::test {

namespace {

const QString summary = "sum(e.end - e.start), count(*), min(e.end - e.start), max(e.end - e.start)";

QString named(const QString& what, const QString& column)
{
    return QString("(SELECT value FROM StringIds WHERE id = %1.%2)").arg(what, column);
}

/// Rows by `label` of the events that `from` names.
QString grouped(const QString& from, const QString& label, const QString& condition = "1")
{
    return QString("SELECT %1, %2 AS label FROM %3 e WHERE $touches AND %4 GROUP BY label")
        .arg(summary, label, from, condition);
}

QStringList timeTitles(const QString& count, const QString& label)
{
    return {"Total Time (ns)", count, "Min (ns)", "Max (ns)", label};
}

const QString kernels = "CUPTI_ACTIVITY_KIND_KERNEL";
const QString copies = "CUPTI_ACTIVITY_KIND_MEMCPY";
const QString calls = "CUPTI_ACTIVITY_KIND_RUNTIME";

/// The name of a call without a version of four digits.
QString callNameOf(const QString& call)
{
    return QString(
        "CASE WHEN %1 GLOB '*?_v[0-9][0-9][0-9][0-9]' THEN substr(%1, 1, length(%1) - 6) ELSE %1 END")
        .arg(named(call, "nameId"));
}

const QString callName = callNameOf("e");

/// "[CUDA memcpy Host-to-Device]": the labels are those of ENUM_CUDA_MEMCPY_OPER.
const QString copyLabel
    = "'[CUDA memcpy ' || (SELECT label FROM ENUM_CUDA_MEMCPY_OPER WHERE id = e.copyKind) || ']'";

/// Copies and memsets, with the label that tables have for them.
QString memoryOperations(const QString& report)
{
    const QString columns = "start, end, bytes, correlationId, streamId, globalPid";
    QString all = QString("(SELECT %1, %2 AS label FROM %3 e").arg(columns, copyLabel, copies);
    if (sqlHasTable(report.toStdString(), "CUPTI_ACTIVITY_KIND_MEMSET"))
        all += QString(" UNION ALL SELECT %1, '[CUDA memset]' FROM CUPTI_ACTIVITY_KIND_MEMSET").arg(columns);
    return all + ")";
}

/// Rows of NVTX_EVENTS with the name and the style that tables have for them.
const QString ranges
    = "(SELECT n.rowid AS id, n.globalTid, n.start, n.end, n.eventType, CASE WHEN n.eventType = 60 THEN "
      "'StartEnd' ELSE 'PushPop' END AS "
      "style,"
      " coalesce(d.text, '') || ':' || coalesce(n.text, s.value, '') AS name FROM NVTX_EVENTS n"
      " LEFT JOIN (SELECT domainId, globalTid >> 24 AS process, max(text) AS text FROM NVTX_EVENTS"
      " WHERE eventType = 75 GROUP BY 1, 2) d ON d.domainId = n.domainId AND d.process = n.globalTid >> 24"
      " LEFT JOIN StringIds s ON s.id = n.textId WHERE n.eventType IN (59, 60) AND n.end IS NOT NULL)";

/// All rows of the OpenMP or MPI tables that `report` has.
QString united(const QString& report, const QStringList& tables, const QString& columns)
{
    QStringList parts;
    for (const QString& table : tables) {
        if (sqlHasTable(report.toStdString(), table.toStdString()))
            parts << QString("SELECT start, end, %1, '%2' AS source FROM %2").arg(columns, table);
    }
    return parts.isEmpty() ? QString("no_such_table") : "(" + parts.join(" UNION ALL ") + ")";
}

QList<Oracle> kernelOracles(const QString& report)
{
    QList<Oracle> all;
    const QList<std::pair<QString, QString>> namings{
        {"", "demangledName"}, {":base", "shortName"}, {":mangled", "mangledName"}};
    for (const auto& [variant, column] : namings) {
        const QString name = named("e", column);
        all << Oracle{"cuda_gpu_kern_sum" + variant, timeTitles("Instances", "Name"), grouped(kernels, name)};
        all << Oracle{"kern_percentiles" + variant, timeTitles("Instances", "Name"), grouped(kernels, name)};
        if (variant == ":mangled")
            continue;
        all << Oracle{"cuda_gpu_kern_gb_sum" + variant,
            timeTitles("Instances", "Name") << "GridXYZ"
                                            << "BlockXYZ",
            QString("SELECT %1, %2 AS label, printf('%4d %4d %4d', gridX, gridY, gridZ) AS grid,"
                    " printf('%4d %4d %4d', blockX, blockY, blockZ) AS block FROM %3 e WHERE $touches"
                    " GROUP BY label, grid, block")
                .replace("%4d", "%!d")
                .arg(summary, name, kernels)
                .replace("%!d", "%4d")};
        all << Oracle{"cuda_gpu_sum" + variant, timeTitles("Instances", "Operation"),
            grouped(kernels, name) + " UNION ALL " + grouped(memoryOperations(report), "e.label")};
    }
    for (const auto& [variant, column] : namings)
        all << Oracle{"cuda_gpu_trace" + variant, {"Start (ns)", "Duration (ns)", "CorrId", "Strm", "Name"},
            QString(
                "SELECT start, end - start, correlationId, streamId, %1 FROM %2 e WHERE $touches UNION ALL"
                " SELECT start, end - start, correlationId, nullif(streamId, 0), label FROM %3 e WHERE "
                "$touches")
                .arg(named("e", column), kernels, memoryOperations(report))};
    return all;
}

QList<Oracle> callOracles(const QString& report)
{
    const QString thread = "e.globalTid >> 24 & 0xFFFFFF, e.globalTid & 0xFFFFFF";
    return {
        {"cuda_api_sum", timeTitles("Num Calls", "Name"),
            QString("SELECT %1, %2 FROM %3 e WHERE $touches GROUP BY %4")
                .arg(summary, callName, calls, named("e", "nameId"))},
        {"cuda_api_trace", {"Start (ns)", "Duration (ns)", "Name", "Result", "CorrID", "Pid", "Tid"},
            QString("SELECT start, end - start, %1, returnValue, correlationId, %2 FROM %3 e WHERE $touches")
                .arg(callName, thread, calls)},
        {"osrt_sum", timeTitles("Num Calls", "Name"),
            grouped("OSRT_API", named("e", "nameId"), "e.end > e.start")},
        {"cuda_gpu_mem_time_sum", timeTitles("Count", "Operation"),
            grouped(memoryOperations(report), "e.label")},
        {"cuda_gpu_mem_size_sum", {"Total (MB)", "Count", "Min (MB)", "Max (MB)", "Operation"},
            QString("SELECT sum(bytes), count(*), min(bytes), max(bytes), label FROM %1 e WHERE $touches"
                    " GROUP BY label")
                .arg(memoryOperations(report))},
    };
}

QList<Oracle> rangeOracles()
{
    return {
        {"nvtx_sum", timeTitles("Instances", "Range") << "Style",
            QString(
                "SELECT %1, e.name AS label, e.style AS style FROM %2 e WHERE $touches GROUP BY label, style")
                .arg(summary, ranges)},
        {"nvtx_pushpop_sum", timeTitles("Instances", "Range"), grouped(ranges, "e.name", "e.eventType = 59")},
        {"nvtx_startend_sum", timeTitles("Instances", "Range"),
            grouped(ranges, "e.name", "e.eventType = 60")},
        {"nvtx_pushpop_trace", {"Start (ns)", "End (ns)", "Duration (ns)", "Name"},
            QString("SELECT start, end, end - start, name FROM %1 e WHERE $touches AND eventType = 59")
                .arg(ranges)},
    };
}

QList<Oracle> hostOracles(const QString& report)
{
    const QString mpi = united(report,
        {"MPI_COLLECTIVES_EVENTS", "MPI_P2P_EVENTS", "MPI_START_WAIT_EVENTS", "MPI_OTHER_EVENTS"},
        "textId AS nameId, globalTid");
    QStringList kinds;
    for (const char* const kind : {"PARALLEL", "TASK", "WORKSHARE", "SYNC_REGION", "REDUCTION", "MUTEX_WAIT",
             "CRITICAL_SECTION", "TASK_CREATE"})
        kinds << QString("OPENMP_EVENT_KIND_%1").arg(kind);
    QString pages
        = "SELECT start, end, virtualAddress AS address, copyKind, bytes FROM CUPTI_ACTIVITY_KIND_MEMCPY"
          " WHERE copyKind IN (11, 12, 13)";
    for (const auto& [table, end] :
        {std::pair{"CUDA_UM_CPU_PAGE_FAULT_EVENTS", "start"}, {"CUDA_UM_GPU_PAGE_FAULT_EVENTS", "end"}}) {
        if (sqlHasTable(report.toStdString(), table))
            pages += QString(" UNION ALL SELECT start, %1, address, NULL, NULL FROM %2").arg(end, table);
    }
    return {
        {"mpi_event_sum", timeTitles("Instances", "Name"),
            QString("SELECT %1, %2 AS label FROM %3 e WHERE $touches AND end > start GROUP BY label, source")
                .arg(summary, named("e", "nameId"), mpi)},
        {"mpi_event_trace", {"Start (ns)", "End (ns)", "Event", "Tid"},
            QString("SELECT start, end, %1, e.globalTid & 0xFFFFFF FROM %2 e WHERE $touches")
                .arg(named("e", "nameId"), mpi)},
        {"mpi_msg_size_sum", {"Total Message Volume", "Instances", "Min", "Max", "Name"},
            QString("SELECT sum(size), count(size), min(size), max(size), %1 AS label FROM MPI_P2P_EVENTS e"
                    " WHERE $touches GROUP BY label HAVING count(size) > 0 UNION ALL"
                    " SELECT sum(size), count(size), min(size), max(size), %1 AS label FROM"
                    " MPI_COLLECTIVES_EVENTS e WHERE $touches GROUP BY label HAVING count(size) > 0 UNION ALL"
                    " SELECT sum(recvSize), count(recvSize), min(recvSize), max(recvSize), %1 AS label FROM"
                    " MPI_COLLECTIVES_EVENTS e WHERE $touches GROUP BY label HAVING count(recvSize) > 0")
                .arg(named("e", "nameId"))},
        {"openmp_sum", timeTitles("Count", "Name"),
            grouped(united(report, kinds, "nameId"), named("e", "nameId"))},
        {"um_sum:rows=-1", {"HtoD Migration size (MB)", "DtoH Migration size (MB)"},
            QString("SELECT sum(bytes) FILTER (WHERE copyKind = 11), sum(bytes) FILTER (WHERE copyKind = 12)"
                    " FROM (%1) e WHERE $touches GROUP BY address")
                .arg(pages)},
        {"um_cpu_page_faults_sum", {"CPU Page Faults", "CPU Instruction Address"},
            QString("SELECT count(*), %1 AS label FROM (SELECT *, start AS end FROM "
                    "CUDA_UM_CPU_PAGE_FAULT_EVENTS) e"
                    " WHERE $touches GROUP BY label, sourceFile, sourceLine")
                .arg(named("e", "CpuInstruction"))},
    };
}

const QString pidAndTid = "r.globalTid >> 24 & 0xFFFFFF, r.globalTid & 0xFFFFFF";

/// Kernels or other work `e` with the calls `r` of their process that have the same id.
QString withCalls(const QString& work)
{
    return QString(
        "%1 e JOIN %2 r ON r.correlationId = e.correlationId AND r.globalTid >> 24 = e.globalPid >> 24")
        .arg(work, calls);
}

QList<Oracle> launchOracles(const QString& report)
{
    QList<Oracle> all;
    const QList<std::pair<QString, QString>> namings{{"", "demangledName"}, {":base", "shortName"}};
    for (const auto& [variant, column] : namings) {
        const QString name = named("e", column);
        all << Oracle{"cuda_kern_exec_trace" + variant,
            {"API Start (ns)", "API Dur (ns)", "Queue Start (ns)", "Queue Dur (ns)", "Kernel Start (ns)",
                "Kernel Dur (ns)", "Total Dur (ns)", "PID", "TID", "DevId", "API Function", "Kernel Name"},
            QString("SELECT r.start, r.end - r.start, CASE WHEN e.start >= r.end THEN r.end END,"
                    " CASE WHEN e.start >= r.end THEN e.start - r.end END, e.start, e.end - e.start,"
                    " max(e.end, r.end) - r.start, %1, e.deviceId, %2, %3 FROM %4 WHERE $touches")
                .arg(pidAndTid, callNameOf("r"), name, withCalls(kernels))};
        all << Oracle{"cuda_kern_exec_sum" + variant,
            {"PID", "TID", "DevId", "Count", "QCount", "TMin (ns)", "TMax (ns)", "AMin (ns)", "AMax (ns)",
                "KMin (ns)", "KMax (ns)", "API Name", "Kernel Name"},
            QString(
                "SELECT %1, e.deviceId, count(*), sum(e.start >= r.end), min(max(e.end, r.end) - r.start),"
                " max(max(e.end, r.end) - r.start), min(r.end - r.start), max(r.end - r.start),"
                " min(e.end - e.start), max(e.end - e.start), %2 AS call, %3 AS kernel FROM %4"
                " WHERE $touches GROUP BY r.globalTid, e.deviceId, call, kernel")
                .arg(pidAndTid, callNameOf("r"), name, withCalls(kernels))};
        all << Oracle{"cuda_api_gpu_sum" + variant, timeTitles("Instances", "Category") << "Operation",
            QString("SELECT %1, 'CUDA_API', %2 AS label FROM %3 e WHERE $touches GROUP BY label UNION ALL"
                    " SELECT %1, 'CUDA_KERNEL', %4 AS label FROM %5 e WHERE $touches GROUP BY label UNION ALL"
                    " SELECT %1, 'MEMORY_OPER', e.label FROM %6 e WHERE $touches GROUP BY label")
                .arg(summary, callName, calls, name, kernels, memoryOperations(report))};
    }
    return all;
}

/// Of ranges and the work of the calls inside them. Joined without an index: for reports that are not large.
QList<Oracle> projectionOracles(const QString& report)
{
    const std::string path = report.toStdString();
    if (!sqlHasTable(path, kernels.toStdString()) || !sqlHasTable(path, "NVTX_EVENTS"))
        return {};
    constexpr long long most = 40'000'000;
    if (sqlInteger(path, "SELECT count(*) FROM " + calls.toStdString())
            * sqlInteger(path, "SELECT count(*) FROM NVTX_EVENTS")
        > most)
        return {};
    const QString work = QString("(SELECT start, end, correlationId, globalPid FROM %1 UNION ALL"
                                 " SELECT start, end, correlationId, globalPid FROM %2)")
                             .arg(kernels, memoryOperations(report));
    const QString projections = QString(
        "SELECT e.name, min(w.start) AS first, max(w.end) - min(w.start) AS projected, e.start,"
        " e.end - e.start AS length, e.style, %1, count(DISTINCT r.correlationId) AS operations, e.id"
        " FROM %2 e JOIN %3 r ON r.globalTid = e.globalTid AND r.start >= e.start AND r.end <= e.end"
        " JOIN %4 w ON w.correlationId = r.correlationId AND w.globalPid >> 24 = r.globalTid >> 24"
        " WHERE $touches GROUP BY e.id")
                                    .arg(pidAndTid, ranges, calls, work);
    return {
        {"nvtx_gpu_proj_trace",
            {"Name", "Projected Start (ns)", "Projected Duration (ns)", "Orig Start (ns)",
                "Orig Duration (ns)", "Style", "PID", "TID", "NumGPUOps", "RangeId"},
            projections},
        {"nvtx_gpu_proj_sum",
            {"Range", "Style", "Total Proj Time (ns)", "Total Range Time (ns)", "Range Instances",
                "Proj Min (ns)", "Proj Max (ns)", "Total GPU Ops"},
            QString(
                "SELECT name, style, sum(projected), sum(length), count(*), min(projected), max(projected),"
                " sum(operations) FROM (%1) GROUP BY name, style")
                .arg(projections)},
        {"nvtx_kern_sum",
            {"NVTX Range", "Style", "PID", "TID", "Kern Inst", "Total Time (ns)", "Min (ns)", "Max (ns)",
                "Kernel Name"},
            QString("SELECT coalesce(n.name, '') AS outer, coalesce(n.style, '') AS style, %1,"
                    " count(DISTINCT e.rowid), sum(e.end - e.start),"
                    " min(e.end - e.start), max(e.end - e.start), %2 AS kernel FROM %3 LEFT JOIN %4 n"
                    " ON n.globalTid = r.globalTid AND n.start <= r.start AND n.end >= r.end WHERE $touches"
                    " GROUP BY outer, style, r.globalTid, kernel")
                .arg(pidAndTid, named("e", "demangledName"), withCalls(kernels), ranges)},
    };
}

QList<Oracle> libraryOracles(const QString& report)
{
    const QString lasting = "e.end > e.start";
    const QString openAcc = united(report,
        {"CUPTI_ACTIVITY_KIND_OPENACC_DATA", "CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH",
            "CUPTI_ACTIVITY_KIND_OPENACC_OTHER"},
        "nameId");
    const QString video
        = united(report, {"NVVIDEO_DECODER_API", "NVVIDEO_ENCODER_API", "NVVIDEO_JPEG_API"}, "nameId");
    return {
        {"openacc_sum", timeTitles("Count", "Name"), grouped(openAcc, named("e", "nameId"), lasting)},
        {"syscall_sum", timeTitles("Num Calls", "Name"), grouped("SYSCALL", named("e", "nameId"), lasting)},
        {"opengl_khr_range_sum", timeTitles("Instances", "Range"),
            grouped("KHR_DEBUG_EVENTS", named("e", "textId"), lasting + " AND e.eventClass != 63")},
        {"opengl_khr_gpu_range_sum", timeTitles("Instances", "Range"),
            grouped("KHR_DEBUG_EVENTS", named("e", "textId"), "e.eventClass = 63")
                + " HAVING sum(e.end - e.start) > 0"},
        {"nvvideo_api_sum", timeTitles("Num Calls", "Event Type") << "Name",
            QString(
                "SELECT %1, CASE source WHEN 'NVVIDEO_DECODER_API' THEN 'Decoder' WHEN 'NVVIDEO_ENCODER_API'"
                " THEN 'Encoder' ELSE 'JPEG' END, %2 AS label FROM %3 e WHERE $touches AND %4"
                " GROUP BY source, label")
                .arg(summary, named("e", "nameId"), video, lasting)},
        {"um_total_sum",
            {"Total HtoD Migration Size (MB)", "Total DtoH Migration Size (MB)", "Total CPU Page Faults",
                "Total GPU PageFaults"},
            QString("SELECT coalesce(sum(bytes) FILTER (WHERE copyKind = 11), 0),"
                    " coalesce(sum(bytes) FILTER (WHERE copyKind = 12), 0),"
                    " (SELECT count(*) FROM (SELECT *, start AS end FROM CUDA_UM_CPU_PAGE_FAULT_EVENTS) e"
                    " WHERE $touches), (SELECT coalesce(sum(numberOfPageFaults), 0) FROM"
                    " CUDA_UM_GPU_PAGE_FAULT_EVENTS e WHERE $touches) FROM %1 e WHERE $touches")
                .arg(copies)},
    };
}

} // namespace

QList<Oracle> sqlOracles(const QString& report)
{
    return kernelOracles(report) + callOracles(report) + rangeOracles() + hostOracles(report)
        + launchOracles(report) + projectionOracles(report) + libraryOracles(report);
}

} // namespace warpline::test
