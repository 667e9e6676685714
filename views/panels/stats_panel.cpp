#include "views/panels/stats_panel.h"

#include "core/base/format.h"
#include "core/query/event_text.h"
#include "core/store/range_words.h"
#include "views/panels/duration_chart.h"
#include "views/panels/judged_range.h"
#include "views/panels/stats_charts.h"
#include "views/panels/table_columns.h"
#include "views/style/empty_note.h"
#include "views/style/rich_text.h"

#include <QChart>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace warpline {

namespace {

constexpr std::size_t mostRows = 200;

using Line = CellsModel::Line;

CellsModel::Cell text(const std::string& value)
{
    return {textOf(value), {}};
}

CellsModel::Cell number(const std::string& shown, double key)
{
    return {QString::fromStdString(shown), key};
}

CellsModel::Cell count(std::uint64_t value)
{
    return number(formatCount(value), static_cast<double>(value));
}

CellsModel::Cell duration(double ns)
{
    return number(formatDuration(std::llround(ns)), ns);
}

/// Work of the GPU comes first, what only says that a thread waits or is profiled last: it takes the most
/// time, and is never what was looked for.
int orderOf(EventKind kind)
{
    switch (kind) {
    case EventKind::OsRuntime:
    case EventKind::ThreadState:
    case EventKind::CpuCore:
    case EventKind::Overhead:
    case EventKind::Diagnostic:
        return 2;
    default:
        return isGpuWork(kind) ? 0 : 1;
    }
}

std::vector<Line> nameLines(const Trace& trace, const RangeStats& stats)
{
    std::vector<Line> lines;
    lines.reserve(stats.names.size());
    std::vector<std::size_t> order(stats.names.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return orderOf(stats.names[i].kind); });
    for (const std::size_t i : order) {
        const NameFigures& name = stats.names[i];
        lines.push_back(
            {{text(name.label), text(std::string(titleOf(trace, name.kind))), count(name.count),
                 duration(static_cast<double>(name.total)), number(formatShare(name.share), name.share),
                 duration(name.mean), duration(name.median), duration(static_cast<double>(name.min)),
                 duration(static_cast<double>(name.max)),
                 number(
                     name.bytes ? formatBytes(name.bytes) : std::string(), static_cast<double>(name.bytes))},
                i});
    }
    return lines;
}

std::vector<Line> rowLines(const RangeStats& stats, const RowTree& rows, const std::vector<RowId>& asked)
{
    std::vector<Line> lines;
    const double length = std::max<double>(1, static_cast<double>(stats.window.duration()));
    for (std::size_t i = 0; i < stats.rows.size() && i < asked.size(); ++i) {
        const Row& row = rows.row(asked[i]);
        const TrackFigures& figures = stats.rows[i];
        std::string label = row.label;
        if (row.parent != RowTree::root)
            label = rows.row(row.parent).label + " / " + label;
        const auto busy = static_cast<double>(figures.busy);
        lines.push_back(
            {{text(label), duration(busy), number(formatShare(busy / length), busy), count(figures.count),
                 count(figures.gaps), duration(static_cast<double>(figures.longestGap))},
                i});
    }
    return lines;
}

std::vector<Line> copyLines(const RangeStats& stats)
{
    std::vector<Line> lines;
    for (const CopyFigures& copy : stats.copies) {
        lines.push_back(
            {{text(std::string(labelOf(copy.kind))), count(copy.count),
                 number(formatBytes(copy.bytes), static_cast<double>(copy.bytes)),
                 duration(static_cast<double>(copy.total)),
                 number(formatThroughput(copy.throughput()), copy.throughput()), count(copy.pageable)},
                lines.size()});
    }
    if (lines.empty())
        lines.push_back({{{QObject::tr("No copies in this range"), {}}}, 0});
    return lines;
}

std::vector<Line> counterLines(const Trace& trace, const RangeStats& stats)
{
    std::vector<Line> lines;
    for (const CounterFigures& figures : stats.counters) {
        const CounterSeries& series = trace.counters[figures.counter];
        const auto value = [&](double shown, std::optional<int> decimals = {}) {
            return number(counterValueText(trace, series, shown, decimals), shown);
        };
        lines.push_back({{text(std::string(trace.text(series.name))), text(counterPlace(series)),
                             value(figures.mean, 1), value(static_cast<double>(figures.low)),
                             value(static_cast<double>(figures.high)), count(figures.samples)},
            figures.counter});
    }
    return lines;
}

} // namespace

