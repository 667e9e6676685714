#pragma once

#include "core/replay/apply_cure.h"
#include "core/replay/what_if.h"
#include "views/loading/latest_job.h"
#include "views/panels/panel.h"
#include "views/session/row_scope.h"

#include <memory>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QScrollArea;

namespace warpline {

class WhatIfBars;

/// Switches for changes of the program, and the expected step time with them: replays the steady steps off
/// the GUI thread when a switch changes. A finding sets its own cure (ChosenCure).
class WhatIfPanel : public Panel {
    Q_OBJECT
public:
    WhatIfPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    bool isBusy() const override { return m_load.isBusy() || m_job.isBusy() || Panel::isBusy(); }

    QLineEdit& kernels() { return *m_kernels; }
    QComboBox& gpus() { return *m_gpu; }
    const QLabel& sentence() const { return *m_sentence; }
    const std::optional<Expectation>& expected() const { return m_expected; }
    /// How many steps the one replayed is the mean of; 0: nothing is replayed.
    std::size_t steps() const { return chosen() ? chosen()->replay.graph().steps : 0; }
    QStringList commandWords() const override;
    LeftOut leftOut() const override;

protected:
    void showReport() override { requestRefreshAtOnce(); }
    void clear() override;
    void refresh() override; ///< replays the report's steps again
    void resizeEvent(QResizeEvent* event) override;

private:
    /// The replays, with their trace.
    struct Answer {
        std::shared_ptr<const Trace> trace;
        bool isOfRange = false; ///< of a selected one
        std::vector<WhatIfTarget> targets;
        /// By target, then switch: its edits there; empty: no effect.
        std::vector<std::vector<std::vector<CureEdit>>> edits;
    };
    struct Evaluated {
        Expectation expected;
        std::vector<std::string> near; ///< kernels, where the name that was written fits none
    };
    struct Switch {
        const CureSwitch* cure;
        QCheckBox* box;
    };

    const WhatIfTarget* chosen() const; ///< nullptr: nothing in the scope can be replayed
    std::size_t place() const; ///< of chosen() in Answer::targets
    void listTargets();
    bool usesFinding() const; ///< the cure of a finding is part of the change
    Cure chosenCure() const;
    void take(std::shared_ptr<const Answer> answer);
    void showFits();
    int widthOf(int columns) const;
    int fittingColumns() const;
    void placeSwitches();
    void takeFinding();
    QString nothingText() const;
    QString slowdownText() const;
    void evaluate();
    void draw();

    QComboBox* m_gpu;
    std::vector<Switch> m_switches;
    QCheckBox* m_finding;
    QLineEdit* m_kernels;
    QDoubleSpinBox* m_factor;
    QLabel* m_head;
    WhatIfBars* m_bars;
    QLabel* m_sentence;
    QWidget* m_choices;
    QGridLayout* m_fitting; ///< of the switches that change something here
    int m_columns = 2; ///< of m_fitting
    QLabel* m_others; ///< the other switches
    QScrollArea* m_scroll;
    std::shared_ptr<const Answer> m_answer;
    RowScope m_scope; ///< scope of the listed targets
    std::optional<Expectation> m_expected;
    std::vector<std::string> m_near; ///< see Evaluated
    LatestJob m_load{nullptr, Urgency::Background};
    LatestJob m_job;
};

} // namespace warpline
