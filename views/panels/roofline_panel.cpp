#include "views/panels/roofline_panel.h"

#include "core/base/stop.h"
#include "core/findings/roofline_metrics.h"
#include "core/kernels/kernel_classes.h"
#include "core/kernels/kernel_math.h"
#include "core/operators/operator_rows.h"
#include "core/operators/operator_text.h"
#include "core/operators/product_tiles.h"
#include "core/render/render.h"
#include "core/store/gpu_names.h"
#include "core/store/place_names.h"
#include "core/store/trace.h"
#include "views/panels/judged_range.h"
#include "views/panels/layouts.h"
#include "views/panels/table_columns.h"
#include "views/style/empty_note.h"
#include "views/style/rich_text.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>

#include <algorithm>
#include <map>

namespace warpline {

namespace {

constexpr std::size_t maxPoints = 400;
constexpr int firstNumber = 3; ///< column
constexpr int moduleColumn = 9; ///< the last: values stay in sight
constexpr double sparseRoofs = 2; ///< a roof is drawn from this share (%) of the time on

QString boundText(RooflineBound bound)
{
    switch (bound) {
    case RooflineBound::Compute:
        return RooflinePanel::tr("compute-bound");
    case RooflineBound::Memory:
        return RooflinePanel::tr("memory-bound");
    case RooflineBound::Launch:
        return RooflinePanel::tr("launch-bound");
    case RooflineBound::Unknown:
        break;
    }
    return {};
}

/// Counts products without recorded shapes, and those whose tiles and grids bound the result.
void countBounds(const Trace& trace, RooflineAnswer& answer, const std::stop_token& stop)
{
    answer.advice = plain(shapesAdvice(trace));
    const KernelTable& kernels = trace.kernels();
    std::map<std::pair<StringId, std::uint32_t>, std::pair<bool, bool>> known; // by name and launch
    StopCheck check(stop);
    for (const Lane& lane : kernels.lanes) {
        const auto [first, last] = kernels.touching(lane, answer.window);
        for (EventIndex i = first; i < last; ++i) {
            check.step();
            const auto [place, added] = known.try_emplace({kernels.name[i], kernels.attribute[i]});
            if (added) {
                const std::string_view name = trace.text(kernels.name[i]);
                place->second = {mathOf(name).work == MathWork::Matrix,
                    mostResultElements(name, kernels.launch(i)).has_value()};
            }
            answer.products += place->second.first ? 1 : 0;
            answer.bounded += place->second.first && place->second.second ? 1 : 0;
        }
    }
}

/// The modules of each shape in the rows of `warpline-cli operators --by module`.
ShapeModules findModules(
    const Trace& trace, const OperatorRooflines& rooflines, TimeRange window, const std::stop_token& stop)
{
    const OperatorWorks& works = rooflines.works();
    std::map<std::uint32_t, std::map<std::string, Ns>> times; // by shape and module
    const OperatorQuery query{.window = window, .nvtxName = {}, .by = OperatorGrouping::Module, .stop = stop};
    for (const OperatorRow& row : operatorRows(trace, works, query)) {
        if (row.module.empty())
            continue;
        for (const std::uint32_t run : row.runs)
            times[rooflines.sameShape(works.runs[run].shape)][row.module] += works.runs[run].gpu;
    }
    ShapeModules found;
    for (const auto& [shape, modules] : times) {
        std::vector<std::pair<Ns, std::string>> longest;
        for (const auto& [module, time] : modules)
            longest.emplace_back(time, module);
        std::ranges::sort(longest, std::greater());
        for (const auto& [time, module] : longest)
            found[shape] << textOf(module);
    }
    return found;
}

/// Whether the modules of `before` are those of `answer`: GPUs and rows do not change them, and where a
/// range has none, its parts have none.
bool keepsModules(const RooflineAnswer* before, const RooflineAnswer& answer)
{
    if (!before || !before->modules || before->rooflines != answer.rooflines)
        return false;
    return before->window == answer.window
        || (before->modules->empty() && answer.window.clippedTo(before->window) == answer.window);
}

/// Computed off the GUI thread.
std::shared_ptr<const RooflineAnswer> answerFor(const Trace& trace, const RooflineAnswer* before,
    std::size_t gpu, const RowScope& scope, TimeRange window, const std::stop_token& stop)
{
    auto answer = std::make_shared<RooflineAnswer>();
    answer->rooflines = operatorRooflinesOf(trace, stop);
    answer->window = window;
    if (answer->rooflines->empty()) {
        countBounds(trace, *answer, stop);
        return answer;
    }
    const std::span<const OperatorGpu> gpus = answer->rooflines->gpus();
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        if (scope.coversOrdinal(trace, gpus[i].process, gpus[i].device))
            answer->listed.push_back(i);
    }
    if (answer->listed.empty())
        return answer;
    const bool isListed = std::ranges::find(answer->listed, gpu) != answer->listed.end();
    answer->gpu = isListed ? gpu : answer->listed.front();
    const OperatorGpu& of = gpus[answer->gpu];
    answer->uses = answer->rooflines->shapesOn(trace, of, window, stop);
    answer->modules = keepsModules(before, *answer)
        ? before->modules
        : std::make_shared<const ShapeModules>(findModules(trace, *answer->rooflines, window, stop));
    answer->sums = answer->rooflines->within(trace, of, window);
    for (const ShapeUse& use : answer->uses)
        answer->kernels += use.gpu;
    const RooflineMetrics metrics = rooflineMetrics(trace, *answer->rooflines, of, window, stop);
    answer->metrics = plainTextOf(metricsText(metrics));
    answer->clockHz = metrics.clockHz.value_or(0);
    return answer;
}

} // namespace

