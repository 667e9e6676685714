#include "views/panels/steps_panel.h"

#include "core/store/trace.h"
#include "views/panels/budget_view.h"
#include "views/panels/host_steps.h"
#include "views/panels/judged_range.h"
#include "views/panels/layouts.h"
#include "views/panels/step_choice.h"
#include "views/style/linked_label.h"

#include <QComboBox>
#include <QLabel>
#include <QSettings>
#include <QStackedWidget>

namespace warpline {

namespace {

constexpr auto gpuTimePart = "budget"; // of PanelKind::parts, and as the settings have it
constexpr auto hostPart = "host";

} // namespace

StepsPanel::StepsPanel(Session& session, const Theme& theme, QWidget* parent)
    : Panel(session, parent),
      m_pattern(new StepBox(session.judgement(), this)),
      m_choice(new QComboBox(this)),
      m_summary(new LinkedLabel(this)),
      m_notice(new RangeNotice(session, {.range = false}, this)),
      m_gpuTime(new BudgetView(session, theme, this)),
      m_host(new HostSteps(session, theme, this)),
      m_views{m_gpuTime, m_host},
      m_stack(new QStackedWidget(this))
{
    m_choice->addItem(tr("GPU time"), gpuTimePart);
    m_choice->addItem(tr("Host ranges"), hostPart);
    m_choice->setToolTip(
        tr("Show where the time of steps goes on the GPU, or the parts of their ranges on the host"));
    m_choice->setAccessibleName(tr("What of the steps is shown"));
    m_summary->setContentsMargins(6, 0, 6, 0);
    constexpr int choiceLetters = 12;
    letShrink(*m_choice, choiceLetters);
    auto* const bar = barLayout({m_choice, {m_pattern, 1}, &m_gpuTime->choices()});
    auto* const views = makeColumn(this, 3, {m_notice, {m_stack, 1}});
    // Below the controls: next to them it would have a word per line in a narrow drawer.
    fillColumn(this, 3, {bar, {makeTextColumn(this, m_summary, views), 1}});
    for (StepsView* const view : m_views) {
        m_stack->addWidget(view);
        connect(view, &StepsView::answered, this, [this] {
            tellSummary();
            requestRefreshAtOnce();
            emit updated(); // if the panel is hidden, no result follows
        });
    }
    connect(m_host, &HostSteps::gpuTimeWanted, this, [this] { showPart(gpuTimePart); });
    connect(m_choice, &QComboBox::currentIndexChanged, this, &StepsPanel::showChosen);
    connect(m_summary, &QLabel::linkActivated, this, [this] { m_session.judgement().setStepGlob({}); });
    connect(&session.judgement(), &Judgement::stepGlobChanged, this, &StepsPanel::evaluate);
    connect(&session.judgement(), &Judgement::lacksStepsChanged, this, &StepsPanel::tellSummary);
    connect(&session.time(), &TimeView::selectedRangeChanged, this, [this] { requestRefresh(); });
    connect(&session.time(), &TimeView::shownChanged, this, [this] { requestRefresh(); });
    connect(&session, &Session::clocksChanged, this, [this] { requestRefresh(); });
    connect(&session.selection(), &Selection::selectedRowsChanged, this, [this] { requestRefreshAtOnce(); });
    showChosen();
    evaluate();
}

void StepsPanel::setTheme(const Theme& theme)
{
    for (StepsView* const view : m_views)
        view->setTheme(theme);
    requestRefreshAtOnce();
}

bool StepsPanel::isBusy() const
{
    return m_gpuTime->isBusy() || m_host->isBusy() || Panel::isBusy();
}

void StepsPanel::saveState(QSettings& settings) const
{
    settings.setValue("part", m_choice->currentData());
}

void StepsPanel::restoreState(const QSettings& settings)
{
    showPart(settings.value("part").toString());
}

LeftOut StepsPanel::leftOut() const
{
    const bool isGpuTime = &shown() == m_gpuTime; // the range has a column there
    return {.rows = true,
        .range = isGpuTime && !m_session.time().selectedRange().empty(),
        .gpu = isGpuTime && m_gpuTime->gpus().count() > 1};
}

void StepsPanel::showPart(const QString& id)
{
    if (const int place = m_choice->findData(id); place >= 0)
        m_choice->setCurrentIndex(place);
}

StepsView& StepsPanel::shown() const
{
    const bool isOfHost = m_choice->currentData() == hostPart || !hasGpuWork(m_session);
    return isOfHost ? static_cast<StepsView&>(*m_host) : *m_gpuTime;
}

void StepsPanel::showChosen()
{
    StepsView& view = shown();
    const bool isGpuTime = &view == m_gpuTime;
    m_stack->setCurrentWidget(&view);
    m_choice->setVisible(hasGpuWork(m_session));
    m_gpuTime->choices().setVisible(isGpuTime);
    m_notice->setFollowed({.range = false,
        .otherwise = isGpuTime
            ? tr("Bars and the steady step cover the whole report. The range has its own column.")
            : QString()});
    m_summary->setToolTip(view.summaryTip());
    requestRefreshAtOnce();
}

void StepsPanel::showReport()
{
    showChosen();
    evaluate();
}

void StepsPanel::clear()
{
    for (StepsView* const view : m_views)
        view->clear();
    showChosen();
    tellSummary();
}

void StepsPanel::evaluate()
{
    if (!m_session.trace().complete)
        return;
    for (StepsView* const view : m_views)
        view->evaluate();
}

void StepsPanel::refresh()
{
    shown().refresh();
    tellSummary();
    emit updated();
}

void StepsPanel::tellSummary()
{
    m_summary->setText(shown().summary());
    m_summary->setVisible(!m_summary->text().isEmpty());
}

namespace {

constexpr Action stepsPanelActionList[]{
    {
        .id = "steps.steady",
        .text = QT_TRANSLATE_NOOP("Action", "&Steps without warm-up"),
        .help = QT_TRANSLATE_NOOP("Action", "Hide warm-up steps"),
        .icon = "steps",
        .menu = MainMenu::Go,
        .run = [](const ActionContext& at) { at.part<StepsPanel>()->host().showSteadySteps(); },
    },
    {
        .id = "steps.gpu_time",
        .text = QT_TRANSLATE_NOOP("Action", "GPU time of steps"),
        .help = QT_TRANSLATE_NOOP(
            "Action", "Where the time of each step, and of the selected range, went on the GPU"),
        .keys = "Ctrl+6",
        .menu = MainMenu::View,
        .submenu = QT_TRANSLATE_NOOP("Action", "&Panels"),
        .enabled = [](const ActionContext& at) { return hasGpuWork(at.session); },
        .run = [](const ActionContext& at) { emit at.session.panelRequested(gpuTimePart); },
    },
};

} // namespace

extern const PanelKind stepsPanel;
const PanelKind stepsPanel{
    .id = "steps",
    .title = QT_TRANSLATE_NOOP("Action", "Steps"),
    .help = QT_TRANSLATE_NOOP("Action", "Where the time of each training step or iteration goes"),
    .place = PanelPlace::Below,
    .keys = "Ctrl+5",
    .part = gpuTimePart,
    .make = makePanel<StepsPanel>,
    .actions = stepsPanelActionList,
};

} // namespace warpline
