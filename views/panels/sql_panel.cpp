#include "views/panels/sql_panel.h"

#include "core/render/render.h"
#include "core/sql/ready_questions.h"
#include "core/store/recorder.h"
#include "core/store/trace.h"
#include "views/panels/judged_range.h"
#include "views/panels/layouts.h"
#include "views/panels/sql_editor.h"
#include "views/panels/table_columns.h"
#include "views/panels/table_export.h"
#include "views/session/result_rows.h"
#include "views/style/rich_text.h"
#include "views/style/wrapped_label.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

#include <algorithm>

namespace warpline {

namespace {

constexpr int statementRole = Qt::UserRole; // of a predefined query
constexpr int nameRole = Qt::UserRole + 1; // of a table or column

QTreeWidgetItem* heading(QTreeWidget& tree, const QString& title)
{
    auto* const item = new QTreeWidgetItem(&tree, {title});
    QFont font = tree.font();
    font.setBold(true);
    item->setFont(0, font);
    item->setExpanded(true);
    return item;
}

} // namespace

SqlPanel::SqlPanel(Session& session, const Theme& theme, QWidget* parent)
    : Panel(session, parent),
      m_theme(&theme),
      m_names(new QTreeWidget(this)),
      m_editor(new SqlEditor(this)),
      m_ask(new QToolButton(this)),
      m_stop(new QToolButton(this)),
      m_row(new QToolButton(this)),
      m_search(new QLineEdit(this)),
      m_state(new QLabel(this)),
      m_model(new StatsModel(this)),
      m_table(new QTableView(this)),
      m_export(new TableExport(
          session, "answer", [this](std::size_t most) { return shownTable(*m_model, most); }, this)),
      m_cells(std::make_shared<const Cells>())
{
    setFocusProxy(m_editor); // letters would be shortcuts elsewhere
    m_names->setHeaderHidden(true);
    m_names->setFrameShape(QFrame::NoFrame);
    m_names->setAccessibleName(tr("Queries, views and tables"));
    m_ask->setText(tr("Run"));
    m_ask->setToolTip(tr("Run the query (Ctrl+Return)"));
    m_stop->setText(tr("Stop"));
    m_row->setText(tr("Show as row"));
    offerRow();
    m_ask->setEnabled(false); // until a report is shown
    m_stop->setEnabled(false);
    m_search->setPlaceholderText(tr("Filter results"));
    m_search->setClearButtonEnabled(true);
    m_state->setTextFormat(Qt::PlainText);
    m_state->setContentsMargins(4, 0, 4, 0); // as the bar
    wrapInWidth(*m_state); // what to do is at the end
    m_state->hide();
    makeTable();
    auto* const split = new QSplitter(this);
    fillSplitter(*split, {{m_names, 0}, {makeRight(), 1}}, {470, 830});
    fillColumn(this, 3, {new RangeNotice(session, {.range = false, .rows = false}, this), {split, 1}});

    m_export->serve(*m_table);
    connect(m_export, &TableExport::messages, this, &SqlPanel::messages);
    connect(m_ask, &QToolButton::clicked, this, &SqlPanel::ask);
    connect(m_stop, &QToolButton::clicked, this, &SqlPanel::stop);
    connect(m_row, &QToolButton::clicked, this, &SqlPanel::showAsRow);
    connect(m_editor, &SqlEditor::asked, this, &SqlPanel::ask);
    connect(m_editor, &QPlainTextEdit::textChanged, this, [this] { m_editor->markPlace({}); });
    connect(m_search, &QLineEdit::textChanged, m_model, &StatsModel::setSearch);
    connect(m_names, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
        if (!item->data(0, statementRole).isNull())
            nameChosen(item);
    });
    connect(m_names, &QTreeWidget::itemActivated, this, &SqlPanel::nameChosen);
    m_job.onFailure([this] {
        showAnswer({});
        showProblem(m_job.failure());
    });
}

QWidget* SqlPanel::makeRight()
{
    auto* const bar = barLayout({m_ask, m_stop, m_row, {freeRoom, 2}, {m_search, 1}, m_export}, {4, 0, 4, 0});
    auto* const answer = makeColumn(this, 3, {bar, m_state, {m_table, 1}});
    auto* const right = new QSplitter(Qt::Vertical, this);
    fillSplitter(*right, {{m_editor, 0}, {answer, 1}}, {90, 260});
    return right;
}