QString rangeSummary(const RangeStats& stats, bool selected, std::uint64_t all)
{
    // A thousandth of the range is as fine as a reader tells its ends apart.
    const Ns length = stats.window.duration();
    const Ns resolution = length < 1'000'000 ? 1 : length / 1000;
    const auto placed = [resolution](Ns at) {
        return htmlOf(formatTime(std::abs(at) < resolution ? 0 : at, resolution)); // no -0.000 s
    };
    const QString events = stats.events < all
        ? QObject::tr("%1 of %2 events").arg(countHtml(stats.events), countHtml(all))
        : stats.events == 1 ? QObject::tr("1 event")
                            : QObject::tr("%1 events").arg(countHtml(stats.events));
    QString summary
        = QObject::tr("<b>%1</b> %2 &nbsp;&middot;&nbsp; %3 to %4 &nbsp;&middot;&nbsp; %5")
              .arg(durationHtml(length), selected ? QObject::tr("selected") : QObject::tr("shown"),
                  placed(stats.window.start), placed(stats.window.end), events);
    const auto share = [&](Ns time) {
        return shareHtml(static_cast<double>(time) / static_cast<double>(std::max<Ns>(1, length)));
    };
    constexpr std::size_t mostInWords = 2;
    for (std::size_t i = 0; i < std::min(stats.devices.size(), mostInWords); ++i) {
        const DeviceFigures& device = stats.devices[i];
        summary += QObject::tr(
            " &nbsp;&middot;&nbsp; <b>GPU %1</b> busy %2, compute %3, copies %4, both at once %5, idle %6")
                       .arg(device.number)
                       .arg(share(device.busy), share(device.compute), share(device.copy),
                           share(device.overlap), share(device.idle));
        if (device.communication > 0)
            summary += QObject::tr(", only communicating %1").arg(share(device.communication));
        if (device.stalled > 0)
            summary += QObject::tr(", waiting for pages %1").arg(share(device.stalled));
    }
    return summary;
}

struct StatsPanel::Answer {
    RangeStats stats;
    std::vector<RowId> asked;
    std::vector<TrackRef> tracks;
    std::vector<Line> names;
    std::vector<Line> rows;
    std::vector<Line> copies;
    std::vector<Line> counters;
    DurationBins bins;
};