RooflinePanel::RooflinePanel(Session& session, const Theme& theme, QWidget* parent)
    : Panel(session, parent, RefreshTime::AfterRest),
      m_theme(&theme),
      m_gpu(new QComboBox(this)),
      m_summary(new QLabel(this)),
      m_legend(new QLabel(this)),
      m_splitter(new QSplitter(Qt::Horizontal, this)),
      m_plot(new RooflinePlot(theme, this)),
      m_lines(new CellsModel({tr("Operator"), tr("Bound"), tr("Type"), tr("GPU time"), tr("Roofline"),
                                 tr("FLOP/s"), tr("Bandwidth"), tr("Calls"), tr("Shapes"), tr("Module")},
          this)),
      m_table(new QTableView(this))
{
    m_gpu->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    constexpr int gpuLetters = 20;
    letShrink(*m_gpu, gpuLetters);
    m_gpu->setAccessibleName(tr("GPU"));
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_summary->setWordWrap(true);
    m_legend->setTextFormat(Qt::RichText);
    m_legend->setContentsMargins(6, 0, 6, 0);
    using enum Unit;
    m_lines->setUnits({Text, Text, Text, Nanoseconds, Percent, Count, BytesPerSecond, Count, Text, Text});
    m_lines->setFirstNumberColumn(firstNumber);
    m_table->setModel(m_lines);
    m_table->setSortingEnabled(true);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
    stylePlainTable(*m_table);
    m_table->setTextElideMode(Qt::ElideMiddle); // the innermost module is last
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setAccessibleName(tr("Operators against the roofline"));
    m_note = new EmptyNote(*m_table, [this] { return note(); });

    auto* const bar = barLayout({m_gpu, {m_summary, 1}});
    auto* const left = makeTextColumn(this, m_legend, m_plot);
    fillSplitter(*m_splitter, {{left, 1}, {m_table, 1}}, {600, 600});
    fillColumn(this, 3, {bar, new RangeNotice(m_session, {}, this), {m_splitter, 1}});

    connect(&m_session.time(), &TimeView::judgedChanged, this, [this] { requestRefresh(); });
    connect(&m_session.selection(), &Selection::selectedRowsChanged, this, [this] {
        if (rowScopeOf(m_session) != m_scope)
            requestRefreshAtOnce();
    });
    connect(m_gpu, &QComboBox::activated, this, [this] { requestRefreshAtOnce(); });
    connect(m_plot, &RooflinePlot::currentChanged, this,
        [this](std::size_t point) { markRow(m_useOfPoint[point]); });
    connect(
        m_plot, &RooflinePlot::pointChosen, this, [this](std::size_t point) { choose(m_useOfPoint[point]); });
    connect(m_table, &QTableView::activated, this,
        [this](const QModelIndex& index) { choose(m_lines->line(index.row()).id); });
    connect(m_table, &QTableView::clicked, this,
        [this](const QModelIndex& index) { choose(m_lines->line(index.row()).id); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& index) {
            if (!index.isValid())
                return;
            const auto point = std::ranges::find(m_useOfPoint, m_lines->line(index.row()).id);
            m_plot->setCurrent(point != m_useOfPoint.end()
                    ? std::optional(static_cast<std::size_t>(point - m_useOfPoint.begin()))
                    : std::nullopt);
        });
    m_job.onFailure([this] { show(nullptr); });
    draw();
}

