#include "views/panels/ranks_panel.h"

#include "core/steps/steps.h"
#include "views/panels/rank_lines.h"
#include "views/panels/table_columns.h"
#include "views/session/fleet_summary.h"
#include "views/style/empty_note.h"
#include "views/style/rich_text.h"

#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSettings>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace warpline {

namespace {

constexpr int mapMargin = 4;

constexpr int widestColumn = 420;

/// Why `rank` was late in `step`, where that is a range on the host: the longest of that name which lies
/// there.
EventRef causeIn(const Trace& trace, const AcrossReport& across, std::size_t rank, std::size_t step)
{
    const LateVerdict& verdict = across.verdict;
    const auto ofStep = std::ranges::find_if(
        verdict.exceptions, [&](const LateStep& late) { return late.step == step && late.rank == rank; });
    const LateCause cause = ofStep != verdict.exceptions.end() ? ofStep->cause
        : verdict.rank == rank                                 ? verdict.cause
                                                               : LateCause();
    if (!cause.found() || cause.kind != PartKind::Range)
        return {};
    const TimeRange host = across.cell(rank, step).host;
    const NvtxTable& nvtx = trace.nvtx();
    EventRef longest;
    for (const Track& track : nvtx.tracks) {
        if (processOf(track.owner) != across.ranks[rank].process)
            continue;
        for (const Lane& lane : nvtx.lanesOf(track)) {
            const auto [first, last] = nvtx.touching(lane, host);
            for (EventIndex i = first; i < last; ++i) {
                const bool longer = !longest.valid() || nvtx.duration[i] > nvtx.duration[longest.index];
                if (longer && nvtx.start[i] >= host.start
                    && withoutNumbers(trace.text(nvtx.name[i])) == cause.part)
                    longest = {EventKind::Nvtx, i};
            }
        }
    }
    return longest;
}

} // namespace

RanksPanel::RanksPanel(Session& session, const Theme& theme, QWidget* parent)
    : Panel(session, parent),
      m_theme(&theme),
      m_fleetBar(makeFleetBar()),
      m_verdict(new QLabel(this)),
      m_notes(new QLabel(this)),
      m_measures(new QComboBox(this)),
      m_map(new RankHeatMap(theme, this)),
      m_splitter(new QSplitter(Qt::Horizontal, this)),
      m_tabs(new QTabWidget(this)),
      m_ranks(rankTitles()),
      m_kinds(kindTitles()),
      m_exchange(exchangeTitles()),
      m_findings(acrossFindingTitles()),
      m_findingText(new QTextBrowser(this))
{
    setProperty("isAboutAll", true); // reports: see MainWindow::makeDocks()
    m_ranks.setFirstNumberColumn(3);
    m_kinds.setFirstNumberColumn(3);
    QFont bold = font();
    bold.setBold(true);
    m_verdict->setFont(bold);
    for (QLabel* const label : {m_verdict, m_notes}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setContentsMargins(6, 0, 6, 0);
    }
    m_verdict->setWordWrap(true);
    m_notes->setWordWrap(true);
    m_measures->addItems({tr("Blame"), tr("Exposed wait"), tr("GPU busy"), tr("Step time")});
    m_measures->setToolTip(tr(
        "What the colours mean: what the others waited for the rank, what the rank waited while it computed "
        "nothing, how much of the step its GPU worked, or how long the step took"));
    auto* const left = new QWidget(this);
    auto* const column = new QVBoxLayout(left);
    column->setContentsMargins(mapMargin, 3, 0, 0);
    column->setSpacing(2);
    column->addWidget(m_measures, 0, Qt::AlignLeft);
    column->addWidget(m_map, 1);
    m_rankTable = makeTable(m_ranks, tr("Ranks"));
    m_kindTable = makeTable(m_kinds, tr("Exchanges"));
    m_exchangeTable = makeTable(m_exchange, tr("Selected one"));
    new EmptyNote(*m_exchangeTable, [] {
        return tr(
            "Select a kernel that communicates, or a call that waits for other ranks, in the timeline: who came "
            "when stands here then.");
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
    m_splitter->addWidget(left);
    m_splitter->addWidget(m_tabs);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_isSplitByHand = true; });
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 3, 0, 0);
    layout->setSpacing(3);
    layout->addWidget(m_fleetBar);
    layout->addWidget(m_verdict);
    layout->addWidget(m_notes);
    layout->addWidget(m_splitter, 1);
    layout->addStretch(0); // takes the room where the splitter is not shown
    connect(m_measures, &QComboBox::currentIndexChanged, this,
        [this](int index) { m_map->setMeasure(static_cast<HeatMeasure>(index)); });
    connect(m_map, &RankHeatMap::chosen, this, &RanksPanel::goToStep);
    connect(&m_session.ranks(), &RankJudge::changed, this, &RanksPanel::fill);
    connect(&FleetSummary::of(m_session), &FleetSummary::changed, this, &RanksPanel::fill);
    connect(&m_session, &Session::currentEventChanged, this, &RanksPanel::showExchange);
    connectTables();
    fill();
}

