#include "views/timeline/step_strip.h"

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/steps/outlying_steps.h"
#include "core/store/trace.h"
#include "views/style/rich_text.h"
#include "views/timeline/time_axis.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace warpline {

namespace {

constexpr int stepReach = 2; ///< pixels next to a step that still hit it
constexpr Ns roomPart = 10; ///< of a step, shown on both sides of it

} // namespace

StepStrip::StepStrip(Session& session, const Theme& theme, QWidget* parent)
    : PaintedChart(theme, parent),
      m_session(session),
      m_job(this, Urgency::Background)
{
    setMouseTracking(true);
    setObjectName("step-strip");
    setAccessibleName(tr("Steps"));
    connect(&m_session, &Session::traceChanged, this, &StepStrip::find);
    connect(&m_session, &Session::reportChosen, this, &StepStrip::find);
    connect(&m_session.judgement(), &Judgement::stepGlobChanged, this, [this] {
        m_of.reset();
        find();
    });
    connect(&m_session, &Session::clocksChanged, this, &StepStrip::drawAnew);
    connect(&m_session.time(), &TimeView::drawnChanged, this, [this] { update(); });
    find();
}

void StepStrip::setTheme(const Theme& theme)
{
    m_theme = &theme;
    drawAnew();
}

void StepStrip::drawAnew()
{
    m_line = {};
    update();
}

void StepStrip::setSteps(Found found)
{
    const bool before = isNeeded();
    m_steps = std::move(found.steps);
    m_ratios = std::move(found.ratios);
    m_hidden = std::move(found.hidden);
    drawAnew();
    if (before != isNeeded())
        emit neededChanged();
}

StepStrip::Found StepStrip::findIn(const Trace& trace, const std::string& glob, const std::stop_token& stop)
{
    Found found;
    StepSeries& longest = found.steps;
    for (StepSeries& each : findStepsOfThreads(trace, trace.session, glob, stop)) {
        if (longest.size() < each.size())
            longest = std::move(each);
    }
    const std::vector<GpuSteps> onGpus = gpuStepsOf(trace, {{longest, StepSource::Nvtx}}, stop);
    found.ratios.reserve(longest.size());
    for (std::size_t i = 0; i < longest.size(); ++i) {
        const bool isAmongLike = i < longest.typical.size() && longest.typical[i] > 0;
        const Ns usual = isAmongLike ? longest.typical[i] : longest.median;
        found.ratios.push_back(
            usual > 0 ? static_cast<double>(longest.ranges[i].duration()) / static_cast<double>(usual) : 0);
        const Ns longer = longest.ranges[i].duration() - usual;
        found.hidden.push_back(longer > 0 && !onGpus.empty()
            && std::ranges::all_of(
                onGpus, [&](const GpuSteps& steps) { return isHiddenFromGpu(steps, i, longer); }));
    }
    return found;
}

void StepStrip::find()
{
    const std::shared_ptr<const Trace> trace = m_session.sharedTrace();
    if (!trace->complete || m_session.isEmpty()) {
        m_job.cancel();
        m_of.reset();
        setSteps({});
        return;
    }
    if (m_of.lock() == trace)
        return;
    setSteps({});
    m_of = trace;
    m_job.start([trace, glob = m_session.judgement().stepGlob()](
                    const std::stop_token& stop) { return findIn(*trace, glob, stop); },
        [this](Found found) { setSteps(std::move(found)); });
}

TimeRange StepStrip::rangeOf(std::size_t index) const
{
    return m_session.sharedTime(m_steps.ranges[index]);
}

QColor StepStrip::colorOf(double ratio, const Theme& theme)
{
    if (ratio <= 0)
        return theme.rest;
    // Usual steps are muted; faster ones blue, slower ones yellow, then red. Interpolates between these.
    const std::array<std::pair<double, QColor>, 5> stops{{
        {0.67, theme.chartColor(0)},
        {0.95, theme.rest},
        {1.05, theme.rest},
        {1.25, theme.color(EventTint::Memset)},
        {2.0, theme.bad},
    }};
    if (ratio <= stops.front().first)
        return stops.front().second;
    for (std::size_t i = 1; i < stops.size(); ++i) {
        if (ratio > stops[i].first)
            continue;
        const double share = (ratio - stops[i - 1].first) / (stops[i].first - stops[i - 1].first);
        return mixedColor(stops[i - 1].second, stops[i].second, share);
    }
    return stops.back().second;
}

QColor StepStrip::colorAt(std::size_t index) const
{
    return colorOf(shownRatio(index), *m_theme);
}

double StepStrip::shownRatio(std::size_t index) const
{
    if (index < m_steps.firstSteady)
        return 0;
    return m_hidden[index] ? 1 : m_ratios[index];
}

std::optional<std::size_t> StepStrip::stepAt(int x) const
{
    const TimeAxis axis{m_session.session(), static_cast<double>(width())};
    std::optional<std::size_t> slowest;
    const Ns from = m_session.ownTime(axis.timeAt(x));
    const Ns to = std::max(from + 1, m_session.ownTime(axis.timeAt(x + 1)));
    const auto first = std::ranges::partition_point(
        m_steps.ranges, [from](const TimeRange& range) { return range.end <= from; });
    for (auto at = first; at != m_steps.ranges.end() && at->start < to; ++at) {
        const auto index = static_cast<std::size_t>(at - m_steps.ranges.begin());
        if (!slowest || shownRatio(index) > shownRatio(*slowest))
            slowest = index;
    }
    // A step narrower than a pixel can be hit next to it.
    if (!slowest && first != m_steps.ranges.end()
        && std::abs(axis.xAt(m_session.sharedTime(*first).start) - x) <= stepReach)
        slowest = static_cast<std::size_t>(first - m_steps.ranges.begin());
    return slowest;
}