void RooflinePanel::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_plot->setTheme(theme);
    draw();
}

LeftOut RooflinePanel::leftOut() const
{
    return {.rows = true, .gpu = m_gpu->count() > 1};
}

void RooflinePanel::showReport()
{
    requestRefreshAtOnce();
}

void RooflinePanel::clear()
{
    m_job.cancel();
    show(nullptr);
}

void RooflinePanel::refresh()
{
    if (!m_session.trace().complete)
        return;
    const auto gpu = m_gpu->currentData().value<std::size_t>();
    m_scope = rowScopeOf(m_session);
    const TimeRange judged = m_session.ownTime(m_session.time().judged());
    m_job.start(
        [trace = m_session.sharedTrace(), before = m_answer, gpu, scope = m_scope, judged](
            const std::stop_token& stop) {
            return answerFor(*trace, before.get(), gpu, scope, judged, stop);
        },
        [this](std::shared_ptr<const RooflineAnswer> answer) { show(std::move(answer)); });
}

void RooflinePanel::show(std::shared_ptr<const RooflineAnswer> answer)
{
    m_answer = std::move(answer);
    listGpus();
    draw();
    emit updated();
}

void RooflinePanel::listGpus()
{
    const QSignalBlocker quiet(m_gpu);
    m_gpu->clear();
    if (m_answer) {
        for (const std::size_t place : m_answer->listed) {
            const OperatorGpu& gpu = m_answer->rooflines->gpus()[place];
            m_gpu->addItem(textOf(gpuName(m_session.trace(), gpu.process, gpu.device)) + ", "
                    + plainTextOf(processLabel(m_session.trace(), gpu.process)),
                QVariant::fromValue(place));
        }
        m_gpu->setCurrentIndex(m_gpu->findData(QVariant::fromValue(m_answer->gpu)));
    }
    m_gpu->setVisible(m_gpu->count() > 1);
}

const OperatorGpu* RooflinePanel::chosenGpu() const
{
    return m_answer && !m_answer->listed.empty() ? &m_answer->rooflines->gpus()[m_answer->gpu] : nullptr;
}

QColor RooflinePanel::colorOf(const OperatorShape& shape) const
{
    return m_theme->classColor(kernelClassRules().indexOf(shape.kernelClass));
}

QString RooflinePanel::note() const
{
    if (!m_session.trace().complete)
        return {};
    if (!m_answer)
        return m_job.failure().isEmpty() ? tr("Analyzing\u2026") : m_job.failure();
    if (m_job.isBusy())
        return {};
    if (m_answer->rooflines->empty())
        return tr("This report has no operators with shapes. %1").arg(plainTextOf(m_answer->advice))
            + (m_answer->bounded > 0 ? "\n"
                        + tr(
                            "For %1 of %2 matrix products, tiles and grids bound the size of the result. See Details of a kernel.")
                              .arg(numberText(m_answer->bounded), numberText(m_answer->products))
                                     : QString());
    if (m_answer->listed.empty())
        return tr("No operator of the selected rows launches GPU work.");
    return m_answer->uses.empty() ? tr("No operator launches GPU work in this range.") : QString();
}

