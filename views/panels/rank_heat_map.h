#pragma once

#include "core/across/across_report.h"
#include "views/style/painted_chart.h"

#include <QPixmap>

#include <cstdint>
#include <optional>
#include <vector>

namespace warpline {

/// The measure of a RankHeatMap's colours.
enum class HeatMeasure : std::uint8_t {
    Blame, ///< the others' waits for the rank
    ExposedWait, ///< the rank's waits while it computed nothing
    Busy, ///< the share of the step in which its GPU worked
    StepTime,
};

/// Ranks from top to bottom, steps from left to right: darker cells have more of the measure. Joins steps
/// when there are more than pixels; each cell then has their maximum. A click goes to a step on a rank.
class RankHeatMap : public PaintedChart {
    Q_OBJECT
public:
    explicit RankHeatMap(const Theme& theme, QWidget* parent = nullptr);

    struct Cell {
        std::size_t rank = 0; ///< place in AcrossReport::ranks
        std::size_t step = 0; ///< place in AcrossReport::steps
        friend bool operator==(const Cell&, const Cell&) = default;
    };

    void setTheme(const Theme& theme) override;
    /// Shows `across`, which must outlive the map's use of it; nullptr: nothing.
    void setAcross(const AcrossReport* across);
    void setMeasure(HeatMeasure measure);
    HeatMeasure measure() const { return m_measure; }
    /// The step of the rank under `position`; of several that are joined the one with the most.
    std::optional<Cell> cellAt(QPoint position) const;
    /// Where the cell is drawn.
    QRect areaOf(Cell cell) const;
    /// The value of the measure: nanoseconds, of Busy a share; less than 0: the rank does not have the step.
    double valueOf(Cell cell) const;
    /// From the colour of zero to the full one; an outlier does not flatten the others.
    QColor colorOf(Cell cell) const;
    /// "rank 1 · step_3 · blame 23.4 ms · ..."; empty outside of cells.
    QString tipAt(QPoint position) const;
    QString tipOf(Cell cell) const;
    /// The meaning of the colours: "0 to 36.9 ms and more, up to 127.9 ms".
    QString legendText() const;
    /// The same, shortened to `room` pixels; the whole is the legend's tooltip.
    QString legendText(int room) const;
    std::optional<Cell> current() const { return m_current; }
    /// Marks the cell without going there; nothing: none. A cell that is not on the map is none.
    void setCurrent(std::optional<Cell> cell);

    QSize sizeHint() const override;
    /// In large text, where the words around the map leave it less, eight ranks have a line each.
    QSize minimumSizeHint() const override;
    std::vector<PaintedItem>
    paintedItems() override; ///< a cell for each rank and step, or steps that are joined
    QAccessible::Role paintedRole() const override { return QAccessible::Table; }

signals:
    void chosen(std::size_t rank, std::size_t step);

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    static constexpr int margin = 6;
    static constexpr int narrowestCell = 5;
    static constexpr int widestCell = 64;
    static constexpr int lowestRow = 4;
    static constexpr int highestRow = 26; ///< see inTextSize()
    static constexpr int widestLabel = 150;

    void measureLabels();
    QRect plot() const;
    std::size_t columns() const; ///< that are drawn
    std::pair<std::size_t, std::size_t> stepsOf(std::size_t column) const; ///< first and behind the last
    Cell worstOf(std::size_t rank, std::size_t column) const;
    QRect areaOf(std::size_t rank, std::size_t column) const;
    void findScale();
    QColor fullColor() const; ///< of the greatest value
    void paintCells();
    void paintRanks(QPainter& painter) const;
    void paintSteps(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;
    void choose(Cell cell);

    const AcrossReport* m_across = nullptr;
    HeatMeasure m_measure = HeatMeasure::Blame;
    int m_labelWidth = 0; ///< of the longest
    double m_most = 0; ///< the greatest value of a cell that is no warm-up
    double m_mostWarm = 0; ///< of one that is
    double m_fullAt = 0; ///< the value that has the full colour, and those above it
    QPixmap m_cells; ///< cached picture; null: to be painted again
    std::optional<Cell> m_hovered;
    std::optional<Cell> m_current;
};

} // namespace warpline
