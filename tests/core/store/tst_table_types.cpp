// The table type of a kind of event, defined once; and the name of its attribute.

#include "core/store/attributes.h"
#include "core/store/table_builder.h"
#include "core/store/trace_builder.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_table_types {

using namespace warpline;

class TableTypesTest : public QObject {
    Q_OBJECT

private slots:
    void typedKindsTakeNoPlainTable();
    void emptyTablesHaveTheirType();
    void attributesHaveNames();
};

void TableTypesTest::typedKindsTakeNoPlainTable()
{
    QVERIFY(isTableOf<KernelTable>(EventKind::Kernel));
    QVERIFY(isTableOf<const NvtxTable>(EventKind::Nvtx));
    QVERIFY(isTableOf<EventTable>(EventKind::ApiCall));
    QVERIFY(!isTableOf<EventTable>(EventKind::Kernel)); // launch() would read missing data
    QVERIFY(!isTableOf<MemcpyTable>(EventKind::Kernel));
    QVERIFY(!isTableOf<KernelTable>(EventKind::Memset));
}

void TableTypesTest::emptyTablesHaveTheirType()
{
    const Trace trace;
    for (const EventKind kind : allEventKinds())
        QCOMPARE(trace.table(kind).kind, kind);
    QVERIFY(trace.kernels().launches.empty());
    QVERIFY(trace.pageFaults().sites.empty());
}

void TableTypesTest::attributesHaveNames()
{
    TraceBuilder trace(std::make_shared<StringPool>());
    const auto set = [&trace](EventKind kind, std::uint32_t attribute) {
        TableBuilder builder(kind);
        builder.add(builder.track({}), 0, 10, {}, 1);
        builder.addAttribute(attribute);
        trace.setTable(finish(builder));
    };
    set(EventKind::Memset, static_cast<std::uint32_t>(MemoryKind::Pinned));
    set(EventKind::ThreadState, 17);
    set(EventKind::Sample, 18);
    set(EventKind::ApiCall, static_cast<std::uint32_t>(-3));
    set(EventKind::HostFunction, 4);
    set(EventKind::NvtxProjected, 5);
    set(EventKind::CpuCore, 0);
    const auto made = trace.snapshot();
    QCOMPARE(memoryOfSet(*made, 0), MemoryKind::Pinned);
    QCOMPARE(coreOfState(*made, 0), 17U);
    QCOMPARE(coreOfSample(*made, 0), 18U);
    QCOMPARE(returnedBy(*made, 0), -3);
    QCOMPARE(graphOfHostFunction(*made, 0), 4U);
    QCOMPARE(rangeProjectedBy(*made, 0), 5U);
    QCOMPARE(madeFrom(*made, {EventKind::NvtxProjected, 0}), (EventRef{EventKind::Nvtx, 5}));
    QCOMPARE(madeFrom(*made, {EventKind::CpuCore, 0}), (EventRef{EventKind::ThreadState, 0}));
}

WARPLINE_TEST(TableTypesTest)

} // namespace tst_table_types

#include "tst_table_types.moc"
