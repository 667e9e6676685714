#include "views/panels/verdict_panel.h"

#include "core/compare/verdict.h"
#include "views/compare/compare_lines.h"
#include "views/compare/compare_waterfall.h"
#include "views/panels/compare_step_plot.h"
#include "views/panels/empty_state.h"
#include "views/panels/finding_text.h"
#include "views/panels/judged_range.h"
#include "views/panels/layouts.h"
#include "views/panels/step_choice.h"
#include "views/session/rule_settings.h"
#include "views/session/side_color.h"
#include "views/style/linked_label.h"
#include "views/style/rich_text.h"

#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

namespace warpline {

namespace {

constexpr int verdictPadding = 12;
const char* const sameFactsLink = "same";

} // namespace

VerdictPanel::VerdictPanel(Session& session, const Theme& theme, QWidget* parent)
    : Panel(session, parent),
      m_theme(&theme),
      m_empty(new EmptyState(tr("<b>Did my change help?</b> Choose the run after the change."),
          {{"file.compare", tr("Choose run B\u2026")}}, this)),
      m_verdict(new LinkedLabel(this)),
      m_waterfall(new CompareWaterfall(theme, this)),
      m_steps(new CompareStepPlot(theme, this)),
      m_facts(new LinkedLabel(this))
{
    for (QLabel* const label : {m_verdict, m_facts}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextBrowserInteraction);
        label->setContentsMargins(verdictPadding, 0, verdictPadding, 0);
        connect(label, &QLabel::linkActivated, this, &VerdictPanel::follow);
    }
    constexpr int minChart = 150;
    constexpr int maxChart = 240;
    m_steps->setMinimumHeight(minChart);
    m_steps->setMaximumHeight(maxChart);
    auto* const page = new QWidget(this);
    fillLayout(new QVBoxLayout(page), {0, 8, 0, 8}, 8,
        {m_empty, m_verdict, m_waterfall, {m_steps, 1}, m_facts, freeRoom});
    auto* const area = new QScrollArea(this);
    scrollUpAndDown(*area, page);
    fillColumn(this, styleSpacing, {new RangeNotice(session, ofComparedRuns(), this), area});
    connect(m_steps, &CompareStepPlot::stepChosen, this, &VerdictPanel::chooseStep);
    RunPair& pair = session.pair();
    const auto changed = [this] {
        draw();
        emit updated();
    };
    connect(&pair, &RunPair::changed, this, changed);
    connect(&pair, &RunPair::matched, this, changed);
    connect(&pair, &RunPair::compared, this, changed);
    draw();
}

QString VerdictPanel::failureText()
{
    return tr("The comparison failed. Compare shorter ranges, or open the runs again.");
}

void VerdictPanel::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_waterfall->setTheme(theme);
    m_steps->setTheme(theme);
    draw();
}

void VerdictPanel::preferencesChanged()
{
    m_steps->setComparison(m_comparison, chosenLimits()); // slow may be something else now
}

void VerdictPanel::follow(const QString& link)
{
    if (link == sameFactsLink) {
        m_showsSame = !m_showsSame;
        draw();
    } else {
        m_session.judgement().setStepGlob({});
    }
}

void VerdictPanel::draw()
{
    m_comparison = m_session.pair().comparisonAfter(m_comparison);
    const bool isEmpty = !m_comparison && !m_session.pair().isOn();
    m_empty->setVisible(isEmpty);
    m_verdict->setVisible(!isEmpty);
    m_verdict->setText(verdictText());
    m_facts->setText(factsText());
    m_facts->setVisible(m_comparison != nullptr);
    constexpr std::size_t maxLines = 10;
    if (m_comparison)
        m_waterfall->setFixedHeight(CompareWaterfall::heightOf(waterfallOf(*m_comparison, maxLines).size()));
    m_waterfall->setComparison(m_comparison);
    m_waterfall->setVisible(m_comparison && !m_comparison->budget.empty());
    m_steps->setComparison(m_comparison, chosenLimits());
    m_steps->setVisible(m_steps->isNeeded());
}

