#pragma once

#include "core/overview/overview.h"
#include "views/style/painted_chart.h"

#include <vector>

namespace warpline {

/// The time of `parts` together.
Ns timeOfAll(const std::vector<OverviewPart>& parts);
/// The colour of a part of the run, here and in the legend.
QColor colorOf(OverviewKind kind, const Theme& theme);

/// Widths of `parts` on `width` pixels: in proportion, but at least a mouse target. They add up to `width`
/// where there is room for all.
std::vector<int> overviewWidths(const std::vector<OverviewPart>& parts, int width);

/// Where the time of a run went, as one stacked bar. A click on a part asks to go to it.
class OverviewBar : public PaintedChart {
    Q_OBJECT
public:
    explicit OverviewBar(const Theme& theme, QWidget* parent = nullptr);

    void setParts(std::vector<OverviewPart> parts);
    /// Index in `parts` of the part at `x`, -1 outside.
    int partAt(int x) const;
    /// "GPU idle: 1.063 ms, 0.2%, in 101 stretches"; below it the host's activity.
    QString tipOf(int part) const;
    std::vector<PaintedItem> paintedItems() override; ///< the parts
    /// The same where `at` is; on a phase that comes first: "reads files: 23.44 ms".
    QString tipAt(const QPoint& at) const;
    /// The label of a phase of `width` pixels: its name, a shorter one, or that elided in the middle; empty
    /// when none of these is recognizable.
    QString phaseLabel(const OverviewPhase& phase, int width) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void partChosen(int part);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    int phasesHeight() const; ///< 0: no part has any
    /// The phases of `part` as rectangles in `box`, in pixels.
    static std::vector<QRectF> phasePlaces(const OverviewPart& part, const QRect& box);
    QRect phasesBox(int part) const; ///< below the title of a part
    void paintPhases(
        QPainter& painter, const OverviewPart& part, const QRect& box, const QColor& color) const;

    std::vector<OverviewPart> m_parts;
    int m_hovered = -1;
};

} // namespace warpline
