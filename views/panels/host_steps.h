#pragma once

#include "core/stats/step_breakdown.h"
#include "views/panels/steps_chart.h"
#include "views/panels/steps_view.h"
#include "views/session/row_scope.h"

class QScrollArea;

namespace warpline {

/// The steps of a program (training steps, iterations) as stacked bars of their parts on the host. Each
/// thread's steps have bars of their own, all on one scale. A click on a bar goes to the step in the
/// timeline.
class HostSteps : public StepsView {
    Q_OBJECT
public:
    HostSteps(Session& session, const Theme& theme, QWidget* parent);

    void setTheme(const Theme& theme) override;
    void evaluate() override;
    void clear() override;
    void refresh() override;
    QString summary() const override { return m_summary; }
    QString summaryTip() const override;
    void goToStep(std::size_t index) override;

    const StepBreakdown& breakdown() const { return *m_found.breakdown; }
    /// One a thread, from the top; none without steps.
    std::vector<StepsChart*> charts() const;
    /// By part, as in the timeline, but distinct.
    const std::vector<QColor>& colors() const { return m_colors; }
    /// Shows the time from the first to the last step that is no warm-up.
    void showSteadySteps();

signals:
    void gpuTimeWanted();

private:
    /// The counts of a group of steps.
    struct Counts {
        std::size_t cutOff = 0; ///< warm-up steps that are longer than drawn
        std::size_t outliers = 0;
        Ns median = 0; ///< of those that are no warm-up
    };
    /// The counts of all steps together: there may be hundreds of thousands.
    struct Overall {
        std::vector<StepGroup> groups;
        std::vector<Counts> counts{}; ///< of each group
        Ns highest = 1; ///< the longest that is no warm-up
        QStringList unlike{}; ///< first and last steps that are unlike all others: "step_8 takes 0.72 x the
                              ///< usual ..."
    };
    struct Found {
        std::shared_ptr<const StepBreakdown> breakdown = std::make_shared<const StepBreakdown>();
        QStringList others; ///< without steps: ranges that repeat, "host write (3 times)"
        std::vector<EventIndex> examples; ///< of each part an NVTX range; noIndex: none is found
        Overall overall;
    };
    static Overall overallOf(const Trace& trace, const StepBreakdown& breakdown);
    static Found find(const Trace& trace, const std::string& pattern, const SlowStepLimits& slow,
        const std::stop_token& stop);
    QWidget* emptyPage(QWidget* parent); ///< why there is nothing to see, and where steps are shown
    QString words() const; ///< the begin of summary() as plain text
    QString legend() const; ///< the parts with their colours, as rich text
    bool isFound() const { return m_of.lock() == m_session.sharedTrace(); } ///< else there is no answer yet
    void draw();
    void mixColors();

    QScrollArea* m_area;
    QString m_summary; ///< rich
    bool m_isDrawn = false; ///< else there is something new
    Found m_found;
    std::weak_ptr<const Trace> m_of; ///< the report that they are of
    RowScope m_scope; ///< scope of the bars
    std::vector<std::size_t> m_shown; ///< places in Overall::groups: those in the scope
    std::vector<QColor> m_colors;
};

} // namespace warpline
