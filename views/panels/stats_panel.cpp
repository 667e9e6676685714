#include "views/panels/stats_panel.h"

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/query/event_text.h"
#include "views/panels/stats_charts.h"

#include <QChart>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr int delayMs = 30;
constexpr std::size_t mostRows = 200;

using Line = CellsModel::Line;

CellsModel::Cell text(const std::string& value)
{
    return {QString::fromStdString(toUtf8(value)), {}};
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

std::vector<Line> nameLines(const RangeStats& stats)
{
    std::vector<Line> lines;
    lines.reserve(stats.names.size());
    for (std::size_t i = 0; i < stats.names.size(); ++i) {
        const NameFigures& name = stats.names[i];
        lines.push_back(
            {{text(name.label), text(std::string(titleOf(name.kind))), count(name.count),
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
    return lines;
}

} // namespace

struct StatsPanel::Answer {
    RangeStats stats;
    std::vector<RowId> asked;
    std::vector<TrackRef> tracks;
    std::vector<Line> names;
    std::vector<Line> rows;
    std::vector<Line> copies;
    DurationBins bins;
};

StatsPanel::StatsPanel(Session& session, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_summary(new QLabel(this)),
      m_names(new CellsModel({tr("Name"), tr("Kind"), tr("Count"), tr("Total"), tr("Share"), tr("Mean"),
                                 tr("Median"), tr("Min"), tr("Max"), tr("Bytes")},
          this)),
      m_rows(new CellsModel(
          {tr("Row"), tr("Busy"), tr("Share"), tr("Events"), tr("Gaps"), tr("Longest gap")}, this)),
      m_copies(new CellsModel(
          {tr("Direction"), tr("Count"), tr("Bytes"), tr("Time"), tr("Throughput"), tr("Pageable")}, this)),
      m_nameTable(makeTable(m_names)),
      m_rowTable(makeTable(m_rows)),
      m_copyTable(makeTable(m_copies)),
      m_devices(new DeviceChart(theme, this)),
      m_durations(new DurationChart(theme, tr("Durations of kernels, copies and sets"), this)),
      m_refresh(*this, delayMs, [this] { refresh(); })
{
    m_names->setFirstNumberColumn(2);
    int column = 0;
    for (const int width : {280, 115, 62, 84, 60, 84, 84, 84, 84, 84})
        m_nameTable->setColumnWidth(column++, width);
    m_rowTable->setColumnWidth(0, 300);
    m_copyTable->setColumnWidth(0, 160);
    m_summary->setTextFormat(Qt::RichText);
    m_summary->setContentsMargins(6, 3, 6, 2);
    m_summary->setWordWrap(true);
    auto* const tabs = new QTabWidget(this);
    tabs->setDocumentMode(true);
    tabs->addTab(m_nameTable, tr("Names"));
    tabs->addTab(m_rowTable, tr("Rows"));
    tabs->addTab(m_copyTable, tr("Copies"));
    auto* const charts = new QSplitter(Qt::Vertical, this);
    charts->addWidget(m_devices);
    charts->addWidget(m_durations);
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
    layout->addWidget(split, 1);

    connect(&m_session, &Session::traceChanged, this, [this] { m_refresh.request(); });
    connect(&m_session, &Session::selectedRangeChanged, this, [this] { m_refresh.request(); });
    connect(&m_session, &Session::selectedRowsChanged, this, [this] { m_refresh.request(); });
    connect(&m_session, &Session::shownChanged, this, [this] {
        if (m_session.selectedRange().empty())
            m_refresh.request();
    });
    connectTables();
    m_refresh.request();
}

void StatsPanel::connectTables()
{
    connect(m_nameTable, &QTableView::clicked, this,
        [this](const QModelIndex& index) { highlightName(index.row()); });
    connect(m_nameTable, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        const EventRef longest = m_stats.names[m_names->line(index.row()).id].longest;
        m_session.goTo(longest);
    });
    connect(m_rowTable, &QTableView::clicked, this,
        [this](const QModelIndex& index) { m_session.reveal(m_rowsAsked[m_rows->line(index.row()).id]); });
}

QTableView* StatsPanel::makeTable(CellsModel* model)
{
    auto* const table = new QTableView(this);
    table->setModel(model);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setShowGrid(false);
    table->setAlternatingRowColors(true);
    table->setWordWrap(false);
    table->setFrameShape(QFrame::NoFrame);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 5);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
    table->setSortingEnabled(true);
    table->horizontalHeader()->setDefaultSectionSize(82);
    return table;
}

void StatsPanel::setTheme(const Theme& theme)
{
    m_devices->setTheme(theme);
    m_durations->setTheme(theme);
}

void StatsPanel::refresh()
{
    if (!m_session.trace().complete) {
        m_job.cancel(); // figures of what is not all there would mislead
        showAnswer({});
        m_summary->clear();
        return;
    }
    std::vector<RowId> asked = m_session.selectedRows();
    if (asked.empty()) {
        for (std::uint32_t i = 1; i < m_session.rows().size() && asked.size() < mostRows; ++i) {
            if (!m_session.rows().row(RowId{i}).tracks.empty())
                asked.push_back(RowId{i});
        }
    }
    m_job.start(
        [trace = m_session.sharedTrace(), rows = m_session.sharedRows(), asked = std::move(asked),
            selected = m_session.selectedRows(), window = m_session.window()](const std::stop_token& stop) {
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
            answer.names = nameLines(answer.stats);
            answer.rows = rowLines(answer.stats, *rows, asked);
            answer.copies = copyLines(answer.stats);
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

QString StatsPanel::summaryOf(const RangeStats& stats) const
{
    const bool selected = !m_session.selectedRange().empty();
    QString summary = tr("<b>%1</b> %2 &nbsp;&middot;&nbsp; %3 to %4 &nbsp;&middot;&nbsp; %5 events")
                          .arg(QString::fromStdString(formatDuration(stats.window.duration())),
                              selected ? tr("selected") : tr("shown"),
                              QString::fromStdString(formatTime(stats.window.start, 1000)),
                              QString::fromStdString(formatTime(stats.window.end, 1000)),
                              QString::fromStdString(formatCount(stats.events)));
    const double length = std::max<double>(1, static_cast<double>(stats.window.duration()));
    const auto share
        = [&](Ns time) { return QString::fromStdString(formatShare(static_cast<double>(time) / length)); };
    constexpr std::size_t mostInWords = 2;
    for (std::size_t i = 0; i < std::min(stats.devices.size(), mostInWords); ++i) {
        const DeviceFigures& device = stats.devices[i];
        summary += tr(
            " &nbsp;&middot;&nbsp; <b>GPU %1</b> busy %2, compute %3, copies %4, both at once %5, idle %6")
                       .arg(device.number)
                       .arg(share(device.busy), share(device.compute), share(device.copy),
                           share(device.overlap), share(device.idle));
        if (device.communication > 0)
            summary += tr(", only communicating %1").arg(share(device.communication));
        if (device.stalled > 0)
            summary += tr(", waiting for pages %1").arg(share(device.stalled));
    }
    return summary;
}

void StatsPanel::showAnswer(Answer answer)
{
    m_stats = std::move(answer.stats);
    m_rowsAsked = std::move(answer.asked);
    m_tracksAsked = std::move(answer.tracks);
    m_summary->setText(summaryOf(m_stats));
    m_names->setLines(std::move(answer.names));
    m_rows->setLines(std::move(answer.rows));
    m_copies->setLines(std::move(answer.copies));
    m_devices->showDevices(m_stats.devices, m_stats.window);
    m_durations->chart()->setTitle(
        m_stats.ofGpuWork ? tr("Durations of kernels, copies and sets") : tr("Durations of these events"));
    m_durations->showBins(answer.bins);
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
                m_session.setHighlighted(std::move(events));
        });
}

} // namespace warpline
