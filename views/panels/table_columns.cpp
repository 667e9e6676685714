#include "views/panels/table_columns.h"

#include "core/base/format_instant.h"
#include "core/table/cells.h"

#include <QCache>
#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>
#include <QStyle>
#include <QStyledItemDelegate>
#include <QTableView>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace warpline {

namespace {

/// Stretches one column of a table to the remaining width of its viewport.
class Stretcher : public QObject {
public:
    Stretcher(QTableView& table, int column)
        : QObject(&table),
          m_table(table),
          m_column(column),
          m_least(table.columnWidth(column))
    {
        table.viewport()->installEventFilter(this);
        connect(table.horizontalHeader(), &QHeaderView::sectionResized, this,
            [this](int section, int, int width) {
                if (m_stretching)
                    return;
                if (section == m_column)
                    m_least = width; // the user's
                stretch();
            });
    }

    void choose(int column)
    {
        m_column = column;
        m_least = m_table.columnWidth(column);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Resize)
            stretch();
        return QObject::eventFilter(watched, event);
    }

private:
    void stretch()
    {
        const int others = m_table.horizontalHeader()->length() - m_table.columnWidth(m_column);
        m_stretching = true;
        m_table.setColumnWidth(m_column, std::max(m_least, m_table.viewport()->width() - others));
        m_stretching = false;
    }

    QTableView& m_table;
    int m_column;
    int m_least;
    bool m_stretching = false;
};

/// The width that a column needs for its first lines.
int wantedWidth(const QTableView& table, int column)
{
    constexpr int linesLookedAt = 40;
    constexpr int room = 14; // its margins
    const QFontMetrics metrics = table.fontMetrics();
    const QAbstractItemModel& model = *table.model();
    int width = 0;
    for (int row = 0; row < std::min(linesLookedAt, model.rowCount()); ++row)
        width = std::max(width, metrics.horizontalAdvance(model.index(row, column).data().toString()) + room);
    return width;
}

/// Widens columns to what their lines need, at the expense of a stretched one, down to its minimum width.
class Widener : public QObject {
public:
    Widener(QTableView& table, std::vector<int> columns, int stretched, int widest)
        : QObject(&table),
          m_table(table),
          m_columns(std::move(columns)),
          m_stretched(stretched),
          m_least(table.columnWidth(stretched)),
          m_widest(widest)
    {
        table.viewport()->installEventFilter(this);
        connect(table.model(), &QAbstractItemModel::modelReset, this, &Widener::widen);
        connect(table.horizontalHeader(), &QHeaderView::sectionResized, this, [this](int section) {
            if (!m_widening)
                std::erase(m_columns, section); // the user's
        });
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Resize)
            QMetaObject::invokeMethod(this, &Widener::widen, Qt::QueuedConnection); // once it is stretched
        return QObject::eventFilter(watched, event);
    }

private:
    void widen()
    {
        m_widening = true;
        for (const int column : m_columns) {
            const int missing
                = std::min(m_widest, wantedWidth(m_table, column)) - m_table.columnWidth(column);
            const int more = std::min(missing, m_table.columnWidth(m_stretched) - m_least);
            if (more > 0)
                m_table.setColumnWidth(column, m_table.columnWidth(column) + more);
        }
        m_widening = false;
    }

    QTableView& m_table;
    std::vector<int> m_columns;
    int m_stretched;
    int m_least;
    int m_widest;
    bool m_widening = false;
};

/// `at`, or the begin of its word where that is near.
qsizetype nearBeginOfWord(const QString& text, qsizetype at)
{
    constexpr int maxBack = 8;
    const auto isInWord
        = [](QChar letter) { return letter.isLetterOrNumber() || letter.isSurrogate() || letter.isMark(); };
    for (int i = 0; i < maxBack && at > 0 && isInWord(text[at - 1]); ++i)
        --at;
    return at > 0 && text[at].isLowSurrogate() ? at - 1 : at;
}

