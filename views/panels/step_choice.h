#pragma once

#include <QLabel>
#include <QLineEdit>

namespace warpline {

class Judgement;

/// Says that no NVTX range has the names that steps are looked for by; rich text with stepsAutoLink.
QString noStepsHtml(const Judgement& judgement);
/// What a link leads to that ends the choice by name.
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

/// Says that the chosen steps are not in the report, with the way back; not there while they are.
class StepNotice : public QLabel {
    Q_OBJECT
public:
    explicit StepNotice(Judgement& judgement, QWidget* parent = nullptr);

private:
    void fill();

    Judgement& m_judgement;
};

} // namespace warpline
