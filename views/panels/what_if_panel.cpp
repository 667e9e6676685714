#include "views/panels/what_if_panel.h"

#include "core/export/whatif_text.h"
#include "core/replay/apply_cure.h"
#include "core/store/trace.h"
#include "views/panels/judged_range.h"
#include "views/panels/layouts.h"
#include "views/panels/what_if_bars.h"
#include "views/session/chosen_cure.h"
#include "views/style/rich_text.h"
#include "views/style/wrapped_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <utility>

namespace warpline {

namespace {

constexpr int mostColumns = 2; ///< of switches
constexpr int leastResults = 220; ///< pixels next to that many columns

} // namespace

WhatIfPanel::WhatIfPanel(Session& session, const Theme& theme, QWidget* parent)
    : Panel(session, parent, RefreshTime::AfterRest),
      m_gpu(new QComboBox(this)),
      m_finding(new QCheckBox(this)),
      m_kernels(new QLineEdit(this)),
      m_factor(new QDoubleSpinBox(this)),
      m_head(new QLabel(this)),
      m_bars(new WhatIfBars(theme, this)),
      m_sentence(new QLabel(this)),
      m_choices(new QWidget(this)),
      m_fitting(new QGridLayout),
      m_others(new QLabel(m_choices)),
      m_scroll(new QScrollArea(this))
{
    m_gpu->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    constexpr int gpuLetters = 20;
    letShrink(*m_gpu, gpuLetters);
    wrapInWidth(*m_head);
    wrapInWidth(*m_sentence);
    m_head->setTextFormat(Qt::PlainText);
    m_sentence->setTextFormat(Qt::RichText);
    m_finding->setObjectName("finding");
    m_finding->hide();
    m_kernels->setPlaceholderText(tr("Kernel name"));
    m_kernels->setToolTip(tr("Kernels that change: a name with * and ? as wildcards."));
    m_kernels->setClearButtonEnabled(true);
    m_factor->setRange(0, 100);
    m_factor->setSingleStep(0.1);
    m_factor->setValue(0.5);
    m_factor->setPrefix(tr("\u00d7 "));
    m_factor->setToolTip(tr("Factor for the time of these kernels. 0 removes them."));
    for (const CureSwitch* const cure : allSwitches()) {
        auto* const box = new QCheckBox(plainTextOf(titleOf(*cure)), m_choices);
        box->setObjectName(textOf(keyOf(*cure)));
        box->setToolTip(plainTextOf(helpOf(*cure)));
        m_switches.push_back({cure, box});
        connect(box, &QCheckBox::toggled, this, &WhatIfPanel::evaluate);
    }
    fillLayout(new QVBoxLayout(m_choices), {6, 4, 6, 4}, styleSpacing,
        {m_finding, m_fitting, barLayout({{m_kernels, 1}, m_factor}, {}), m_others, freeRoom});
    scrollUpAndDown(*m_scroll, m_choices);
    auto* const results = new QScrollArea(this);
    scrollUpAndDown(*results, makeColumn(this, styleSpacing, {m_head, m_bars, m_sentence, freeRoom}));
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 3, 4, 3);
    layout->addWidget(m_gpu, 0, Qt::AlignLeft);
    layout->addWidget(new RangeNotice(m_session, {}, this));
    constexpr int mostShare = 100; // the switches get the width that they need
    layout->addLayout(barLayout({{m_scroll, mostShare}, {results, 1}}, {}), 1);
    connect(m_finding, &QCheckBox::toggled, this, &WhatIfPanel::evaluate);
    connect(m_kernels, &QLineEdit::textChanged, this, &WhatIfPanel::evaluate);
    connect(m_factor, &QDoubleSpinBox::valueChanged, this, &WhatIfPanel::evaluate);
    connect(m_gpu, &QComboBox::currentIndexChanged, this, [this] {
        showFits();
        evaluate();
    });
    connect(&session.judgement(), &Judgement::stepGlobChanged, this, [this] { requestRefreshAtOnce(); });
    connect(&session.time(), &TimeView::judgedChanged, this, [this] { requestRefresh(); });
    connect(&session.selection(), &Selection::selectedRowsChanged, this, [this] {
        if (rowScopeOf(m_session) != m_scope)
            listTargets();
    });
    connect(&session.judgement().cure(), &ChosenCure::chosen, this, &WhatIfPanel::takeFinding);
    m_load.onFailure([this] { take(nullptr); });
    m_job.onFailure([this] {
        m_expected.reset();
        draw();
    });
    takeFinding();
    draw();
}

