#include "views/panels/stats_panel.h"

#include "core/base/format.h"
#include "core/query/event_text.h"
#include "views/style/chart_style.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChartView>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QHorizontalStackedBarSeries>
#include <QLabel>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <QValueAxis>

#include <algorithm>
#include <array>
#include <cmath>

namespace warpline {

namespace {

constexpr int delayMs = 30;
constexpr std::size_t mostRows = 200;

CellsModel::Cell text(const std::string& value)
{
    return {QString::fromStdString(value), {}};
}

CellsModel::Cell number(const std::string& shown, double key)
{
    return {QString::fromStdString(shown), key};
}

CellsModel::Cell duration(double ns)
{
    return number(formatDuration(std::llround(ns)), ns);
}

} // namespace

StatsPanel::StatsPanel(Session& session, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_theme(&theme),
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
      m_devices(new QChartView(this)),
      m_histogram(new QChartView(this))
{
    m_names->setFirstNumberColumn(2);
    m_nameTable->setColumnWidth(0, 300);
    m_nameTable->setColumnWidth(1, 110);
    m_rowTable->setColumnWidth(0, 300);
    m_copyTable->setColumnWidth(0, 160);
    m_summary->setTextFormat(Qt::RichText);
    m_summary->setContentsMargins(6, 3, 6, 2);
    auto* const tabs = new QTabWidget(this);
    tabs->setDocumentMode(true);
    tabs->addTab(m_nameTable, tr("Names"));
    tabs->addTab(m_rowTable, tr("Rows"));
    tabs->addTab(m_copyTable, tr("Copies"));
    auto* const charts = new QSplitter(Qt::Vertical, this);
    charts->addWidget(m_devices);
    charts->addWidget(m_histogram);
    auto* const split = new QSplitter(this);
    split->addWidget(tabs);
    split->addWidget(charts);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    split->setSizes({900, 600});
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_summary);
    layout->addWidget(split, 1);
    for (QChartView* const view : {m_devices, m_histogram}) {
        view->setFrameShape(QFrame::NoFrame);
        view->setMinimumHeight(70);
        view->setRenderHint(QPainter::Antialiasing);
    }

    m_delay.setSingleShot(true);
    m_delay.setInterval(delayMs);
    connect(&m_delay, &QTimer::timeout, this, &StatsPanel::refresh);
    connect(&m_session, &Session::traceChanged, this, &StatsPanel::refreshSoon);
    connect(&m_session, &Session::selectedRangeChanged, this, &StatsPanel::refreshSoon);
    connect(&m_session, &Session::selectedRowsChanged, this, &StatsPanel::refreshSoon);
    connect(&m_session, &Session::shownChanged, this, [this] {
        if (m_session.selectedRange().empty())
            refreshSoon();
    });
    connect(m_nameTable, &QTableView::clicked, this,
        [this](const QModelIndex& index) { highlightName(index.row()); });
    connect(m_nameTable, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        m_session.goTo(m_stats.names[m_names->line(index.row()).id].longest);
    });
    connect(m_rowTable, &QTableView::clicked, this,
        [this](const QModelIndex& index) { m_session.reveal(m_rowsAsked[m_rows->line(index.row()).id]); });
    refreshSoon();
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
    m_theme = &theme;
    drawDevices();
    drawHistogram();
}

void StatsPanel::refreshSoon()
{
    // Restarting would starve the panel for the length of a drag: the first request of a burst sets the time.
    if (!m_delay.isActive())
        m_delay.start();
}

void StatsPanel::refresh()
{
    if (!m_session.trace().complete) {
        m_job.cancel(); // figures of what is not all there would mislead
        showStats({});
        m_summary->clear();
        return;
    }
    m_rowsAsked = m_session.selectedRows();
    if (m_rowsAsked.empty()) {
        for (std::uint32_t i = 1; i < m_session.rows().size() && m_rowsAsked.size() < mostRows; ++i) {
            if (!m_session.rows().row(RowId{i}).tracks.empty())
                m_rowsAsked.push_back(RowId{i});
        }
    }
    std::vector<TrackRef> tracks;
    for (const RowId row : m_session.selectedRows()) {
        const std::vector<TrackRef> below = m_session.rows().tracksBelow(row);
        tracks.insert(tracks.end(), below.begin(), below.end());
    }
    std::ranges::sort(tracks);
    const auto [first, last] = std::ranges::unique(tracks);
    tracks.erase(first, last);
    m_job.start(
        [trace = m_session.sharedTrace(), rows = m_session.sharedRows(), asked = m_rowsAsked, tracks,
            window = m_session.window()](
            const std::stop_token& stop) { return rangeStats(*trace, *rows, asked, tracks, window, stop); },
        [this](RangeStats stats) { showStats(std::move(stats)); });
}

void StatsPanel::showStats(RangeStats stats)
{
    m_stats = std::move(stats);
    const bool selected = !m_session.selectedRange().empty();
    m_summary->setText(tr("<b>%1</b> %2 &nbsp;&middot;&nbsp; %3 to %4 &nbsp;&middot;&nbsp; %5 events")
                           .arg(QString::fromStdString(formatDuration(m_stats.window.duration())),
                               selected ? tr("selected") : tr("shown"),
                               QString::fromStdString(formatTime(m_stats.window.start, 1000)),
                               QString::fromStdString(formatTime(m_stats.window.end, 1000)),
                               QString::fromStdString(formatCount(m_stats.events))));
    fillNames();
    fillRows();
    fillCopies();
    drawDevices();
    drawHistogram();
    emit updated();
}