/// The texts of the lines around `index`, and its own.
QStringList textsAround(const QModelIndex& index)
{
    constexpr int linesAround = 8;
    const int firstLine = std::max(index.row() - linesAround, 0);
    const int lastLine = std::min(index.row() + linesAround, index.model()->rowCount() - 1);
    QStringList texts;
    for (int row = firstLine; row <= lastLine; ++row)
        texts << index.siblingAtRow(row).data().toString();
    return texts;
}

/// `text` for `width`, to be cut on the right: its begin, and what differs from those of `around` that would
/// look the same elided in the middle, which is `shown`. Null: none would.
QString withDifferences(const QString& text, const QString& shown, const QStringList& around,
    const QFontMetrics& metrics, int width)
{
    const qsizetype left = std::ranges::mismatch(shown, text).in1 - shown.begin();
    const qsizetype right
        = std::mismatch(shown.rbegin(), shown.rend(), text.rbegin(), text.rend()).first - shown.rbegin();
    const QString head = metrics.elidedText(text, Qt::ElideRight, width / 4);
    bool isAlike = false;
    qsizetype first = text.size(); // differences from all that begin with the head
    qsizetype last = 0;
    for (const QString& other : around) {
        const qsizetype at = std::ranges::mismatch(text, other).in1 - text.begin();
        if (other == text || at + 1 < head.size())
            continue;
        isAlike |= other.startsWith(QStringView(text).left(left))
            && other.endsWith(QStringView(text).right(right));
        first = std::min(first, at);
        last = std::max(last, at);
    }
    if (!isAlike)
        return {};
    first = nearBeginOfWord(text, std::min(first, text.size() - 1));
    last = nearBeginOfWord(text, std::min(last, text.size() - 1));
    const int room = width - metrics.horizontalAdvance(head);
    const QString rest = text.mid(first);
    constexpr int enough = 10; // letters of the last difference
    const bool isOnePart = metrics.elidedText(rest, Qt::ElideRight, room).size() > last - first + enough;
    return head + (isOnePart ? rest : metrics.elidedText(rest, Qt::ElideRight, room / 2) + text.mid(last));
}

/// Of a number that has no room the end is missing, which shows; of other texts the middle, or what is the
/// same in lines around where those would look the same: kernels of templates.
class CellElision : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (option->displayAlignment & Qt::AlignRight) {
            option->textElideMode = Qt::ElideRight;
            return;
        }
        const QWidget* const table = option->widget;
        if (!table)
            return;
        const int margin = table->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, option, table) + 1;
        const QString text = cutText(*option, index, option->rect.width() - 2 * margin);
        if (text.isNull())
            return;
        option->text = text;
        option->textElideMode = Qt::ElideRight;
    }

private:
    /// withDifferences(), null where the text has room.
    QString cutText(const QStyleOptionViewItem& option, const QModelIndex& index, int width) const
    {
        constexpr qsizetype longest = 4096;
        const QString& text = option.text;
        if (text.size() > longest)
            return {};
        const std::size_t key = qHashMulti(0, text, width, option.font);
        const QString shown
            = once(key, [&] { return option.fontMetrics.elidedText(text, Qt::ElideMiddle, width); });
        if (shown == text)
            return {};
        const QStringList around = textsAround(index);
        return once(qHash(around, key),
            [&] { return withDifferences(text, shown, around, option.fontMetrics, width); });
    }

    /// The result of make() for `key`: lines are drawn often, and to measure a long name takes milliseconds.
    template <typename Make> QString once(std::size_t key, const Make& make) const
    {
        if (const QString* const known = m_known.object(key))
            return *known;
        const QString made = make();
        m_known.insert(key, new QString(made), made.size() + 1); // the cache's
        return made;
    }

    static constexpr int mostKnown = 1'000'000; // letters
    mutable QCache<std::size_t, QString> m_known{mostKnown};
};

} // namespace

int widthOfInstants(const QWidget& table)
{
    constexpr Ns widest = 999'999'999'999;
    constexpr int room = 12;
    return table.fontMetrics().horizontalAdvance(QString::fromStdString(formatInstant(widest))) + room;
}

