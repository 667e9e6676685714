#pragma once

#include "views/session/session.h"

#include <QToolButton>

namespace warpline {

class StepStrip;

/// What everything in the window is about: the whole report, or the range and rows that are selected, by the
/// name of the step or event that has that time. Its menu chooses another scope.
class ScopeChip : public QToolButton {
    Q_OBJECT
public:
    /// `session` and `steps` outlive the chip.
    ScopeChip(Session& session, const StepStrip& steps, QWidget* parent = nullptr);

private:
    void fill();
    void fillMenu();
    QString name() const; ///< of the scope: "whole report", "step_3", "1.2 ms, 3 rows"

    Session& m_session;
    const StepStrip& m_steps;
};

} // namespace warpline
