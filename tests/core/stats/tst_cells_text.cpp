// Cells as CSV, table, Markdown and JSON.

#include "core/base/format.h"
#include "core/export/cells_text.h"
#include "core/render/render.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

namespace tst_cells_text {

using namespace warpline;

namespace {

Cells sample()
{
    Cells cells;
    cells.columns = {{"Time (%)", Unit::Percent}, {"Total Time (ns)", Unit::Nanoseconds},
        {"Avg (ns)", Unit::NanosecondsReal}, {"Total (MB)", Unit::Megabytes}, {"PID", Unit::Integer},
        {"Name", Unit::Text}};
    cells.addRow(
        {62.25, std::int64_t{1234567}, 1353.55, 0.0125, std::int64_t{98765}, std::string("f<a, b>(char *)")});
    cells.addRow({37.75, std::int64_t{-5}, Cell{}, 400.0, Cell{}, std::string("say \"hi\" | x\xFF")});
    return cells;
}

} // namespace

class CellsText : public QObject {
    Q_OBJECT

private slots:
    void longCellsLoseTheirMiddle()
    {
        const std::string end = QString::fromUtf8("\u00fc").append("bcd").toStdString();
        std::string name(4000, 'a');
        name.append(end);
        Cells cells;
        cells.columns = {{"Name", Unit::Text}, {"n", Unit::Integer}};
        cells.addRow({name, std::int64_t{1}});
        cells.addRow({std::string("short"), std::int64_t{2}});
        QVERIFY(toTable(cells).find(name) != std::string::npos);
        const std::string fit = toTable(cells, 20);
        const std::string shown = "aaaaaaaa...aaaaa";
        QVERIFY2(
            fit.find(shown) != std::string::npos && fit.find("a" + end) != std::string::npos, fit.c_str());
        QVERIFY(fit.find(std::string(9, 'a')) == std::string::npos);
        QVERIFY(fit.find("short") != std::string::npos);
    }
    /// A table that is cut into blocks anyway keeps its texts as far as the blocks have room.
    void blocksKeepTexts()
    {
        const std::string begin = "step_1/forward/layer_";
        Cells cells;
        cells.columns = {{"Name", Unit::Text}};
        std::vector<Cell> row{Cell()};
        for (int column = 0; column < 9; ++column) {
            cells.columns.push_back({"Total Time (ns)", Unit::Nanoseconds});
            row.emplace_back(std::int64_t{123456789012});
        }
        for (int layer = 0; layer < 10; ++layer) {
            row.front() = begin + std::to_string(layer) + "/ffn";
            cells.addRow(row);
        }
        const QString table = QString::fromStdString(toTable(cells, 0, 80));
        QCOMPARE(table.count("step_1/forward/layer_7/ffn"), 3); // three numbers fit next to it
        for (const QString& line : table.split('\n'))
            QVERIFY(line.size() <= 80);
        // Half of the line at most, so that the numbers have room, too.
        const QString narrow = QString::fromStdString(toTable(cells, 0, 48));
        QCOMPARE(narrow.count("step_1/for...layer_7/ffn"), 9);
    }

    void rounding_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<int>("decimals");
        QTest::addColumn<QString>("expected");
        QTest::newRow("exact half, even before it") << 12.25 << 1 << "12.3";
        QTest::newRow("exact half, odd before it") << 12.75 << 1 << "12.8";
        QTest::newRow("negative half") << -12.25 << 1 << "-12.3";
        QTest::newRow("just below a half in binary") << 1353.55 << 1 << "1353.5";
        QTest::newRow("just above a half in binary") << 0.35 << 1 << "0.3"; // 0.34999...
        QTest::newRow("whole") << 7.0 << 1 << "7.0";
        QTest::newRow("three decimals") << 0.0625 << 3 << "0.063";
        QTest::newRow("large") << 123456789012.5 << 0 << "123456789013";
        QTest::newRow("zero") << 0.0 << 1 << "0.0";
    }
    void rounding()
    {
        QFETCH(double, value);
        QFETCH(int, decimals);
        QFETCH(QString, expected);
        QCOMPARE(QString::fromStdString(formatRounded(value, decimals)), expected);
    }

    void halvesOfMegabytesGoToTheEvenSide()
    {
        Cells cells;
        cells.columns = {{"Size (MB)", Unit::Megabytes}, {"Avg", Unit::Real}};
        cells.addRow({1.5625, 12.25});
        cells.addRow({1.5635, 12.75});
        cells.addRow({0.0635, 1.0});
        QCOMPARE(QString::fromStdString(toCsv(cells)),
            QString("Size (MB),Avg\n1.562,12.3\n1.563,12.8\n0.064,1.0\n"));
    }

    void csv()
    {
        QCOMPARE(QByteArray::fromStdString(toCsv(sample())),
            QByteArray("Time (%),Total Time (ns),Avg (ns),Total (MB),PID,Name\n"
                       "62.3,1234567,1353.5,0.013,98765,\"f<a, b>(char *)\"\n"
                       "37.8,-5,,400.000,,\"say \"\"hi\"\" | x\xFF\"\n"));
    }

    void csvQuotesLineBreaks()
    {
        Cells cells;
        cells.columns = {{"Name", Unit::Text}};
        cells.addRow({std::string("a\nb")});
        cells.addRow({std::string(" padded ")});
        QCOMPARE(QByteArray::fromStdString(toCsv(cells)), QByteArray("Name\n\"a\nb\"\n padded \n"));
    }

