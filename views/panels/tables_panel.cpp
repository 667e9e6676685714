#include "views/panels/tables_panel.h"

#include "core/render/render.h"
#include "core/store/trace.h"
#include "views/panels/duration_chart.h"
#include "views/panels/judged_range.h"
#include "views/panels/layouts.h"
#include "views/panels/long_table.h"
#include "views/panels/table_columns.h"
#include "views/panels/table_export.h"
#include "views/panels/table_list.h"
#include "views/session/report_scope.h"
#include "views/style/empty_note.h"
#include "views/style/rich_text.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>

#include <algorithm>

namespace warpline {

TablesPanel::TablesPanel(Session& session, const Theme& theme, QWidget* parent)
    : Panel(session, parent, RefreshTime::AfterRest),
      m_list(new TableList(this)),
      m_variant(new QComboBox(this)),
      m_range(new QLineEdit(this)),
      m_search(new QLineEdit(this)),
      m_state(new QLabel(this)),
      m_about(new QLabel(this)),
      m_notice(new RangeNotice(session, {}, this)),
      m_model(new StatsModel(this)),
      m_table(new LongTable(this)),
      m_export(new TableExport(
          session, "table", [this](std::size_t most) { return shownTable(*m_model, most); }, this)),
      m_histogram(new DurationChart(theme, tr("Durations of the events in this row"), this))
{
    m_about->setWordWrap(true);
    m_about->setTextFormat(Qt::PlainText);
    m_about->setContentsMargins(6, 0, 6, 0);
    m_about->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_histogram->setMinimumWidth(220);
    m_histogram->hide();
    m_search->setPlaceholderText(tr("Search the table"));
    m_search->setClearButtonEnabled(true);
    m_range->setPlaceholderText(tr("NVTX range, such as step_*"));
    m_range->setClearButtonEnabled(true);
    m_range->hide();
    m_variant->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    constexpr int variantLetters = 12;
    letShrink(*m_variant, variantLetters);
    makeTable();

    auto* const bar = barLayout({{m_search, 1}, {m_range, 1}, m_variant, m_state, m_export});
    auto* const right = makeColumn(this, 3, {bar, m_notice, m_about, {m_table, 1}});
    auto* const split = new QSplitter(this);
    fillSplitter(*split, {{m_list, 0}, {right, 1}, {m_histogram, 0}}, {310, 900, 330});
    fillColumn(this, styleSpacing, {split});
    connectWidgets();
    connectTable();
    fillList();
}

void TablesPanel::makeTable()
{
    styleTable(*m_table);
    m_table->setModel(m_model);
    auto* const note = new EmptyNote(*m_table, [this] {
        for (const LatestJob* const job : {&m_applying, &m_job}) {
            if (!job->failure().isEmpty())
                return job->failure();
        }
        if (m_session.hasReport() && m_session.isEmpty())
            return tr("This report contains no events.");
        if (!m_cells || m_session.isEmpty())
            return QString();
        if (!m_search->text().isEmpty())
            return tr("No matches.");
        return !m_session.time().selectedRange().empty() || !m_session.selection().selectedRows().empty()
            ? tr("Nothing in the selected range and rows. Press Esc to clear them.")
            : tr("The report has no data for this table.");
    });
    connect(this, &Panel::updated, note, &EmptyNote::refresh);
}

void TablesPanel::connectWidgets()
{
    m_export->serve(*m_table);
    connect(m_export, &TableExport::messages, this, &TablesPanel::messages);
    connect(&m_session.time(), &TimeView::judgedChanged, this, [this] { requestRefresh(); });
    connect(
        &m_session.selection(), &Selection::selectedRowsChanged, this, [this] { requestRefreshAtOnce(); });
    connect(m_variant, &QComboBox::activated, this, [this] { requestRefreshAtOnce(); });
    connect(m_range, &QLineEdit::editingFinished, this, [this] { requestRefreshAtOnce(); });
    connect(m_search, &QLineEdit::textChanged, m_model, &StatsModel::setSearch);
    connect(&m_session.scope(), &ReportScope::changed, this, &TablesPanel::fillList);
    connect(&m_session, &Session::traceChanged, this, [this] {
        if (std::exchange(m_listIsOfSeveral, false) || isOfSeveral())
            fillList(); // others came or went
        else if (!std::ranges::all_of(m_parts, [this](const Part& part) { return isOpen(part); }))
            requestRefreshAtOnce(); // one that stood before went
    });
    connect(m_list, &QListWidget::currentRowChanged, this, &TablesPanel::tableChosen);
    m_applying.onFailure([this] { listTables({}); });
    m_job.onFailure([this] {
        m_model->setCells(std::make_shared<const Cells>(), {});
        m_state->clear();
        emit updated();
    });
}

void TablesPanel::connectTable()
{
    connect(m_model, &StatsModel::ordered, this, [this] {
        m_steppedLine = -1;
        showRowCount();
        emit updated();
    });
    connect(m_histogram, &DurationChart::chosen, this, &TablesPanel::markEventsOfDuration);
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (m_steppedLine != index.row())
            m_steppedLine = -1;
        showEventsOf(index.row());
    });
    connect(m_table, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        const Source source = sourceOf(index.row());
        const std::vector<EventRef> events = source.cells->events(source.row);
        if (events.empty() || !isOpen(source.part))
            return;
        m_step = m_steppedLine == index.row() ? (m_step + 1) % events.size() : 0;
        m_steppedLine = index.row();
        m_session.selection().goToAtScale({source.part.report, events[m_step]});
        emit messages(tr("Event %1 of %2").arg(numberText(m_step + 1), numberText(events.size())));
    });
}

