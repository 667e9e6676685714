#include "views/panels/budget_bars.h"

#include "views/panels/duration_chart.h"
#include "views/style/chart_style.h"
#include "views/style/oklab.h"
#include "views/style/part_colors.h"
#include "views/style/rich_text.h"

#include <QCoreApplication>
#include <QMouseEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>

namespace warpline {

namespace {

constexpr int narrowestBar = 4; ///< pixels of a bar with its gap
constexpr int widestBar = 60;
constexpr double minSliceShare = 0.01; ///< of the whole

QString restTitle(BudgetGroup group)
{
    switch (group) {
    case BudgetGroup::Compute:
        return BudgetBars::tr("Other kernels");
    case BudgetGroup::Communication:
        return BudgetBars::tr("Other communication");
    case BudgetGroup::Copies:
        return BudgetBars::tr("Copies and memsets");
    case BudgetGroup::Idle:
        break;
    }
    return BudgetBars::tr("Idle: other causes");
}

/// The timeline's colour for `part`; not valid() when it has none.
QColor colorOfPart(const BudgetParts& parts, std::size_t part, const Theme& theme)
{
    // The timeline's grey for them would look like idle time here.
    if (part == kernelClassRules().unclassified())
        return theme.color(EventTint::Kernel);
    if (part < parts.pages())
        return theme.classColor(part);
    if (part == parts.pages())
        return theme.color(EventTint::Memory);
    if (part == parts.transfer() || part == parts.unsplit())
        return theme.color(EventTint::Collective);
    if (part == parts.wait()) // hatched there
        return theme.isDark() ? theme.color(EventTint::Collective).darker(170)
                              : theme.color(EventTint::Collective).lighter(160);
    if (part == parts.copyToGpu())
        return theme.color(EventTint::CopyHtoD);
    if (part == parts.copyToHost())
        return theme.color(EventTint::CopyDtoH);
    if (part == parts.copyOther())
        return theme.color(EventTint::CopyDtoD);
    return part == parts.set() ? theme.color(EventTint::Memset) : QColor();
}

/// Muted, distinct colours for the reasons of idle time, different from Theme::rest.
QColor idleColor(std::size_t index, const Theme& theme)
{
    constexpr double firstHue = 250;
    constexpr double goldenAngle = 137.508;
    constexpr double chroma = 0.035;
    constexpr std::array<double, 3> onLight{0.73, 0.63, 0.53}; // all of them stand out from the ground
    constexpr std::array<double, 3> onDark{0.54, 0.64, 0.74};
    const auto& levels = theme.isDark() ? onDark : onLight;
    return fromOklch(levels[index % levels.size()], chroma,
        firstHue + static_cast<double>(index / levels.size()) * goldenAngle);
}

/// Work has the timeline's colours, idle time muted ones; all are distinct.
void paintSlices(std::vector<BudgetSlice>& slices, const BudgetParts& parts, const Theme& theme)
{
    std::vector<QColor> wished;
    std::size_t idle = 0;
    for (const BudgetSlice& slice : slices) {
        if (slice.group == BudgetGroup::Idle)
            wished.push_back(idleColor(idle++, theme));
        else
            wished.push_back(
                slice.parts.size() == 1 ? colorOfPart(parts, slice.parts.front(), theme) : QColor());
    }
    const std::vector<QColor> colors = partColors(wished, theme);
    for (std::size_t i = 0; i < slices.size(); ++i)
        slices[i].color = colors[i];
}

} // namespace

Ns BudgetSlice::timeOf(const Budget& budget) const
{
    Ns time = 0;
    for (const std::size_t part : parts)
        time += part < budget.size() ? budget[part] : 0;
    return time;
}

std::vector<BudgetSlice> slicesOf(const BudgetParts& parts, const Budget& mean, const Theme& theme)
{
    Ns whole = 0;
    for (const Ns part : mean)
        whole += part;
    std::vector<BudgetSlice> slices;
    for (const BudgetGroup group :
        {BudgetGroup::Compute, BudgetGroup::Communication, BudgetGroup::Copies, BudgetGroup::Idle}) {
        std::vector<std::size_t> ofGroup;
        for (std::size_t part = 0; part < parts.size(); ++part) {
            if (parts[part].group == group)
                ofGroup.push_back(part);
        }
        const auto timeOf = [&](std::size_t part) { return part < mean.size() ? mean[part] : 0; };
        std::ranges::stable_sort(ofGroup, std::greater{}, timeOf);
        BudgetSlice rest{restTitle(group), group, {}, {}};
        for (const std::size_t part : ofGroup) {
            if (static_cast<double>(timeOf(part))
                >= minSliceShare * static_cast<double>(std::max<Ns>(1, whole)))
                slices.push_back({plainTextOf(parts[part].title), group, {part}, {}});
            else
                rest.parts.push_back(part);
        }
        slices.push_back(std::move(rest));
    }
    paintSlices(slices, parts, theme);
    return slices;
}

std::vector<BarBin> binsOf(std::size_t steps, int width)
{
    const auto bars = static_cast<std::size_t>(std::max(1, width / narrowestBar));
    const std::size_t each = std::max<std::size_t>(1, (steps + bars - 1) / bars);
    std::vector<BarBin> bins;
    for (std::size_t first = 0; first < steps; first += each)
        bins.push_back({first, std::min(each, steps - first)});
    return bins;
}

QString stepNumber(std::string_view name, std::size_t ordinal)
{
    constexpr int most = 2;
    static const QRegularExpression digits(QStringLiteral("\\d+"));
    int numbers = 0;
    QString last;
    for (const QRegularExpressionMatch& number : digits.globalMatch(textOf(name))) {
        ++numbers;
        last = number.captured();
    }
    return numbers == 0 || numbers > most ? QString::number(ordinal) : last;
}

BudgetBars::BudgetBars(const Theme& theme, QWidget* parent)
    : PaintedChart(theme, parent)
{
    constexpr int least = 90;
    setMinimumHeight(least);
    setMouseTracking(true);
}

void BudgetBars::setTheme(const Theme& theme)
{
    m_theme = &theme;
    setSteps(m_answer, m_index);
}

void BudgetBars::setSteps(std::shared_ptr<const BudgetAnswer> answer, std::size_t index)
{
    m_answer = std::move(answer);
    m_index = index;
    m_slices.clear();
    if (const StepBudgets* const shown = steps()) {
        Budget mean = shown->mean;
        if (shown->steady == 0 && !shown->steps.empty())
            mean = shown->steps.back().budget.whole();
        m_slices = slicesOf(m_answer->budgets->parts(), mean, *m_theme);
    }
    update();
}

void BudgetBars::setShares(bool shares)
{
    m_shares = shares;
    update();
}

const StepBudgets* BudgetBars::steps() const
{
    return m_answer && m_index < m_answer->steps.size() ? &m_answer->steps[m_index] : nullptr;
}

QRect BudgetBars::plot() const
{
    const int text = fontMetrics().height();
    return rect().adjusted(
        fontMetrics().horizontalAdvance(QStringLiteral("888.8 ms")) + 10, text / 2 + 2, -6, -(text + 4));
}

std::vector<BarBin> BudgetBars::bins() const
{
    return steps() ? binsOf(steps()->steps.size(), plot().width()) : std::vector<BarBin>();
}

Ns BudgetBars::highest() const
{
    Ns most = 1;
    for (const StepBudget& step : steps()->steps) {
        if (!step.warmUp)
            most = std::max({most, step.gpu.duration(), step.host.duration()});
    }
    return most;
}

BudgetBars::Mean BudgetBars::meanOf(BarBin bin) const
{
    Mean mean{Budget(m_answer->budgets->parts().size(), 0)};
    const auto count = static_cast<Ns>(bin.count);
    for (std::size_t i = bin.first; i < bin.first + bin.count; ++i) {
        const StepBudget& step = steps()->steps[i];
        mean.gpu += step.gpu.duration();
        mean.host += step.host.duration();
        step.budget.addTo(mean.budget);
    }
    for (Ns& part : mean.budget)
        part /= count;
    mean.gpu /= count;
    mean.host /= count;
    return mean;
}

QString BudgetBars::nameOf(BarBin bin) const
{
    const QString first = textOf(steps()->steps[bin.first].name);
    return bin.count == 1 ? first
                          : tr("%1 and %2 more, on average").arg(first, QString::number(bin.count - 1));
}

double BudgetBars::slot(std::size_t bars) const
{
    return std::min<double>(
        widestBar, static_cast<double>(plot().width()) / static_cast<double>(std::max<std::size_t>(1, bars)));
}

std::optional<BarBin> BudgetBars::binAt(int x) const
{
    const std::vector<BarBin> all = bins();
    const QRect area = plot();
    if (all.empty() || x < area.left() || area.width() <= 0)
        return std::nullopt;
    const auto bar = static_cast<std::size_t>((x - area.left()) / slot(all.size()));
    return bar < all.size() ? std::optional(all[bar]) : std::nullopt;
}

std::vector<std::pair<double, QString>> BudgetBars::ticks() const
{
    if (m_shares || !steps())
        return {{0, QStringLiteral("0")}, {0.5, QStringLiteral("50%")}, {1, QStringLiteral("100%")}};
    constexpr double most = 5; // niceStep() leaves two of them, or more
    const auto top = static_cast<double>(highest());
    const double apart = niceStep(top / most);
    std::vector<std::pair<double, QString>> found{{0, QStringLiteral("0")}};
    for (int i = 1; i * apart <= top; ++i)
        found.emplace_back(i * apart / top, tickText(i * apart));
    return found;
}

void BudgetBars::paintBar(QPainter& painter, QRect column, BarBin bin) const
{
    const auto [mean, gpu, host] = meanOf(bin);
    const double scale = static_cast<double>(column.height())
        / static_cast<double>(m_shares ? std::max<Ns>(1, gpu) : highest());
    Ns below = 0;
    for (const BudgetSlice& slice : m_slices) {
        const Ns time = slice.timeOf(mean);
        const int from = static_cast<int>(std::lround(static_cast<double>(below) * scale));
        below += time;
        const int to = static_cast<int>(std::lround(static_cast<double>(below) * scale));
        if (to > from)
            painter.fillRect(
                QRect(column.left(), column.bottom() + 1 - to, column.width(), to - from).intersected(column),
                slice.color);
    }
    if (m_shares)
        return;
    if (gpu > highest()) // warm-up does not set the scale: a break shows that the bar continues
        for (const int down : {4, 8})
            painter.fillRect(
                QRect(column.left(), column.top() + down, column.width(), 2), m_theme->background);
    const int y = column.bottom() + 1 - static_cast<int>(std::lround(static_cast<double>(host) * scale));
    if (y >= column.top())
        painter.fillRect(QRect(column.left() - 1, y - 1, column.width() + 2, 2), m_theme->text);
}

void BudgetBars::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->background);
    if (!steps())
        return;
    const QRect area = plot();
    painter.setPen(m_theme->dimText);
    const int text = fontMetrics().height();
    LabelRoom room(0);
    const auto label = [&](int y, const QString& words) {
        painter.fillRect(QRect(area.left(), y, area.width(), 1), m_theme->grid);
        if (room.take(y, text))
            painter.drawText(
                QRect(0, y - text / 2, area.left() - 6, text), Qt::AlignRight | Qt::AlignVCenter, words);
    };
    const auto marks = ticks();
    for (const auto& [share, words] : std::views::reverse(marks)) // the highest has its label first
        label(area.bottom() - static_cast<int>(std::lround(share * (area.height() - 1))), words);
    const std::vector<BarBin> all = bins();
    const double each = slot(all.size());
    const auto every = static_cast<std::size_t>(
        std::max(1.0, std::ceil(fontMetrics().horizontalAdvance(QStringLiteral("88888")) / each)));
    for (std::size_t i = 0; i < all.size(); ++i) {
        const int left = area.left() + static_cast<int>(std::lround(static_cast<double>(i) * each));
        const int right = area.left() + static_cast<int>(std::lround(static_cast<double>(i + 1) * each));
        const int gap = each >= 2 * narrowestBar ? 2 : 1;
        paintBar(painter, QRect(left, area.top(), std::max(1, right - left - gap), area.height()), all[i]);
        const QString number = stepNumber(steps()->steps[all[i].first].name, all[i].first);
        const QRect place(left, area.bottom() + 2, fontMetrics().horizontalAdvance(number) + 1, text);
        if (i % every == 0 && place.right() <= width()) { // half a number misleads
            painter.setPen(m_theme->dimText);
            painter.drawText(place, Qt::AlignLeft, number);
        }
    }
}

