#include "views/panels/stats_panel.h"

#include "core/base/stop.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"
#include "views/panels/duration_chart.h"
#include "views/panels/judged_range.h"
#include "views/panels/layouts.h"
#include "views/panels/range_text.h"
#include "views/panels/stats_charts.h"
#include "views/panels/stats_lines.h"
#include "views/panels/table_columns.h"
#include "views/style/empty_note.h"
#include "views/style/rich_text.h"

#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>

#include <algorithm>

namespace warpline {

namespace {

constexpr std::size_t maxRows = 200;

} // namespace

struct StatsPanel::Answer {
    RangeStats stats;
    std::vector<RangeWork> work; ///< of its operators
    std::vector<RowId> asked;
    std::vector<TrackRef> tracks;
    StatsLines names;
    StatsLines rows;
    StatsLines copies;
    StatsLines counters;
    DurationBins bins;
};

StatsPanel::StatsPanel(Session& session, const Theme& theme, QWidget* parent)
    : Panel(session, parent),
      m_summary(new QLabel(this)),
      m_names(new CellsModel({tr("Name"), tr("Kind"), tr("Count"), tr("In range"), tr("Share"), tr("Mean"),
                                 tr("Median"), tr("Min"), tr("Max"), tr("Bytes")},
          this)),
      m_rows(new CellsModel(
          {tr("Row"), tr("Busy"), tr("Share"), tr("Events"), tr("Gaps"), tr("Longest gap")}, this)),
      m_copies(new CellsModel({tr("Direction"), tr("Count"), tr("In range"), tr("Whole bytes"),
                                  tr("Whole time"), tr("Throughput"), tr("Pageable")},
          this)),
      m_counters(new CellsModel(
          {tr("Counter"), tr("Of"), tr("Mean"), tr("Minimum"), tr("Maximum"), tr("Samples")}, this)),
      m_nameTable(makeTable(m_names)),
      m_rowTable(makeTable(m_rows)),
      m_copyTable(makeTable(m_copies)),
      m_counterTable(makeTable(m_counters)),
      m_devices(new DeviceChart(theme, this)),
      m_legend(new QLabel(this)),
      m_durations(new DurationChart(theme, tr("Durations of kernels, copies and memsets"), this))
{
    using enum Unit;
    m_names->setUnits({Text, Text, Count, Nanoseconds, Percent, NanosecondsReal, NanosecondsReal, Nanoseconds,
        Nanoseconds, Bytes});
    m_rows->setUnits({Text, Nanoseconds, Percent, Count, Count, Nanoseconds});
    m_copies->setUnits({Text, Count, Nanoseconds, Bytes, Nanoseconds, BytesPerSecond, Count});
    m_counters->setUnits({Text, Text, AsStored, AsStored, AsStored, Count});
    m_names->setFirstNumberColumn(2);
    m_nameTable->setColumnWidth(0, 200);
    m_rowTable->setColumnWidth(0, 200);
    m_copyTable->setColumnWidth(0, 160);
    m_counters->setFirstNumberColumn(2);
    m_counterTable->setColumnWidth(0, 200);
    m_counterTable->setObjectName("counters");
    m_copyTable->setObjectName("copies");
    for (QTableView* const table : {m_nameTable, m_rowTable, m_copyTable, m_counterTable}) {
        auto* const note = new EmptyNote(*table, [this, table] { return emptyText(*table); });
        connect(this, &Panel::updated, note, &EmptyNote::refresh);
    }
    m_summary->setObjectName("summary");
    m_summary->setTextFormat(Qt::RichText);
    m_summary->setContentsMargins(6, 3, 6, 2);
    auto* const tabs = new QTabWidget(this);
    tabs->setDocumentMode(true);
    tabs->addTab(m_nameTable, tr("Names"));
    tabs->addTab(m_rowTable, tr("Rows"));
    tabs->addTab(m_copyTable, tr("Copies"));
    tabs->addTab(m_counterTable, tr("Counters"));
    m_legend->setObjectName("legend");
    m_legend->setTextFormat(Qt::RichText);
    m_legend->setContentsMargins(8, 4, 8, 0);
    auto* const area = new QScrollArea(this); // more GPUs than a low drawer has lines for
    scrollUpAndDown(*area, m_devices);
    area->setMinimumSize(m_devices->minimumSizeHint()); // of one GPU
    auto* const ofDevices = makeTextColumn(this, m_legend, area);
    auto* const charts = new QSplitter(Qt::Vertical, this);
    // Without sizes the chart with the smaller minimum gets too little for its labels.
    fillSplitter(*charts, {{ofDevices, 1}, {m_durations, 1}}, {200, 200});
    auto* const split = new QSplitter(this);
    fillSplitter(*split, {{tabs, 5}, {charts, 2}}, {1060, 440});
    auto* const back = new WayBack(m_session, this);
    back->setContentsMargins(6, 0, 6, 0);
    fillColumn(this, 0, {makeTextColumn(this, m_summary, makeColumn(this, 0, {back, {split, 1}}))});

    connect(&m_session.time(), &TimeView::selectedRangeChanged, this, [this] { requestRefresh(); });
    connect(&m_session.time(), &TimeView::judgedChanged, this, [this] { requestRefresh(); });
    connect(&m_session, &Session::clocksChanged, this, [this] { requestRefresh(); });
    connect(&m_session.selection(), &Selection::selectedRowsChanged, this, [this] { requestRefresh(); });
    connect(&m_session.time(), &TimeView::shownChanged, this, [this] {
        if (m_session.time().selectedRange().empty())
            requestRefresh();
    });
    for (QTableView* const table : {m_nameTable, m_rowTable, m_copyTable, m_counterTable})
        stretchColumn(*table, 0);
    connectTables();
    m_job.onFailure([this] {
        showAnswer({});
        m_summary->setText(m_job.failure().toHtmlEscaped());
    });
    requestRefresh();
}

QString StatsPanel::emptyText(const QTableView& table) const
{
    if (m_session.isEmpty() || m_stats.window.empty())
        return {};
    if (&table == m_counterTable && m_session.trace().counters.empty())
        return tr("This report has no counters: --gpu-metrics-devices=all records those of the GPU.");
    if (&table == m_copyTable && m_session.trace().memcpys().empty())
        return tr("This report has no copies.");
    return &table == m_copyTable ? QObject::tr("No copies in this range") : tr("No events in this range");
}

void StatsPanel::connectTables()
{
    connect(m_nameTable, &QTableView::clicked, this,
        [this](const QModelIndex& index) { highlightName(index.row()); });
    connect(m_nameTable, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        const EventRef longest = m_stats.names[m_names->line(index.row()).id].longest;
        m_session.selection().goTo(m_session.idOf(longest));
    });
    connect(m_rowTable, &QTableView::clicked, this, [this](const QModelIndex& index) {
        m_session.rowView().reveal(m_session.sharedRow(m_rowsAsked[m_rows->line(index.row()).id]));
    });
    connect(m_durations, &DurationChart::chosen, this, [this](qint64 least, qint64 most) {
        EventFilter filter = m_session.selection().filter();
        filter.minDuration = least;
        filter.maxDuration = most;
        filter.tracks
            = m_stats.ofGpuWork ? gpuWorkAsked() : std::vector<TrackRef>(); // the events that the bars count
        m_session.selection().setFilter(filter);
        if (m_session.time().selectedRange().empty() && m_stats.window != m_session.trace().session)
            m_session.time().selectRange(m_session.report().clock.toWorkspace(m_stats.window));
        emit m_session.panelRequested("events");
    });
    connect(m_counterTable, &QTableView::clicked, this,
        [this](const QModelIndex& index) { showCounter(index.row()); });
}

