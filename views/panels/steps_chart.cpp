#include "views/panels/steps_chart.h"

#include "core/base/format.h"
#include "core/store/place_names.h"
#include "views/style/chart_style.h"
#include "views/style/rich_text.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QGraphicsLayout>
#include <QLegend>
#include <QMouseEvent>
#include <QStackedBarSeries>
#include <QToolTip>
#include <QValueAxis>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

namespace warpline {

namespace {

constexpr std::size_t mostNumbers = 15;
constexpr double barWidth = 0.85;

} // namespace

std::vector<StepGroup> groupsOf(const Trace& trace, const StepBreakdown& breakdown)
{
    std::vector<StepGroup> groups;
    for (std::size_t i = 0; i < breakdown.steps.size(); ++i) {
        const GlobalId thread = trace.nvtx().trackOf(breakdown.steps[i].range).owner;
        if (groups.empty() || groups.back().thread != thread)
            groups.push_back({thread, i, 0, {}});
        ++groups.back().count;
    }
    if (groups.size() < 2)
        return groups;
    std::map<GlobalId, int> threads;
    for (const StepGroup& group : groups)
        ++threads[processOf(group.thread)];
    for (StepGroup& group : groups) {
        const GlobalId process = processOf(group.thread);
        group.title = textOf(processLabel(trace, process));
        if (threads[process] > 1)
            group.title += ", " + textOf(threadLabel(trace, group.thread));
    }
    return groups;
}

QString stepNumber(std::string_view name, std::size_t ordinal)
{
    const auto isDigit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    const auto last = std::find_if(name.rbegin(), name.rend(), isDigit);
    if (last == name.rend())
        return QString::number(ordinal);
    const auto before = std::find_if_not(last, name.rend(), isDigit);
    return QString::fromStdString(std::string(before.base(), last.base()));
}

StepsChart::StepsChart(std::shared_ptr<const Trace> trace, std::shared_ptr<const StepBreakdown> breakdown,
    StepGroup group, const Theme& theme, std::vector<QColor> colors, QWidget* parent)
    : QChartView(parent),
      m_trace(std::move(trace)),
      m_breakdown(std::move(breakdown)),
      m_group(std::move(group)),
      m_theme(&theme),
      m_colors(std::move(colors))
{
    constexpr int least = 130;
    setFrameShape(QFrame::NoFrame);
    setRenderHint(QPainter::Antialiasing);
    setMinimumHeight(least);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
}

std::size_t StepsChart::shown() const
{
    return std::min(m_group.count, mostStepsShown);
}

Ns StepsChart::timeOf(const Step& step, std::size_t part) const
{
    return part < step.parts.size() ? step.parts[part] : step.other;
}

Ns StepsChart::durationOf(const Step& step) const
{
    return m_trace->range({EventKind::Nvtx, step.range}).duration();
}

QStackedBarSeries* StepsChart::makeBars() const
{
    auto* const bars = new QStackedBarSeries;
    const std::size_t parts = m_breakdown->parts.size();
    for (std::size_t part = 0; part <= parts; ++part) {
        auto* const set
            = new QBarSet(part < parts ? textOf(m_breakdown->parts[part]) : QObject::tr("other"), bars);
        set->setColor(part < m_colors.size() ? m_colors[part] : m_theme->rest);
        set->setBorderColor(Qt::transparent);
        for (std::size_t i = 0; i < shown(); ++i)
            *set << static_cast<double>(timeOf(step(i), part)) / 1e6;
        bars->append(set);
    }
    bars->setBarWidth(barWidth);
    return bars;
}

QStringList StepsChart::labels() const
{
    // Names of categories must differ, so each gets letters that show nothing. Every so many steps say their
    // number.
    const std::size_t every = std::max<std::size_t>(1, (shown() + mostNumbers - 1) / mostNumbers);
    QStringList names;
    for (std::size_t i = 0; i < shown(); ++i) {
        const QString number
            = i % every == 0 ? stepNumber(m_trace->name({EventKind::Nvtx, step(i).range}), i) : QString();
        names << number + QString(static_cast<qsizetype>(i), QChar(0x200b));
    }
    return names;
}

void StepsChart::draw(Ns highest)
{
    auto* const drawn = new QChart;
    m_bars = makeBars();
    drawn->addSeries(m_bars);
    auto* const categories = new QBarCategoryAxis;
    categories->append(labels());
    categories->setGridLineVisible(false);
    auto* const time = new QValueAxis;
    time->setTitleText(tr("ms"));
    time->setLabelFormat("%.4g");
    drawn->addAxis(categories, Qt::AlignBottom);
    drawn->addAxis(time, Qt::AlignLeft);
    m_bars->attachAxis(categories);
    m_bars->attachAxis(time);
    time->setRange(0, static_cast<double>(highest) / 1e6 * 1.05);
    time->applyNiceNumbers();
    dressChart(*drawn, *m_theme, m_group.title.toHtmlEscaped());
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.9);
    drawn->setTitleFont(small);
    drawn->layout()->setContentsMargins(0, 0, 0, 0);
    drawn->legend()->hide(); // the panel has one for all charts
    const std::unique_ptr<QChart> before(chart());
    setChart(drawn);
    setBackgroundBrush(m_theme->background);
}

