#include "views/panels/overview_bar.h"

#include "core/base/share.h"
#include "core/render/render.h"
#include "views/panels/overview_headline.h"
#include "views/style/rich_text.h"

#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace warpline {

namespace {

constexpr int narrowestPart = 5; ///< pixels: the minimum for a mouse target

} // namespace

Ns timeOfAll(const std::vector<OverviewPart>& parts)
{
    Ns all = 0;
    for (const OverviewPart& part : parts)
        all += part.time;
    return all;
}

QColor colorOf(OverviewKind kind, const Theme& theme)
{
    constexpr std::pair<OverviewKind, EventTint> tints[]{{OverviewKind::BeforeCuda, EventTint::OsRuntime},
        {OverviewKind::CudaStart, EventTint::ApiMemory}, {OverviewKind::HostBefore, EventTint::Library},
        {OverviewKind::Queued, EventTint::ApiLaunch}, {OverviewKind::HostOnly, EventTint::Nvtx},
        {OverviewKind::CopiesIn, EventTint::CopyHtoD}, {OverviewKind::Kernels, EventTint::Kernel},
        {OverviewKind::Pages, EventTint::Memory}, {OverviewKind::Communication, EventTint::Collective},
        {OverviewKind::OtherCopies, EventTint::CopyDtoD}, {OverviewKind::CopiesOut, EventTint::CopyDtoH},
        {OverviewKind::Exit, EventTint::ApiOther}, {OverviewKind::Profiler, EventTint::ApiSync}};
    const auto* const found = std::ranges::find(tints, kind, &std::pair<OverviewKind, EventTint>::first);
    return found == std::end(tints) ? theme.rest : theme.color(found->second);
}

std::vector<int> overviewWidths(const std::vector<OverviewPart>& parts, int width)
{
    std::vector<int> widths;
    if (parts.empty() || width <= 0)
        return widths;
    const Ns all = std::max<Ns>(1, timeOfAll(parts));
    const int least = std::min(narrowestPart, width / static_cast<int>(parts.size()));
    for (const OverviewPart& part : parts)
        widths.push_back(std::max(least, static_cast<int>(shareOf(part.time, all) * width)));
    // The widest part absorbs the minimum widths of narrow ones, and rounding.
    const auto widest = std::ranges::max_element(widths);
    *widest = std::max(least, *widest + width - std::accumulate(widths.begin(), widths.end(), 0));
    return widths;
}

OverviewBar::OverviewBar(const Theme& theme, QWidget* parent)
    : PaintedChart(theme, parent)
{
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void OverviewBar::setParts(std::vector<OverviewPart> parts)
{
    m_parts = std::move(parts);
    m_hovered = -1;
    updateGeometry(); // phases need a line of their own
    update();
}

int OverviewBar::partAt(int x) const
{
    const std::vector<int> widths = overviewWidths(m_parts, width());
    int left = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        if (x >= left && x < left + widths[i])
            return static_cast<int>(i);
        left += widths[i];
    }
    return -1;
}

QString OverviewBar::tipOf(int part) const
{
    if (part < 0 || static_cast<std::size_t>(part) >= m_parts.size())
        return {};
    const OverviewPart& chosen = m_parts[static_cast<std::size_t>(part)];
    const QString title = textOf(plain(titleOf(chosen)));
    const QString time = durationText(chosen.time);
    const QString share = shareText(shareOf(chosen.time, timeOfAll(m_parts)));
    QString tip = chosen.stretches > 1
        ? tr("%1: %2, %3, in %4 intervals").arg(title, time, share, numberText(chosen.stretches))
        : QString("%1: %2, %3").arg(title, time, share);
    for (const OverviewPhase& phase : chosen.phases)
        tip += QString("\n    %1: %2").arg(textOf(plain(phase.name)), durationText(phase.time));
    if (!chosen.phases.empty() && shareOf(otherTime(chosen), timeOfAll(m_parts)) >= minOtherShare)
        tip += QString("\n    %1: %2").arg(tr("other"), durationText(otherTime(chosen)));
    if (!chosen.meanOf.empty() && !chosen.phases.empty())
        tip += "\n" + tr("Mean of %1.").arg(textOf(plain(chosen.meanOf)));
    return tip;
}

QString OverviewBar::tipAt(const QPoint& at) const
{
    const int part = partAt(at.x());
    const QString whole = tipOf(part);
    const QRect box = phasesBox(part);
    if (!box.contains(at))
        return whole;
    const OverviewPart& chosen = m_parts[static_cast<std::size_t>(part)];
    const std::vector<QRectF> places = phasePlaces(chosen, box);
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (at.x() < places[i].left() || at.x() > places[i].right())
            continue;
        const OverviewPhase& phase = chosen.phases[i];
        return QString("%1: %2\n%3")
            .arg(textOf(plain(phaseText(chosen, phase))), durationText(phase.time), whole);
    }
    return whole;
}

QString OverviewBar::phaseLabel(const OverviewPhase& phase, int width) const
{
    const QString label = textOf(plain(phase.label.empty() ? phase.name : phase.label));
    for (const QString& text : {textOf(plain(phase.name)), label}) {
        if (fontMetrics().horizontalAdvance(text) <= width)
            return text;
    }
    // Most of a name is usually enough to recognize it; "the..." is not.
    const QString cut = fontMetrics().elidedText(label, Qt::ElideMiddle, width);
    constexpr int fewest = 7;
    return cut.size() >= fewest && cut.size() * 4 >= label.size() * 3 ? cut : QString();
}

