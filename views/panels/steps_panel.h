#pragma once

#include "core/stats/step_breakdown.h"
#include "views/loading/latest_job.h"
#include "views/session.h"
#include "views/style/theme.h"

#include <QWidget>

class QBarSet;
class QChartView;
class QLabel;
class QLineEdit;
class QStackedBarSeries;

namespace warpline {

/// The steps of a program (training steps, iterations) as stacked bars: what each spent in its parts. A click
/// on a bar goes to the step in the timeline.
class StepsPanel : public QWidget {
    Q_OBJECT
public:
    StepsPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    const StepBreakdown& breakdown() const { return m_breakdown; }
    bool isBusy() const { return m_job.isBusy(); }
    /// Shows step `index` in the timeline and selects its range.
    void goToStep(std::size_t index);

signals:
    void updated();

private:
    void refresh();
    Ns highestBar(std::size_t shown) const; ///< of the first `shown` steps, warm-up left out
    QString summary(std::size_t shown) const;
    QStackedBarSeries* makeBars(std::size_t shown); ///< the chart that it is put into owns it
    void showTip(bool inside, int index, QBarSet* set);
    void draw();

    Session& m_session;
    const Theme* m_theme;
    QLineEdit* m_pattern;
    QLabel* m_summary;
    QChartView* m_chart;
    StepBreakdown m_breakdown;
    LatestJob m_job;
};

} // namespace warpline