void SqlPanel::makeTable()
{
    styleTable(*m_table);
    m_table->setModel(m_model);
    connect(m_model, &StatsModel::ordered, this, [this](bool isNew) {
        constexpr int widest = 420;
        if (isNew)
            fitColumnsToRoom(*m_table, widest);
        emit updated();
    });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) { goToLine(index.row()); });
}

void SqlPanel::saveState(QSettings& settings) const
{
    settings.setValue("history", m_editor->historyAfter(settings.value("history").toStringList()));
}

void SqlPanel::restoreState(const QSettings& settings)
{
    m_editor->setHistory(settings.value("history").toStringList());
}

QStringList SqlPanel::commandWords() const
{
    if (recorderOf(m_session.trace().info) != Recorder::NsightSystems)
        return {};
    const QString sql = m_editor->toPlainText().trimmed();
    return {sql.isEmpty() ? QString("--tables") : sql};
}

void SqlPanel::showReport()
{
    const bool isExport = recorderOf(m_session.trace().info) == Recorder::NsightSystems;
    m_ask->setEnabled(isExport);
    m_editor->setEnabled(isExport);
    m_names->setVisible(isExport); // without a database there are no tables and no queries
    if (!isExport) {
        setState(tr("SQL needs an Nsight Systems export. This report is not one."));
        return;
    }
    m_list.start(
        [trace = m_session.sharedTrace()](const std::stop_token&) {
            auto session = SqlSession::open(trace->info);
            return session.ok() ? session.value().tables() : std::vector<SqlTable>();
        },
        [this](const std::vector<SqlTable>& tables) { showNames(tables); });
}

void SqlPanel::clear()
{
    m_list.abandon(); // of a report whose disk may hang
    stop();
    m_ask->setEnabled(false);
    m_names->clear();
    m_cells = std::make_shared<const Cells>();
    m_model->setCells(m_cells, {});
    offerRow();
    setState({});
}

void SqlPanel::setTheme(const Theme& theme)
{
    m_theme = &theme;
    if (m_hasProblem)
        showProblem(state());
}

void SqlPanel::setState(const QString& text)
{
    m_hasProblem = false;
    m_state->setPalette({}); // the window's
    m_state->setText(text);
    m_state->setVisible(!text.isEmpty());
}

void SqlPanel::showProblem(const QString& text)
{
    setState(text);
    m_hasProblem = true;
    QPalette colors;
    colors.setColor(QPalette::WindowText, m_theme->bad);
    m_state->setPalette(colors);
}

void SqlPanel::offerRow()
{
    const QString can = tr(
        "Show the results as a timeline row. They need a column start, timestamp or time; end, duration, name and value are optional.");
    const QString why = m_cells->columns.empty() ? tr("No results yet.") : whyNoRow(*m_cells);
    m_row->setEnabled(why.isEmpty());
    m_row->setToolTip(plainTip(why.isEmpty() ? can : why + "\n\n" + can));
}

void SqlPanel::showNames(const std::vector<SqlTable>& tables)
{
    m_tables = tables;
    m_names->clear();
    QStringList offered;
    QTreeWidgetItem* const questions = heading(*m_names, tr("Example queries"));
    for (const ReadyQuestion& question : readyQuestions()) {
        if (!missingFor(question, tables).empty())
            continue;
        auto* const item = new QTreeWidgetItem(questions, {textOf(plain(question.titleText()))});
        item->setData(0, statementRole, textOf(question.sql));
        item->setToolTip(0, plainTip(item->text(0) + "\n\n" + textOf(question.sql)));
    }
    QTreeWidgetItem* const views = heading(*m_names, tr("Views with names instead of ids"));
    QTreeWidgetItem* const stored = heading(*m_names, tr("Tables of the export"));
    for (const SqlTable& table : tables) {
        if (!table.isRecorded)
            continue;
        auto* const item = new QTreeWidgetItem(table.isReady ? views : stored, {textOf(table.name)});
        item->setData(0, nameRole, textOf(table.name));
        offered << textOf(table.name);
        for (const auto& column : table.columns) {
            auto* const below
                = new QTreeWidgetItem(item, {textOf(column.name) + "  " + textOf(column.type).toLower()});
            below->setData(0, nameRole, textOf(column.name));
            offered << textOf(column.name);
        }
    }
    for (QTreeWidgetItem* const each : {questions, views, stored})
        each->setExpanded(each != stored);
    m_editor->setNames(offered);
}

