// Tables of several reports as one: the report of a row, its cells, and its events.

#include "core/table/joined_cells.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_joined_cells {

using namespace warpline;

namespace {

std::shared_ptr<const Cells> table(
    std::vector<Column> columns, const std::vector<std::vector<Cell>>& rows, EventIndex event = 0)
{
    auto cells = std::make_shared<Cells>();
    cells->columns = std::move(columns);
    for (const std::vector<Cell>& row : rows) {
        const EventRef behind{EventKind::Kernel, event++};
        cells->addRow(row, std::span(&behind, 1));
    }
    return cells;
}

const std::vector<Column> plain{{"Count", Unit::Count}, {"Name", Unit::Text}};

} // namespace

class JoinedCellsTest : public QObject {
    Q_OBJECT

private slots:
    void rowsSayWhoseTheyAre();
    void columnsAreMatchedByTitle();
    void emptyPartsAreLeftOut();
};

void JoinedCellsTest::rowsSayWhoseTheyAre()
{
    const std::vector<CellsOfReport> parts{
        {"rank 0",
            table(plain, {{std::int64_t{3}, std::string("gemm")}, {std::int64_t{1}, std::string("relu")}})},
        {"rank 1", table(plain, {{std::int64_t{4}, std::string("gemm")}}, 7)}};
    const Cells all = joinCells(parts);
    QCOMPARE(all.columns.size(), 3U);
    QCOMPARE(all.columns[0].title, std::string("Report"));
    QCOMPARE(all.columns[1].unit, Unit::Count);
    QCOMPARE(all.rowCount(), 3U);
    QVERIFY(all.at(0, 0) == Cell(std::string("rank 0")) && all.at(1, 2) == Cell(std::string("relu")));
    QVERIFY(all.row(2) == (std::vector<Cell>{std::string("rank 1"), std::int64_t{4}, std::string("gemm")}));
    const PlaceInParts place = placeInParts(parts, 2);
    QVERIFY(place.part == 1 && place.row == 0);
    QCOMPARE(placeInParts(parts, 1).row, 1U);
    QCOMPARE(all.events(2), (std::vector<EventRef>{{EventKind::Kernel, 7}}));
}

void JoinedCellsTest::columnsAreMatchedByTitle()
{
    const Cells all = joinCells({{"a", table(plain, {{std::int64_t{3}, std::string("gemm")}})},
        {"b",
            table(
                {{"Name", Unit::Text}, {"Other", Unit::Text}}, {{std::string("load"), std::string("x")}})}});
    QCOMPARE(all.columns.size(), 3U);
    QVERIFY(all.row(1) == (std::vector<Cell>{std::string("b"), Cell(), std::string("load")}));
}

void JoinedCellsTest::emptyPartsAreLeftOut()
{
    const std::vector<CellsOfReport> parts{{"a", table({}, {})}, {"b", table(plain, {})},
        {"c", table(plain, {{std::int64_t{3}, std::string("gemm")}})}};
    const Cells all = joinCells(parts);
    QCOMPARE(all.rowCount(), 1U);
    QCOMPARE(all.columns.size(), 3U);
    QVERIFY(all.at(0, 0) == Cell(std::string("c")));
    QCOMPARE(placeInParts(parts, 0).part, 2U);
    QCOMPARE(joinCells({}).rowCount(), 0U);
}

WARPLINE_TEST(JoinedCellsTest)

} // namespace tst_joined_cells

#include "tst_joined_cells.moc"
