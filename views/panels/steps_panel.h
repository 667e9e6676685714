#pragma once

#include "views/panels/panel.h"

#include <array>

class QComboBox;
class QLabel;
class QStackedWidget;

namespace warpline {

class BudgetView;
class HostSteps;
class RangeNotice;
class StepBox;
class StepsView;

/// The steps of a program: where their time goes on the GPU, or the parts of their ranges on the host.
class StepsPanel : public Panel {
    Q_OBJECT
public:
    explicit StepsPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    bool isBusy() const override;
    void preferencesChanged() override { evaluate(); }
    void saveState(QSettings& settings) const override;
    void restoreState(const QSettings& settings) override;
    LeftOut leftOut() const override;
    /// "budget": the time on the GPU.
    void showPart(const QString& id) override;

    BudgetView& gpuTime() { return *m_gpuTime; }
    HostSteps& host() { return *m_host; }
    /// The one that is shown: without work on a GPU there is the host alone.
    StepsView& shown() const;
    QComboBox& choice() { return *m_choice; }
    const QLabel& summaryLabel() const { return *m_summary; }
    void evaluate();

protected:
    void showReport() override;
    void clear() override;
    void refresh() override;

private:
    void showChosen();
    void tellSummary();

    StepBox* m_pattern;
    QComboBox* m_choice;
    QLabel* m_summary;
    RangeNotice* m_notice;
    BudgetView* m_gpuTime;
    HostSteps* m_host;
    std::array<StepsView*, 2> m_views; ///< in the order of the choice
    QStackedWidget* m_stack;
};

} // namespace warpline
