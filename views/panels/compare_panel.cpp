#include "views/panels/compare_panel.h"

#include "core/compare/verdict.h"
#include "core/export/compare_text.h"
#include "views/compare/compare_rows_model.h"
#include "views/models/written_files.h"
#include "views/panels/compare_statistics.h"
#include "views/panels/empty_state.h"
#include "views/panels/judged_range.h"
#include "views/panels/layouts.h"
#include "views/panels/table_columns.h"
#include "views/panels/verdict_panel.h"
#include "views/style/rich_text.h"

#include <QApplication>
#include <QHeaderView>
#include <QSplitter>
#include <QTabBar>
#include <QTableView>

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpline {

namespace {

QTableView* makeTable(QWidget* parent)
{
    auto* const table = new QTableView(parent);
    styleTable(*table);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    return table;
}

/// Tabs of which, where there is little room, the long ones become shorter. With less room they scroll.
class ComparedTabs : public QTabBar {
public:
    using QTabBar::QTabBar;

protected:
    // A hidden QTabBar does not update its layout for new tabs: filled before it is shown, it would keep the
    // height of an empty one.
    void tabInserted(int index) override
    {
        QTabBar::tabInserted(index);
        updateGeometry();
    }

    void tabRemoved(int index) override
    {
        QTabBar::tabRemoved(index);
        updateGeometry();
    }

    QSize minimumTabSizeHint(int index) const override
    {
        constexpr int maxWhole = 17; // characters, with the surrounding text
        const QSize size = tabSizeHint(index);
        return {std::min(size.width(), fontMetrics().averageCharWidth() * maxWhole), size.height()};
    }
};

} // namespace

ComparePanel::ComparePanel(Session& session, const Theme& theme, QWidget* parent)
    : Panel(session, parent),
      m_theme(&theme),
      m_empty(new EmptyState(
          tr("<b>Did my change help?</b> Choose the run after the change. To compare two ranges of this report, select the first and choose Set as A in the menu of the timeline. Then select the second and choose Compare with A."),
          {{"file.compare", tr("Choose run B\u2026")}}, this)),
      m_failed(new EmptyState(VerdictPanel::failureText(), {}, this)),
      m_splitter(new QSplitter(Qt::Horizontal, this)),
      m_tabs(new ComparedTabs(this)),
      m_table(makeTable(this)),
      m_statistics(new CompareStatistics(this)),
      m_histogram(new CompareHistogram(theme, this))
{
    m_tabs->setExpanding(false);
    m_tabs->setDrawBase(false);
    m_tabs->setUsesScrollButtons(true);
    m_tabs->setElideMode(Qt::ElideMiddle); // paths on the host and on the GPU differ at the end
    m_histogram->hide();
    auto* const tables = makeColumn(this, 0, {m_tabs, {m_table, 1}, {m_statistics, 1}});
    m_statistics->hide();
    fillSplitter(*m_splitter, {{tables, 5}, {m_histogram, 1}}, {900, 260});
    fillColumn(this, styleSpacing,
        {new RangeNotice(session, ofComparedRuns(), this), m_empty, m_failed, {m_splitter, 1}});
    connect(&m_saving, &FileWriter::messages, this, &ComparePanel::messages);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        m_chosen = m_tabs->tabData(index).toString();
        const bool wasChoosing = m_choosing.isBusy();
        showTab(index);
        if (wasChoosing) // no more: nothing else will say so
            emit updated();
    });
    connect(m_table, &QTableView::clicked, this, &ComparePanel::choose);
    connect(m_statistics, &CompareStatistics::updated, this, &ComparePanel::updated);
    m_making.onFailure([this] {
        if (m_number != m_session.pair().number()) { // else only its findings are missing
            m_comparison = nullptr;
            m_lines = nullptr;
        }
        draw();
        emit updated();
    });
    RunPair& pair = session.pair();
    connect(&pair, &RunPair::changed, this, &ComparePanel::follow);
    connect(&pair, &RunPair::matched, this, &ComparePanel::follow);
    connect(&pair, &RunPair::compared, this, &ComparePanel::follow);
    draw();
}

ComparePanel::~ComparePanel() = default;

void ComparePanel::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_histogram->setTheme(theme);
    if (m_model)
        m_model->setTheme(theme);
}

bool ComparePanel::isBusy() const
{
    return m_session.pair().isBusy() || m_making.isBusy() || m_choosing.isBusy() || m_statistics->isBusy();
}

void ComparePanel::follow()
{
    const auto comparison = m_session.pair().comparisonAfter(m_comparison);
    if (comparison && !m_session.pair().comparison()) {
        if (std::exchange(m_statisticsNumber, 0) != 0)
            m_statistics->setRequest({}); // which held the reports
        return; // the lines stay until the next ones are there
    }
    if (!comparison) {
        m_making.cancel();
        m_comparison = nullptr;
        m_lines = nullptr;
    }
    if (comparison == m_comparison) {
        draw();
        return;
    }
    m_making.start(
        [comparison](const std::stop_token& stop) {
            return std::make_shared<const CompareLines>(compareLines(*comparison, stop));
        },
        [this, comparison, number = m_session.pair().number()](std::shared_ptr<const CompareLines> lines) {
            const bool isSame = number == std::exchange(m_number, number) && m_comparison;
            m_comparison = comparison;
            m_lines = std::move(lines);
            if (isSame)
                addFindings();
            else
                draw();
            emit updated();
        });
}