std::optional<std::size_t> StepsChart::stepAt(QPoint position) const
{
    if (!m_bars || !chart()->plotArea().contains(position))
        return std::nullopt;
    const double x = chart()->mapToValue(position, m_bars).x();
    const double nearest = std::round(x);
    if (nearest < 0 || nearest >= static_cast<double>(shown()) || std::abs(x - nearest) > barWidth / 2)
        return std::nullopt;
    return m_group.first + static_cast<std::size_t>(nearest);
}

QString StepsChart::tipAt(QPoint position) const
{
    const auto found = stepAt(position);
    if (!found)
        return {};
    const Step& at = m_breakdown->steps[*found];
    QStringList words{textOf(m_trace->name({EventKind::Nvtx, at.range}))};
    const Ns whole = durationOf(at);
    const double height = chart()->mapToValue(position, m_bars).y() * 1e6;
    double top = 0;
    for (std::size_t part = 0; part <= m_breakdown->parts.size(); ++part) {
        const Ns time = timeOf(at, part);
        top += static_cast<double>(time);
        if (height > top || time == 0)
            continue;
        const double share = 100 * static_cast<double>(time) / static_cast<double>(std::max<Ns>(1, whole));
        words << (part < m_breakdown->parts.size() ? textOf(m_breakdown->parts[part]) : tr("other"))
              << QString::fromStdString(formatDuration(time)) << QString("%1%").arg(share, 0, 'f', 0);
        break;
    }
    if (words.size() == 1)
        words << QString::fromStdString(formatDuration(whole));
    if (at.warmUp || at.outlier)
        words << (at.warmUp ? tr("warm-up") : tr("outlier"));
    return words.join(" \u00b7 ");
}

QPoint StepsChart::middleOf(std::size_t index, std::size_t part) const
{
    const Step& of = m_breakdown->steps[index];
    double height = static_cast<double>(timeOf(of, part)) / 2;
    for (std::size_t below = 0; below < part; ++below)
        height += static_cast<double>(timeOf(of, below));
    return chart()
        ->mapToPosition(QPointF(static_cast<double>(index - m_group.first), height / 1e6), m_bars)
        .toPoint();
}

void StepsChart::mouseMoveEvent(QMouseEvent* event)
{
    const QString tip = tipAt(event->pos());
    viewport()->setCursor(tip.isEmpty() ? Qt::ArrowCursor : Qt::PointingHandCursor);
    if (tip.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(event->globalPosition().toPoint(), plainTip(tip), viewport());
    QChartView::mouseMoveEvent(event);
}

void StepsChart::mouseReleaseEvent(QMouseEvent* event)
{
    QChartView::mouseReleaseEvent(event);
    if (const auto found = stepAt(event->pos()); found && event->button() == Qt::LeftButton)
        emit stepChosen(*found);
}

} // namespace warpline
