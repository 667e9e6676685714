#include "views/panels/ranks_panel.h"

#include "views/panels/empty_state.h"
#include "views/panels/judged_range.h"
#include "views/panels/layouts.h"
#include "views/panels/rank_lines.h"
#include "views/panels/rank_map_panel.h"
#include "views/panels/table_columns.h"
#include "views/session/fleet_summary.h"
#include "views/style/empty_note.h"
#include "views/style/rich_text.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>

#include <algorithm>
#include <map>

namespace warpline {

namespace {

constexpr int widestColumn = 420;

} // namespace

RanksPanel::RanksPanel(Session& session, const Theme& theme, QWidget* parent, bool withMap)
    : Panel(session, parent),
      m_fleetBar(makeFleetBar()),
      m_map(withMap ? new RankMapPanel(session, theme, this) : nullptr),
      m_empty(new EmptyState(tr("Open the reports of several ranks to see tables of ranks and exchanges."),
          {{"file.add", tr("Add reports\u2026")}}, this)),
      m_splitter(new QSplitter(Qt::Horizontal, this)),
      m_tabs(new QTabWidget(this)),
      m_ranks(rankTitles()),
      m_kinds(kindTitles()),
      m_exchange(exchangeTitles()),
      m_findings(acrossFindingTitles()),
      m_findingText(new QTextBrowser(this))
{
    using enum Unit;
    m_ranks.setUnits(
        {Text, Text, Text, Nanoseconds, Nanoseconds, Nanoseconds, Text, Nanoseconds, Nanoseconds, Real});
    m_kinds.setUnits({Text, Text, Text, Bytes, Count, Count, Nanoseconds, Nanoseconds, Nanoseconds,
        Nanoseconds, Percent, Real, Real});
    m_exchange.setUnits({Text, Nanoseconds, Nanoseconds, Nanoseconds, Nanoseconds, Nanoseconds, Text});
    m_findings.setUnits({Text, Text, Nanoseconds});
    m_ranks.setFirstNumberColumn(3);
    m_kinds.setFirstNumberColumn(3);
    m_rankTable = makeTable(m_ranks, tr("Ranks"));
    m_kindTable = makeTable(m_kinds, tr("Exchanges"));
    m_exchangeTable = makeTable(m_exchange, tr("Selected exchange"));
    new EmptyNote(*m_exchangeTable, [] {
        return tr(
            "Select a collective, or a call that waits for other ranks, to see the order in which ranks arrive.");
    });
    auto* const findings = new QSplitter(Qt::Horizontal, this);
    m_findingTable = makeTable(m_findings, {});
    findings->addWidget(m_findingTable);
    findings->addWidget(m_findingText);
    findings->setStretchFactor(0, 3);
    findings->setStretchFactor(1, 2);
    m_findingText->setFrameShape(QFrame::NoFrame);
    m_tabs->addTab(findings, tr("Findings"));
    m_tabs->setDocumentMode(true);
    if (m_map)
        m_splitter->addWidget(m_map);
    m_splitter->addWidget(m_tabs);
    m_splitter->setStretchFactor(m_splitter->count() - 1, 1);
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_isSplitByHand = true; });
    fillColumn(this, 3, {new RangeNotice(session, ofAllRanks(), this), m_fleetBar, m_empty, {m_splitter, 1}});
    connect(&m_session.judgement().ranks(), &RankJudge::changed, this, &RanksPanel::fill);
    connect(&m_session.fleet(), &FleetSummary::changed, this, &RanksPanel::fill);
    connect(&m_session.selection(), &Selection::currentEventChanged, this, &RanksPanel::showExchange);
    connectTables();
    fill();
}

QWidget* RanksPanel::makeFleetBar()
{
    auto* const bar = new QWidget(this);
    m_fleetName = new QLabel(bar);
    m_fleetName->setTextFormat(Qt::PlainText);
    m_fleetName->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a name may be long
    auto* const close = new QToolButton(bar);
    close->setText(tr("Close the summary"));
    connect(close, &QToolButton::clicked, this, [this] { m_session.fleet().close(); });
    fillLayout(new QHBoxLayout(bar), {6, 0, 6, 0}, styleSpacing, {{m_fleetName, 1}, close});
    return bar;
}