QString BudgetBars::tipAt(QPoint position) const
{
    const auto bin = binAt(position.x());
    if (!bin)
        return {};
    const auto [mean, gpu, host] = meanOf(*bin);
    const StepBudget& first = steps()->steps[bin->first];
    QString text = nameOf(*bin);
    const QRect area = plot();
    const double scale = static_cast<double>(area.height())
        / static_cast<double>(m_shares ? std::max<Ns>(1, gpu) : highest());
    const double height = (area.bottom() + 1 - position.y()) / scale;
    double top = 0;
    for (const BudgetSlice& slice : m_slices) {
        const Ns time = slice.timeOf(mean);
        top += static_cast<double>(time);
        if (time == 0 || height > top || height < 0)
            continue;
        text += QString(" \u00b7 %1 \u00b7 %2 \u00b7 %3")
                    .arg(slice.title, durationText(time),
                        shareText(static_cast<double>(time) / static_cast<double>(std::max<Ns>(1, gpu))));
        break;
    }
    QStringList words{text, tr("GPU %1, host %2").arg(durationText(gpu), durationText(host))};
    if (bin->count == 1 && (first.warmUp || first.outlier || !first.whole))
        words << (first.warmUp  ? tr("warm-up")
                : first.outlier ? tr("outlier")
                                : tr("last step, to the end of its work"));
    if (!m_shares && gpu > highest())
        words << tr("longer than drawn");
    return words.join(" \u00b7 ");
}