void RooflinePanel::draw()
{
    m_useOfPoint.clear();
    RooflineContent content;
    std::map<QString, QColor> classes;
    QStringList words;
    const OperatorGpu* const gpu = chosenGpu();
    std::map<double, std::pair<ComputeRoof, Ns>> roofs; // by FLOP/s
    for (std::size_t i = 0; gpu && i < m_answer->uses.size(); ++i) {
        const ShapeUse& use = m_answer->uses[i];
        if (use.bytes <= 0)
            continue;
        auto& [roof, time] = roofs[use.roofline.roof.flops];
        roof = use.roofline.roof;
        time += use.flops > 0 ? use.gpu : 0;
        if (content.points.size() >= maxPoints)
            continue;
        const OperatorShape& shape = shapeOf(use);
        RooflinePoint point;
        point.intensity = use.flops > 0 ? use.flops / use.bytes : 0;
        point.flopsPerSecond = use.flopsPerSecond();
        point.bytesPerSecond = use.bytesPerSecond();
        point.time = use.gpu;
        point.color = colorOf(shape);
        point.name = textOf(operatorLabel(shape));
        QStringList lines{"<b>" + htmlOf(operatorLabel(shape)) + "</b>",
            tr("%1 in %2 calls").arg(durationHtml(use.gpu), countHtml(use.calls))};
        if (gpu->peaks && use.roofline.isKnown())
            lines << richTextOf(rooflineSentence(use, *gpu->peaks));
        point.tip = lines.join("<br>");
        content.points.push_back(std::move(point));
        m_useOfPoint.push_back(i);
        const KernelClassRules& rules = kernelClassRules();
        classes[plainTextOf(titleOf(rules.classes()[rules.indexOf(shape.kernelClass)]))] = colorOf(shape);
    }
    if (gpu && gpu->peaks) {
        const GpuPeaks& peaks = *gpu->peaks;
        content.bytesPerSecond = peaks.bytesPerSecond;
        content.memoryName = tr("memory %1").arg(textOf(formatBandwidth(peaks.bytesPerSecond)));
        for (const auto& [flops, each] : roofs) {
            if (flops > 0
                && static_cast<double>(each.second) * 100
                    >= sparseRoofs * static_cast<double>(m_answer->kernels))
                content.roofs.push_back(
                    {plainTextOf(roofText(each.first, peaks.amd)) + ' ' + textOf(formatFlops(flops)), flops,
                        false});
        }
        const double highest = content.roofs.empty() ? 0 : content.roofs.back().flopsPerSecond;
        const double atClock
            = m_answer->clockHz > 0 && peaks.clockHz > 0 ? m_answer->clockHz / peaks.clockHz : 1;
        constexpr double maxClockShare = 0.98;
        if (highest > 0 && atClock < maxClockShare)
            content.roofs.push_back({tr("at the recorded %1 MHz: %2")
                                         .arg(m_answer->clockHz / 1e6, 0, 'f', 0)
                                         .arg(textOf(formatFlops(highest * atClock))),
                highest * atClock, true});
        words << tr("%1 (%2)").arg(plainTextOf(peaks.name), plainTextOf(peaks.source));
        if (m_answer->sums.knownNs > 0 && m_answer->sums.rooflineNs > 0)
            words << tr("kernels reach %1 of the roofline")
                         .arg(shareText(m_answer->sums.rooflineNs / m_answer->sums.knownNs));
        const Ns range = m_answer->window.duration();
        if (range > 0)
            words << tr("MFU of this range %1").arg(shareText(m_answer->sums.utilization(range)));
    } else if (gpu) {
        const Device* const device = m_session.trace().device(gpu->process, gpu->device);
        words << tr("The limits of %1 are not known")
                     .arg(device && !device->name.empty() ? textOf(device->name) : tr("this GPU"));
    }
    if (m_answer && !m_answer->metrics.isEmpty())
        words << m_answer->metrics;
    QStringList legend;
    for (const auto& [title, color] : classes)
        legend
            << QString("<span style='color:%1'>\u25cf</span>&nbsp;%2").arg(color.name(), unbrokenHtml(title));
    m_legend->setText(spacedHtml(legend));
    m_summary->setText(words.join(" \u00b7 "));
    m_splitter->widget(0)->setVisible(!content.points.empty());
    m_plot->setContent(std::move(content));
    fillTable();
    m_note->refresh();
}

