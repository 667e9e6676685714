#include "views/panels/what_if_panel.h"

#include "core/findings/ready_input.h"
#include "core/store/gpu_names.h"
#include "core/store/place_names.h"
#include "views/panels/what_if_bars.h"
#include "views/session/chosen_cure.h"
#include "views/style/rich_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace warpline {

namespace {

struct SwitchWords {
    CureKind kind;
    const char* title;
    const char* tip;
};

constexpr std::array switchWords{
    SwitchWords{CureKind::RemoveSync, QT_TRANSLATE_NOOP("WhatIf", "No synchronization"),
        QT_TRANSLATE_NOOP("WhatIf",
            "cudaDeviceSynchronize and similar calls go. Of several in a step the last one stays.")},
    SwitchWords{CureKind::PoolAllocations, QT_TRANSLATE_NOOP("WhatIf", "Allocations from a pool"),
        QT_TRANSLATE_NOOP("WhatIf", "cudaMalloc and cudaFree become short and wait for nothing.")},
    SwitchWords{CureKind::LaunchGraph, QT_TRANSLATE_NOOP("WhatIf", "CUDA graph"),
        QT_TRANSLATE_NOOP("WhatIf", "The launches between two waits become one launch of a graph.")},
    SwitchWords{CureKind::AsyncCopies, QT_TRANSLATE_NOOP("WhatIf", "Asynchronous copies"),
        QT_TRANSLATE_NOOP("WhatIf", "The host waits for no copy. Copies stay in their streams.")},
    SwitchWords{CureKind::OverlapCopies, QT_TRANSLATE_NOOP("WhatIf", "Overlapped copies"),
        QT_TRANSLATE_NOOP("WhatIf", "Copies run on streams of their own, next to kernels.")},
    SwitchWords{CureKind::MergeCopies, QT_TRANSLATE_NOOP("WhatIf", "One copy per step and direction"),
        QT_TRANSLATE_NOOP("WhatIf", "All copies of a step become one of all their bytes.")},
    SwitchWords{CureKind::OverlapCommunication, QT_TRANSLATE_NOOP("WhatIf", "Overlapped communication"),
        QT_TRANSLATE_NOOP("WhatIf", "Collectives run next to kernels, except the last one of a step.")},
    SwitchWords{CureKind::ReadyInput, QT_TRANSLATE_NOOP("WhatIf", "Input ready"),
        QT_TRANSLATE_NOOP("WhatIf", "The host time of NVTX ranges that load data goes.")},
    SwitchWords{CureKind::PrefetchPages, QT_TRANSLATE_NOOP("WhatIf", "Pages prefetched"),
        QT_TRANSLATE_NOOP("WhatIf", "Kernels and the host no longer wait for pages of unified memory.")},
    SwitchWords{CureKind::EvenSteps, QT_TRANSLATE_NOOP("WhatIf", "Even steps"),
        QT_TRANSLATE_NOOP("WhatIf", "Steps that take far longer than their like take as long as those.")},
};

} // namespace

WhatIfPanel::WhatIfPanel(Session& session, const Theme& theme, QWidget* parent)
    : Panel(session, parent),
      m_theme(&theme),
      m_gpu(new QComboBox(this)),
      m_finding(new QCheckBox(this)),
      m_kernels(new QLineEdit(this)),
      m_factor(new QDoubleSpinBox(this)),
      m_head(new QLabel(this)),
      m_bars(new WhatIfBars(theme, this)),
      m_sentence(new QLabel(this)),
      m_choices(new QWidget(this))
{
    m_gpu->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_head->setWordWrap(true);
    m_sentence->setWordWrap(true);
    m_sentence->setTextFormat(Qt::RichText);
    m_finding->setObjectName("finding");
    m_finding->hide();
    m_kernels->setPlaceholderText(tr("Kernels: a name with * and ?"));
    m_kernels->setClearButtonEnabled(true);
    m_factor->setRange(0, 100);
    m_factor->setSingleStep(0.1);
    m_factor->setValue(0.5);
    m_factor->setPrefix(tr("\u00d7 "));
    m_factor->setToolTip(tr("The part of their time that these kernels keep. 0 removes them."));
    auto* const choices = new QGridLayout(m_choices);
    choices->setContentsMargins(6, 4, 6, 4);
    choices->addWidget(m_finding, 0, 0, 1, 2);
    int place = 2;
    for (const SwitchWords& words : switchWords) {
        auto* const box = new QCheckBox(QCoreApplication::translate("WhatIf", words.title), m_choices);
        box->setObjectName(textOf(keyOf(words.kind)));
        box->setToolTip(QCoreApplication::translate("WhatIf", words.tip));
        choices->addWidget(box, place / 2, place % 2);
        ++place;
        m_switches.push_back({words.kind, box});
        connect(box, &QCheckBox::toggled, this, &WhatIfPanel::evaluate);
    }
    auto* const scaling = new QHBoxLayout;
    scaling->addWidget(m_kernels, 1);
    scaling->addWidget(m_factor);
    choices->addLayout(scaling, place / 2 + 1, 0, 1, 2);
    choices->setRowStretch(place / 2 + 2, 1);
    auto* const scroll = new QScrollArea(this);
    scroll->setWidget(m_choices);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* const right = new QVBoxLayout;
    right->addWidget(m_head);
    right->addWidget(m_bars);
    right->addWidget(m_sentence);
    right->addStretch();
    auto* const parts = new QHBoxLayout;
    parts->addWidget(scroll, 2);
    parts->addLayout(right, 3);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 3, 4, 3);
    layout->addWidget(m_gpu, 0, Qt::AlignLeft);
    layout->addLayout(parts, 1);
    connect(m_finding, &QCheckBox::toggled, this, &WhatIfPanel::evaluate);
    connect(m_kernels, &QLineEdit::textChanged, this, &WhatIfPanel::evaluate);
    connect(m_factor, &QDoubleSpinBox::valueChanged, this, &WhatIfPanel::evaluate);
    connect(m_gpu, &QComboBox::currentIndexChanged, this, [this] {
        showFits();
        evaluate();
    });
    connect(&session, &Session::stepGlobChanged, this, [this] { requestRefreshAtOnce(); });
    connect(&ChosenCure::of(session), &ChosenCure::chosen, this, &WhatIfPanel::takeFinding);
    takeFinding();
    draw();
}

