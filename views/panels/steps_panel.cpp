#include "views/panels/steps_panel.h"

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "views/style/chart_style.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QChartView>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStackedBarSeries>
#include <QToolTip>
#include <QVBoxLayout>
#include <QValueAxis>

#include <algorithm>
#include <array>
#include <memory>

namespace warpline {

namespace {

constexpr std::size_t mostSteps = 120; ///< more bars than this cannot be told apart
constexpr std::size_t mostNumbers = 15;
constexpr std::array<EventTint, 8> partTints{EventTint::Kernel, EventTint::CopyHtoD,
    EventTint::Synchronization, EventTint::CopyDtoD, EventTint::Memset, EventTint::Graph, EventTint::CopyDtoH,
    EventTint::CopyPtoP};

QString named(const std::string& text)
{
    return QString::fromStdString(toUtf8(text));
}

} // namespace

StepsPanel::StepsPanel(Session& session, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_theme(&theme),
      m_pattern(new QLineEdit(this)),
      m_summary(new QLabel(this)),
      m_chart(new QChartView(this))
{
    m_pattern->setPlaceholderText(tr("NVTX range of a step, such as step_* (empty: found by itself)"));
    m_pattern->setClearButtonEnabled(true);
    m_chart->setFrameShape(QFrame::NoFrame);
    m_chart->setRenderHint(QPainter::Antialiasing);
    auto* const bar = new QHBoxLayout;
    bar->setContentsMargins(4, 3, 4, 0);
    bar->addWidget(m_pattern, 1);
    bar->addWidget(m_summary, 2);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(3);
    layout->addLayout(bar);
    layout->addWidget(m_chart, 1);
    connect(&m_session, &Session::traceChanged, this, &StepsPanel::refresh);
    connect(m_pattern, &QLineEdit::editingFinished, this, &StepsPanel::refresh);
    refresh();
}

void StepsPanel::setTheme(const Theme& theme)
{
    m_theme = &theme;
    draw();
}

void StepsPanel::refresh()
{
    if (!m_session.trace().complete) {
        m_job.cancel();
        m_breakdown = {};
        draw();
        return;
    }
    m_job.start([trace = m_session.sharedTrace(), pattern = m_pattern->text().toStdString()](
                    const std::stop_token& stop) { return breakDownSteps(*trace, pattern, {}, stop); },
        [this](StepBreakdown breakdown) {
            m_breakdown = std::move(breakdown);
            draw();
            emit updated();
        });
}

void StepsPanel::goToStep(std::size_t index)
{
    if (index >= m_breakdown.steps.size())
        return;
    const EventRef step{EventKind::Nvtx, m_breakdown.steps[index].range};
    m_session.goTo(step);
    m_session.selectRows({});
    m_session.selectRange(m_session.trace().range(step));
}

Ns StepsPanel::highestBar(std::size_t shown) const
{
    // Warm-up steps are cut off at the top: they would flatten all others.
    Ns longest = 1;
    for (const Step& step : std::span(m_breakdown.steps).first(shown)) {
        if (!step.warmUp)
            longest = std::max(longest, m_session.trace().range({EventKind::Nvtx, step.range}).duration());
    }
    return longest;
}

QString StepsPanel::summary(std::size_t shown) const
{
    const std::vector<Step>& steps = m_breakdown.steps;
    if (steps.empty())
        return tr("No NVTX range repeats in this report.");
    const auto outliers = std::ranges::count_if(steps, &Step::outlier);
    const auto warmUps = std::ranges::count_if(steps, &Step::warmUp);
    QString text
        = tr("%1: %2 steps, median %3")
              .arg(named(m_breakdown.pattern))
              .arg(steps.size())
              .arg(QString::fromStdString(formatDuration(static_cast<Ns>(m_breakdown.steady.median))));
    if (warmUps > 0)
        text += tr(", %1 warm-up (cut off at the top when higher)").arg(warmUps);
    if (outliers > 0)
        text += tr(", %1 outliers").arg(outliers);
    if (shown < steps.size())
        text += tr(" (the first %1 shown)").arg(shown);
    return text;
}

QStackedBarSeries* StepsPanel::makeBars(std::size_t shown)
{
    const std::vector<Step>& steps = m_breakdown.steps;
    auto* const series = new QStackedBarSeries(this);
    const auto addPart = [&](const QString& name, QColor color, auto&& time) {
        auto* const set = new QBarSet(name, series);
        set->setColor(color);
        set->setBorderColor(Qt::transparent);
        for (std::size_t i = 0; i < shown; ++i)
            *set << static_cast<double>(time(steps[i])) / 1e6;
        series->append(set);
    };
    for (std::size_t part = 0; part < m_breakdown.parts.size(); ++part)
        addPart(named(m_breakdown.parts[part]), m_theme->color(partTints[part % partTints.size()]),
            [part](const Step& step) { return step.parts[part]; });
    if (!steps.empty())
        addPart(tr("other"), m_theme->grid, [](const Step& step) { return step.other; });
    series->setBarWidth(0.85);
    connect(series, &QStackedBarSeries::clicked, this,
        [this](int index, QBarSet*) { goToStep(static_cast<std::size_t>(index)); });
    connect(series, &QStackedBarSeries::hovered, this, &StepsPanel::showTip);
    return series;
}

void StepsPanel::showTip(bool inside, int index, QBarSet* set)
{
    if (!inside || static_cast<std::size_t>(index) >= m_breakdown.steps.size()) {
        QToolTip::hideText();
        return;
    }
    const Step& step = m_breakdown.steps[static_cast<std::size_t>(index)];
    const EventRef range{EventKind::Nvtx, step.range};
    QToolTip::showText(QCursor::pos(),
        tr("%1, %2%3\n%4: %5 ms")
            .arg(named(std::string(m_session.trace().name(range))),
                QString::fromStdString(formatDuration(m_session.trace().range(range).duration())),
                step.warmUp        ? tr(" (warm-up)")
                    : step.outlier ? tr(" (outlier)")
                                   : QString(),
                set->label())
            .arg(set->at(index), 0, 'f', 3),
        m_chart);
}

void StepsPanel::draw()
{
    const std::size_t shown = std::min(m_breakdown.steps.size(), mostSteps);
    m_summary->setText(summary(shown));
    auto* const series = makeBars(shown);
    auto* const chart = new QChart;
    chart->addSeries(series);
    // Every so many steps a number; the others have names that show nothing, since names must differ.
    const std::size_t every = std::max<std::size_t>(1, (shown + mostNumbers - 1) / mostNumbers);
    QStringList names;
    for (std::size_t i = 0; i < shown; ++i)
        names << (i % every == 0 ? QString::number(i) : QString(static_cast<qsizetype>(i), QChar(0x200b)));
    auto* const categories = new QBarCategoryAxis;
    categories->append(names);
    categories->setGridLineVisible(false);
    auto* const time = new QValueAxis;
    time->setTitleText(tr("ms"));
    time->setLabelFormat("%.4g");
    chart->addAxis(categories, Qt::AlignBottom);
    chart->addAxis(time, Qt::AlignLeft);
    series->attachAxis(categories);
    series->attachAxis(time);
    time->setRange(0, static_cast<double>(highestBar(shown)) / 1e6 * 1.05);
    time->applyNiceNumbers();
    dressChart(*chart, *m_theme);
    chart->legend()->setAlignment(Qt::AlignRight);
    const std::unique_ptr<QChart> before(m_chart->chart());
    m_chart->setChart(chart);
    m_chart->setBackgroundBrush(m_theme->background);
}

} // namespace warpline