void WhatIfPanel::setTheme(const Theme& theme)
{
    m_bars->setTheme(theme);
}

void WhatIfPanel::clear()
{
    cancelRefresh();
    m_load.cancel();
    m_job.cancel();
    take(nullptr);
}

void WhatIfPanel::refresh()
{
    if (!m_session.trace().complete)
        return;
    m_load.start(
        [trace = m_session.sharedTrace(), glob = m_session.judgement().stepGlob(),
            isOfRange = !m_session.time().selectedRange().empty(),
            judged = m_session.ownTime(m_session.time().judged())](const std::stop_token& stop) {
            auto answer = std::make_shared<Answer>();
            answer->trace = trace;
            answer->isOfRange = isOfRange;
            const TimeRange whole{trace->session.start, trace->session.end + 1};
            answer->targets
                = whatIfTargets(*trace, isOfRange ? judged : whole, glob, {.fromStart = isOfRange}, stop);
            for (const WhatIfTarget& target : answer->targets) {
                std::vector<std::vector<CureEdit>>& all = answer->edits.emplace_back();
                for (const CureSwitch* const cure : allSwitches()) {
                    all.push_back(cure->edits(*trace, target.replay.graph()));
                    std::erase_if(
                        all.back(), [&](const CureEdit& edit) { return target.replay.matches(edit) == 0; });
                }
            }
            return std::shared_ptr<const Answer>(std::move(answer));
        },
        [this](std::shared_ptr<const Answer> answer) { take(std::move(answer)); });
}

void WhatIfPanel::take(std::shared_ptr<const Answer> answer)
{
    m_answer = std::move(answer);
    listTargets();
}

/// The targets of the GPUs and processes of the selected rows.
void WhatIfPanel::listTargets()
{
    m_scope = rowScopeOf(m_session);
    {
        const QSignalBlocker quiet(m_gpu);
        m_gpu->clear();
        for (std::size_t i = 0; m_answer && i < m_answer->targets.size(); ++i) {
            const Replay& replay = m_answer->targets[i].replay;
            if (m_scope.coversOrdinal(*m_answer->trace, replay.process(), replay.device()))
                m_gpu->addItem(
                    plainTextOf(labelOf(*m_answer->trace, m_answer->targets[i])), QVariant::fromValue(i));
        }
        m_gpu->setVisible(m_gpu->count() > 1);
    }
    showFits();
    evaluate();
}

std::size_t WhatIfPanel::place() const
{
    return m_gpu->currentData().value<std::size_t>();
}

const WhatIfTarget* WhatIfPanel::chosen() const
{
    return m_answer && m_gpu->currentIndex() >= 0 ? &m_answer->targets[place()] : nullptr;
}

/// Switches that would change nothing are named, not shown.
void WhatIfPanel::showFits()
{
    const bool any = chosen() != nullptr;
    m_choices->setEnabled(any);
    QStringList others;
    for (std::size_t i = 0; i < m_switches.size(); ++i) {
        QCheckBox* const box = m_switches[i].box;
        const bool fits = any && !m_answer->edits[place()][i].empty();
        const QSignalBlocker quiet(box);
        box->setVisible(fits);
        box->setEnabled(fits);
        if (!fits && m_answer) // until another report has its answer the user's choice stays
            box->setChecked(false);
        if (!fits)
            others << box->text();
    }
    m_others->setVisible(any && !others.empty());
    m_others->setText(tr("Not applicable here: %1").arg(others.size()));
    m_others->setToolTip(plainTip(others.join("\n")));
    placeSwitches();
}

/// The width that so many columns of switches need.
int WhatIfPanel::widthOf(int columns) const
{
    std::array<int, mostColumns> widest{};
    int cell = 0;
    for (const Switch& each : m_switches) {
        if (each.box->isHidden())
            continue;
        int& column = widest[static_cast<std::size_t>(cell % columns)];
        column = std::max(column, each.box->sizeHint().width());
        ++cell;
    }
    const QMargins margins = m_choices->layout()->contentsMargins();
    return std::accumulate(widest.begin(), widest.end(), 0) + (columns - 1) * m_fitting->horizontalSpacing()
        + margins.left() + margins.right() + m_scroll->verticalScrollBar()->sizeHint().width();
}

int WhatIfPanel::fittingColumns() const
{
    return width() >= widthOf(mostColumns) + leastResults ? mostColumns : 1;
}