StatsPanel::StatsPanel(Session& session, const Theme& theme, QWidget* parent)
    : Panel(session, parent),
      m_summary(new QLabel(this)),
      m_names(new CellsModel({tr("Name"), tr("Kind"), tr("Count"), tr("Total"), tr("Share"), tr("Mean"),
                                 tr("Median"), tr("Min"), tr("Max"), tr("Bytes")},
          this)),
      m_rows(new CellsModel(
          {tr("Row"), tr("Busy"), tr("Share"), tr("Events"), tr("Gaps"), tr("Longest gap")}, this)),
      m_copies(new CellsModel({tr("Direction"), tr("Count"), tr("Bytes of whole copies"),
                                  tr("Time of whole copies"), tr("Throughput"), tr("Pageable")},
          this)),
      m_counters(new CellsModel(
          {tr("Counter"), tr("Of"), tr("Mean"), tr("Minimum"), tr("Maximum"), tr("Samples")}, this)),
      m_nameTable(makeTable(m_names)),
      m_rowTable(makeTable(m_rows)),
      m_copyTable(makeTable(m_copies)),
      m_counterTable(makeTable(m_counters)),
      m_devices(new DeviceChart(theme, this)),
      m_legend(new QLabel(this)),
      m_durations(new DurationChart(theme, tr("Durations of kernels, copies and sets"), this))
{
    m_names->setFirstNumberColumn(2);
    m_nameTable->setColumnWidth(0, 280);
    m_rowTable->setColumnWidth(0, 300);
    m_copyTable->setColumnWidth(0, 160);
    m_counters->setFirstNumberColumn(2);
    m_counterTable->setColumnWidth(0, 280);
    m_counterTable->setObjectName("counters");
    m_copyTable->setObjectName("copies");
    for (QTableView* const table : {m_nameTable, m_rowTable, m_copyTable, m_counterTable}) {
        auto* const note = new EmptyNote(*table, [this, table] { return emptyText(*table); });
        connect(this, &Panel::updated, note, &EmptyNote::refresh);
    }
    m_summary->setTextFormat(Qt::RichText);
    m_summary->setContentsMargins(6, 3, 6, 2);
    m_summary->setWordWrap(true);
    auto* const tabs = new QTabWidget(this);
    tabs->setDocumentMode(true);
    tabs->addTab(m_nameTable, tr("Names"));
    tabs->addTab(m_rowTable, tr("Rows"));
    tabs->addTab(m_copyTable, tr("Copies"));
    tabs->addTab(m_counterTable, tr("Counters"));
    m_legend->setObjectName("legend");
    m_legend->setTextFormat(Qt::RichText);
    m_legend->setWordWrap(true);
    m_legend->setContentsMargins(8, 4, 8, 0);
    auto* const ofDevices = new QWidget(this);
    auto* const upper = new QVBoxLayout(ofDevices);
    upper->setContentsMargins(0, 0, 0, 0);
    upper->setSpacing(0);
    upper->addWidget(m_legend);
    upper->addWidget(m_devices, 1);
    auto* const charts = new QSplitter(Qt::Vertical, this);
    charts->addWidget(ofDevices);
    charts->addWidget(m_durations);
    charts->setSizes({200, 200}); // else the smaller minimum gets too little for its labels
    charts->setStretchFactor(0, 1);
    charts->setStretchFactor(1, 1);
    auto* const split = new QSplitter(this);
    split->addWidget(tabs);
    split->addWidget(charts);
    split->setStretchFactor(0, 5);
    split->setStretchFactor(1, 2);
    split->setSizes({1060, 440});
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_summary);
    auto* const back = new WayBack(m_session, this);
    back->setContentsMargins(6, 0, 6, 0);
    layout->addWidget(back);
    layout->addWidget(split, 1);

    connect(&m_session, &Session::selectedRangeChanged, this, [this] { requestRefresh(); });
    connect(&m_session, &Session::selectedRowsChanged, this, [this] { requestRefresh(); });
    connect(&m_session, &Session::shownChanged, this, [this] {
        if (m_session.selectedRange().empty())
            requestRefresh();
    });
    for (QTableView* const table : {m_nameTable, m_rowTable, m_copyTable, m_counterTable})
        stretchColumn(*table, 0);
    connectTables();
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
    return tr("Nothing in this range");
}

