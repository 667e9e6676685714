#include "views/compare/compare_bar.h"

#include "views/compare/compare_lines.h"
#include "views/session/side_color.h"
#include "views/style/rich_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>

namespace warpline {

CompareBar::CompareBar(RunPair& pair, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_pair(pair),
      m_theme(&theme),
      m_verdict(new QLabel(this)),
      m_parts{button({}, tr("Compare the whole run again")), button({}, tr("Compare the whole run again"))},
      m_place(new QLabel(this)),
      m_previous(button(QString(QChar(0x25c0)), tr("Previous step of both runs"))),
      m_next(button(QString(QChar(0x25b6)), tr("Next step of both runs"))),
      m_stretch(button(tr("Equal steps"), tr("Draw the steps of A and B at equal length, or to scale"))),
      m_swap(button(tr("Swap"), tr("Swap A and B"))),
      m_end(button(QString(QChar(0x00d7)), tr("Close B, unless both reports were open before")))
{
    setAutoFillBackground(true);
    m_verdict->setObjectName("compare-verdict");
    m_verdict->setTextFormat(Qt::RichText);
    m_place->setObjectName("compare-place");
    m_place->setTextFormat(Qt::PlainText);
    for (QLabel* const label : {m_verdict, m_place})
        label->setMinimumWidth(1); // else the window could not be narrower than the text
    m_stretch->setCheckable(true);
    auto* const layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 2, 4, 2);
    layout->setSpacing(4);
    layout->addWidget(m_verdict);
    for (const Side side : {Side::A, Side::B}) {
        layout->addWidget(m_parts[side]);
        connect(m_parts[side], &QToolButton::clicked, this, [this, side] { m_pair.narrow(side, {}); });
    }
    layout->addStretch();
    layout->addWidget(m_previous);
    layout->addWidget(m_place);
    layout->addWidget(m_next);
    layout->addWidget(m_stretch);
    layout->addWidget(m_swap);
    layout->addWidget(m_end);
    connect(m_verdict, &QLabel::linkActivated, this, &CompareBar::panelWanted);
    connect(m_previous, &QToolButton::clicked, this, [this] { m_pair.moveStep(false); });
    connect(m_next, &QToolButton::clicked, this, [this] { m_pair.moveStep(true); });
    connect(m_stretch, &QToolButton::toggled, this, [this](bool on) { m_pair.setStretched(on); });
    connect(m_swap, &QToolButton::clicked, this, &CompareBar::swapWanted);
    connect(m_end, &QToolButton::clicked, this, &CompareBar::endWanted);
    connect(&m_pair, &RunPair::changed, this, &CompareBar::show);
    connect(&m_pair, &RunPair::aligned, this, &CompareBar::show);
    connect(&m_pair, &RunPair::matched, this, &CompareBar::show);
    connect(&m_pair, &RunPair::compared, this, &CompareBar::show);
    setTheme(theme);
}

QToolButton* CompareBar::button(const QString& text, const QString& tip)
{
    auto* const made = new QToolButton(this);
    made->setText(text);
    made->setToolTip(tip);
    made->setAccessibleName(tip);
    made->setAutoRaise(true);
    made->setFocusPolicy(Qt::NoFocus); // keys stay the timeline's
    return made;
}

void CompareBar::setTheme(const Theme& theme)
{
    m_theme = &theme;
    QPalette colors = palette();
    colors.setColor(QPalette::Window, theme.panel);
    setPalette(colors);
    show();
}

void CompareBar::setWhole(bool whole)
{
    m_swap->setEnabled(whole);
    m_end->setEnabled(whole);
}

QString CompareBar::placeText(bool isShort) const
{
    if (!m_pair.comparison())
        return m_pair.hasFailed() ? tr("comparison failed") : tr("comparing\u2026");
    const std::size_t count = m_pair.stepCount();
    if (const TimeRange a = m_pair.narrowed(Side::A), b = m_pair.narrowed(Side::B);
        m_pair.comparison()->unitKey() == "range" && !a.empty() && !b.empty())
        return isShort ? tr("ranges")
                       : tr("ranges: A %1, B %2").arg(durationText(a.duration()), durationText(b.duration()));
    if (!m_pair.step())
        return count == 0 ? tr("no common steps")
            : isShort     ? tr("%1 steps").arg(count)
                          : tr("aligned at an event; %1 steps").arg(count);
    if (isShort)
        return tr("%1 of %2").arg(*m_pair.step() + 1).arg(count);
    const auto length
        = [&](Side side) { return durationText(m_pair.steps(side)[*m_pair.step()].duration()); };
    return tr("step %1 of %2: A %3, B %4")
        .arg(*m_pair.step() + 1)
        .arg(count)
        .arg(length(Side::A), length(Side::B));
}

void CompareBar::show()
{
    m_comparison = m_pair.comparisonAfter(m_comparison);
    const bool hasSteps = m_pair.stepCount() > 0;
    m_place->setToolTip(placeText(false));
    m_previous->setEnabled(hasSteps && m_pair.step() != std::size_t{0});
    m_next->setEnabled(hasSteps && (!m_pair.step() || *m_pair.step() + 1 < m_pair.stepCount()));
    const QSignalBlocker quiet(m_stretch);
    m_stretch->setChecked(m_pair.isStretched());
    showParts();
    showVerdict();
}

void CompareBar::showParts()
{
    const auto length = [](TimeRange range) { return durationText(range.duration()); };
    for (const Side side : {Side::A, Side::B}) {
        const TimeRange part = m_pair.narrowed(side);
        const bool isPart = m_pair.isOn() && !m_pair.isWithinOne() && !part.empty(); // else the title says it
        m_parts[side]->setVisible(isPart);
        if (isPart)
            m_parts[side]->setText(
                tr("%1: %2 of %3 \u00d7")
                    .arg(sideLetter(side), length(part), length(m_pair.session(side).session())));
    }
}

void CompareBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    showVerdict();
}

/// The room next to the buttons.
int CompareBar::roomForTexts() const
{
    int room = contentsRect().width() - layout()->contentsMargins().left()
        - layout()->contentsMargins().right() - layout()->spacing() * layout()->count();
    for (const QToolButton* const button : findChildren<QToolButton*>(Qt::FindDirectChildrenOnly))
        room -= button->isHidden() ? 0 : button->sizeHint().width();
    return room;
}

/// The verdict and the place next to it. If both do not fit, the lengths are omitted first.
void CompareBar::showVerdict()
{
    QFont bold = m_verdict->font();
    bold.setBold(true);
    const QString headline = m_comparison ? compareHeadline(*m_comparison) : QString();
    const int wanted = QFontMetrics(bold).horizontalAdvance(headline);
    const auto placeWidth
        = [&](bool isShort) { return m_place->fontMetrics().horizontalAdvance(placeText(isShort)); };
    const int room = roomForTexts();
    const bool isShort = wanted + placeWidth(false) > room;
    m_place->setText(placeText(isShort));
    m_verdict->setVisible(m_comparison != nullptr);
    if (!m_comparison)
        return;
    const QString shown
        = QFontMetrics(bold).elidedText(headline, Qt::ElideRight, std::max(0, room - placeWidth(isShort)));
    m_verdict->setText(QString("<a href='panel' style='color:%1; text-decoration:none'><b>%2</b></a>")
                           .arg(verdictColor(*m_comparison, *m_theme).name(), shown.toHtmlEscaped()));
    m_verdict->setAccessibleName(headline);
    m_verdict->setToolTip(richTextOf(m_comparison->sentence));
}

} // namespace warpline