void StatsPanel::fillNames()
{
    std::vector<CellsModel::Line> lines;
    for (std::size_t i = 0; i < m_stats.names.size(); ++i) {
        const NameFigures& name = m_stats.names[i];
        lines.push_back(
            {{text(name.label), text(std::string(titleOf(name.kind))),
                 number(formatCount(name.count), static_cast<double>(name.count)),
                 duration(static_cast<double>(name.total)), number(formatShare(name.share), name.share),
                 duration(name.mean), duration(name.median), duration(static_cast<double>(name.min)),
                 duration(static_cast<double>(name.max)),
                 number(
                     name.bytes ? formatBytes(name.bytes) : std::string(), static_cast<double>(name.bytes))},
                i});
    }
    m_names->setLines(std::move(lines));
}

void StatsPanel::fillRows()
{
    std::vector<CellsModel::Line> lines;
    const double length = std::max<double>(1, static_cast<double>(m_stats.window.duration()));
    for (std::size_t i = 0; i < m_stats.rows.size() && i < m_rowsAsked.size(); ++i) {
        const Row& row = m_session.rows().row(m_rowsAsked[i]);
        const TrackFigures& figures = m_stats.rows[i];
        std::string label = row.label;
        if (row.parent != RowTree::root)
            label = m_session.rows().row(row.parent).label + " / " + label;
        lines.push_back({{text(label), duration(static_cast<double>(figures.busy)),
                             number(formatShare(static_cast<double>(figures.busy) / length),
                                 static_cast<double>(figures.busy)),
                             number(formatCount(figures.count), static_cast<double>(figures.count)),
                             number(formatCount(figures.gaps), static_cast<double>(figures.gaps)),
                             duration(static_cast<double>(figures.longestGap))},
            i});
    }
    m_rows->setLines(std::move(lines));
}

void StatsPanel::fillCopies()
{
    std::vector<CellsModel::Line> lines;
    for (const CopyFigures& copy : m_stats.copies) {
        lines.push_back({{text(std::string(labelOf(copy.kind))),
                             number(formatCount(copy.count), static_cast<double>(copy.count)),
                             number(formatBytes(copy.bytes), static_cast<double>(copy.bytes)),
                             duration(static_cast<double>(copy.total)),
                             number(formatThroughput(copy.throughput()), copy.throughput()),
                             number(formatCount(copy.pageable), static_cast<double>(copy.pageable))},
            0});
    }
    m_copies->setLines(std::move(lines));
}

void StatsPanel::highlightName(int row)
{
    const NameFigures& name = m_stats.names[m_names->line(row).id];
    std::vector<EventRef> events;
    const EventTable& table = m_session.trace().table(name.kind);
    for (const Lane& lane : table.lanes) {
        const auto [first, last] = table.touching(lane, m_stats.window);
        for (EventIndex i = first; i < last; ++i) {
            if (table.name[i] == name.name)
                events.push_back({name.kind, i});
        }
    }
    m_session.setHighlighted(std::move(events));
}

void StatsPanel::drawDevices()
{
    auto* const chart = new QChart;
    struct Part {
        const char* title;
        EventTint tint;
        Ns (*time)(const DeviceFigures&);
    };
    static constexpr std::array<Part, 3> parts{{
        {"Compute only", EventTint::Kernel, [](const DeviceFigures& d) { return d.compute - d.overlap; }},
        {"Compute and copy", EventTint::Graph, [](const DeviceFigures& d) { return d.overlap; }},
        {"Copy only", EventTint::CopyHtoD, [](const DeviceFigures& d) { return d.copy - d.overlap; }},
    }};
    auto* const series = new QHorizontalStackedBarSeries;
    const double length = std::max<double>(1, static_cast<double>(m_stats.window.duration()));
    for (const Part& part : parts) {
        auto* const set = new QBarSet(tr(part.title));
        set->setColor(m_theme->color(part.tint));
        set->setBorderColor(Qt::transparent);
        for (const DeviceFigures& device : m_stats.devices)
            *set << 100.0 * static_cast<double>(part.time(device)) / length;
        series->append(set);
    }
    auto* const idle = new QBarSet(tr("Idle"));
    idle->setColor(m_theme->grid);
    idle->setBorderColor(Qt::transparent);
    QStringList names;
    for (const DeviceFigures& device : m_stats.devices) {
        *idle << 100.0 * static_cast<double>(device.idle) / length;
        names << QString("GPU %1").arg(device.device)
                + (m_stats.devices.size() > 1 ? QString(" [%1]").arg(pidOf(device.process)) : QString());
    }
    series->append(idle);
    series->setBarWidth(0.7);
    chart->addSeries(series);
    auto* const categories = new QBarCategoryAxis;
    categories->append(names);
    auto* const percent = new QValueAxis;
    percent->setRange(0, 100);
    percent->setLabelFormat("%.0f%%");
    percent->setTickCount(6);
    chart->addAxis(categories, Qt::AlignLeft);
    chart->addAxis(percent, Qt::AlignBottom);
    series->attachAxis(categories);
    series->attachAxis(percent);
    chart->legend()->setAlignment(Qt::AlignTop);
    dressChart(*chart, *m_theme, m_stats.devices.empty() ? tr("No GPU work in this range") : QString());
    const std::unique_ptr<QChart> before(m_devices->chart());
    m_devices->setChart(chart);
    m_devices->setBackgroundBrush(m_theme->background);
}

void StatsPanel::drawHistogram()
{
    const std::unique_ptr<QChart> before(m_histogram->chart());
    m_histogram->setChart(
        durationHistogram(m_stats.durations, *m_theme, tr("Durations of kernels, copies and sets"))
            .release());
    m_histogram->setBackgroundBrush(m_theme->background);
}

} // namespace warpline