/// Nothing else has changed: keeps the user's choice.
void ComparePanel::addFindings()
{
    for (int tab = 0; tab < m_tabs->count(); ++tab) {
        if (m_tabs->tabData(tab).toString() == "findings")
            m_tabs->setTabText(tab, tr("Findings"));
    }
    if (m_tabs->tabData(m_tabs->currentIndex()).toString() == "findings")
        showTab(m_tabs->currentIndex(), selectedKey());
}

void ComparePanel::draw()
{
    m_empty->setVisible(!m_session.pair().isOn());
    m_failed->setVisible(m_session.pair().hasFailed() || (!m_comparison && !m_making.failure().isEmpty()));
    m_splitter->setVisible(m_comparison != nullptr);
    m_splitter->refresh(); // fits the table's columns to the remaining width
    m_histogram->hide();
    fillTabs();
}

/// Whether kernels hold a change worth a sentence, and the largest part of the change; else the budget shows
/// where the time went.
static bool kernelsExplain(const Comparison& comparison)
{
    const double least = minChange * std::max(comparison.sides.a.mean, comparison.sides.b.mean);
    const CompareTable* const kernels = comparison.table("kernels");
    const BudgetGroup most
        = comparison.budget.empty() ? BudgetGroup::Compute : comparison.budget.front().group;
    return kernels && (most == BudgetGroup::Compute || most == BudgetGroup::Communication)
        && std::ranges::any_of(kernels->rows, [&](const CompareRow& row) {
               return row.change != RowChange::Same && row.change != RowChange::Varies
                   && std::abs(row.delta()) >= least;
           });
}

void ComparePanel::fillTabs()
{
    const QString shown = m_tabs->tabData(m_tabs->currentIndex()).toString();
    const QString line = selectedKey();
    const QString before = m_chosen.isEmpty() ? shown : m_chosen;
    const QSignalBlocker quiet(m_tabs); // nothing of this is the user's choice
    while (m_tabs->count() > 0)
        m_tabs->removeTab(0);
    const auto add
        = [this](const QString& id, const QString& title) { m_tabs->setTabData(m_tabs->addTab(title), id); };
    if (m_comparison) {
        for (const CompareTable& table : m_comparison->tables) {
            add(textOf(table.id), plainTextOf(Message("compare_table", table.id, table.title)));
            if (m_tabs->count() == 1) // the next steps are visible at once, the rest is in other tabs
                add("findings", m_session.pair().isJudging() ? tr("Findings\u2026") : tr("Findings"));
        }
        if (m_comparison->tables.empty())
            add("findings", m_session.pair().isJudging() ? tr("Findings\u2026") : tr("Findings"));
        if (!m_comparison->budget.empty())
            add("budget", tr("Budget"));
        add("statistics", tr("nsys tables"));
        add("facts", tr("Facts"));
    }
    if (!bringTable(before) && (!m_comparison || kernelsExplain(*m_comparison) || !bringTable("budget"))
        && m_tabs->count() > 0)
        m_tabs->setCurrentIndex(0);
    const bool isSame = m_tabs->tabData(m_tabs->currentIndex()).toString() == shown;
    showTab(m_tabs->currentIndex(), isSame ? line : QString());
}

QString ComparePanel::keyOf(int row) const
{
    using Content = CompareRowsModel::Content;
    const CellsModel::Line& line = m_model->line(row);
    if (m_model->content() == Content::Rows) {
        const CompareRow& both = m_model->table().rows[line.id];
        const auto [first, last] = std::minmax({both.a.name + both.a.shape, both.b.name + both.b.shape});
        return QString::fromStdString(first + '\n' + last);
    }
    return line.cells[m_model->content() == Content::BudgetLines ? 0 : 1].text;
}

QString ComparePanel::selectedKey() const
{
    const QModelIndexList rows = m_model ? m_table->selectionModel()->selectedRows() : QModelIndexList();
    return rows.isEmpty() ? m_line : keyOf(rows.front().row());
}

bool ComparePanel::showTable(const QString& id)
{
    m_chosen = id;
    return bringTable(id);
}

bool ComparePanel::bringTable(const QString& id)
{
    for (int tab = 0; tab < m_tabs->count(); ++tab) {
        if (m_tabs->tabData(tab).toString() != id)
            continue;
        m_tabs->setCurrentIndex(tab);
        return true;
    }
    return false;
}