void TablesPanel::saveState(QSettings& settings) const
{
    settings.setValue("chosen", m_wanted);
}

void TablesPanel::restoreState(const QSettings& settings)
{
    m_wanted = settings.value("chosen").toString();
}

void TablesPanel::showReport()
{
    if (!m_listIsOfSeveral) // they stay the same, whichever is selected
        fillList();
}

void TablesPanel::clear()
{
    if (!m_session.trace().complete) // else lines know their report, and go when showReport() has others
        fillList();
}

QStringList TablesPanel::commandWords() const
{
    const StatsTable* const table = m_list->chosen();
    if (!table)
        return {};
    const QString variant = m_variant->currentData().toString();
    QStringList words{
        "--report", variant.isEmpty() ? m_list->chosenId() : m_list->chosenId() + ':' + variant};
    if (table->asksForRange && !m_range->text().isEmpty())
        words << "--nvtx" << m_range->text();
    return words;
}

void TablesPanel::setTheme(const Theme& theme)
{
    m_histogram->setTheme(theme);
}

void TablesPanel::fillList()
{
    m_listIsOfSeveral = isOfSeveral();
    if (!m_session.trace().complete) {
        m_applying.cancel();
        listTables({});
        return;
    }
    std::vector<std::shared_ptr<const Trace>> traces;
    for (const ReportId report : m_session.scope().reports())
        traces.push_back(m_session.workspace().report(report).trace);
    // Some tables look through millions of events for one that they could be about.
    m_applying.start(
        [traces = std::move(traces)](const std::stop_token& stop) { return tablesOf(traces, stop); },
        [this](std::vector<const StatsTable*> tables) {
            listTables(std::move(tables));
            emit updated(); // if the panel is hidden, no result follows
        });
}

void TablesPanel::listTables(std::vector<const StatsTable*> tables)
{
    const QString before = m_wanted;
    m_list->showTables(std::move(tables), gpuApiOf(m_session.trace()));
    choose(before);
    if (!m_list->currentItem() && m_list->count() > 1)
        m_list->setCurrentRow(1); // below the first heading
    requestRefreshAtOnce();
}

void TablesPanel::choose(const QString& id)
{
    if (m_applying.isBusy() && !id.isEmpty())
        m_wanted = id; // chosen when the list is there, where it has it
    m_list->choose(id);
}

void TablesPanel::tableChosen()
{
    m_variant->clear();
    m_model->forgetSort();
    m_steppedLine = -1;
    {
        const QSignalBlocker quiet(m_table->horizontalHeader());
        m_table->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
    }
    const StatsTable* const table = m_list->chosen();
    if (table) {
        m_wanted = textOf(table->id);
        m_export->setEnding(m_wanted);
        m_variant->addItem(variantTitle(*table, {}), QString());
        for (const std::string& variant : listedVariants(*table))
            m_variant->addItem(variantTitle(*table, variant), textOf(variant));
    }
    m_about->setText(table ? textOf(plain(table->descriptionText())) : QString());
    m_about->setToolTip(plainTip(m_about->text()));
    m_notice->setFollowed({.rows = !table || table->followsTracks});
    m_variant->setVisible(m_variant->count() > 1);
    m_range->setVisible(table && table->asksForRange);
    requestRefreshAtOnce();
}

