// What NVTX ranges do on the GPU: how equal projections nest.

#include "core/derive/nvtx_projection.h"
#include "tests/core/findings/drawn_program.h"

#include <QTest>

using namespace warpline;
using namespace warpline::test;

class NvtxProjectionTest : public QObject {
    Q_OBJECT

private slots:
    void equalProjectionsNestAsTheirRanges();
};

void NvtxProjectionTest::equalProjectionsNestAsTheirRanges()
{
    // Three ranges launch one kernel: all are as long on the GPU. Their names were read in another order than
    // they nest, as threads may read them.
    DrawnProgram program;
    for (const char* const name : {"inner", "middle", "outer"}) {
        program.range(name, {0, 10 * us});
        program.kernel("early", 2 * us, {3 * us, 9 * us});
    }
    program.range("outer", {ms, 2 * ms});
    program.range("middle", {ms + us, 2 * ms - us});
    program.range("inner", {ms + 2 * us, 2 * ms - 2 * us});
    program.kernel("work", ms + 3 * us, {ms + 10 * us, ms + 20 * us});
    const auto trace = program.finish();
    const auto table = projectNvtx(*trace, {});
    std::vector<std::string> names;
    for (EventIndex i = 0; i < table->size(); ++i) { // lane by lane
        if (table->start[i] == ms + 10 * us)
            names.emplace_back(trace->text(table->name[i]));
    }
    QCOMPARE(names, (std::vector<std::string>{"outer", "middle", "inner"}));
}

QTEST_APPLESS_MAIN(NvtxProjectionTest)
#include "tst_nvtx_projection.moc"