void BudgetBars::mouseMoveEvent(QMouseEvent* event)
{
    const QString tip = tipAt(event->pos());
    setCursor(tip.isEmpty() ? Qt::ArrowCursor : Qt::PointingHandCursor);
    QToolTip::showText(event->globalPosition().toPoint(), plainTip(tip), this);
}

std::vector<PaintedItem> BudgetBars::paintedItems()
{
    std::vector<PaintedItem> items;
    const std::vector<BarBin> all = bins();
    const QRect area = plot();
    const double each = slot(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto [mean, gpu, host] = meanOf(all[i]);
        QStringList parts{tr("GPU %1, host %2").arg(durationText(gpu), durationText(host))};
        for (const BudgetSlice& slice : m_slices) {
            if (const Ns time = slice.timeOf(mean); time > 0)
                parts << slice.title + ' ' + durationText(time);
        }
        const QRectF place(area.left() + static_cast<double>(i) * each, area.top(), each, area.height());
        items.push_back(
            {nameOf(all[i]), parts.join(QCoreApplication::translate("Lists", ", ")), place.toAlignedRect()});
        items.back().press = [this, step = all[i].first] { emit stepChosen(step); };
    }
    return items;
}

void BudgetBars::mouseReleaseEvent(QMouseEvent* event)
{
    if (const auto bin = binAt(event->pos().x()); bin && event->button() == Qt::LeftButton)
        emit stepChosen(bin->first);
}

} // namespace warpline