/// "GPT / Block / Linear (+2)": that with the most GPU time, and how many others.
QString RooflinePanel::modulesText(std::uint32_t shape) const
{
    const auto found = m_answer->modules->find(shape);
    if (found == m_answer->modules->end())
        return {};
    const QStringList& modules = found->second;
    return modules.front() + (modules.size() > 1 ? QString(" (+%1)").arg(modules.size() - 1) : QString());
}

void RooflinePanel::fillTable()
{
    std::vector<CellsModel::Line> lines;
    for (std::size_t i = 0; m_answer && i < m_answer->uses.size(); ++i) {
        const ShapeUse& use = m_answer->uses[i];
        const OperatorShape& shape = shapeOf(use);
        const bool known = use.roofline.isKnown();
        CellsModel::Line line;
        line.id = i;
        line.cells.push_back(textCell(shape.operatorName));
        line.cells.push_back({boundText(use.bound), {}});
        line.cells.push_back(
            {shape.arithmetic == MathType::Unknown ? QString() : textOf(labelOf(shape.arithmetic)), {}});
        line.cells.push_back(timeCell(use.gpu));
        line.cells.push_back({known ? shareText(use.share()) : QString(), known ? use.share() * 100 : -1.0});
        line.cells.push_back(
            {use.flops > 0 ? textOf(formatFlops(use.flopsPerSecond())) : QString(), use.flopsPerSecond()});
        line.cells.push_back({use.bytes > 0 ? textOf(formatBandwidth(use.bytesPerSecond())) : QString(),
            use.bytesPerSecond()});
        line.cells.push_back(countCell(use.calls));
        line.cells.push_back(textCell(shapesLabel(shape)));
        line.cells.push_back({modulesText(use.shape), {}});
        lines.push_back(std::move(line));
    }
    m_lines->setLines(std::move(lines));
    m_table->setColumnHidden(moduleColumn, !m_answer || !m_answer->modules || m_answer->modules->empty());
    constexpr int widest = 260;
    constexpr int widestModule = 180;
    fitColumnsToRoom(*m_table, widest, widestModule);
}

void RooflinePanel::markRow(std::size_t use)
{
    for (int row = 0; row < m_lines->rowCount(); ++row) {
        if (m_lines->line(row).id != use)
            continue;
        const QSignalBlocker quiet(m_table->selectionModel());
        m_table->selectRow(row);
        m_table->scrollTo(m_lines->index(row, 0));
        m_table->viewport()->update();
        return;
    }
}

void RooflinePanel::choose(std::size_t use)
{
    if (!m_answer || use >= m_answer->uses.size())
        return;
    const ShapeUse& chosen = m_answer->uses[use];
    const OperatorGpu& gpu = m_answer->rooflines->gpus()[m_answer->gpu];
    m_session.selection().setHighlighted(m_session.report().id,
        m_answer->rooflines->kernelsOf(m_session.trace(), gpu, chosen.shape, m_answer->window));
    if (chosen.longest.valid())
        m_session.selection().goToAtScale(m_session.idOf(chosen.longest));
}

extern const PanelKind rooflinePanel;
const PanelKind rooflinePanel{
    .id = "roofline",
    .title = QT_TRANSLATE_NOOP("Action", "Roofline"),
    .help
    = QT_TRANSLATE_NOOP("Action", "How close each operator is to the memory and compute limits of the GPU"),
    .place = PanelPlace::Below,
    .keys = "Ctrl+Shift+L",
    .isNeeded = hasGpuWork,
    .make = makePanel<RooflinePanel>,
};

} // namespace warpline
