#pragma once

#include "views/session/session.h"

#include <QToolButton>

namespace warpline {

class StepStrip;

/// The scope of the window: the whole report, or the selected range and rows, named after a step or event of
/// that time. Its menu changes the scope.
class ScopeChip : public QToolButton {
    Q_OBJECT
public:
    /// `session` and `steps` outlive the chip.
    ScopeChip(Session& session, const StepStrip& steps, QWidget* parent = nullptr);

private:
    void fill();
    void fillMenu();
    QString name() const; ///< of the scope: "whole report", "part of a recording", "step_3", "1.2 ms, 3 rows"

    Session& m_session;
    const StepStrip& m_steps;
};

} // namespace warpline