void WhatIfPanel::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_bars->setTheme(theme);
}

QCheckBox* WhatIfPanel::switchOf(const QString& name) const
{
    return findChild<QCheckBox*>(name);
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
    std::vector<CureKind> kinds;
    for (const Switch& each : m_switches)
        kinds.push_back(each.kind);
    m_load.start(
        [trace = m_session.sharedTrace(), glob = m_session.stepGlob(), kinds = std::move(kinds)](
            const std::stop_token& stop) {
            auto answer = std::make_shared<Answer>();
            answer->trace = trace;
            const TimeRange whole{trace->session.start, trace->session.end + 1};
            answer->targets = whatIfTargets(*trace, whole, glob, {}, stop);
            for (const WhatIfTarget& target : answer->targets) {
                answer->inputs.push_back(dataLoadingTimes(*trace, target.replay.process(), stop));
                std::vector<bool>& fits = answer->fits.emplace_back();
                for (const CureKind kind : kinds) {
                    CureEdit edit{.kind = kind};
                    if (kind == CureKind::ReadyInput)
                        edit.times = answer->inputs.back();
                    fits.push_back(target.replay.matches(edit) > 0);
                }
            }
            return std::shared_ptr<const Answer>(std::move(answer));
        },
        [this](std::shared_ptr<const Answer> answer) { take(std::move(answer)); });
}

void WhatIfPanel::take(std::shared_ptr<const Answer> answer)
{
    m_answer = std::move(answer);
    {
        const QSignalBlocker quiet(m_gpu);
        m_gpu->clear();
        if (m_answer) {
            for (const WhatIfTarget& target : m_answer->targets) {
                const Replay& replay = target.replay;
                const QString gpu = replay.device() < 0
                    ? QString()
                    : textOf(gpuName(*m_answer->trace, replay.process(), replay.device())) + ", ";
                m_gpu->addItem(gpu + textOf(processLabel(*m_answer->trace, replay.process())));
            }
        }
        m_gpu->setVisible(m_gpu->count() > 1);
    }
    showFits();
    evaluate();
}

std::size_t WhatIfPanel::chosen() const
{
    return static_cast<std::size_t>(std::max(0, m_gpu->currentIndex()));
}

/// Switches that would change nothing cannot be flipped.
void WhatIfPanel::showFits()
{
    const bool any = m_answer && chosen() < m_answer->targets.size();
    m_choices->setEnabled(any);
    for (std::size_t i = 0; i < m_switches.size(); ++i) {
        const bool fits = any && m_answer->fits[chosen()][i];
        const QSignalBlocker quiet(m_switches[i].box);
        m_switches[i].box->setEnabled(fits);
        if (!fits)
            m_switches[i].box->setChecked(false);
    }
}

void WhatIfPanel::takeFinding()
{
    const ChosenCure& chosen = ChosenCure::of(m_session);
    const bool any = !chosen.title().isEmpty();
    {
        const QSignalBlocker quiet(m_finding);
        m_finding->setVisible(any);
        m_finding->setChecked(any);
        constexpr qsizetype longest = 60;
        m_finding->setText(tr("Fixed: %1").arg(elidedInMiddle(chosen.title(), longest)));
        m_finding->setToolTip(plainTip(chosen.title()));
        for (const Switch& each : m_switches) {
            if (!any)
                break;
            // Only the finding: what was flipped before would blur its part.
            const QSignalBlocker still(each.box);
            each.box->setChecked(false);
        }
    }
    evaluate();
}

