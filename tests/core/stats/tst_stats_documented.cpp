// Tables for which there is no output of nsys to compare with, on reports written for them.

#include "core/export/cells_text.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "core/stats/stats_table.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_stats_documented {

using namespace warpline;
using namespace warpline::test;

namespace {

const char* const names = R"sql(
    CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);
    INSERT INTO StringIds VALUES (1, 'read'), (2, 'futex'), (3, 'cuvidDecodePicture'), (4, 'NvEncEncodePicture'),
        (5, 'nvjpegDecode'), (6, 'main'), (7, 'a.cpp');
    CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER,
        nameId INTEGER, returnValue INTEGER);
)sql";

QByteArray csvOf(const ReportFixture& report, const char* name, const StatsQuery& query = {})
{
    const auto trace = loadReport(report.path());
    if (!trace.ok())
        return QByteArray::fromStdString(plain(trace.error().message));
    const StatsTable* const table = findStatsTable(name);
    if (!table || !table->applies(*trace.value()))
        return "does not apply";
    return QByteArray::fromStdString(toCsv(table->fill(*trace.value(), query)));
}

} // namespace

class StatsDocumented : public QObject {
    Q_OBJECT

private slots:
    void systemCalls()
    {
        ReportFixture report;
        report.run(names);
        QCOMPARE(csvOf(report, "syscall_sum"), QByteArray("does not apply"));
        report.run(R"sql(
            CREATE TABLE SYSCALL (start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER);
            INSERT INTO SYSCALL VALUES (0, 100, 1677721701, 1), (200, 500, 1677721701, 1), (600, 1200, 1677721702, 2);
        )sql");
        QCOMPARE(csvOf(report, "syscall_sum"),
            QByteArray(
                "Time (%),Total Time (ns),Num Calls,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
                "60.0,600,1,600.0,600.0,600,600,0.0,futex\n"
                "40.0,400,2,200.0,200.0,100,300,141.4,read\n"));
        StatsQuery query;
        query.window = {150, 300};
        QVERIFY(csvOf(report, "syscall_sum", query).endsWith("\n100.0,300,1,300.0,300.0,300,300,0.0,read\n"));
    }