/// Places the switches that fit in as many columns as the results leave room for.
void WhatIfPanel::placeSwitches()
{
    m_columns = fittingColumns();
    int cell = 0;
    for (const Switch& each : m_switches) {
        if (each.box->isHidden())
            continue;
        m_fitting->addWidget(each.box, cell / m_columns, cell % m_columns);
        ++cell;
    }
    const qsizetype longest = 30 * m_columns;
    m_finding->setText(tr("Fixed: %1").arg(elidedInMiddle(m_session.judgement().cure().title(), longest)));
    m_choices->layout()->invalidate(); // it knows nothing of its inner layout yet
    // QScrollArea itself keeps the width of its first content.
    m_scroll->setMinimumWidth(widthOf(1));
    m_scroll->setMaximumWidth(std::max(widthOf(m_columns),
        m_choices->sizeHint().width() + m_scroll->verticalScrollBar()->sizeHint().width()));
}

void WhatIfPanel::resizeEvent(QResizeEvent* event)
{
    Panel::resizeEvent(event);
    if (fittingColumns() != m_columns)
        placeSwitches();
}

void WhatIfPanel::takeFinding()
{
    const ChosenCure& chosen = m_session.judgement().cure();
    const bool any = !chosen.title().isEmpty();
    {
        const QSignalBlocker quiet(m_finding);
        m_finding->setVisible(any);
        m_finding->setChecked(any);
        m_finding->setToolTip(plainTip(chosen.title()));
        for (const Switch& each : m_switches) {
            if (!any)
                break;
            // Only the finding's cure: other switches would distort its effect.
            const QSignalBlocker still(each.box);
            each.box->setChecked(false);
        }
    }
    placeSwitches();
    evaluate();
}

bool WhatIfPanel::usesFinding() const
{
    return m_finding->isChecked();
}

QStringList WhatIfPanel::commandWords() const
{
    QStringList words;
    const QString kernels = m_kernels->text().trimmed();
    if (!kernels.isEmpty() && m_factor->value() == 0)
        words << "--without" << QString("kernel=" + kernels);
    else if (!kernels.isEmpty())
        words << "--scale" << QString("kernel=" + kernels + ':' + QString::number(m_factor->value()));
    for (const Switch& each : m_switches) {
        if (!each.box->isChecked())
            continue;
        words << textOf(each.cure->option);
        if (!each.cure->value.empty())
            words << textOf(each.cure->value);
    }
    return words;
}

LeftOut WhatIfPanel::leftOut() const
{
    return {.rows = true,
        .range = !m_session.time().selectedRange().empty(),
        .gpu = m_gpu->count() > 1,
        .finding = usesFinding()};
}

Cure WhatIfPanel::chosenCure() const
{
    Cure cure;
    if (usesFinding())
        cure = m_session.judgement().cure().cure();
    if (const std::string kernels = m_kernels->text().trimmed().toStdString(); !kernels.empty()) {
        const bool goes = m_factor->value() == 0;
        cure.edits.push_back({.kind = goes ? CureKind::RemoveWork : CureKind::ScaleWork,
            .name = kernels,
            .work = EventKind::Kernel,
            .factor = FactorRange::exactly(m_factor->value())});
    }
    for (std::size_t i = 0; i < m_switches.size(); ++i) {
        if (m_switches[i].box->isChecked())
            std::ranges::copy(m_answer->edits[place()][i], std::back_inserter(cure.edits));
    }
    return cure;
}

/// Nothing is changed; or not by a name of kernels, where there are others.
QString WhatIfPanel::nothingText() const
{
    if (m_near.empty())
        return tr("Nothing in the replayed time matches the change.");
    QStringList near;
    for (const std::string& name : m_near)
        near << textOf(name).toHtmlEscaped();
    return tr("No kernel of the replayed time is named %1. Did you mean %2?")
        .arg(m_kernels->text().trimmed().toHtmlEscaped(), near.join(", "));
}

/// What the program takes without the profiler: %1 (%2 to %3).
QString WhatIfPanel::slowdownText() const
{
    return !m_expected->isWhole
        ? tr("The profiler slows this program down. Without it a step takes about %1 (%2 to %3).")
        : m_answer->isOfRange
        ? tr("The profiler slows this program down. Without it the range takes about %1 (%2 to %3).")
        : tr("The profiler slows this program down. Without it the run takes about %1 (%2 to %3).");
}

