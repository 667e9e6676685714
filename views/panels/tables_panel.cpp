#include "views/panels/tables_panel.h"

#include "core/base/format.h"
#include "core/export/cells_text.h"
#include "views/style/chart_style.h"

#include <QApplication>
#include <QChartView>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QSaveFile>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace warpline {

namespace {

constexpr int delayMs = 60;

QString text(std::string_view words)
{
    return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
}

} // namespace

TablesPanel::TablesPanel(Session& session, const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_theme(&theme)
    , m_list(new QListWidget(this))
    , m_variant(new QComboBox(this))
    , m_ofRange(new QCheckBox(tr("Only the selected range"), this))
    , m_search(new QLineEdit(this))
    , m_state(new QLabel(this))
    , m_model(new StatsModel(this))
    , m_table(new QTableView(this))
    , m_histogram(new QChartView(this))
{
    m_histogram->setFrameShape(QFrame::NoFrame);
    m_histogram->setMinimumWidth(220);
    m_histogram->setRenderHint(QPainter::Antialiasing);
    m_histogram->hide();
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_search->setPlaceholderText(tr("Search in the table"));
    m_search->setClearButtonEnabled(true);
    m_ofRange->setChecked(true);
    auto* const save = new QToolButton(this);
    save->setText(tr("Copy or export"));
    save->setPopupMode(QToolButton::InstantPopup);
    auto* const menu = new QMenu(save);
    menu->addAction(tr("Copy"), this, [this] { QApplication::clipboard()->setText(textAs("tsv")); });
    menu->addAction(tr("Copy as CSV"), this, [this] { QApplication::clipboard()->setText(textAs("csv")); });
    menu->addAction(tr("Copy as Markdown"), this, [this] { QApplication::clipboard()->setText(textAs("markdown")); });
    menu->addAction(tr("Write to a file\u2026"), this, &TablesPanel::exportTable);
    save->setMenu(menu);

    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(true);
    m_table->setWordWrap(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 5);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
    m_table->setSortingEnabled(true);

    auto* const bar = new QHBoxLayout;
    bar->setContentsMargins(4, 3, 4, 0);
    bar->addWidget(m_search, 1);
    bar->addWidget(m_variant);
    bar->addWidget(m_ofRange);
    bar->addWidget(m_state);
    bar->addWidget(save);
    auto* const right = new QWidget(this);
    auto* const column = new QVBoxLayout(right);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    column->addLayout(bar);
    column->addWidget(m_table, 1);
    auto* const split = new QSplitter(this);
    split->addWidget(m_list);
    split->addWidget(right);
    split->addWidget(m_histogram);
    split->setStretchFactor(0, 0);
    split->setStretchFactor(1, 1);
    split->setSizes({310, 900, 330});
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(split);

    m_delay.setSingleShot(true);
    m_delay.setInterval(delayMs);
    connect(&m_delay, &QTimer::timeout, this, &TablesPanel::refresh);
    connect(&m_session, &Session::traceChanged, this, &TablesPanel::fillList);
    connect(&m_session, &Session::selectedRangeChanged, this, [this] {
        if (m_ofRange->isChecked())
            refreshSoon();
    });
    connect(m_ofRange, &QCheckBox::toggled, this, &TablesPanel::refreshSoon);
    connect(m_variant, &QComboBox::activated, this, &TablesPanel::refreshSoon);
    connect(m_search, &QLineEdit::textChanged, this, &TablesPanel::reorder);
    connect(m_list, &QListWidget::currentRowChanged, this, [this] {
        m_variant->clear();
        m_sortColumn = -1;
        m_table->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
        if (const StatsTable* const table = chosen()) {
            m_variant->addItem(tr("as is"), QString());
            for (const std::string_view variant : table->variants)
                m_variant->addItem(text(variant), text(variant));
        }
        m_variant->setVisible(m_variant->count() > 1);
        refreshSoon();
    });
    connect(m_model, &StatsModel::sortWanted, this, [this](int sortColumn, bool descending) {
        m_sortColumn = sortColumn;
        m_descending = descending;
        reorder();
    });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (m_steppedLine != index.row())
            m_steppedLine = -1;
        std::vector<EventRef> events = eventsOf(index.row());
        m_durations.clear();
        for (const EventRef& event : events)
            m_durations.push_back(m_session.trace().range(event).duration());
        drawHistogram();
        m_session.setHighlighted(std::move(events));
    });
    connect(m_table, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        const std::vector<EventRef> events = eventsOf(index.row());
        if (events.empty())
            return;
        m_step = m_steppedLine == index.row() ? (m_step + 1) % events.size() : 0;
        m_steppedLine = index.row();
        m_session.goTo(events[m_step]);
    });
    fillList();
}

void TablesPanel::setTheme(const Theme& theme)
{
    m_theme = &theme;
    drawHistogram();
}

void TablesPanel::drawHistogram()
{
    m_histogram->setVisible(!m_durations.empty());
    if (m_durations.empty())
        return;
    const std::unique_ptr<QChart> before(m_histogram->chart());
    m_histogram->setChart(durationHistogram(m_durations, *m_theme, tr("Durations of this line's events")).release());
    m_histogram->setBackgroundBrush(m_theme->background);
}

