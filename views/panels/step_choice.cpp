#include "views/panels/step_choice.h"

#include "core/steps/step_names.h"
#include "views/session/session.h"
#include "views/session/step_match.h"
#include "views/style/rich_text.h"

#include <QToolButton>

namespace warpline {

QString noStepsHtml(const Session& session)
{
    return QObject::tr("No NVTX range is named <b>%1</b>. <a href='%2'>Detect steps automatically</a>")
        .arg(htmlOf(session.stepGlob()), stepsAutoLink);
}

StepBox::StepBox(Session& session, QWidget* parent)
    : QLineEdit(parent),
      m_session(session)
{
    setPlaceholderText(tr("NVTX range of a step, such as step_* (leave empty to detect)"));
    setToolTip(tr("Name of the NVTX range that is a step, with * and ?. Applies to all panels."));
    setAccessibleName(tr("NVTX range of a step"));
    setClearButtonEnabled(true);
    constexpr int minWidth = 140; // a name such as ProfilerStep#*
    setMinimumWidth(minWidth);
    const auto follow = [this] { setText(textOf(m_session.stepGlob())); };
    follow();
    connect(&session, &Session::stepGlobChanged, this, follow);
    connect(this, &QLineEdit::editingFinished, this, &StepBox::apply);
    for (QToolButton* const clear : findChildren<QToolButton*>()) // it ends no editing
        connect(clear, &QToolButton::clicked, this, &StepBox::apply);
}

void StepBox::apply()
{
    const std::string typed = text().trimmed().toStdString();
    // Panels print "step_#": it may be typed.
    m_session.setStepGlob(typed.find('#') == std::string::npos ? typed : globOfPattern(typed));
}

StepNotice::StepNotice(Session& session, QWidget* parent)
    : QLabel(parent),
      m_session(session)
{
    setTextFormat(Qt::RichText);
    setContentsMargins(6, 2, 6, 2);
    connect(this, &QLabel::linkActivated, this, [this] { m_session.setStepGlob({}); });
    connect(&session.stepMatch(), &StepMatch::changed, this, &StepNotice::fill);
    fill();
}

void StepNotice::fill()
{
    const bool isMissing = m_session.stepMatch().isMissing();
    setVisible(isMissing);
    setText(isMissing ? noStepsHtml(m_session) : QString());
}

} // namespace warpline
