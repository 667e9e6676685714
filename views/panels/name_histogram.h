#pragma once

#include "core/query/duration_histogram.h"
#include "views/style/painted_chart.h"

#include <QStringList>

#include <optional>
#include <utility>

namespace warpline {

/// The durations of the events of one name: bars by count, or by time. A drag over bars brushes them, a click
/// brushes one, a click outside of the brush or Esc clears it. The current event's duration is marked.
class NameHistogram : public PaintedChart {
    Q_OBJECT
public:
    explicit NameHistogram(const Theme& theme, QWidget* parent = nullptr);

    /// Another histogram ends the brush.
    void setHistogram(DurationHistogram histogram);
    const DurationHistogram& histogram() const { return m_histogram; }
    void setByTime(bool byTime);
    bool isByTime() const { return m_byTime; }
    /// The duration of the current event; nothing: it has another name.
    void setMarked(std::optional<Ns> duration);
    /// First and last brushed bar; nothing: none.
    std::optional<std::pair<std::size_t, std::size_t>> brushed() const { return m_brush; }
    /// The labels of the axis, with enough digits to be distinct.
    QStringList axisTexts() const;
    void setBrush(std::size_t first, std::size_t last);
    void endBrush();
    /// The rectangle of bar `bin`, in full height; its foot is at the bottom.
    QRect barOf(std::size_t bin) const;
    /// "2.1 us to 2.15 us: 1,234 events, 12% of the time"; empty outside of bars.
    QString tipAt(QPoint position) const;

    QSize sizeHint() const override { return {420, 140}; }
    QSize minimumSizeHint() const override { return {160, 70}; }
    std::vector<PaintedItem> paintedItems() override; ///< the bars that count any
    QAccessible::Role paintedRole() const override { return QAccessible::Chart; }

signals:
    void brushChanged(); ///< by the user; when a drag ends

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRect plot() const;
    std::optional<std::size_t> binAt(QPoint position) const;
    double heightOf(std::size_t bin) const; ///< 0..1
    void paintAxis(QPainter& painter) const;
    std::size_t labelStep() const; ///< bars from one text of the axis to the next

    DurationHistogram m_histogram;
    bool m_byTime = false;
    std::optional<Ns> m_marked;
    std::optional<std::pair<std::size_t, std::size_t>> m_brush;
    std::optional<std::size_t> m_pressed;
};

} // namespace warpline