void ComparePanel::showTab(int index, const QString& line)
{
    m_choosing.cancel(); // a line of another table
    m_histogram->hide();
    m_line = line;
    const bool isStatistics = m_comparison && m_tabs->tabData(index).toString() == "statistics";
    m_statistics->setVisible(isStatistics);
    m_table->setVisible(!isStatistics);
    const bool isOfBefore = m_number != m_session.pair().number(); // of a comparison that was replaced
    if (isStatistics && !isOfBefore && m_statisticsNumber != m_number) {
        m_statisticsNumber = m_number;
        m_statistics->setRequest(m_session.pair().request());
    }
    if (!m_comparison && std::exchange(m_statisticsNumber, 0) != 0)
        m_statistics->setRequest({}); // which held the reports
    if (!m_comparison || !m_lines || index < 0 || isStatistics) {
        m_table->setModel(nullptr);
        m_model.reset();
        return;
    }
    using Content = CompareRowsModel::Content;
    const QString id = m_tabs->tabData(index).toString();
    const auto table = std::ranges::find(m_comparison->tables, id.toStdString(), &CompareTable::id);
    const auto place = static_cast<std::size_t>(table - m_comparison->tables.begin());
    const bool isRows = table != m_comparison->tables.end();
    const Content content = isRows ? Content::Rows
        : id == "budget"           ? Content::BudgetLines
        : id == "facts"            ? Content::Facts
                                   : Content::Findings;
    const CompareLines::Table& shown = isRows ? m_lines->tables[place]
        : content == Content::BudgetLines     ? m_lines->budget
        : content == Content::Facts           ? m_lines->facts
                                              : m_lines->findings;
    auto model = std::make_unique<CompareRowsModel>(
        shown.titles, content, m_comparison, isRows ? place : 0, *m_theme);
    model->setLines(shown.lines);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder); // as they come
    m_table->setModel(model.get());
    m_model = std::move(model);
    const int widest = std::clamp(m_table->width() * 2 / 5, 180, 420); // names leave room for the values
    stretchColumn(*m_table, content == Content::BudgetLines ? 0 : 1); // the first text
    fitColumns(*m_table, widest, true);
    // A table makes its first row current when it gets the focus, which the user did not choose.
    int row = 0;
    while (!line.isEmpty() && row < m_model->rowCount() && keyOf(row) != line)
        ++row;
    const bool isThere = !line.isEmpty() && row < m_model->rowCount();
    m_table->selectionModel()->setCurrentIndex(m_model->index(isThere ? row : 0, 0),
        isThere ? QItemSelectionModel::SelectCurrent | QItemSelectionModel::Rows
                : QItemSelectionModel::SelectionFlags(QItemSelectionModel::NoUpdate));
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& current) {
            if (QApplication::mouseButtons() == Qt::NoButton) // by keyboard; clicked() handles the mouse
                choose(current);
        });
}

void ComparePanel::askWhereToSave()
{
    const auto asked = m_comparison;
    const QString path = m_saving.ask(
        tr("Save the comparison"), "compared.html", tr("Web page (*.html);;Markdown (*.md);;JSON (*.json)"));
    if (path.isEmpty())
        return;
    if (m_comparison == asked)
        saveAs(path);
    else
        emit messages(tr("Another comparison is shown now. Nothing was written."));
}

void ComparePanel::saveAs(const QString& path)
{
    if (!m_comparison)
        return;
    m_saving.start(path, [comparison = m_comparison, path](const std::stop_token& stop) {
        const CompareText text{*comparison};
        const std::string content = path.endsWith(".json") ? compareDocument(text)
            : path.endsWith(".md")                         ? compareMarkdown(text)
                                                           : compareHtml(text);
        return writeFile(path, QByteArray::fromStdString(content), stop);
    });
}

namespace {

constexpr Action comparePanelActionList[]{
    {
        .id = "compare.save",
        .text = QT_TRANSLATE_NOOP("Action", "Compa&rison\u2026"),
        .help = QT_TRANSLATE_NOOP("Action", "Save the comparison as a web page, Markdown or JSON"),
        .menu = MainMenu::File,
        .submenu = QT_TRANSLATE_NOOP("Action", "&Export"),
        .enabled = [](const ActionContext& at) { return at.session.pair().comparison() != nullptr; },
        .run = [](const ActionContext& at) { at.part<ComparePanel>()->askWhereToSave(); },
    },
};

} // namespace

extern const PanelKind comparePanel;
const PanelKind comparePanel{
    .id = "compare",
    .title = QT_TRANSLATE_NOOP("Action", "Compare"),
    .help
    = QT_TRANSLATE_NOOP("Action", "Differences of two runs: kernels, calls, findings, steps, nsys tables"),
    .place = PanelPlace::Below,
    .namesRuns = true,
    .keys = "Ctrl+8",
    .isNeeded = [](Session& session) { return session.pair().isOn(); },
    .with = "verdict",
    .make = makePanel<ComparePanel>,
    .actions = comparePanelActionList,
};

} // namespace warpline