QString StepStrip::tipAt(int x) const
{
    const auto step = stepAt(x);
    if (!step)
        return tr(
            "Steps on the host. Grey: usual, yellow to red: slower, blue: faster, pale: warm-up. Click to show a step, drag to show several.");
    const auto text = [](const std::string& utf8) { return QString::fromStdString(utf8); };
    QStringList tip{tr("%1 on the host: %2")
                        .arg(text(toUtf8(m_session.trace().name(m_steps.events[*step]))),
                            text(formatDuration(m_steps.ranges[*step].duration())))};
    if (*step < m_steps.firstSteady)
        tip << tr("warm-up");
    else if (const double ratio = ratioOf(*step); ratio > 0)
        tip << tr("%1 times the median").arg(text(formatNumber(ratio, 2)));
    if (m_hidden[*step])
        tip << tr("but not on the GPU, which had queued work");
    return tip.join(QCoreApplication::translate("Lists", ", "));
}

QImage StepStrip::line() const
{
    // Where a hundred thousand steps are, each costs a product, not a change of clocks and a division.
    const TimeRange shown = m_session.report().clock.toReport(m_session.session());
    const double pixelsPerNs = shown.empty() ? 0 : width() / static_cast<double>(shown.duration());
    const auto pixelOf = [&](Ns time) {
        return static_cast<int>(std::clamp(
            static_cast<double>(time - shown.start) * pixelsPerNs, 0.0, static_cast<double>(width())));
    };
    // Shows the slowest step of a pixel.
    std::vector<double> slowest(static_cast<std::size_t>(std::max(1, width())), -1);
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        const double ratio = shownRatio(i);
        const int left = std::min(pixelOf(m_steps.ranges[i].start), width() - 1);
        const int right = std::max(pixelOf(m_steps.ranges[i].end), left + 1);
        const int gap = right - left > 3 ? 1 : 0;
        for (int x = left; x < right - gap; ++x)
            slowest[static_cast<std::size_t>(x)] = std::max(slowest[static_cast<std::size_t>(x)], ratio);
    }
    QImage line(width(), 1, QImage::Format_RGB32);
    line.fill(m_theme->background);
    for (int x = 0; x < width(); ++x) {
        if (slowest[static_cast<std::size_t>(x)] >= 0)
            line.setPixelColor(x, 0, colorOf(slowest[static_cast<std::size_t>(x)], *m_theme));
    }
    return line;
}

void StepStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->background);
    if (!isNeeded() || width() < 2)
        return;
    // Millions of events may be a hundred thousand steps: they are gone through when they change.
    if (m_line.width() != width() || m_lineOf != m_session.session()) {
        m_lineOf = m_session.session();
        m_line = line();
    }
    painter.drawImage(QRect(0, 1, width(), height() - 2), m_line);
    const TimeAxis axis{m_session.session(), static_cast<double>(width())};
    const double left = std::clamp(axis.xAt(m_session.time().drawn().start), 0.0, width() - 2.0);
    const double right
        = std::clamp(axis.xAt(m_session.time().drawn().end), left + 2, std::max<double>(left + 2, width()));
    painter.fillRect(QRectF(left, height() - 1, right - left, 1), m_theme->selectionEdge);
    if (m_pressed && std::abs(m_dragged - *m_pressed) > 1) {
        painter.fillRect(
            QRect(std::min(*m_pressed, m_dragged), 0, std::abs(m_dragged - *m_pressed), height()),
            m_theme->selection);
    }
}

bool StepStrip::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* const help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), plainTip(tipAt(help->pos().x())), this);
        return true;
    }
    if (event->type() == QEvent::WindowBlocked) {
        m_pressed.reset(); // the dialog gets the release of the button
        update();
    }
    return QWidget::event(event);
}

void StepStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_pressed = event->pos().x();
    m_dragged = *m_pressed;
}

void StepStrip::mouseMoveEvent(QMouseEvent* event)
{
    setCursor(stepAt(event->pos().x()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (!m_pressed)
        return;
    m_dragged = event->pos().x();
    update();
}

void StepStrip::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_pressed)
        return;
    showDragged(std::min(*m_pressed, event->pos().x()), std::max(*m_pressed, event->pos().x()));
    m_pressed.reset();
    update();
}

void StepStrip::showDragged(int from, int to)
{
    std::optional<std::size_t> first = stepAt(from);
    std::optional<std::size_t> last = first;
    if (to - from >= QApplication::startDragDistance()) {
        const TimeAxis axis{m_session.session(), static_cast<double>(width())};
        const TimeRange dragged{m_session.ownTime(axis.timeAt(from)), m_session.ownTime(axis.timeAt(to))};
        first.reset();
        for (std::size_t i = 0; i < m_steps.size(); ++i) {
            if (!m_steps.ranges[i].overlaps(dragged))
                continue;
            first = first ? first : i;
            last = i;
        }
    }
    if (first && last)
        showSteps(*first, *last);
}

void StepStrip::showSteps(std::size_t first, std::size_t last)
{
    const TimeRange range{rangeOf(first).start, rangeOf(last).end};
    const Ns around = std::max<Ns>(1, rangeOf(first).duration() / roomPart);
    m_session.time().selectRange(range);
    m_session.time().show({range.start - around, range.end + around});
}

} // namespace warpline