std::vector<TrackRef> StatsPanel::gpuWorkAsked() const
{
    std::vector<TrackRef> tracks;
    for (const EventKind kind : allEventKinds()) {
        for (std::uint32_t i = 0; isGpuWork(kind) && i < m_session.trace().table(kind).tracks.size(); ++i) {
            if (m_tracksAsked.empty() || std::ranges::binary_search(m_tracksAsked, TrackRef{kind, i}))
                tracks.push_back({kind, i});
        }
    }
    return tracks;
}

void StatsPanel::showCounter(int row)
{
    const RowTree& rows = *m_session.report().rows;
    for (std::uint32_t i = 1; i < rows.size(); ++i) {
        if (rows.row(RowId{i}).counter == m_counters->line(row).id)
            m_session.rowView().reveal(m_session.sharedRow(RowId{i}));
    }
}

QTableView* StatsPanel::makeTable(CellsModel* model)
{
    auto* const table = new QTableView(this);
    styleTable(*table);
    table->setModel(model);
    table->horizontalHeader()->setDefaultSectionSize(60); // fitColumns() makes them wider
    return table;
}

void StatsPanel::setTheme(const Theme& theme)
{
    m_devices->setTheme(theme);
    m_durations->setTheme(theme);
    m_legend->setText(m_devices->legend());
}

void StatsPanel::showReport()
{
    requestRefresh();
}

void StatsPanel::clear()
{
    m_job.cancel();
    m_highlight.cancel();
    showAnswer({});
    m_summary->setText(m_session.trace().complete ? tr("Analyzing\u2026") : QString());
}