Cure WhatIfPanel::cureOf(std::size_t target) const
{
    Cure cure;
    if (m_finding->isChecked())
        cure = ChosenCure::of(m_session).cure();
    if (const std::string kernels = m_kernels->text().trimmed().toStdString(); !kernels.empty()) {
        const bool goes = m_factor->value() == 0;
        cure.edits.push_back({.kind = goes ? CureKind::RemoveWork : CureKind::ScaleWork,
            .name = kernels,
            .work = EventKind::Kernel,
            .factor = FactorRange::exactly(m_factor->value())});
    }
    for (const Switch& each : m_switches) {
        if (!each.box->isChecked() || each.kind == CureKind::LaunchGraph)
            continue;
        CureEdit edit{.kind = each.kind};
        if (each.kind == CureKind::ReadyInput)
            edit.times = m_answer->inputs[target];
        cure.edits.push_back(std::move(edit));
    }
    // Last: what else goes is not launched by the graph.
    for (const Switch& each : m_switches) {
        if (each.kind == CureKind::LaunchGraph && each.box->isChecked())
            cure.edits.push_back({.kind = each.kind});
    }
    return cure;
}

void WhatIfPanel::evaluate()
{
    m_job.cancel();
    if (!m_answer || chosen() >= m_answer->targets.size()) {
        m_expected.reset();
        draw();
        return;
    }
    m_job.start(
        [answer = m_answer, target = chosen(), cure = cureOf(chosen())](
            const std::stop_token& stop) { return answer->targets[target].replay.expect(cure, stop, true); },
        [this](const Expectation& expected) {
            m_expected = expected;
            draw();
            emit updated();
        });
}

void WhatIfPanel::draw()
{
    const bool any = m_answer && chosen() < m_answer->targets.size();
    m_bars->setVisible(any && m_expected.has_value());
    m_sentence->setVisible(any && m_expected.has_value());
    if (!any) {
        m_head->setText(!m_answer
                ? QString()
                : tr("Nothing to replay: no GPU work with its launches was recorded, or the "
                     "steps are too large."));
        return;
    }
    const WhatIfTarget& target = m_answer->targets[chosen()];
    m_head->setText(target.pattern.empty()
            ? tr("All time from the first to the last GPU work; no steps were found.")
            : tr("Mean of %1 steady steps (%2)")
                  .arg(target.replay.graph().steps)
                  .arg(textOf(target.pattern)));
    if (!m_expected)
        return;
    const bool hasChange = !cureOf(chosen()).empty();
    m_bars->setExpected(m_expected, hasChange);
    QString html;
    if (hasChange && m_expected->changed == 0)
        html = tr("Nothing in these steps matches the change.");
    else if (hasChange && m_expected->share() < 0)
        html = tr("<b>Slower by %1</b> (%2 to %3).")
                   .arg(shareHtml(-m_expected->share()), shareHtml(std::max(0.0, -m_expected->mostShare())),
                       shareHtml(-m_expected->leastShare()));
    else if (hasChange)
        html = tr("<b>Expected saving: %1</b> (%2 to %3).")
                   .arg(shareHtml(m_expected->share()), shareHtml(std::max(0.0, m_expected->leastShare())),
                       shareHtml(m_expected->mostShare()));
    else
        html = tr("Flip a switch to see how long the step is expected to take.");
    if (m_expected->plain && m_expected->plain->expected < m_expected->measured * 97 / 100)
        html += "<br>"
            + tr("The profiler slows this program down. Without it a step takes about %1 (%2 to %3).")
                  .arg(durationHtml(m_expected->plain->expected), durationHtml(m_expected->plain->low),
                      durationHtml(m_expected->plain->high));
    if (hasChange && m_expected->changed > 0 && m_expected->plain && m_expected->plainCured
        && m_expected->plain->expected < m_expected->measured * 97 / 100)
        html += " " + tr("With the change, %1.").arg(durationHtml(m_expected->plainCured->expected));
    m_sentence->setText(html);
}

extern const PanelKind whatIfPanel;
const PanelKind whatIfPanel{
    .id = "whatif",
    .title = QT_TRANSLATE_NOOP("Action", "What if"),
    .help = QT_TRANSLATE_NOOP("Action", "How long a step would take with something changed"),
    .place = PanelPlace::Below,
    .make = [](Session& session, const Theme& theme, QWidget* parent) -> Panel* {
        return new WhatIfPanel(session, theme, parent);
    },
};

} // namespace warpline
