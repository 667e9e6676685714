// Every table against what nsys itself printed for the same report, byte for byte.

#include "tests/core/stats/golden.h"

#include <QDir>
#include <QFileInfo>
#include <QTest>

using namespace warpline::test;

class StatsGolden : public QObject {
    Q_OBJECT

private slots:
    void ownReports_data()
    {
        addReports(WARPLINE_TEST_DATA "/reports", WARPLINE_TEST_DATA "/golden", "%1.sqlite", "%1");
    }
    void ownReports() { compare(); }
    void sharedReports_data()
    {
        addReports(
            WARPLINE_SHARED_REPORTS "/h200", WARPLINE_SHARED_REPORTS "/h200", "%1/%1.sqlite", "%1/stats");
    }
    void sharedReports() { compare(); }

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

    static void compare()
    {
        if (!QTest::currentDataTag())
            QSKIP("there are no reports to compare with");
        QFETCH(QString, report);
        QFETCH(QString, folder);
        QVERIFY2(QFileInfo::exists(report), qPrintable(report));
        int compared = 0;
        const QStringList differing = differingTables(report, folder, compared);
        QVERIFY2(differing.isEmpty(), qPrintable(differing.join('\n')));
        QVERIFY2(compared > 0, "no table to compare with");
    }
};

QTEST_APPLESS_MAIN(StatsGolden)
#include "tst_stats_golden.moc"
