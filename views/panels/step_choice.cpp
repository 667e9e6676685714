#include "views/panels/step_choice.h"

#include "core/steps/step_names.h"
#include "views/session/judgement.h"
#include "views/style/rich_text.h"

#include <QToolButton>

namespace warpline {

QString shownGlob(const Judgement& judgement)
{
    constexpr qsizetype longest = 40; // letters: a stranger's view may bring any
    return elidedInMiddle(textOf(judgement.stepGlob()), longest).toHtmlEscaped();
}

/// The link comes first: low panels cut the end.
QString noStepsHtml(const Judgement& judgement)
{
    return QObject::tr("<a href='%2'>Detect steps automatically</a>. No NVTX range is named <b>%1</b>.")
        .arg(shownGlob(judgement), stepsAutoLink);
}

StepBox::StepBox(Judgement& judgement, QWidget* parent)
    : QLineEdit(parent),
      m_judgement(judgement)
{
    setPlaceholderText(tr("NVTX range of a step, such as step_* (leave empty to detect)"));
    setToolTip(tr("Name of the NVTX range that is a step, with * and ?. Applies to all panels."));
    setAccessibleName(tr("NVTX range of a step"));
    setClearButtonEnabled(true);
    constexpr int minWidth = 100; // a name such as step_*; more would widen the smallest window
    setMinimumWidth(minWidth);
    const auto follow = [this] { setText(textOf(m_judgement.stepGlob())); };
    follow();
    connect(&judgement, &Judgement::stepGlobChanged, this, follow);
    connect(this, &QLineEdit::editingFinished, this, &StepBox::apply);
    for (QToolButton* const clear : findChildren<QToolButton*>()) // it ends no editing
        connect(clear, &QToolButton::clicked, this, &StepBox::apply);
}

void StepBox::apply()
{
    const std::string typed = text().trimmed().toStdString();
    // Panels print "step_#": it may be typed.
    m_judgement.setStepGlob(typed.find('#') == std::string::npos ? typed : globOfPattern(typed));
}

StepNotice::StepNotice(Judgement& judgement, QWidget* parent)
    : LinkedLabel(parent),
      m_judgement(judgement)
{
    setContentsMargins(6, 2, 6, 2);
    connect(this, &QLabel::linkActivated, this, [this] { m_judgement.setStepGlob({}); });
    connect(&judgement, &Judgement::lacksStepsChanged, this, &StepNotice::fill);
    fill();
}

void StepNotice::fill()
{
    const bool isMissing = m_judgement.lacksSteps();
    setVisible(isMissing);
    setText(isMissing ? noStepsHtml(m_judgement) : QString());
}

} // namespace warpline