void TablesPanel::refresh()
{
    if (m_applying.isBusy())
        return; // the list is that of the report before
    m_bins.cancel();
    m_charted = {};
    m_histogram->hide();
    const StatsTable* const table = m_list->chosen();
    if (!table) {
        m_job.cancel();
        m_model->setCells(std::make_shared<const Cells>(), {});
        m_state->clear();
        emit updated();
        return;
    }
    StatsQuery query;
    query.variant = m_variant->currentData().toString().toStdString();
    if (table->asksForRange)
        query.nvtxName = m_range->text().toStdString();
    query.wantEvents = true;
    m_state->setText(tr("Computing\u2026"));
    if (textOf(table->id) != m_shown) // the table before must not stand under this one's heading
        m_model->setCells(std::make_shared<const Cells>(), {});
    struct FilledTable {
        std::vector<Part> parts;
        std::shared_ptr<const std::vector<CellsOfReport>> ofParts;
        std::shared_ptr<const Cells> cells;
        std::vector<std::uint32_t> order;
    };
    std::vector<std::string> labels;
    for (const OpenReport& report : m_session.workspace().reports())
        labels.push_back(report.label);
    m_job.start(
        [parts = partsAsked(), labels = std::move(labels), table, query, wanted = m_model->wanted()](
            const std::stop_token& stop) mutable {
            query.stop = stop;
            FilledTable answer;
            std::vector<CellsOfReport> ofParts;
            for (const Part& part : parts) {
                query.window = part.window;
                query.covers = table->followsTracks ? part.covers : TrackFilter();
                auto cells = std::make_shared<Cells>(table->fill(*part.trace, query));
                cells->keep(part.trace);
                ofParts.push_back({labels[raw(part.report)], std::move(cells)});
            }
            answer.cells = ofParts.size() == 1 ? ofParts.front().cells
                                               : std::make_shared<const Cells>(joinCells(ofParts));
            answer.order = orderedRows(*answer.cells, wanted.column, wanted.descending, wanted.search, stop);
            answer.ofParts = std::make_shared<const std::vector<CellsOfReport>>(std::move(ofParts));
            answer.parts = std::move(parts);
            return answer;
        },
        [this, wanted = m_model->wanted()](FilledTable answer) {
            m_parts = std::move(answer.parts);
            m_cells = std::move(answer.ofParts);
            m_model->setCells(std::move(answer.cells), std::move(answer.order));
            if (m_model->wanted() != wanted) // asked for in between
                m_model->showInOrder(m_model->cells());
            showRowCount();
            showColumns();
            emit updated();
        });
}

void TablesPanel::showRowCount()
{
    const auto rows = static_cast<std::uint64_t>(m_model->rowCount());
    const bool ofRange
        = !m_session.time().selectedRange().empty() || !m_session.selection().selectedRows().empty();
    const QString number = numberText(rows);
    const QString text = ofRange ? (rows == 0 ? tr("No rows in this scope")
                                 : rows == 1  ? tr("1 row in this scope")
                                              : tr("%1 rows in this scope").arg(number))
        : rows == 0              ? tr("No rows")
        : rows == 1              ? tr("1 row")
                                 : tr("%1 rows").arg(number);
    m_state->setText(text);
}

void TablesPanel::showColumns()
{
    const QString name = m_list->chosenId();
    const auto columns = static_cast<int>(m_model->cells()->columns.size());
    if (name == m_shown && columns == m_columnsShown)
        return;
    m_shown = name;
    m_columnsShown = columns;
    constexpr int widest = 420;
    fitColumns(*m_table, widest, true);
    giveRestToText(*m_table, *m_model->cells());
}

namespace {

constexpr Action tablesPanelActionList[]{
    {
        .id = "tables.export",
        .text = QT_TRANSLATE_NOOP("Action", "nsys &table\u2026"),
        .help = QT_TRANSLATE_NOOP("Action", "Save this table as CSV, Markdown or JSON"),
        .menu = MainMenu::File,
        .submenu = QT_TRANSLATE_NOOP("Action", "&Export"),
        .run =
            [](const ActionContext& at) {
                emit at.session.panelRequested("tables"); // what is written should be visible
                at.part<TablesPanel>()->exporting().askForFile();
            },
    },
};

} // namespace

extern const PanelKind tablesPanel;
const PanelKind tablesPanel{
    .id = "tables",
    .title = QT_TRANSLATE_NOOP("Action", "nsys tables"),
    .help = QT_TRANSLATE_NOOP("Action", "The tables of nsys stats, and more"),
    .place = PanelPlace::Below,
    .about = PanelReports::Several,
    .keys = "Ctrl+3",
    .make = makePanel<TablesPanel>,
    .actions = tablesPanelActionList,
};

} // namespace warpline