void SqlPanel::nameChosen(QTreeWidgetItem* item)
{
    const QVariant statement = item->data(0, statementRole);
    if (!statement.isNull()) {
        m_editor->remember(); // what was typed goes
        m_editor->setPlainText(statement.toString());
        ask();
    } else if (const QString name = item->data(0, nameRole).toString(); !name.isEmpty()) {
        if (m_editor->toPlainText().trimmed().isEmpty() && !item->parent()->parent())
            m_editor->setPlainText(QString("SELECT * FROM %1 LIMIT 100").arg(name));
        else
            m_editor->insertPlainText(name);
        m_editor->setFocus();
    }
}

void SqlPanel::ask()
{
    if (!m_ask->isEnabled())
        return;
    m_editor->remember();
    setState(tr("Running\u2026"));
    m_stop->setEnabled(true);
    const std::string sql = m_editor->toPlainText().toStdString();
    m_job.start(
        [trace = m_session.sharedTrace(), sql](const std::stop_token& stop) {
            auto session = SqlSession::open(trace->info);
            if (session.ok())
                return session.value().ask(sql, {}, stop);
            SqlAnswer answer;
            answer.problem = session.error().message;
            return answer;
        },
        [this, sql](const SqlAnswer& answer) {
            m_asked = QString::fromStdString(sql);
            showAnswer(answer);
        });
}

void SqlPanel::stop()
{
    if (!m_job.isBusy())
        return;
    m_job.abandon();
    m_stop->setEnabled(false);
    setState(tr("Stopped."));
}

void SqlPanel::showAnswer(const SqlAnswer& answer)
{
    m_stop->setEnabled(false);
    m_editor->markPlace(answer.place);
    m_cells = std::make_shared<const Cells>(answer.cells);
    m_model->forgetSort();
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
    const std::size_t rows = m_cells->rowCount();
    offerRow();
    if (!answer.problem.empty())
        showProblem(plainTextOf(answer.problem));
    else if (!answer.note.empty())
        setState(plainTextOf(answer.note));
    else
        setState(rows == 1 ? tr("1 row") : tr("%1 rows").arg(numberText(rows)));
    m_model->showInOrder(m_cells);
}

void SqlPanel::showAsRow()
{
    if (m_model->cells() != m_cells)
        return; // the lines are still those of the answer before
    auto row = resultRow(*m_cells, m_model->order());
    if (!row.ok()) {
        showProblem(plainTextOf(row.error().message));
        return;
    }
    constexpr qsizetype longestTitle = 60;
    ResultRow made = row.take();
    made.title = m_asked.simplified().left(longestTitle);
    for (QTreeWidgetItemIterator each(m_names); *each; ++each) { // a predefined query has a name
        if ((*each)->data(0, statementRole).toString() == m_asked)
            made.title = (*each)->text(0);
    }
    made.sql = m_asked;
    made.search = m_search->text();
    made.report = m_session.report().id;
    m_session.results().add(std::move(made));
    emit messages(tr("The results are a row at the top of the timeline"));
}

extern const PanelKind sqlPanel;
const PanelKind sqlPanel{
    .id = "sql",
    .title = QT_TRANSLATE_NOOP("Action", "SQL"),
    .help = QT_TRANSLATE_NOOP("warpline::Panel", "Query the report in SQL; the file is never changed"),
    .place = PanelPlace::Below,
    .keys = "Ctrl+0",
    .isNeeded =
        [](Session& session) { // a trace in JSON has no database to ask
            return std::ranges::any_of(session.workspace().reports(), [](const OpenReport& report) {
                return recorderOf(report.trace->info) == Recorder::NsightSystems;
            });
        },
    .make = makePanel<SqlPanel>,
};

} // namespace warpline
