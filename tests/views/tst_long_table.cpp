// A table of any number of lines: looks and behaves as QTableView does, but lays out no lines.

#include "tests/bench/thread_time.h"
#include "tests/support/test_program.h"
#include "views/panels/long_table.h"
#include "views/panels/table_columns.h"

#include <QAbstractTableModel>
#include <QApplication>
#include <QHeaderView>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStyle>
#include <QStyleOptionSlider>
#include <QTest>
#include <QWheelEvent>

#include <memory>
#include <vector>

namespace tst_long_table {

using namespace warpline;

namespace {

constexpr int thirtyMillion = 31'000'000;

class ManyLines : public QAbstractTableModel {
public:
    explicit ManyLines(int lines)
        : m_lines(lines)
    {
    }
    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : m_lines; }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 4; }
    QVariant data(const QModelIndex& index, int role) const override
    {
        return role == Qt::DisplayRole ? QString("line %1, %2").arg(index.row()).arg(index.column())
                                       : QVariant();
    }
    QVariant headerData(int section, Qt::Orientation, int role) const override
    {
        return role == Qt::DisplayRole ? QString("Column %1").arg(section) : QVariant();
    }
    void setLines(int lines)
    {
        beginResetModel();
        m_lines = lines;
        endResetModel();
    }
    void append()
    {
        beginInsertRows({}, m_lines, m_lines);
        ++m_lines;
        endInsertRows();
    }

private:
    int m_lines;
};

void wheel(QWidget& widget, int notches)
{
    constexpr int notch = 120;
    const QPointF at = widget.rect().center();
    QWheelEvent event(
        at, widget.mapToGlobal(at), {}, {0, -notch * notches}, Qt::NoButton, {}, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

} // namespace

class LongTableTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QApplication::setStyle("Fusion");
        QApplication::setWheelScrollLines(1);
    }
    void linesCostNothing();
    void looksAsQtsTable_data();
    void looksAsQtsTable();
    void theWheelReachesEachLineOnce();
    void theBarIsDraggedToTheEnds();
    void keysWalkThroughAllLines();
    void keysJump();
    void selectionStaysWhereItIs();
    void mouseSelectsAcrossPages();
    void newLinesAreScrolledToAtOnce();
    void movedAndHiddenColumns();

private:
    std::unique_ptr<LongTable> shown(ManyLines& model)
    {
        auto table = std::make_unique<LongTable>();
        styleTable(*table);
        table->setModel(&model);
        table->resize(460, 230);
        table->show();
        table->setFocus();
        return table;
    }
    static int top(const LongTable& table) { return table.indexAt({5, 0}).row(); }
    static int wholeLines(const LongTable& table) { return table.verticalScrollBar()->pageStep(); }
    static bool isWhole(const LongTable& table, int line)
    {
        const QRect at = table.visualRect(table.model()->index(line, 0));
        return at.top() >= 0 && at.bottom() < table.viewport()->height();
    }
    static void click(LongTable& table, int line, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mouseClick(table.viewport(), Qt::LeftButton, modifiers,
            table.visualRect(table.model()->index(line, 1)).center());
    }
};

void LongTableTest::linesCostNothing()
{
    ManyLines model(0);
    const auto table = shown(model);
    QVERIFY(QTest::qWaitForWindowExposed(table.get()));
    const double before = threadMs();
    model.setLines(thirtyMillion);
    table->grab();
    table->selectAll();
    table->scrollTo(model.index(thirtyMillion / 2, 0));
    table->grab();
    model.setLines(thirtyMillion - 1);
    table->grab();
    const double took = threadMs() - before;
    QVERIFY2(took < 50, qPrintable(QString("%1 ms").arg(took))); // QTableView: half a second
}

void LongTableTest::looksAsQtsTable_data()
{
    QTest::addColumn<int>("lines");
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("width");
    QTest::newRow("few") << 5 << 0 << 460;
    QTest::newRow("more than fit") << 40 << 0 << 460;
    QTest::newRow("scrolled") << 40 << 17 << 460;
    QTest::newRow("narrow") << 40 << 3 << 250;
    QTest::newRow("none") << 0 << 0 << 460;
}

