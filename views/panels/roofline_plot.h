#pragma once

#include "core/base/time.h"
#include "views/style/chart_style.h"
#include "views/style/painted_chart.h"


#include <optional>
#include <utility>
#include <vector>

namespace warpline {

/// One group of work in a roofline plot.
struct RooflinePoint {
    double intensity = 0; ///< FLOP per byte; 0: it computes nothing that counts, and stands at the left edge
    double flopsPerSecond = 0; ///< achieved
    double bytesPerSecond = 0; ///< achieved
    Ns time = 0; ///< in all: the point's area
    QColor color;
    QString name; ///< for its label and for screen readers
    QString tip; ///< of several lines
};

/// A horizontal limit.
struct RooflineRoof {
    QString name; ///< "BF16 tensor cores 989 TFLOP/s"
    double flopsPerSecond = 0;
    bool dashed = false; ///< next to the data sheet's: at the recorded clock
};

/// The content of a plot.
struct RooflineContent {
    std::vector<RooflinePoint> points; ///< the longest first
    std::vector<RooflineRoof> roofs;
    double bytesPerSecond = 0; ///< of the memory; 0: not known, then there is no slope
    QString memoryName; ///< "memory 4.8 TB/s"
};

/// FLOP/s over FLOP per byte, both logarithmic: the memory's limit as a slope, arithmetic limits as
/// horizontal lines. The size of a point is its time; points without arithmetic are at the left edge, where
/// the slope still shows their bandwidth. A click selects a point, the arrow keys go through them by time,
/// Enter selects.
class RooflinePlot : public PaintedChart {
    Q_OBJECT
public:
    explicit RooflinePlot(const Theme& theme, QWidget* parent = nullptr);

    void setContent(RooflineContent content);
    const RooflineContent& content() const { return m_content; }
    /// Marks a point without choosing it; nothing: none.
    void setCurrent(std::optional<std::size_t> point);
    std::optional<std::size_t> current() const { return m_current; }

    /// The smallest point at `position`; nothing when there is none.
    std::optional<std::size_t> pointAt(QPointF position) const;
    /// Where point `point` is drawn.
    QPointF placeOf(std::size_t point) const;
    double radiusOf(std::size_t point) const;
    /// Where a roof of `flopsPerSecond` is drawn, in pixels from the top.
    double yOf(double flopsPerSecond) const;
    double xOf(double intensity) const;
    /// The texts below the axis of intensity, each within its place; they do not overlap.
    std::vector<std::pair<QRectF, QString>> axisTexts() const;
    /// The numbers of both axes.
    std::vector<PaintedLabel> axisLabels() const;
    /// The names of the roofs and of the slope that have room.
    std::vector<PaintedLabel> lineLabels() const;

    QSize sizeHint() const override { return {560, 340}; }
    QSize minimumSizeHint() const override { return {240, 140}; }
    std::vector<PaintedItem> paintedItems() override; ///< the points
    QAccessible::Role paintedRole() const override { return QAccessible::Chart; }

signals:
    void currentChanged(std::size_t point); ///< by the keyboard or a click
    void pointChosen(std::size_t point); ///< by a click or Enter

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    QRectF plot() const;
    void fitAxes();
    void makeCurrent(std::size_t point);
    void paintGrid(QPainter& painter) const;
    void paintRoofs(QPainter& painter) const;
    void paintPoints(QPainter& painter) const;
    void paintLabels(QPainter& painter) const;
    std::vector<PaintedLabel> slopeLabels(const std::vector<const RooflineRoof*>& sorted) const;
    /// How many points `label` covers.
    std::size_t pointsBelow(const PaintedLabel& label) const;

    RooflineContent m_content;
    // Ranges of the axes, as powers of ten.
    double m_left = -2;
    double m_right = 4;
    double m_low = 9;
    double m_high = 15;
    std::optional<std::size_t> m_hovered;
    std::optional<std::size_t> m_current;
    Ns m_longest = 1; ///< of the points
};

/// "1 TFLOP/s" and so on: `perSecond` with the prefix that leaves one to three digits before the point.
QString flopsText(double perSecond);

} // namespace warpline