QWidget* RanksPanel::makeFleetBar()
{
    auto* const bar = new QWidget(this);
    m_fleetName = new QLabel(bar);
    m_fleetName->setTextFormat(Qt::PlainText);
    auto* const close = new QToolButton(bar);
    close->setText(tr("Close the summary"));
    connect(close, &QToolButton::clicked, this, [this] { FleetSummary::of(m_session).close(); });
    auto* const layout = new QHBoxLayout(bar);
    layout->setContentsMargins(6, 0, 6, 0);
    layout->addWidget(m_fleetName, 1);
    layout->addWidget(close);
    return bar;
}

bool RanksPanel::isOfFleet() const
{
    return m_across && m_across == FleetSummary::of(m_session).sharedAcross();
}

std::shared_ptr<const AcrossReport> RanksPanel::wanted() const
{
    const FleetSummary& fleet = FleetSummary::of(m_session);
    return fleet.across() ? fleet.sharedAcross() : m_session.ranks().sharedAcross();
}

QTableView* RanksPanel::makeTable(CellsModel& model, const QString& title)
{
    auto* const table = new QTableView(this);
    styleTable(*table);
    table->setModel(&model);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->horizontalHeader()->setDefaultSectionSize(60); // fitColumns() makes them wider
    // Its figures stay beside a rank: nothing is widened to the room that there is.
    if (!title.isEmpty())
        m_tabs->addTab(table, title);
    return table;
}

void RanksPanel::connectTables()
{
    // A rank leads to its rows, a kind of collective is marked on all ranks, a member is gone to.
    connect(m_rankTable, &QTableView::clicked, this, [this](const QModelIndex& index) {
        const AcrossRank& rank = m_across->ranks[m_ranks.line(index.row()).id];
        if (isOfFleet()) {
            FleetSummary::of(m_session).wantReport(rank.report);
            return;
        }
        const RowId heading = m_session.workspace().rowOf(rank.report, RowTree::root);
        if (heading != RowTree::root) {
            m_session.reveal(heading);
            m_session.selectRows({heading});
        }
    });
    connect(m_kindTable, &QTableView::clicked, this,
        [this](const QModelIndex& index) { markKind(m_kinds.line(index.row()).id); });
    connect(m_exchangeTable, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        if (const MatchedExchange* const exchange = m_session.ranks().exchangeOf(m_session.currentEvent()))
            m_session.goToAtScale(exchange->members[m_exchange.line(index.row()).id].event);
    });
    connect(m_findingTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& current) { showFinding(current.row()); });
    connect(m_findingTable, &QTableView::clicked, this, [this](const QModelIndex& index) {
        const AcrossFinding& finding = m_across->findings[m_findings.line(index.row()).id];
        if (finding.event.event.valid())
            m_session.goToAtScale(finding.event);
        else if (finding.rank != noIndex && finding.step != noIndex)
            goToStep(finding.rank, finding.step);
    });
}

void RanksPanel::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_map->setTheme(theme);
    showVerdict();
}

void RanksPanel::saveState(QSettings& settings) const
{
    settings.setValue("measure", m_measures->currentIndex());
}

void RanksPanel::restoreState(const QSettings& settings)
{
    m_measures->setCurrentIndex(std::clamp(settings.value("measure").toInt(), 0, m_measures->count() - 1));
}

void RanksPanel::showEvent(QShowEvent* event)
{
    Panel::showEvent(event);
    m_session.ranks().want();
}

void RanksPanel::showReport()
{
    // Another rank is selected, and what all of them say of one another stays.
    if (!m_across || m_across != wanted())
        fill();
}

void RanksPanel::fill()
{
    m_across = wanted();
    const AcrossReport* const across = m_across.get();
    m_fleetBar->setVisible(isOfFleet());
    if (isOfFleet())
        m_fleetName->setText(tr("%1: %2 reports. A click on a rank or a step opens its report.")
                                 .arg(QFileInfo(FleetSummary::of(m_session).path()).fileName())
                                 .arg(across->reports.size()));
    m_splitter->setVisible(across && across->judged); // else there is nothing to compare
    m_map->setAcross(across);
    static const AcrossReport none;
    const AcrossReport& shown = across ? *across : none;
    m_ranks.setLines(rankLines(shown, isOfFleet() ? nullptr : &m_session.workspace()));
    m_kinds.setLines(kindLines(shown));
    m_findings.setLines(acrossFindingLines(shown));
    m_rankTable->setColumnHidden(m_ranks.columnCount() - 1,
        std::ranges::all_of(shown.ranks, [](const AcrossRank& rank) { return rank.clockMHz <= 0; }));
    for (QTableView* const table : {m_rankTable, m_kindTable, m_findingTable})
        fitColumns(*table, widestColumn);
    if (!m_isSplitByHand && isVisible()) { // the map takes what its steps need, the tables what is left
        const int wanted = m_map->sizeHint().width() + mapMargin;
        m_splitter->setSizes({wanted, std::max(1, width() - wanted)});
    }
    showVerdict();
    showExchange();
    showFinding(m_findings.rowCount() > 0 ? 0 : -1);
    emit updated();
}

