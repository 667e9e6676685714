#pragma once

#include "views/style/linked_label.h"

#include <QLineEdit>

namespace warpline {

class Judgement;

/// The chosen names of steps, as they stand between tags of a sentence: elided where they are long.
QString shownGlob(const Judgement& judgement);
/// A message that no NVTX range matches the chosen names of steps; rich text with stepsAutoLink.
QString noStepsHtml(const Judgement& judgement);
/// Link that resets the choice of steps by name.
inline constexpr const char* stepsAutoLink = "steps:auto";

/// The NVTX range that is a step, by name with * and ?; empty: detected. In whichever panel it stands it is
/// the one choice of the session.
class StepBox : public QLineEdit {
    Q_OBJECT
public:
    explicit StepBox(Judgement& judgement, QWidget* parent = nullptr);

private:
    void apply();

    Judgement& m_judgement;
};

/// A message that the chosen steps are not in the report, with a link to reset; hidden otherwise.
class StepNotice : public LinkedLabel {
    Q_OBJECT
public:
    explicit StepNotice(Judgement& judgement, QWidget* parent = nullptr);

private:
    void fill();

    Judgement& m_judgement;
};

} // namespace warpline
