// Every table compared with nsys' output for the same report, byte for byte.

#include "core/derive/nvtx_projection.h"
#include "core/load/load_report.h"
#include "core/stats/nvtx_nesting.h"
#include "core/stats/stats_table.h"
#include "tests/core/stats/golden.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFileInfo>
#include <QTest>

namespace tst_stats_golden {

using namespace warpline;
using namespace warpline::test;

namespace {

constexpr const char* framesFolder = WARPLINE_SHARED_REPORTS "/../frames";

} // namespace

class StatsGolden : public QObject {
    Q_OBJECT

private slots:
    void ownReports_data()
    {
        addReports(WARPLINE_TEST_DATA "/reports", WARPLINE_TEST_DATA "/golden", "%1.sqlite", "%1");
    }
    void ownReports() { compare(); }
    /// Each folder with nsys' tables for the report next to it.
    void sharedReports_data()
    {
        QTest::addColumn<QString>("report");
        QTest::addColumn<QString>("folder");
        const QDir shared(WARPLINE_SHARED_REPORTS);
        for (const QString& collection : {QString("h200"), QString("h200-more")}) {
            for (const QString& name :
                QDir(shared.filePath(collection)).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
                const QDir folder(shared.filePath(collection + '/' + name));
                for (const QString& tables :
                    folder.entryList({"stats", "more", "stats_*"}, QDir::Dirs, QDir::Name)) {
                    const QString report = tables.startsWith("stats_") ? tables.section('_', 1) : name;
                    QTest::newRow(qPrintable(name + '/' + tables))
                        << folder.filePath(report + ".sqlite") << folder.filePath(tables);
                }
            }
        }
    }
    void sharedReports() { compare(); }
    /// Reports of programs that draw.
    void frames_data()
    {
        QTest::addColumn<QString>("report");
        QTest::addColumn<QString>("folder");
        const QDir folder(framesFolder);
        for (const QString& tables : folder.entryList({"*.stats"}, QDir::Dirs, QDir::Name))
            QTest::newRow(qPrintable(tables))
                << folder.filePath(tables.chopped(6) + ".sqlite") << folder.filePath(tables);
    }
    void frames() { compare(); }

    /// Tables listed as compared are the compared ones.
    void listTellsTheTruth()
    {
        if (m_compared.isEmpty() || !QFileInfo::exists(WARPLINE_SHARED_REPORTS "/h200-more")
            || !QFileInfo::exists(framesFolder))
            QSKIP("the shared collection of reports is not there");
        for (const StatsTable* const table : allStatsTables()) {
            QVERIFY2((table->origin == TableOrigin::Compared)
                    == m_compared.contains(QString::fromStdString(std::string(table->id))),
                table->id.data());
        }
    }

    /// The rows of the timeline project ranges by device, through an index of their own; joined over the
    /// devices they must equal the tables.
    void timelineAgrees()
    {
        int compared = 0;
        for (const char* const name :
            {"bert_fp32", "ddp_2gpu", "cnn_workers8", "launch_graph_node", "storm_80k"}) {
            const QString path = QString(WARPLINE_SHARED_REPORTS "/h200/%1/%1.sqlite").arg(name);
            if (!QFileInfo::exists(path))
                continue;
            const auto trace = loadReport(path.toStdString());
            QVERIFY(trace.ok());
            std::vector<NvtxProjection> ofRows(trace.value()->nvtx().size());
            for (const RangeProjection& part : projectRanges(*trace.value())) {
                NvtxProjection& whole = ofRows[part.range];
                whole.projected
                    = whole.operations > 0 ? whole.projected.unitedWith(part.projected) : part.projected;
                ++whole.operations;
            }
            const auto ofTables = projectForTables(*trace.value(), CallTwins(*trace.value()));
            for (std::size_t i = 0; i < ofRows.size(); ++i) {
                QCOMPARE(ofRows[i].operations > 0, ofTables[i].operations > 0);
                QCOMPARE(ofRows[i].projected, ofTables[i].projected);
            }
            ++compared;
        }
        if (compared == 0)
            QSKIP("there are no reports to compare with");
    }

private:
    static void addReports(
        const QString& reports, const QString& goldens, const QString& report, const QString& golden)
    {
        QTest::addColumn<QString>("report");
        QTest::addColumn<QString>("folder");
        for (const QString& name : QDir(goldens).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
            QTest::newRow(name.toUtf8().constData())
                << reports + '/' + report.arg(name) << goldens + '/' + golden.arg(name);
        }
    }

    void compare()
    {
        if (!QTest::currentDataTag())
            QSKIP("there are no reports to compare with");
        QFETCH(QString, report);
        QFETCH(QString, folder);
        QVERIFY2(QFileInfo::exists(report), qPrintable(report));
        int compared = 0;
        const QStringList differing = differingTables(report, folder, compared, m_compared);
        QVERIFY2(differing.isEmpty(), qPrintable(differing.join('\n')));
        QVERIFY2(compared > 0, "no table to compare with");
    }

    QSet<QString> m_compared;
};

WARPLINE_TEST(StatsGolden)

} // namespace tst_stats_golden

#include "tst_stats_golden.moc"