QTableView* RanksPanel::makeTable(CellsModel& model, const QString& title)
{
    auto* const table = new QTableView(this);
    styleTable(*table);
    table->setModel(&model);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->horizontalHeader()->setDefaultSectionSize(60); // fitColumns() makes them wider
    // Values stay next to their rank: no stretching to the available width.
    if (!title.isEmpty())
        m_tabs->addTab(table, title);
    return table;
}

void RanksPanel::connectTables()
{
    // A rank leads to its rows, a kind of collective is marked on all ranks, a member is gone to.
    connect(m_rankTable, &QTableView::clicked, this, [this](const QModelIndex& index) {
        const AcrossRank& rank = m_across->ranks[m_ranks.line(index.row()).id];
        if (isOfFleet(m_session, m_across)) {
            m_session.fleet().wantReport(rank.report);
            return;
        }
        const RowId heading = m_session.workspace().rowOf(rank.report, RowTree::root);
        if (heading != RowTree::root) {
            m_session.rowView().reveal(heading);
            m_session.selection().selectRows({heading});
        }
    });
    connect(m_kindTable, &QTableView::clicked, this,
        [this](const QModelIndex& index) { markKind(m_kinds.line(index.row()).id); });
    connect(m_exchangeTable, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        if (const MatchedExchange* const exchange
            = m_session.judgement().ranks().exchangeOf(m_session.selection().currentEvent()))
            m_session.selection().goToAtScale(exchange->members[m_exchange.line(index.row()).id].event);
    });
    connect(m_findingTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& current) { showFinding(current.row()); });
    connect(m_findingTable, &QTableView::clicked, this, [this](const QModelIndex& index) {
        const AcrossFinding& finding = m_across->findings[m_findings.line(index.row()).id];
        if (finding.event.event.valid())
            m_session.selection().goToAtScale(finding.event);
        else if (finding.rank != noIndex && finding.step != noIndex)
            goToStepOfRank(m_session, m_across, finding.rank, finding.step);
    });
}

void RanksPanel::setTheme(const Theme& theme)
{
    if (m_map)
        m_map->setTheme(theme);
}

void RanksPanel::showEvent(QShowEvent* event)
{
    Panel::showEvent(event);
    m_session.judgement().ranks().want();
}

void RanksPanel::showReport()
{
    // Another rank is selected; the analysis across ranks stays.
    if (!m_across || m_across != shownAcross(m_session))
        fill();
}

void RanksPanel::clear()
{
    if (!m_session.trace().complete) // else showReport() decides
        fill();
}

void RanksPanel::fill()
{
    m_across = shownAcross(m_session);
    const AcrossReport* const across = m_across.get();
    m_fleetBar->setVisible(isOfFleet(m_session, m_across));
    if (isOfFleet(m_session, m_across))
        m_fleetName->setText(tr("%1: %2 reports. Click a rank or a step to open its report.")
                                 .arg(elidedInMiddle(QFileInfo(m_session.fleet().path()).fileName(), 60))
                                 .arg(across->reports.size()));
    const bool hasTables = across && across->judged; // else there is nothing to compare
    m_tabs->setVisible(hasTables);
    m_splitter->setVisible(hasTables || m_map); // the map shows the reason
    m_empty->setVisible(!hasTables && !m_map);
    static const AcrossReport none;
    const AcrossReport& shown = across ? *across : none;
    m_ranks.setLines(rankLines(shown, isOfFleet(m_session, m_across) ? nullptr : &m_session.workspace()));
    m_kinds.setLines(kindLines(shown));
    m_findings.setLines(acrossFindingLines(shown));
    m_rankTable->setColumnHidden(m_ranks.columnCount() - 1,
        std::ranges::all_of(shown.ranks, [](const AcrossRank& rank) { return rank.clockMHz <= 0; }));
    for (QTableView* const table : {m_rankTable, m_kindTable, m_findingTable})
        fitColumns(*table, widestColumn);
    if (m_map && !m_isSplitByHand && isVisible()) { // the map gets what its steps need, the tables the rest
        const int wanted = m_map->sizeHint().width();
        m_splitter->setSizes({wanted, std::max(1, width() - wanted)});
    }
    showExchange();
    showFinding(m_findings.rowCount() > 0 ? 0 : -1);
    emit updated();
}