void StatsPanel::connectTables()
{
    connect(m_nameTable, &QTableView::clicked, this,
        [this](const QModelIndex& index) { highlightName(index.row()); });
    connect(m_nameTable, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        const EventRef longest = m_stats.names[m_names->line(index.row()).id].longest;
        m_session.goTo(m_session.idOf(longest));
    });
    connect(m_rowTable, &QTableView::clicked, this, [this](const QModelIndex& index) {
        m_session.reveal(m_session.sharedRow(m_rowsAsked[m_rows->line(index.row()).id]));
    });
    connect(m_durations, &DurationChart::chosen, this, [this](qint64 least, qint64 most) {
        EventFilter filter = m_session.filter();
        filter.minDuration = least;
        filter.maxDuration = most;
        filter.tracks = m_stats.ofGpuWork ? gpuWorkAsked() : std::vector<TrackRef>(); // what the bars count
        m_session.setFilter(filter);
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
            m_session.reveal(m_session.sharedRow(RowId{i}));
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
    requestRefresh();
}

void StatsPanel::refresh()
{
    if (!m_session.trace().complete) {
        m_job.cancel(); // figures of what is not all there would mislead
        showAnswer({});
        m_summary->clear();
        return;
    }
    const std::shared_ptr<const RowTree> own = m_session.report().rows;
    std::vector<RowId> asked = m_session.ownSelectedRows();
    if (asked.empty()) {
        for (std::uint32_t i = 1; i < own->size() && asked.size() < mostRows; ++i) {
            if (!own->row(RowId{i}).tracks.empty())
                asked.push_back(RowId{i});
        }
    }
    m_job.start(
        [trace = m_session.sharedTrace(), rows = own, asked = std::move(asked),
            selected = m_session.ownSelectedRows(),
            window = m_session.ownTime(m_session.window())](const std::stop_token& stop) {
            Answer answer;
            std::vector<TrackRef>& tracks = answer.tracks;
            for (const RowId row : selected) {
                const std::vector<TrackRef> below = rows->tracksBelow(row);
                tracks.insert(tracks.end(), below.begin(), below.end());
            }
            std::ranges::sort(tracks);
            const auto [first, last] = std::ranges::unique(tracks);
            tracks.erase(first, last);
            answer.stats = rangeStats(*trace, *rows, asked, tracks, window, stop);
            if (stop.stop_requested())
                return answer;
            answer.names = nameLines(*trace, answer.stats);
            answer.rows = rowLines(answer.stats, *rows, asked);
            answer.copies = copyLines(answer.stats);
            answer.counters = counterLines(*trace, answer.stats);
            answer.bins = binDurations(answer.stats.durations);
            answer.stats.durations = {};
            answer.asked = asked;
            return answer;
        },
        [this, trace = m_session.sharedTrace()](Answer answer) {
            if (trace == m_session.sharedTrace())
                showAnswer(std::move(answer));
        });
}

void StatsPanel::showAnswer(Answer answer)
{
    m_stats = std::move(answer.stats);
    m_rowsAsked = std::move(answer.asked);
    m_tracksAsked = std::move(answer.tracks);
    const bool whole = m_tracksAsked.empty() && m_stats.window == m_session.trace().session;
    m_summary->setText(rangeSummary(
        m_stats, !m_session.selectedRange().empty(), whole ? m_session.trace().eventCount() : 0));
    m_summary->setToolTip(whole && m_stats.events < m_session.trace().eventCount()
            ? plainTip(tr("The others are marks at the very end, or lie outside of the session, such as what "
                          "the profiler said."))
            : QString());
    m_names->setLines(std::move(answer.names));
    m_rows->setLines(std::move(answer.rows));
    m_copies->setLines(std::move(answer.copies));
    m_counters->setLines(std::move(answer.counters));
    constexpr int widest = 280;
    for (QTableView* const table : {m_nameTable, m_rowTable, m_copyTable, m_counterTable})
        fitColumns(*table, widest);
    m_devices->showDevices(m_stats.devices, m_stats.window);
    m_legend->setText(m_devices->legend());
    m_durations->chart()->setTitle(
        m_stats.ofGpuWork ? tr("Durations of kernels, copies and sets") : tr("Durations of these events"));
    m_durations->showBins(std::move(answer.bins));
    emit updated();
}

void StatsPanel::highlightName(int row)
{
    const NameFigures& name = m_stats.names[m_names->line(row).id];
    m_highlight.start(
        [trace = m_session.sharedTrace(), kind = name.kind, id = name.name, window = m_stats.window,
            tracks = m_tracksAsked](const std::stop_token& stop) {
            std::vector<EventRef> events;
            const EventTable& table = trace->table(kind);
            for (std::uint32_t t = 0; t < table.tracks.size() && !stop.stop_requested(); ++t) {
                if (!tracks.empty() && !std::ranges::binary_search(tracks, TrackRef{kind, t}))
                    continue;
                for (const Lane& lane : table.lanesOf(table.tracks[t])) {
                    const auto [first, last] = table.touching(lane, window);
                    for (EventIndex i = first; i < last; ++i) {
                        if (table.name[i] == id)
                            events.push_back({kind, i});
                    }
                }
            }
            std::ranges::sort(events);
            return events;
        },
        [this, trace = m_session.sharedTrace()](std::vector<EventRef> events) {
            if (trace == m_session.sharedTrace())
                m_session.setHighlighted(m_session.report().id, std::move(events));
        });
}

extern const PanelKind statsPanel;
const PanelKind statsPanel{
    .id = "statistics",
    .title = QT_TRANSLATE_NOOP("Action", "Range statistics"),
    .help = QT_TRANSLATE_NOOP("Action", "Figures of the selected range, or of what is shown"),
    .place = PanelPlace::Below,
    .make = [](Session& session, const Theme& theme, QWidget* parent) -> Panel* {
        return new StatsPanel(session, theme, parent);
    },
};

} // namespace warpline
