#include "views/compare/compared_timelines.h"

#include "views/compare/compare_bar.h"
#include "views/session/side_color.h"
#include "views/style/color_choice.h"
#include "views/timeline/color_legend.h"
#include "views/timeline/overview.h"
#include "views/timeline/row_bar.h"
#include "views/timeline/row_filter.h"
#include "views/timeline/ruler.h"
#include "views/timeline/timeline_pane.h"

#include <QScrollBar>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace warpline {

namespace {

/// Copies the row filters of `other` from now on.
void followFilter(RowFilter& own, const RowFilter& other)
{
    const auto follow = [&own, &other] {
        own.setText(other.text());
        own.setSet(other.set());
        own.setOnlyInView(other.onlyInView());
        own.setShowsIdleGpus(other.showsIdleGpus());
    };
    follow();
    QObject::connect(&other, &RowFilter::changed, &own, follow);
}

} // namespace

ComparedTimelines::ComparedTimelines(Session& session, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_theme(&theme),
      m_bar(new CompareBar(session.pair(), theme, this)),
      m_splitter(new QSplitter(Qt::Vertical, this)),
      m_a(new TimelinePane(session, theme, m_splitter))
{
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(3);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_splitter, 1);
    setFocusProxy(m_a);
    m_bar->hide();
    connect(&m_session.pair(), &RunPair::changed, this, &ComparedTimelines::onChanged);
    // After the panes have shown theirs.
    connect(&ColorChoice::shared(), &ColorChoice::legendShown, this, &ComparedTimelines::onChanged,
        Qt::QueuedConnection);
    connect(&m_a->legend(), &ColorLegend::filled, this, &ComparedTimelines::updated);
    connect(&m_session.pair(), &RunPair::matched, this, &ComparedTimelines::updated);
    connect(&m_session.pair(), &RunPair::compared, this, &ComparedTimelines::updated);
    for (const auto changed : {&RunPair::aligned, &RunPair::changed, &RunPair::matched})
        connect(&m_session.pair(), changed, this, [this] {
            m_a->view().viewport()->update();
            if (m_b)
                m_b->view().viewport()->update();
        });
}

void ComparedTimelines::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_bar->setTheme(theme);
    m_a->setTheme(theme);
    if (m_b)
        m_b->setTheme(theme);
    onChanged();
}

bool ComparedTimelines::isReady() const
{
    const RunPair& pair = m_session.pair();
    const auto isDone
        = [](TimelinePane& pane) { return pane.overview().isReady() && pane.legend().isReady(); };
    return isDone(*m_a) && (!pair.isOn() || (m_b && isDone(*m_b) && !pair.isBusy()));
}

int ComparedTimelines::leastHeight() const
{
    if (!m_session.pair().isOn() || !m_b)
        return 0;
    constexpr int minRows = 130; // of each run
    int around = 0; // its rows, of the one with more
    for (TimelinePane* const pane : {m_a, m_b})
        around = std::max(around, pane->height() - pane->view().height());
    return m_bar->height() + m_splitter->handleWidth() + 2 * (minRows + around);
}

void ComparedTimelines::makeB()
{
    RunPair& pair = m_session.pair();
    m_b = new TimelinePane(pair.b(), *m_theme, m_splitter);
    m_b->setObjectName("timeline-b");
    m_b->setLabelWidth(m_a->labelWidth());
    m_b->findChild<RowFilterBox*>()->hide(); // that of A is for both
    followFilter(m_b->rowFilter(), m_a->rowFilter());
    followFilter(m_a->rowFilter(), m_b->rowFilter()); // its chips can be closed
    m_b->legend().setOther(m_a->legend());
    connect(&m_b->legend(), &ColorLegend::filled, this, &ComparedTimelines::updated);
    connect(&m_b->overview(), &Overview::updated, this, &ComparedTimelines::updated);
    connect(m_a, &TimelinePane::labelWidthChanged, m_b, &TimelinePane::setLabelWidth);
    connect(m_b, &TimelinePane::labelWidthChanged, m_a, &TimelinePane::setLabelWidth);
    connect(&m_a->view(), &TimelineView::cursorMoved, this, [this](qint64 time, bool inside) {
        if (m_session.pair().isOn())
            m_b->showCursor(inside ? std::optional(m_session.pair().map().toB(time)) : std::nullopt);
    });
    connect(&m_b->view(), &TimelineView::cursorMoved, this, [this](qint64 time, bool inside) {
        m_a->showCursor(inside ? std::optional(m_session.pair().map().toA(time)) : std::nullopt);
    });
    connect(&m_a->view(), &TimelineView::scrolled, this, [this] { scrollTogether(Side::A); });
    connect(&m_b->view(), &TimelineView::scrolled, this, [this] { scrollTogether(Side::B); });
}

/// Brings the partner of the row at the top of one timeline to the top of the other.
void ComparedTimelines::scrollTogether(Side from)
{
    RunPair& pair = m_session.pair();
    if (m_scrolling || !pair.isOn() || pair.rowPairs().empty())
        return;
    const TimelineView& moved = from == Side::A ? m_a->view() : m_b->view();
    TimelineView& other = from == Side::A ? m_b->view() : m_a->view();
    const auto top = moved.topRow();
    if (!top)
        return;
    const RowId partner = pair.partnerOf(from, top->row);
    m_scrolling = true;
    if (partner != RowTree::root)
        other.scrollTo({partner, top->beyond});
    m_scrolling = false;
}

void ComparedTimelines::onChanged()
{
    RunPair& pair = m_session.pair();
    if (pair.isOn() && !m_b)
        makeB();
    const bool wasOn = !m_bar->isHidden();
    m_bar->setVisible(pair.isOn());
    if (m_b)
        m_b->setVisible(pair.isOn());
    for (const Side side : {Side::A, Side::B}) {
        TimelinePane* const pane = side == Side::A ? m_a : m_b;
        if (!pane)
            continue;
        // One legend for both, below B.
        pane->legend().setVisible(ColorChoice::shared().showsLegend() && (side == Side::B || !pair.isOn()));
        pane->setBadge(pair.isOn() ? sideLetter(side) : QString(), sideColor(*m_theme, side));
    }
    if (pair.isOn() && !wasOn)
        m_splitter->setSizes({1000, 1000});
}

} // namespace warpline