const StatsTable* TablesPanel::chosen() const
{
    const QListWidgetItem* const item = m_list->currentItem();
    return item ? findStatsTable(item->data(Qt::UserRole).toString().toStdString()) : nullptr;
}

void TablesPanel::fillList()
{
    const QString before = m_list->currentItem() ? m_list->currentItem()->data(Qt::UserRole).toString() : QString();
    m_list->clear();
    if (m_session.trace().complete) {
        for (const StatsTable* const table : allStatsTables()) {
            if (!table->applies(m_session.trace()))
                continue;
            auto* const item = new QListWidgetItem(text(table->title), m_list);
            item->setData(Qt::UserRole, text(table->id));
            item->setToolTip(text(table->id) + "\n" + text(table->description));
            if (text(table->id) == before)
                m_list->setCurrentItem(item);
        }
    }
    if (!m_list->currentItem() && m_list->count() > 0)
        m_list->setCurrentRow(0);
    refreshSoon();
}

void TablesPanel::refreshSoon()
{
    if (!m_delay.isActive())
        m_delay.start();
}

void TablesPanel::refresh()
{
    m_durations.clear();
    drawHistogram();
    const StatsTable* const table = chosen();
    if (!table) {
        m_job.cancel();
        m_model->setCells(std::make_shared<const Cells>(), {});
        emit updated();
        return;
    }
    StatsQuery query;
    query.window = m_ofRange->isChecked() ? m_session.selectedRange() : TimeRange();
    query.variant = m_variant->currentData().toString().toStdString();
    query.wantEvents = true;
    m_state->setText(tr("\u2026"));
    struct Answer {
        std::shared_ptr<const Cells> cells;
        std::vector<std::uint32_t> order;
    };
    m_job.start(
        [trace = m_session.sharedTrace(), table, query, column = m_sortColumn, descending = m_descending,
            search = m_search->text().toStdString()](const std::stop_token& stop) mutable {
            query.stop = stop;
            Answer answer;
            answer.cells = std::make_shared<const Cells>(table->fill(*trace, query));
            answer.order = orderedRows(*answer.cells, column, descending, search);
            return answer;
        },
        [this](Answer answer) {
            m_model->setCells(std::move(answer.cells), std::move(answer.order));
            m_state->setText(tr("%1 rows").arg(QString::fromStdString(formatCount(static_cast<std::uint64_t>(m_model->rowCount())))));
            showColumns();
            emit updated();
        });
}

void TablesPanel::reorder()
{
    m_order.start(
        [cells = m_model->cells(), column = m_sortColumn, descending = m_descending,
            search = m_search->text().toStdString()](
            const std::stop_token&) { return std::pair(cells, orderedRows(*cells, column, descending, search)); },
        [this](std::pair<std::shared_ptr<const Cells>, std::vector<std::uint32_t>> answer) {
            if (answer.first != m_model->cells())
                return; // another table came meanwhile
            m_model->setCells(std::move(answer.first), std::move(answer.second));
            m_state->setText(tr("%1 rows").arg(QString::fromStdString(formatCount(static_cast<std::uint64_t>(m_model->rowCount())))));
            emit updated();
        });
}

void TablesPanel::showColumns()
{
    const QString name = m_list->currentItem()->data(Qt::UserRole).toString();
    if (name == m_shown)
        return;
    m_shown = name;
    for (int column = 0; column < m_model->columnCount(); ++column) {
        const Unit unit = m_model->cells()->columns[static_cast<std::size_t>(column)].unit;
        const int title = m_table->fontMetrics().horizontalAdvance(m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        m_table->setColumnWidth(column, std::max(title + 30, unit == Unit::Text ? 220 : 90));
    }
}

std::vector<EventRef> TablesPanel::eventsOf(int line) const
{
    return m_model->cells()->events(m_model->rowOf(line));
}

QString TablesPanel::textAs(const QString& format) const
{
    Cells shown;
    shown.columns = m_model->cells()->columns;
    for (int line = 0; line < m_model->rowCount(); ++line) {
        const auto row = m_model->cells()->row(m_model->rowOf(line));
        shown.addRow({row.begin(), row.end()});
    }
    if (format == "csv")
        return QString::fromStdString(toCsv(shown));
    if (format == "markdown")
        return QString::fromStdString(toMarkdown(shown));
    QString tsv;
    for (const Column& column : shown.columns)
        tsv += (tsv.isEmpty() ? "" : "\t") + QString::fromStdString(column.title);
    for (std::size_t row = 0; row < shown.rowCount(); ++row) {
        QStringList cells;
        for (std::size_t column = 0; column < shown.columns.size(); ++column)
            cells << QString::fromStdString(plainText(shown.at(row, column), shown.columns[column].unit));
        tsv += '\n' + cells.join('\t');
    }
    return tsv;
}

void TablesPanel::exportTable()
{
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Write the table"), m_shown + ".csv", tr("CSV (*.csv);;Markdown (*.md)"));
    if (path.isEmpty())
        return;
    QSaveFile file(path);
    const QByteArray content = textAs(path.endsWith(".md") ? "markdown" : "csv").toUtf8();
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size() || !file.commit())
        m_state->setText(tr("%1 cannot be written: %2").arg(path, file.errorString()));
}

} // namespace warpline