void RanksPanel::showVerdict()
{
    const AcrossReport* const across = m_across.get();
    QPalette colors = palette();
    if (across && across->verdict.pattern == LatePattern::Persistent)
        colors.setColor(QPalette::WindowText, m_theme->bad);
    m_verdict->setPalette(colors);
    if (!across) {
        m_verdict->setText(m_session.isEmpty() ? QString()
                : m_session.ranks().isBusy()
                ? tr("Comparing the ranks\u2026")
                : tr("Open the reports of several ranks to see who comes late, and why."));
        m_notes->hide();
        return;
    }
    m_verdict->setText(textOf(across->verdict.sentence));
    QStringList notes;
    constexpr std::size_t mostExceptions = 3;
    const auto& exceptions = across->verdict.exceptions;
    for (std::size_t i = 0; i < std::min(mostExceptions, exceptions.size()); ++i)
        notes << textOf(exceptionSentence(*across, exceptions[i]));
    for (const std::string& note : across->notes)
        notes << textOf(note);
    if (across->judged)
        notes << textOf(sumsSentences(*across));
    m_notes->setText(notes.join(' '));
    m_notes->setVisible(!notes.isEmpty());
}

void RanksPanel::showFinding(int row)
{
    const AcrossReport* const across = m_across.get();
    if (!across || row < 0 || row >= m_findings.rowCount()) {
        m_findingText->setHtml(across && across->judged
                ? "<p>" + tr("Nothing across the ranks deserves attention.").toHtmlEscaped() + "</p>"
                : QString());
        return;
    }
    const AcrossFinding& finding = across->findings[m_findings.line(row).id];
    m_findingText->setHtml("<h3>" + htmlOf(finding.title) + "</h3><p>" + htmlOf(finding.message) + "</p><h4>"
        + tr("What to do").toHtmlEscaped() + "</h4><p>" + htmlOf(finding.remedy) + "</p>");
}

void RanksPanel::showExchange()
{
    const AcrossReport* const across = m_session.ranks().across();
    const MatchedExchange* const exchange = m_session.ranks().exchangeOf(m_session.currentEvent());
    std::vector<CellsModel::Line> lines;
    if (across && exchange)
        lines = exchangeLines(*across, *exchange, m_session.workspace());
    m_exchange.setLines(std::move(lines));
    fitColumns(*m_exchangeTable, widestColumn);
    const int place = m_tabs->indexOf(m_exchangeTable);
    m_tabs->setTabToolTip(place,
        tr("The exchange that the selected kernel or call is part of, on all its ranks, in the order in which "
           "they came. A double-click goes to a rank's part."));
}

void RanksPanel::goToStep(std::size_t rank, std::size_t step)
{
    const AcrossReport& across = *m_across;
    const StepCell& cell = across.cell(rank, step);
    if (!cell.known)
        return;
    // What makes a rank late lies in the step on the host, before the step on the GPU.
    const TimeRange whole = cell.host.empty() ? cell.time : cell.time.unitedWith(cell.host);
    if (isOfFleet()) {
        FleetSummary::of(m_session).wantReport(across.ranks[rank].report, whole);
        return;
    }
    const OpenReport& report = m_session.workspace().report(across.ranks[rank].report);
    const RowId heading = m_session.workspace().rowOf(report.id, RowTree::root);
    if (heading != RowTree::root) {
        m_session.reveal(heading);
        m_session.selectRows({heading});
    }
    const EventRef cause = causeIn(*report.trace, across, rank, step);
    m_session.setCurrentEvent(cause.valid() ? EventId{report.id, cause} : EventId());
    m_session.goTo(report.clock.toWorkspace(whole));
    if (cause.valid())
        m_session.reveal(m_session.workspace().rowOf({report.id, cause}));
}

void RanksPanel::markKind(std::size_t kind)
{
    if (isOfFleet())
        return; // exchanges one by one are not in it
    const AcrossReport& across = *m_across;
    std::map<ReportId, std::vector<EventRef>> events;
    for (const MatchedExchange& exchange : across.exchanges) {
        if (exchange.kind != kind)
            continue;
        for (const ExchangeMember& member : exchange.members)
            events[member.event.report].push_back(member.event.event);
    }
    m_session.setHighlights(std::move(events));
}

extern const PanelKind ranksPanel;
const PanelKind ranksPanel{
    .id = "ranks",
    .title = QT_TRANSLATE_NOOP("Action", "Ranks"),
    .help = QT_TRANSLATE_NOOP("Action", "Which rank came late, what it cost the others, and why"),
    .place = PanelPlace::Below,
    .keys = "Ctrl+9",
    .isNeeded = [](Session& session) { return session.workspace().reports().size() > 1; },
    .make = [](Session& session, const Theme& theme, QWidget* parent) -> Panel* {
        return new RanksPanel(session, theme, parent);
    },
};

} // namespace warpline
