#pragma once

#include "core/steps/steps.h"
#include "views/loading/latest_job.h"
#include "views/session/session.h"
#include "views/style/painted_chart.h"
#include "views/style/text_scale.h"

#include <QImage>

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

/// All steps of the panels' report in one thin strip: each at its time, coloured by its length relative to
/// similar ones. Pixels with several show the slowest. A click shows a step, a drag several.
class StepStrip : public PaintedChart {
    Q_OBJECT
public:
    StepStrip(Session& session, const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme) override;

    bool isNeeded() const { return m_steps.size() >= minSteps; }
    bool isReady() const { return !m_job.isBusy(); }
    const StepSeries& steps() const { return m_steps; }
    /// The length of step `index` relative to the typical one of its kind; 0: unknown.
    double ratioOf(std::size_t index) const { return m_ratios[index]; }
    /// True for a step that took longer on the host alone: the GPU had work in store. It looks as usual.
    bool isHidden(std::size_t index) const { return m_hidden[index]; }
    /// The colour of a step that took `ratio` times as long as usual; 0: of one that is not compared.
    static QColor colorOf(double ratio, const Theme& theme);
    QColor colorAt(std::size_t index) const;
    /// The step at `x`, of several the slowest; nothing between steps.
    std::optional<std::size_t> stepAt(int x) const;
    QString tipAt(int x) const;
    std::vector<PaintedItem> paintedItems() override; ///< the steps in view
    QSize sizeHint() const override { return {100, inTextSize(14)}; }
    static constexpr std::size_t minSteps = 3;

signals:
    void neededChanged();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    /// Computed off the GUI thread, because there may be a hundred thousand steps.
    struct Found {
        StepSeries steps;
        std::vector<double> ratios; ///< see ratioOf()
        std::vector<bool> hidden; ///< see isHidden()
    };

    static Found findIn(const Trace& trace, const std::string& glob, const std::stop_token& stop);
    void find();
    void setSteps(Found found);
    double shownRatio(std::size_t index) const; ///< decides a step's colour
    TimeRange rangeOf(std::size_t index) const; ///< on the shared clock
    void showDragged(int from, int to); ///< the steps between these pixels
    void showSteps(std::size_t first, std::size_t last);
    void drawAnew();
    QImage line() const; ///< the steps with their colours, one pixel high

    Session& m_session;
    StepSeries m_steps;
    std::vector<double> m_ratios; ///< one for each step
    std::vector<bool> m_hidden; ///< by step
    std::weak_ptr<const Trace> m_of; ///< the report that the steps are of
    LatestJob m_job;
    QImage m_line; ///< the painted strip; of zero width: must be drawn again
    TimeRange m_lineOf; ///< the time from its left to its right
    std::optional<int> m_pressed;
    int m_dragged = 0;
};

} // namespace warpline