QRect OverviewBar::phasesBox(int part) const
{
    if (part < 0 || static_cast<std::size_t>(part) >= m_parts.size())
        return {};
    const std::vector<int> widths = overviewWidths(m_parts, width());
    const auto chosen = static_cast<std::size_t>(part);
    const int left = std::accumulate(widths.begin(), widths.begin() + part, 0);
    const int own
        = static_cast<int>(std::lround(shareOf(m_parts[chosen].time, timeOfAll(m_parts)) * width()));
    return {left, height() - phasesHeight(), std::min(own, widths[chosen]), phasesHeight()};
}

std::vector<QRectF> OverviewBar::phasePlaces(const OverviewPart& part, const QRect& box)
{
    std::vector<QRectF> places;
    double left = box.left();
    for (const OverviewPhase& phase : part.phases) {
        const double wide = shareOf(phase.time, part.time) * box.width();
        places.emplace_back(left, box.top(), std::max(0.0, wide - 1), box.height());
        left += wide;
    }
    return places;
}

int OverviewBar::phasesHeight() const
{
    const bool any
        = std::ranges::any_of(m_parts, [](const OverviewPart& part) { return !part.phases.empty(); });
    return any ? fontMetrics().height() : 0;
}

QSize OverviewBar::sizeHint() const
{
    return {400, fontMetrics().height() + (phasesHeight() > 0 ? 6 + phasesHeight() : 10)};
}

QSize OverviewBar::minimumSizeHint() const
{
    return {80, sizeHint().height()};
}

void OverviewBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const std::vector<int> widths = overviewWidths(m_parts, width());
    const Ns all = timeOfAll(m_parts);
    const int top = height() - phasesHeight();
    int left = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const QRect box(left, 0, widths[i], top);
        QColor color = colorOf(m_parts[i].kind, *m_theme);
        if (static_cast<int>(i) == m_hovered)
            color = m_theme->isDark() ? color.lighter(120) : color.darker(112);
        // A part that is too narrow for the mouse has its true width in colour; a pixel lies between
        // neighbours.
        const int own = static_cast<int>(std::lround(shareOf(m_parts[i].time, all) * width()));
        painter.fillRect(QRect(left, 0, std::clamp(own, 1, std::max(1, widths[i] - 1)), height()), color);
        paintPhases(painter, m_parts[i], phasesBox(static_cast<int>(i)), color);
        const QString title = plainTextOf(titleOf(m_parts[i]));
        const QString share = shareText(shareOf(m_parts[i].time, all));
        const QRect inside = box.adjusted(6, 0, -6, 0);
        painter.setPen(Theme::textOn(color));
        for (const QString& text : {title + "  " + share, title, share}) {
            if (fontMetrics().horizontalAdvance(text) > inside.width())
                continue;
            painter.drawText(inside, Qt::AlignVCenter | Qt::AlignLeft, text);
            break;
        }
        left += widths[i];
    }
}

/// Draws the host's phases of a part as a line below its title: each as long as its share of the part, with
/// its name where there is room.
void OverviewBar::paintPhases(
    QPainter& painter, const OverviewPart& part, const QRect& box, const QColor& color) const
{
    constexpr int margin = 4;
    const std::vector<QRectF> places = phasePlaces(part, box);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const bool isOdd = i % 2 == 1;
        const QColor shade = color.darker(isOdd ? 120 : 145);
        painter.fillRect(places[i], shade);
        const QRectF inside = places[i].adjusted(margin, 0, -margin, 0);
        painter.setPen(Theme::textOn(shade));
        painter.drawText(inside, Qt::AlignVCenter | Qt::AlignLeft,
            phaseLabel(part.phases[i], static_cast<int>(inside.width())));
    }
}

void OverviewBar::mouseMoveEvent(QMouseEvent* event)
{
    const int part = partAt(event->position().toPoint().x());
    setCursor(part >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (part != m_hovered) {
        m_hovered = part;
        update();
    }
    QToolTip::showText(event->globalPosition().toPoint(), plainTip(tipAt(event->position().toPoint())), this);
}

std::vector<PaintedItem> OverviewBar::paintedItems()
{
    std::vector<PaintedItem> items;
    const std::vector<int> widths = overviewWidths(m_parts, width());
    int left = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) { // none without room
        const auto part = static_cast<int>(i);
        items.push_back(
            {textOf(plain(titleOf(m_parts[i]))), tipOf(part), QRect(left, 0, widths[i], height())});
        items.back().press = [this, part] { emit partChosen(part); };
        left += widths[i];
    }
    return items;
}

void OverviewBar::mouseReleaseEvent(QMouseEvent* event)
{
    const int part = partAt(event->position().toPoint().x());
    if (event->button() == Qt::LeftButton && part >= 0 && rect().contains(event->position().toPoint()))
        emit partChosen(part);
}

void OverviewBar::leaveEvent(QEvent*)
{
    m_hovered = -1;
    update();
}

} // namespace warpline