    /// Two queues of one process, one for DMA. A packet without an end is omitted; one in two contexts counts
    /// twice.
    void wddmQueues()
    {
        ReportFixture report;
        report.run(names);
        QCOMPARE(csvOf(report, "wddm_queue_sum"), QByteArray("does not apply"));
        report.run(R"sql(
            CREATE TABLE TARGET_INFO_WDDM_CONTEXTS (context INTEGER, engineType INTEGER, nodeOrdinal INTEGER, friendlyName TEXT);
            INSERT INTO TARGET_INFO_WDDM_CONTEXTS VALUES (4096, 1, 2, ''), (8192, 0, 5, 'Compute_0');
            CREATE TABLE WDDM_QUEUE_PACKET_START_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER, gpu INTEGER,
                context INTEGER, submitSequence INTEGER, engineType INTEGER);
            CREATE TABLE WDDM_QUEUE_PACKET_STOP_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER, gpu INTEGER,
                context INTEGER, submitSequence INTEGER, engineType INTEGER);
            INSERT INTO WDDM_QUEUE_PACKET_START_EVENTS VALUES (100, 100, 1677721701, 0, 4096, 1, 1),
                (150, 150, 1677721701, 0, 4096, 2, 1), (400, 400, 1677721701, 0, 8192, 1, 0), (500, 500, 1677721701, 0, 4096, 3, 1);
            INSERT INTO WDDM_QUEUE_PACKET_STOP_EVENTS VALUES (200, 200, 1677721701, 0, 4096, 1, 1),
                (300, 300, 1677721701, 0, 4096, 2, 1), (480, 480, 1677721701, 0, 8192, 1, 0), (50, 50, 1677721701, 0, 4096, 1, 1);
            CREATE TABLE WDDM_DMA_PACKET_START_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER, gpu INTEGER,
                context INTEGER, uliSubmissionId INTEGER, engineType INTEGER);
            CREATE TABLE WDDM_DMA_PACKET_STOP_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER, gpu INTEGER,
                context INTEGER, uliCompletionId INTEGER, engineType INTEGER);
            INSERT INTO WDDM_DMA_PACKET_START_EVENTS VALUES (110, 110, 1677721701, 0, 4096, 9, 6);
            INSERT INTO WDDM_DMA_PACKET_STOP_EVENTS VALUES (600, 600, 1677721701, 0, 4096, 9, 6);
        )sql");
        QCOMPARE(csvOf(report, "wddm_queue_sum"),
            QByteArray(
                "Utilization (%),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name,Q Type,Q "
                "Name,PID,GPU ID,Context,Engine,Node Ord\n"
                "98.0,1,490.0,490.0,490,490,0.0,Copy,1,dma,100,0,4096,6,2\n"
                "40.0,2,125.0,125.0,100,150,35.4,3D,0,queue,100,0,4096,1,2\n"
                "16.0,1,80.0,80.0,80,80,0.0,Compute_0,0,queue,100,0,8192,0,5\n"));
        const auto trace = loadReport(report.path());
        QVERIFY(trace.ok());
        QCOMPARE(trace.value()->info.problems.size(), std::size_t{1}); // the packet that did not end
        QCOMPARE(trace.value()->libraryCalls().tracks.front().device, 0);
    }

    void videoCalls()
    {
        ReportFixture report;
        report.run(names);
        report.run(R"sql(
            CREATE TABLE NVVIDEO_DECODER_API (start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER);
            CREATE TABLE NVVIDEO_ENCODER_API (start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER);
            CREATE TABLE NVVIDEO_JPEG_API (start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER);
            INSERT INTO NVVIDEO_DECODER_API VALUES (0, 500, 1677721701, 3);
            INSERT INTO NVVIDEO_ENCODER_API VALUES (0, 300, 1677721701, 4);
            INSERT INTO NVVIDEO_JPEG_API VALUES (0, 200, 1677721701, 5);
        )sql");
        QCOMPARE(csvOf(report, "nvvideo_api_sum"),
            QByteArray("Time (%),Total Time (ns),Num Calls,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),"
                       "Event Type,Name\n"
                       "50.0,500,1,500.0,500.0,500,500,0.0,Decoder,cuvidDecodePicture\n"
                       "30.0,300,1,300.0,300.0,300,300,0.0,Encoder,NvEncEncodePicture\n"
                       "20.0,200,1,200.0,200.0,200,200,0.0,JPEG,nvjpegDecode\n"));
    }

    /// Faults by the instruction that caused them; without a name, by its address. Columns that older exports
    /// lack are empty.
    void pageFaultsByInstruction()
    {
        ReportFixture report;
        report.run(names);
        report.run(R"sql(
            CREATE TABLE CUDA_UM_CPU_PAGE_FAULT_EVENTS (start INTEGER, globalPid INTEGER, address INTEGER,
                originalFaultPc INTEGER, CpuInstruction INTEGER, sourceFile INTEGER, sourceLine INTEGER);
            INSERT INTO CUDA_UM_CPU_PAGE_FAULT_EVENTS VALUES (10, 1677721600, 4096, 17, 6, 7, 12),
                (20, 1677721600, 8192, 17, 6, 7, 12), (30, 1677721600, 4096, 48879, NULL, NULL, NULL);
        )sql");
        QCOMPARE(csvOf(report, "um_cpu_page_faults_sum"),
            QByteArray("CPU Page Faults,CPU Instruction Address,Source File,Source Line\n"
                       "2,main,a.cpp,12\n"
                       "1,0xBEEF,,\n"));
        QCOMPARE(csvOf(report, "um_total_sum").split('\n')[1], QByteArray("0.000,0.000,3,0,,"));
        QCOMPARE(csvOf(report, "um_sum").split('\n')[1], QByteArray("0x1000,,,2,,"));
        StatsQuery one;
        one.variant = "rows=1";
        QCOMPARE(csvOf(report, "um_sum", one).count('\n'), 2);
    }

    void waitingNetworkDevices()
    {
        ReportFixture report;
        report.run(names);
        report.run(R"sql(
            CREATE TABLE TARGET_INFO_NETWORK_METRICS (metricsListId INTEGER, metricsIdx INTEGER, name TEXT, unit TEXT);
            INSERT INTO TARGET_INFO_NETWORK_METRICS VALUES (0, 0, 'IB: Bytes sent', 'B'), (0, 1, 'IB: Send waits', '');
            CREATE TABLE TARGET_INFO_NIC_INFO (GUID INTEGER, nicId INTEGER, name TEXT);
            INSERT INTO TARGET_INFO_NIC_INFO VALUES (48879, 3, 'mlx5_0');
            CREATE TABLE NIC_ID_MAP (nicId INTEGER, globalId INTEGER);
            INSERT INTO NIC_ID_MAP VALUES (3, 77);
            CREATE TABLE NET_NIC_METRIC (start INTEGER, end INTEGER, globalId INTEGER, portId INTEGER,
                metricsListId INTEGER, metricsIdx INTEGER, value INTEGER);
            INSERT INTO NET_NIC_METRIC VALUES (2000000, 4000000, 77, 1, 0, 1, 30000), (0, 2000000, 77, 1, 0, 1, 20000),
                (4000000, 5000000, 77, 1, 0, 0, 999999), (5000000, 5000000, 77, 1, 0, 1, 999999);
            CREATE TABLE NET_IB_SWITCH_METRIC (start INTEGER, end INTEGER, GUID INTEGER, portId INTEGER,
                metricsListId INTEGER, metricsIdx INTEGER, value INTEGER);
            INSERT INTO NET_IB_SWITCH_METRIC VALUES (1000000, 2000000, 51966, 1, 0, 1, 20000);
        )sql");
        const QByteArray header = "Start (ns),End (ns),Duration (ns),Send wait rate,GUID,Name\n";
        const QByteArray both
            = "1000000,2000000,1000000,20000.0,0xCAFE,\n2000000,4000000,2000000,15000.0,0xBEEF,mlx5_0\n";
        QCOMPARE(csvOf(report, "network_congestion"), header + both);
        StatsQuery query;
        query.variant = "ticks_threshold=9999";
        QCOMPARE(csvOf(report, "network_congestion", query),
            header + "0,2000000,2000000,10000.0,0xBEEF,mlx5_0\n" + both);
        query.window = {2000000, 2000001};
        QCOMPARE(csvOf(report, "network_congestion", query).count('\n'), 2);
    }

    /// A range of PIX is two calls with one number: it lasts from the end of the first to the start of the
    /// second.
    void pixRanges_data()
    {
        QTest::addColumn<QString>("report");
        QTest::addColumn<QString>("table");
        QTest::newRow("11") << "dx11_pix_sum"
                            << "D3D11_PIX_DEBUG_API";
        QTest::newRow("12") << "dx12_pix_sum"
                            << "D3D12_PIX_DEBUG_API";
    }
    void pixRanges()
    {
        QFETCH(QString, report);
        QFETCH(QString, table);
        ReportFixture made;
        made.run(names);
        made.run(QString(R"sql(
            CREATE TABLE %1 (start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER,
                nameId INTEGER, textId INTEGER);
            INSERT INTO %1 VALUES (0, 10, 1677721701, 1, 3, 6), (20, 30, 1677721701, 2, 3, 7),
                (80, 90, 1677721701, 2, 4, NULL), (110, 120, 1677721701, 1, 4, NULL),
                (200, 210, 1677721701, 3, 3, 6), (210, 220, 1677721702, 3, 4, NULL);)sql")
                     .arg(table)
                     .toStdString());
        const QByteArray csv = csvOf(made, qPrintable(report));
        QVERIFY2(
            csv.endsWith("66.7,100,1,100.0,100.0,100,100,0.0,main\n33.3,50,1,50.0,50.0,50,50,0.0,a.cpp\n"),
            csv.constData());
    }

    /// OpenGL ranges are distinguished by their class: 62 on the CPU, 63 on the GPU. A range without a length
    /// counts on the GPU.
    void openGlRanges()
    {
        ReportFixture made;
        made.run(names);
        made.run(R"sql(
            CREATE TABLE KHR_DEBUG_EVENTS (eventClass INTEGER, start INTEGER, end INTEGER, textId INTEGER,
                globalTid INTEGER, source INTEGER, khrdType INTEGER, id INTEGER, severity INTEGER,
                correlationId INTEGER, context INTEGER);
            INSERT INTO KHR_DEBUG_EVENTS (eventClass, start, end, textId, globalTid) VALUES
                (62, 0, 100, 6, 1677721701), (63, 50, 350, 6, 1677721701), (63, 400, 400, 6, 1677721701),
                (63, 400, 400, 7, 1677721701);)sql");
        const QByteArray onCpu = csvOf(made, "opengl_khr_range_sum");
        QVERIFY2(onCpu.endsWith("\n100.0,100,1,100.0,100.0,100,100,0.0,main\n"), onCpu.constData());
        const QByteArray onGpu = csvOf(made, "opengl_khr_gpu_range_sum");
        QVERIFY2(onGpu.endsWith("\n100.0,300,2,150.0,150.0,0,300,212.1,main\n"), onGpu.constData());
        QCOMPARE(csvOf(made, "vulkan_gpu_marker_sum"), QByteArray("does not apply"));
    }

    /// Library calls without anything but a time.
    void noNames()
    {
        ReportFixture report;
        report.run(names);
        report.run(R"sql(
            CREATE TABLE MPI_P2P_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER);
            INSERT INTO MPI_P2P_EVENTS VALUES (0, 5, 1677721701), (3, NULL, NULL), (9, 2, 1677721701);
            CREATE TABLE OPENMP_EVENT_KIND_TASK (start INTEGER, end INTEGER);
            INSERT INTO OPENMP_EVENT_KIND_TASK VALUES (0, 5), (NULL, NULL);
        )sql");
        QCOMPARE(csvOf(report, "mpi_event_trace").count('\n'), 4);
        QCOMPARE(csvOf(report, "mpi_msg_size_sum").count('\n'), 1);
        QCOMPARE(csvOf(report, "openmp_sum").count('\n'), 2);
    }
};

WARPLINE_TEST(StatsDocumented)

} // namespace tst_stats_documented

#include "tst_stats_documented.moc"