void WhatIfPanel::evaluate()
{
    m_job.cancel();
    if (!chosen()) {
        m_expected.reset();
        draw();
        return;
    }
    m_job.start(
        [answer = m_answer, target = place(), cure = chosenCure(),
            kernels = m_kernels->text().trimmed().toStdString()](const std::stop_token& stop) {
            const Replay& replay = answer->targets[target].replay;
            Evaluated evaluated{replay.expect(cure, stop, true), {}};
            const CureEdit named{.kind = CureKind::RemoveWork, .name = kernels, .work = EventKind::Kernel};
            if (!kernels.empty() && replay.matches(named) == 0)
                evaluated.near = kernelsNear(*answer->trace, replay.graph(), kernels);
            return evaluated;
        },
        [this](const Evaluated& evaluated) {
            m_expected = evaluated.expected;
            m_near = evaluated.near;
            draw();
            emit updated();
        });
}

void WhatIfPanel::draw()
{
    const bool any = chosen() != nullptr;
    m_bars->setVisible(any && m_expected.has_value());
    m_sentence->setVisible(any && (m_expected || !m_job.failure().isEmpty()));
    if (!any) {
        m_head->setText(!m_load.failure().isEmpty() ? m_load.failure()
                : !m_answer                         ? tr("Analyzing\u2026")
                : !m_answer->targets.empty()
                ? tr("Nothing to replay: the selected rows have no GPU work with launches.")
                : tr(
                    "Nothing to replay: the report has no GPU work with launches, or its steps are too large."));
        return;
    }
    const WhatIfTarget& target = *chosen();
    m_head->setText(target.pattern.empty() && m_answer->isOfRange
            ? tr("The selected range, until its GPU work ends. It has no two whole steps.")
            : target.pattern.empty()
            ? tr("From the first to the last GPU work. The run has no two whole steps.")
            : target.hasSomeSteps() ? tr("Mean of %1 of %2 steady steps (%3). All are too many for a replay.")
                                          .arg(target.replay.graph().steps)
                                          .arg(target.steady)
                                          .arg(textOf(target.pattern))
                                    : tr("Mean of %1 steady steps (%2)")
                                          .arg(target.replay.graph().steps)
                                          .arg(textOf(target.pattern)));
    if (!m_expected) {
        m_sentence->setText(m_job.failure().toHtmlEscaped());
        return;
    }
    const bool hasChange = !chosenCure().empty();
    m_bars->setExpected(m_expected, hasChange);
    QString html;
    if (hasChange && (m_expected->changed == 0 || !m_near.empty()))
        html = nothingText();
    else if (hasChange && !m_expected->isTold())
        html = tr("<b>Expected saving: %1</b>.").arg(shareHtml(std::max(0.0, m_expected->share())));
    else if (hasChange && m_expected->share() < 0)
        html = tr("<b>Slower by %1</b> (%2 to %3).")
                   .arg(shareHtml(-m_expected->share()), shareHtml(std::max(0.0, -m_expected->mostShare())),
                       shareHtml(-m_expected->leastShare()));
    else if (hasChange)
        html = tr("<b>Expected saving: %1</b> (%2 to %3).")
                   .arg(shareHtml(m_expected->share()), shareHtml(std::max(0.0, m_expected->leastShare())),
                       shareHtml(m_expected->mostShare()));
    else
        html = tr("Choose a change to see the expected time.");
    const auto& plain = m_expected->plain;
    if (plain && plain->asIs.expected < m_expected->measured * 97 / 100) {
        html += "<br>"
            + slowdownText().arg(roundedText(plain->asIs.expected), roundedText(plain->asIs.low),
                roundedText(plain->asIs.high));
        if (hasChange && m_expected->changed > 0)
            html += " "
                + tr("With the change, %1: a saving of %2 (%3 to %4).")
                      .arg(roundedText(plain->cured.expected), shareHtml(plain->share),
                          shareHtml(std::max(0.0, plain->leastShare)), shareHtml(plain->mostShare));
    }
    std::vector<const WhatIfTarget*> targets;
    for (const WhatIfTarget& each : m_answer->targets)
        targets.push_back(&each);
    for (const Message& note : notesOf(*m_expected, threadsBeside(targets, target)))
        html += "<br>" + richTextOf(note);
    m_sentence->setText(html);
}

extern const PanelKind whatIfPanel;
const PanelKind whatIfPanel{
    .id = "whatif",
    .title = QT_TRANSLATE_NOOP("Action", "What if"),
    .help = QT_TRANSLATE_NOOP("Action", "Expected step time after a change"),
    .place = PanelPlace::Below,
    .keys = "Ctrl+Shift+I",
    .isNeeded = hasGpuWork,
    .make = makePanel<WhatIfPanel>,
};

} // namespace warpline