void stylePlainTable(QTableView& table, int margins)
{
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setShowGrid(false);
    table.setAlternatingRowColors(true);
    table.setWordWrap(false);
    table.setTabKeyNavigation(false); // Tab leaves the table: arrows walk through its cells
    table.setFrameShape(QFrame::NoFrame);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + margins);
    table.horizontalHeader()->setHighlightSections(false);
}

void styleTable(QTableView& table)
{
    constexpr int margins = 5;
    stylePlainTable(table, margins);
    table.setTextElideMode(Qt::ElideMiddle); // template kernels differ at their ends
    table.setItemDelegate(new CellElision(&table));
    table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table.horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
    table.setSortingEnabled(true);
}

void stretchColumn(QTableView& table, int column)
{
    for (QObject* const child : table.children()) {
        if (auto* const known = dynamic_cast<Stretcher*>(child)) {
            known->choose(column);
            return;
        }
    }
    new Stretcher(table, column); // the table's
}

void widenColumns(QTableView& table, std::vector<int> columns, int stretched, int widest)
{
    new Widener(table, std::move(columns), stretched, widest); // the table's
}

void fitColumns(QTableView& table, int widest, bool shrink, int widestFirst)
{
    constexpr int titleRoom = 30; // room for the sort indicator
    const QFontMetrics metrics = table.fontMetrics();
    const QAbstractItemModel& model = *table.model();
    for (int column = 0; column < model.columnCount(); ++column) {
        const QString title = model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        const int width
            = std::min(std::max(metrics.horizontalAdvance(title) + titleRoom, wantedWidth(table, column)),
                column == 0 && widestFirst > 0 ? widestFirst : widest);
        if (shrink || width > table.columnWidth(column))
            table.setColumnWidth(column, width);
    }
}

void fitColumnsToRoom(QTableView& table, int widest, int widestLast)
{
    fitColumns(table, std::numeric_limits<int>::max(), true);
    std::vector<std::pair<int, int>> cut; // how much is missing, of which column
    int room = table.viewport()->width();
    const int columns = table.model()->columnCount();
    for (int column = 0; column < columns; ++column) {
        const int wanted = table.columnWidth(column);
        const int width = std::min(wanted, column == columns - 1 && widestLast > 0 ? widestLast : widest);
        room -= width;
        if (wanted > width) {
            cut.emplace_back(wanted - width, column);
            table.setColumnWidth(column, width);
        }
    }
    std::ranges::sort(cut); // narrow columns leave their unused room to the others
    for (std::size_t i = 0; i < cut.size() && room > 0; ++i) {
        const int more = std::min(cut[i].first, room / static_cast<int>(cut.size() - i));
        table.setColumnWidth(cut[i].second, table.columnWidth(cut[i].second) + more);
        room -= more;
    }
}

void giveRestToText(QTableView& table, const Cells& cells)
{
    int widest = -1;
    for (int column = 0; column < static_cast<int>(cells.columns.size()); ++column) {
        const bool isText = cells.columns[static_cast<std::size_t>(column)].unit == Unit::Text;
        if (isText && (widest < 0 || table.columnWidth(column) >= table.columnWidth(widest)))
            widest = column;
    }
    // The vertical bar comes only with the lines' layout, which is later.
    const qint64 lines = qint64{table.model()->rowCount()} * table.verticalHeader()->defaultSectionSize();
    const QSize room = table.maximumViewportSize();
    const bool scrolls = lines > room.height() - table.horizontalHeader()->height();
    const int bar = scrolls ? table.verticalScrollBar()->sizeHint().width() : 0;
    const int left = room.width() - bar - table.horizontalHeader()->length();
    if (widest >= 0 && left > 0)
        table.setColumnWidth(widest, table.columnWidth(widest) + left);
    // nsys has names last, where a histogram would push them out of sight. Copies keep nsys' order.
    QHeaderView& header = *table.horizontalHeader();
    for (int column = 0; column < header.count(); ++column)
        header.moveSection(header.visualIndex(column), column);
    if (widest > 0)
        header.moveSection(widest, 0);
}

} // namespace warpline