    void table()
    {
        const QStringList lines = QString::fromStdString(toTable(sample())).split('\n');
        QCOMPARE(lines.size(), 5); // header, rule, two rows, the end
        QCOMPARE(lines[0].trimmed().left(8), QString("Time (%)"));
        QVERIFY(lines[1].startsWith(" --------  ---------------"));
        QVERIFY(lines[2].contains("      1,234,567  "));
        QVERIFY(lines[2].contains("  98765  ")); // ids have no separators
        for (int line = 1; line < 4; ++line)
            QCOMPARE(lines[line].size(), lines[0].size());
    }

    void markdown()
    {
        const QStringList lines = QString::fromStdString(toMarkdown(sample())).split('\n');
        QCOMPARE(lines[1], QString("| ---: | ---: | ---: | ---: | ---: | --- |"));
        QVERIFY(lines[2].contains("f\\<a, b\\>(char \\*)"));
        QVERIFY(lines[3].contains("\\| x")); // a bar would end the cell
    }

    /// One function for every table: no name ends a cell, a row, or opens code.
    void markdownCells()
    {
        QCOMPARE(markdownCell("a|b `c` <int>\nd\r\n"), std::string("a\\|b \\`c\\` \\<int\\> d  "));
        QCOMPARE(markdownCell("__x*[1]"), std::string("\\_\\_x\\*\\[1\\]"));
        // Sentences mark code themselves, and hold names outside of it.
        QCOMPARE(
            markdownProse("waits in `a<b>`: f<int>, x*y"), std::string("waits in `a<b>`: f\\<int>, x\\*y"));
    }

    void headsAndCellsHaveOneLine()
    {
        Cells cells;
        cells.columns = {{"idle\nbelow", Unit::Text}};
        cells.addRow({std::string("a\r\nb\u2028c")});
        QCOMPARE(toTable(cells), std::string(" idle below\n ----------\n a  b c    \n"));
    }

    void json()
    {
        QJsonParseError error;
        const QJsonArray rows
            = QJsonDocument::fromJson(QByteArray::fromStdString(toJson(sample())), &error).array();
        QCOMPARE(error.error, QJsonParseError::NoError);
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows[0].toObject()["Total Time (ns)"].toInteger(), qint64{1234567});
        QCOMPARE(rows[0].toObject()["Avg (ns)"].toDouble(), 1353.5);
        QVERIFY(rows[1].toObject()["Avg (ns)"].isNull());
        QCOMPARE(rows[1].toObject()["Name"].toString(), QString("say \"hi\" | x\uFFFD"));
    }

    void emptyTables()
    {
        Cells cells;
        cells.columns = {{"Name", Unit::Text}};
        QCOMPARE(QByteArray::fromStdString(toCsv(cells)), QByteArray("Name\n"));
        QCOMPARE(QJsonDocument::fromJson(QByteArray::fromStdString(toJson(cells))).array().size(), 0);
    }

    void rowsKeepTheirEvents()
    {
        Cells cells;
        cells.columns = {{"A", Unit::Count}};
        for (EventIndex i = 0; i < 3; ++i)
            cells.addRow({std::int64_t{i}}, std::vector(i, EventRef{EventKind::Kernel, i}));
        for (EventIndex i = 0; i < 3; ++i)
            QCOMPARE(cells.events(i), std::vector(i, EventRef{EventKind::Kernel, i}));
    }

    /// Rows from a source are created on demand and written without being stored. All formats equal those of
    /// stored rows.
    void rowsFromASource()
    {
        Cells held;
        Cells made;
        held.columns = made.columns = {{"A", Unit::Count}, {"B", Unit::Text}};
        const auto rowOf = [](std::size_t row) {
            return std::vector<Cell>{std::int64_t(row), "b" + std::to_string(row)};
        };
        constexpr std::size_t rows = 20'000; // several pieces of text
        std::size_t asked = 0;
        for (std::size_t row = 0; row < rows; ++row)
            held.addRow(rowOf(row));
        made.setSource({rows,
            [&](std::size_t row) {
                ++asked;
                return rowOf(row);
            },
            [](std::size_t row) {
                return EventRef{EventKind::Nvtx, static_cast<EventIndex>(row)};
            }});
        QCOMPARE(made.rowCount(), rows);
        QCOMPARE(asked, std::size_t{0});
        QVERIFY(made.at(7, 1) == Cell{std::string("b7")});
        QCOMPARE(made.events(9), (std::vector{EventRef{EventKind::Nvtx, 9}}));
        QCOMPARE(toCsv(made), toCsv(held));
        QCOMPARE(toTable(made), toTable(held));
        QCOMPARE(toJson(made), toJson(held));
        QCOMPARE(toMarkdown(made), toMarkdown(held));
        asked = 0;
        std::size_t written = 0;
        QVERIFY(!writeCsv(made, [&](std::string_view piece) {
            written += piece.size();
            return false; // a reader that goes away
        }));
        QVERIFY(asked < rows && written < toCsv(held).size());
    }
};

WARPLINE_TEST(CellsText)

} // namespace tst_cells_text

#include "tst_cells_text.moc"