void LongTableTest::looksAsQtsTable()
{
    QFETCH(int, lines);
    QFETCH(int, first);
    QFETCH(int, width);
    ManyLines model(lines);
    const auto pictureOf = [&](QTableView& table) {
        styleTable(table);
        table.setModel(&model);
        table.resize(width, 233); // the line at the bottom is cut
        table.horizontalHeader()->moveSection(3, 1);
        table.setColumnHidden(2, true);
        table.show();
        (void)QTest::qWaitForWindowExposed(&table);
        table.scrollTo(model.index(first, 0));
        table.selectionModel()->select(
            model.index(first, 0), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        table.selectionModel()->select(
            model.index(first + 3, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
        QApplication::processEvents();
        return table.grab().toImage();
    };
    QTableView usual;
    const QImage expected = pictureOf(usual);
    usual.hide();
    LongTable table;
    const QImage image = pictureOf(table);
    QCOMPARE(image.size(), expected.size());
    QCOMPARE(table.verticalScrollBar()->maximum(), usual.verticalScrollBar()->maximum());
    QCOMPARE(table.verticalScrollBar()->value(), usual.verticalScrollBar()->value());
    QCOMPARE(table.horizontalScrollBar()->maximum(), usual.horizontalScrollBar()->maximum());
    if (image != expected) {
        expected.save("/tmp/long_table_expected.png");
        image.save("/tmp/long_table.png");
    }
    QVERIFY(image == expected);
}

void LongTableTest::theWheelReachesEachLineOnce()
{
    constexpr int lines = 700;
    ManyLines model(lines);
    const auto table = shown(model);
    std::vector<int> tops{top(*table)};
    for (int i = 0; i < 2 * lines; ++i) {
        wheel(*table->viewport(), 1);
        if (top(*table) != tops.back())
            tops.push_back(top(*table));
    }
    QCOMPARE(tops.size(), static_cast<std::size_t>(lines - wholeLines(*table) + 1));
    for (std::size_t i = 0; i < tops.size(); ++i)
        QCOMPARE(tops[i], static_cast<int>(i));
    QVERIFY(isWhole(*table, lines - 1)); // the last can be read
    for (int i = 0; i < 2 * lines; ++i)
        wheel(*table->viewport(), -1);
    QCOMPARE(top(*table), 0);
}

void LongTableTest::theBarIsDraggedToTheEnds()
{
    ManyLines model(thirtyMillion);
    const auto table = shown(model);
    QVERIFY(QTest::qWaitForWindowExposed(table.get()));
    QScrollBar& bar = *table->verticalScrollBar();
    const auto handle = [&bar] {
        QStyleOptionSlider option;
        option.initFrom(&bar);
        option.orientation = Qt::Vertical;
        option.minimum = bar.minimum();
        option.maximum = bar.maximum();
        option.sliderPosition = bar.sliderPosition();
        option.sliderValue = bar.value();
        option.singleStep = bar.singleStep();
        option.pageStep = bar.pageStep();
        option.subControls = QStyle::SC_All;
        return bar.style()
            ->subControlRect(QStyle::CC_ScrollBar, &option, QStyle::SC_ScrollBarSlider, &bar)
            .center();
    };
    const auto drag = [&](QPoint from, QPoint to) {
        QTest::mousePress(&bar, Qt::LeftButton, {}, from);
        QTest::mouseMove(&bar, (from + to) / 2);
        const int between = top(*table);
        QTest::mouseMove(&bar, to);
        QTest::mouseRelease(&bar, Qt::LeftButton, {}, to);
        return between;
    };
    const int between = drag(handle(), {handle().x(), bar.height() - 1});
    QVERIFY(between > 0 && between < thirtyMillion - 1);
    QCOMPARE(bar.value(), thirtyMillion - wholeLines(*table));
    QVERIFY(isWhole(*table, thirtyMillion - 1));
    QCOMPARE(table->indexAt(table->visualRect(model.index(thirtyMillion - 1, 2)).center()).row(),
        thirtyMillion - 1);
    drag(handle(), {handle().x(), 0});
    QCOMPARE(top(*table), 0);
}

void LongTableTest::keysWalkThroughAllLines()
{
    constexpr int lines = 400;
    ManyLines model(lines);
    const auto table = shown(model);
    table->setCurrentIndex(model.index(0, 0));
    for (int line = 0; line < lines; ++line) {
        QCOMPARE(table->currentIndex().row(), line);
        QVERIFY(isWhole(*table, line));
        QCOMPARE(table->selectionModel()->selectedRows().size(), 1);
        QTest::keyClick(table.get(), Qt::Key_Down);
    }
    QCOMPARE(table->currentIndex().row(), lines - 1); // there is no further one
    for (int line = lines - 1; line >= 0; --line) {
        QCOMPARE(table->currentIndex().row(), line);
        QVERIFY(isWhole(*table, line));
        QTest::keyClick(table.get(), Qt::Key_Up);
    }
    QCOMPARE(table->currentIndex().row(), 0);
}

void LongTableTest::keysJump()
{
    ManyLines model(thirtyMillion);
    const auto table = shown(model);
    table->setCurrentIndex(model.index(0, 0));
    const auto press = [&](Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(table.get(), key, modifiers);
        return table->currentIndex();
    };
    const int page = wholeLines(*table);
    QCOMPARE(press(Qt::Key_PageDown).row(), page);
    QCOMPARE(press(Qt::Key_PageDown).row(), 2 * page);
    QVERIFY(isWhole(*table, 2 * page));
    QCOMPARE(press(Qt::Key_PageUp).row(), page);
    QCOMPARE(press(Qt::Key_End, Qt::ControlModifier), model.index(thirtyMillion - 1, 3));
    QVERIFY(isWhole(*table, thirtyMillion - 1));
    QCOMPARE(press(Qt::Key_PageDown).row(), thirtyMillion - 1);
    QCOMPARE(press(Qt::Key_Home).column(), 0);
    QCOMPARE(press(Qt::Key_Right).column(), 1);
    QCOMPARE(press(Qt::Key_Left).column(), 0);
    QCOMPARE(press(Qt::Key_End).column(), 3);
    QCOMPARE(press(Qt::Key_Home, Qt::ControlModifier), model.index(0, 0));
    QVERIFY(isWhole(*table, 0));
    press(Qt::Key_A, Qt::ControlModifier);
    const QItemSelection selection = table->selectionModel()->selection();
    QCOMPARE(selection.size(), 1);
    QCOMPARE(selection.front().height(), thirtyMillion);
}

void LongTableTest::selectionStaysWhereItIs()
{
    ManyLines model(thirtyMillion);
    const auto table = shown(model);
    click(*table, 2);
    click(*table, 4, Qt::ControlModifier);
    const QItemSelection selection = table->selectionModel()->selection();
    for (int i = 0; i < 50; ++i)
        wheel(*table->viewport(), 1);
    table->scrollTo(model.index(20'000'000, 0), QAbstractItemView::PositionAtCenter);
    QVERIFY(isWhole(*table, 20'000'000));
    QVERIFY(
        std::abs(table->visualRect(model.index(20'000'000, 0)).center().y() - table->viewport()->height() / 2)
        < 30);
    QCOMPARE(table->selectionModel()->selection(), selection);
    QCOMPARE(table->currentIndex().row(), 4);
    QTest::keyClick(table.get(), Qt::Key_Down); // from the current line, which is far away
    QCOMPARE(table->currentIndex().row(), 5);
    QVERIFY(isWhole(*table, 5));
}

void LongTableTest::mouseSelectsAcrossPages()
{
    ManyLines model(thirtyMillion);
    const auto table = shown(model);
    click(*table, 3);
    table->scrollTo(model.index(25'000'000, 0));
    click(*table, 25'000'000, Qt::ShiftModifier);
    QCOMPARE(table->selectionModel()->selection().front().top(), 3);
    QCOMPARE(table->selectionModel()->selection().front().bottom(), 25'000'000);
    // Drawn over lines.
    const auto middle = [&](int line) { return table->visualRect(model.index(line, 1)).center(); };
    const int line = top(*table);
    QTest::mousePress(table->viewport(), Qt::LeftButton, {}, middle(line + 1));
    QTest::mouseMove(table->viewport(), middle(line + 2));
    QTest::mouseMove(table->viewport(), middle(line + 4));
    QTest::mouseRelease(table->viewport(), Qt::LeftButton, {}, middle(line + 4));
    QCOMPARE(table->selectionModel()->selectedRows().size(), 4);
    // Below the last line there is nothing.
    model.setLines(3);
    QCOMPARE(table->indexAt({5, 150}), QModelIndex());
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, {5, 150});
    QVERIFY(!table->selectionModel()->hasSelection());
    table->selectAll();
    QCOMPARE(table->selectionModel()->selectedRows().size(), 3);
}

void LongTableTest::newLinesAreScrolledToAtOnce()
{
    ManyLines model(10);
    const auto table = shown(model);
    QVERIFY(QTest::qWaitForWindowExposed(table.get()));
    // Nothing is laid out in between.
    model.setLines(thirtyMillion);
    table->scrollTo(model.index(thirtyMillion - 1, 0));
    QVERIFY(isWhole(*table, thirtyMillion - 1));
    model.setLines(100);
    QCOMPARE(table->verticalScrollBar()->maximum(), 100 - wholeLines(*table));
    QVERIFY(isWhole(*table, 99));
    model.append();
    QCOMPARE(table->verticalScrollBar()->maximum(), 101 - wholeLines(*table));
    model.setLines(0);
    QCOMPARE(table->verticalScrollBar()->maximum(), 0);
    QTest::keyClick(table.get(), Qt::Key_Down);
    QVERIFY(!table->currentIndex().isValid());
    table->resize(460, 60); // no room for a line
    model.setLines(7);
    QTest::keyClick(table.get(), Qt::Key_Down);
    QCOMPARE(table->currentIndex().row(), 0);
}

void LongTableTest::movedAndHiddenColumns()
{
    ManyLines model(50);
    const auto table = shown(model);
    table->horizontalHeader()->moveSection(3, 0);
    table->setColumnHidden(1, true); // 3, 0, 2 are seen
    QCOMPARE(table->indexAt({5, 5}).column(), 3);
    QVERIFY(table->visualRect(model.index(0, 1)).isEmpty());
    table->setCurrentIndex(model.index(0, 3));
    QTest::keyClick(table.get(), Qt::Key_Right);
    QCOMPARE(table->currentIndex().column(), 0);
    QTest::keyClick(table.get(), Qt::Key_Right);
    QCOMPARE(table->currentIndex().column(), 2);
    QTest::keyClick(table.get(), Qt::Key_Right);
    QCOMPARE(table->currentIndex().column(), 2);
    // A column that is too narrow is widened to its visible cells.
    table->setColumnWidth(0, 5);
    table->resizeColumnToContents(0);
    QVERIFY(table->columnWidth(0) >= table->fontMetrics().horizontalAdvance("line 10, 0"));
}

WARPLINE_TEST(LongTableTest)

} // namespace tst_long_table

#include "tst_long_table.moc"
