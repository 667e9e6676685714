// Times as people write them, read and written in one place.

#include "core/base/duration_text.h"
#include "core/render/render.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_duration_text {

using namespace warpline;

class DurationTextTest : public QObject {
    Q_OBJECT

private slots:
    void reads_data();
    void reads();
    void refuses_data();
    void refuses();
    void writesWhatItReads();
};

void DurationTextTest::reads_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("ns");
    QTest::newRow("ns alone") << QByteArray("1500") << qint64{1500};
    QTest::newRow("us") << QByteArray("10us") << qint64{10'000};
    QTest::newRow("with a space") << QByteArray(" 1.5 ms ") << qint64{1'500'000};
    QTest::newRow("micro sign") << QByteArray("2.5\xc2\xb5s") << qint64{2500};
    QTest::newRow("letter mu") << QByteArray("2.5 \xce\xbcs") << qint64{2500};
    QTest::newRow("capitals") << QByteArray("3MS") << qint64{3'000'000};
    QTest::newRow("before the start") << QByteArray("-2s") << qint64{-2'000'000'000};
    QTest::newRow("exact beyond 2^53") << QByteArray("9007199254740993ns") << qint64{9007199254740993};
}

void DurationTextTest::reads()
{
    QFETCH(QByteArray, text);
    QFETCH(qint64, ns);
    const auto time = parseTime(std::string_view(text.data(), static_cast<std::size_t>(text.size())));
    QVERIFY2(time.ok(), text);
    QCOMPARE(time.value(), ns);
}

void DurationTextTest::refuses_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* const text : {"", "us", "ten us", "1.5", "1 2us", "10 min", "1e30s", "nan s"})
        QTest::newRow(*text ? text : "nothing") << QByteArray(text);
}

void DurationTextTest::refuses()
{
    QFETCH(QByteArray, text);
    const auto time = parseTime(std::string_view(text.data(), static_cast<std::size_t>(text.size())));
    QVERIFY2(!time.ok(), text);
    QVERIFY(plain(time.error().message).find(text.toStdString()) != std::string::npos);
}

void DurationTextTest::writesWhatItReads()
{
    QCOMPARE(shortDuration(20'000, 10), std::string("20 \u00b5s"));
    QCOMPARE(shortDuration(1'500'000, 10), std::string("1.5 ms"));
    QCOMPARE(shortDuration(0, 4), std::string("0 ns"));
    QCOMPARE(shortDuration(999.96, 4), std::string("1 \u00b5s"));
    QCOMPARE(shortDuration(999.9, 4), std::string("999.9 ns"));
    QCOMPARE(shortDuration(31.6227766, 4), std::string("31.62 ns"));
    for (const Ns ns : {Ns{1}, Ns{999}, Ns{123'456}, Ns{7'000'000'000}, Ns{-2'500'000}}) {
        const auto read = parseTime(shortDuration(static_cast<double>(ns), 10));
        QVERIFY(read.ok());
        QCOMPARE(read.value(), ns);
    }
}

WARPLINE_TEST(DurationTextTest)

} // namespace tst_duration_text

#include "tst_duration_text.moc"
