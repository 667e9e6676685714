#pragma once

#include "core/query/name_pace.h"
#include "views/style/painted_chart.h"

#include <optional>

namespace warpline {

/// Durations of one name over time, or by instance: each column has a bar from minimum to maximum with the
/// mean, and dots for outliers. A click goes to the longest event of a column. The current event is marked.
class NamePaceChart : public PaintedChart {
    Q_OBJECT
public:
    explicit NamePaceChart(const Theme& theme, QWidget* parent = nullptr);

    /// `fence`: longer events are outliers. `logarithmic`: the durations' axis.
    void setPace(Pace pace, double fence, bool logarithmic);
    const Pace& pace() const { return m_pace; }
    /// The current event's column and duration; nothing: it is none of these.
    void setMarked(std::optional<std::pair<std::size_t, Ns>> marked);
    /// The column at `position`; nothing outside of columns.
    std::optional<std::size_t> columnAt(QPoint position) const;
    /// A place inside column `column`.
    QPoint middleOf(std::size_t column) const;
    QString tipAt(QPoint position) const;

    QSize sizeHint() const override { return {420, 140}; }
    QSize minimumSizeHint() const override { return {160, 70}; }
    std::vector<PaintedItem> paintedItems() override; ///< the columns that have events
    QAccessible::Role paintedRole() const override { return QAccessible::Chart; }

signals:
    void chosen(quint32 event); ///< index of the longest event of the column clicked

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    QRect plot() const;
    double yOf(double duration) const;
    double xOf(std::size_t column) const;
    void paintColumns(QPainter& painter) const;
    void paintAxis(QPainter& painter) const;

    Pace m_pace;
    double m_fence = 0;
    double m_low = 0; ///< of the durations' axis
    double m_high = 1;
    bool m_logarithmic = false;
    std::optional<std::pair<std::size_t, Ns>> m_marked;
};

} // namespace warpline