void StatsPanel::refresh()
{
    if (!m_session.trace().complete) {
        clear(); // statistics of incomplete data would mislead
        return;
    }
    const std::shared_ptr<const RowTree> own = m_session.report().rows;
    std::vector<RowId> asked = m_session.selection().ownSelectedRows();
    if (asked.empty()) {
        for (std::uint32_t i = 1; i < own->size() && asked.size() < maxRows; ++i) {
            if (!own->row(RowId{i}).tracks.empty())
                asked.push_back(RowId{i});
        }
    }
    m_job.start(
        [trace = m_session.sharedTrace(), rows = own, asked = std::move(asked),
            selected = m_session.selection().ownSelectedRows(),
            window = m_session.ownTime(m_session.time().window())](const std::stop_token& stop) {
            Answer answer;
            answer.tracks = rows->tracksBelow(selected);
            answer.stats = rangeStats(*trace, *rows, asked, answer.tracks, window, stop);
            throwIfStopped(stop);
            answer.work = rangeWork(*trace, window, stop);
            answer.names = nameLines(*trace, answer.stats);
            answer.rows = rowLines(answer.stats, *rows, asked);
            answer.copies = copyLines(answer.stats);
            answer.counters = counterLines(*trace, answer.stats);
            answer.bins = binDurations(answer.stats.durations);
            answer.stats.durations = {};
            answer.asked = asked;
            return answer;
        },
        [this](Answer answer) { showAnswer(std::move(answer)); });
}

void StatsPanel::showAnswer(Answer answer)
{
    m_stats = std::move(answer.stats);
    m_rowsAsked = std::move(answer.asked);
    m_tracksAsked = std::move(answer.tracks);
    const bool whole = m_tracksAsked.empty() && m_stats.window == m_session.trace().session;
    QString summary = rangeSummary(m_stats, !m_session.time().selectedRange().empty(),
        m_session.report().clock, whole ? m_session.trace().eventCount() : 0, answer.work);
    if (answer.names.size() < m_stats.names.size())
        summary += " &nbsp;&middot;&nbsp; "
            + tr("%1 of %2 names listed")
                  .arg(countHtml(answer.names.size()), countHtml(m_stats.names.size()));
    // A report of one instant has only empty windows.
    const bool isOutside = m_stats.window.empty() && !m_session.time().window().empty();
    m_summary->setText(isOutside ? outsideText(m_session.report().label) : summary);
    m_summary->setToolTip(
        whole && m_stats.events < m_session.trace().eventCount() ? plainTip(
            tr("The others are marks at the very end, or outside the session, such as profiler messages."))
                                                                 : QString());
    for (CellsModel* const model : {m_names, m_rows, m_copies, m_counters})
        model->setRange(m_stats.window);
    m_names->setLines(std::move(answer.names));
    m_rows->setLines(std::move(answer.rows));
    m_copies->setLines(std::move(answer.copies));
    m_counters->setLines(std::move(answer.counters));
    constexpr int widest = 280;
    constexpr int widestFirst = 200; // it is stretched; in a narrow window values come before long names
    for (QTableView* const table : {m_nameTable, m_rowTable, m_copyTable, m_counterTable})
        fitColumns(*table, widest, false, widestFirst);
    m_devices->showDevices(m_stats.devices, m_stats.window);
    m_legend->setText(m_devices->legend());
    m_durations->setTitle(m_stats.ofGpuWork ? tr("Durations of kernels, copies and memsets")
                                            : tr("Durations of the selected events"));
    m_durations->showBins(std::move(answer.bins));
    emit updated();
}

void StatsPanel::highlightName(int row)
{
    const NameFigures& name = m_stats.names[m_names->line(row).id];
    m_highlight.start(
        [trace = m_session.sharedTrace(), kind = name.kind, id = name.name, onGpu = name.recordedOnGpu,
            window = m_stats.window, tracks = m_tracksAsked](const std::stop_token& stop) {
            std::vector<EventRef> events;
            const EventTable& table = trace->table(kind);
            for (std::uint32_t t = 0; t < table.tracks.size() && !stop.stop_requested(); ++t) {
                const bool isAsked = tracks.empty() || std::ranges::binary_search(tracks, TrackRef{kind, t});
                if (!isAsked || isRecordedOnGpu(kind, table.tracks[t]) != onGpu)
                    continue;
                for (const EventIndex i : eventsIn(table, table.tracks[t], window)) {
                    if (table.name[i] == id)
                        events.push_back({kind, i});
                }
            }
            std::ranges::sort(events);
            return events;
        },
        [this](std::vector<EventRef> events) {
            m_session.selection().setHighlighted(m_session.report().id, std::move(events));
        });
}

extern const PanelKind statsPanel;
const PanelKind statsPanel{
    .id = "statistics",
    .title = QT_TRANSLATE_NOOP("Action", "Selection"),
    .help = QT_TRANSLATE_NOOP("Action", "Statistics of the selection, or of the visible range"),
    .place = PanelPlace::Below,
    .keys = "Ctrl+2",
    .make = makePanel<StatsPanel>,
};

} // namespace warpline