QString VerdictPanel::verdictText() const
{
    const RunPair& pair = m_session.pair();
    if (!m_comparison && !pair.isOn())
        return {};
    if (!m_comparison)
        return paragraphHtml(pair.hasFailed() ? failureText() : tr("Comparing\u2026"));
    QString text = QString("<p style='margin-top:0px; margin-bottom:6px; font-size:%1px; color:%2'><b>%3"
                           "</b></p>")
                       .arg(qRound(QFontInfo(font()).pixelSize() * 20 / 12.0))
                       .arg(verdictColor(*m_comparison, *m_theme).name(),
                           compareHeadline(*m_comparison).toHtmlEscaped())
        + paragraphHtml(richTextOf(verdictDetails(*m_comparison)));
    if (pair.isComing() || pair.isJudging()) // the finding that explains most is not known yet
        text += paragraphHtml(tr("Comparing\u2026"));
    if (m_comparison->unit == CompareUnit::Whole && !m_session.judgement().stepGlob().empty())
        text += paragraphHtml(
            QString("<a href='%1'>%2</a>").arg(stepsAutoLink, tr("Detect steps automatically")));
    return text;
}

QString VerdictPanel::factsText() const
{
    if (!m_comparison)
        return {};
    QString other;
    QString same;
    for (const CompareFact& fact : m_comparison->facts) {
        if (fact.state == CompareFact::State::Different && fact.id == "same_report")
            continue; // two runs are given anyway
        if (fact.state == CompareFact::State::Different)
            other += paragraphHtml(titledText(richTextOf(fact.title),
                QString("<span style='color:%3'>%1</span> \u2192 <span style='color:%4'>%2</span>")
                    .arg(richTextOf(fact.a), richTextOf(fact.b), sideColor(*m_theme, Side::A).name(),
                        sideColor(*m_theme, Side::B).name())));
        else if (fact.state == CompareFact::State::Same)
            same += paragraphHtml(titledText(richTextOf(fact.title), richTextOf(fact.a)));
    }
    const auto heading = [](const QString& text) { return paragraphHtml("<b>" + text + "</b>"); };
    QString text = other.isEmpty() ? QString() : heading(tr("Different")) + other;
    if (!same.isEmpty())
        text += foldHtml(sameFactsLink, tr("The same"), m_showsSame, *m_theme, 8)
            + (m_showsSame ? same : QString());
    return text;
}

void VerdictPanel::chooseStep(Side side, std::size_t place)
{
    RunPair& pair = m_session.pair();
    if (!pair.comparison()) // the plot is that of the one before
        return;
    Session& session = pair.session(side);
    const auto& gpus = m_comparison->sides[side].gpus;
    const std::size_t step = m_steps->lengths(side).steps[place];
    Selection::Highlights events;
    for (const ComparedGpu& gpu : gpus)
        events[ReportId{static_cast<std::uint16_t>(gpu.report)}].push_back(gpu.steps[step].event);
    pair.session(side == Side::A ? Side::B : Side::A).selection().clearHighlights();
    session.selection().setHighlights(std::move(events));
    const OpenReport& report
        = session.workspace().report(ReportId{static_cast<std::uint16_t>(gpus.front().report)});
    const TimeRange range = report.clock.toWorkspace(gpus.front().steps[step].gpu);
    const std::size_t ahead = m_comparison->sides[side].ahead; // they have no partner
    if (place >= ahead && place - ahead < pair.stepCount())
        pair.goToStep(place - ahead, true);
    else
        session.time().goTo(range);
    const EventId event{report.id, gpus.front().steps[step].event};
    session.rowView().reveal(session.workspace().rowOf(event));
    session.selection().setCurrentEvent(event);
    session.time().selectRange(range);
}

extern const PanelKind verdictPanel;
const PanelKind verdictPanel{
    .id = "verdict",
    .title = QT_TRANSLATE_NOOP("Action", "Verdict"),
    .help = QT_TRANSLATE_NOOP("Action", "Which of two runs is faster, and where the time went"),
    .place = PanelPlace::Beside,
    .namesRuns = true,
    .keys = "Alt+5",
    .isNeeded = [](Session& session) { return session.pair().isOn(); },
    .make = makePanel<VerdictPanel>,
};

} // namespace warpline
