#pragma once

#include "core/stats/step_breakdown.h"
#include "views/loading/latest_job.h"
#include "views/panels/panel.h"
#include "views/panels/steps_chart.h"
#include "views/session/row_scope.h"

class QLabel;
class QScrollArea;

namespace warpline {

class StepBox;

/// The steps of a program (training steps, iterations) as stacked bars: what each spent in its parts. The
/// steps of each thread have bars of their own, all on one scale. A click on a bar goes to the step in the
/// timeline.
class StepsPanel : public Panel {
    Q_OBJECT
public:
    StepsPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    const StepBreakdown& breakdown() const { return *m_breakdown; }
    /// One a thread, from the top; none without steps.
    std::vector<StepsChart*> charts() const;
    const QLabel& summaryLabel() const { return *m_summary; }
    const QLabel& legendLabel() const { return *m_legend; }
    /// Of each part, as the timeline has it, but no two alike.
    const std::vector<QColor>& colors() const { return m_colors; }
    bool isBusy() const override { return m_job.isBusy() || Panel::isBusy(); }
    /// Shows step `index` in the timeline and selects its range.
    void goToStep(std::size_t index);
    /// Shows the time from the first to the last step that is no warm-up.
    void showSteadySteps();
    void preferencesChanged() override { evaluate(); }

protected:
    void showReport() override;
    void clear() override;
    void refresh() override;

private:
    /// Steps that no NVTX range tells, but the GPU work: the Budget panel shows these.
    struct Guess {
        QString pattern;
        std::size_t count = 0;
        Ns median = 0; ///< on the GPU
        QStringList others{}; ///< ranges that repeat and are no steps: "host write (3 times)"
    };
    /// What is said of the steps of a group.
    struct Counts {
        std::size_t warmUps = 0;
        std::size_t outliers = 0;
        Ns median = 0; ///< of those that are no warm-up
    };
    /// What is said of all steps together, of which there may be hundreds of thousands.
    struct Overall {
        std::vector<StepGroup> groups;
        std::vector<Counts> counts{}; ///< of each group
        Ns highest = 1; ///< the longest that is no warm-up
        QStringList unlike{}; ///< first and last steps that are unlike all others: "step_8 takes 0.72 x the
                              ///< usual ..."
    };
    struct Found {
        StepBreakdown breakdown;
        Guess guess; ///< without count: there is none
        std::vector<EventIndex> examples; ///< of each part an NVTX range; noIndex: none is found
        Overall overall;
    };
    static Overall overallOf(const Trace& trace, const StepBreakdown& breakdown);
    static Found find(const Trace& trace, const std::string& pattern, const SlowStepLimits& slow,
        const std::stop_token& stop);
    void evaluate();
    QWidget* emptyPage(QWidget* parent); ///< why there is nothing to see, and where steps are told
    QString summary() const;
    QString legend() const; ///< the parts with their colours, as rich text
    void draw();
    void mixColors();

    const Theme* m_theme;
    StepBox* m_pattern;
    QLabel* m_summary;
    QLabel* m_legend;
    QScrollArea* m_area;
    std::shared_ptr<const StepBreakdown> m_breakdown;
    std::weak_ptr<const Trace> m_of; ///< the report that the breakdown is of
    Guess m_guess;
    std::vector<EventIndex> m_examples;
    Overall m_overall;
    RowScope m_scope; ///< the bars are of it
    std::vector<std::size_t> m_shown; ///< places in Overall::groups: those in the scope
    std::vector<QColor> m_colors;
    LatestJob m_job;
};

} // namespace warpline