std::array<std::pair<QTableView*, const CellsModel*>, 4> RanksPanel::tables() const
{
    return {{{m_rankTable, &m_ranks}, {m_kindTable, &m_kinds}, {m_exchangeTable, &m_exchange},
        {m_findingTable, &m_findings}}};
}

RanksPanel::Choice RanksPanel::choice() const
{
    Choice choice{m_tabs->currentIndex(), {}};
    for (const auto& [table, model] : tables()) {
        const QModelIndexList rows = table->selectionModel()->selectedRows();
        choice.lines << (rows.isEmpty() ? -1 : static_cast<qint64>(model->line(rows.front().row()).id));
    }
    return choice;
}

void RanksPanel::restoreChoice(const Choice& choice)
{
    m_tabs->setCurrentIndex(choice.tab);
    qsizetype place = 0;
    for (const auto& [table, model] : tables()) {
        const qint64 wanted = choice.lines.value(place++, -1);
        for (int row = 0; row < model->rowCount(); ++row) {
            if (wanted >= 0 && model->line(row).id == static_cast<quint64>(wanted))
                table->selectRow(row);
        }
    }
}

void RanksPanel::showFinding(int row)
{
    const AcrossReport* const across = m_across.get();
    if (!across || row < 0 || row >= m_findings.rowCount()) {
        m_findingText->setHtml(across && across->judged
                ? "<p>" + tr("No findings across the ranks.").toHtmlEscaped() + "</p>"
                : QString());
        return;
    }
    const AcrossFinding& finding = across->findings[m_findings.line(row).id];
    m_findingText->setHtml("<h3>" + richTextOf(finding.title) + "</h3><p>" + richTextOf(finding.message)
        + "</p><h4>" + tr("What to do").toHtmlEscaped() + "</h4><p>" + richTextOf(finding.remedy) + "</p>");
}

void RanksPanel::showExchange()
{
    const AcrossReport* const across = m_session.judgement().ranks().across();
    const MatchedExchange* const exchange
        = m_session.judgement().ranks().exchangeOf(m_session.selection().currentEvent());
    std::vector<CellsModel::Line> lines;
    if (across && exchange)
        lines = exchangeLines(*across, *exchange, m_session.workspace());
    m_exchange.setLines(std::move(lines));
    fitColumns(*m_exchangeTable, widestColumn);
    const int place = m_tabs->indexOf(m_exchangeTable);
    m_tabs->setTabToolTip(place,
        tr("The exchange of the selected kernel or call, with its ranks in the order of arrival. Double-click to go to a rank."));
}

void RanksPanel::markKind(std::size_t kind)
{
    if (isOfFleet(m_session, m_across))
        return; // exchanges one by one are not in it
    const AcrossReport& across = *m_across;
    std::map<ReportId, std::vector<EventRef>> events;
    for (const MatchedExchange& exchange : across.exchanges) {
        if (exchange.kind != kind)
            continue;
        for (const ExchangeMember& member : exchange.members)
            events[member.event.report].push_back(member.event.event);
    }
    m_session.selection().setHighlights(std::move(events));
}

extern const PanelKind ranksPanel;
const PanelKind ranksPanel{
    .id = "ranks",
    .title = QT_TRANSLATE_NOOP("Action", "Ranks"),
    .help = QT_TRANSLATE_NOOP("Action", "Tables of ranks and exchanges, and findings across ranks"),
    .place = PanelPlace::Below,
    .about = PanelReports::All,
    .keys = "Ctrl+9",
    .isNeeded
    = [](Session& session) { return session.workspace().reports().size() > 1 || session.fleet().across(); },
    .with = "rankmap",
    .make = [](Session& session, const Theme& theme, QWidget* parent) -> Panel* {
        return new RanksPanel(session, theme, parent, false);
    },
};

} // namespace warpline
