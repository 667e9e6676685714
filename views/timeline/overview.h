#pragma once

#include "views/loading/latest_job.h"
#include "views/session/session.h"
#include "views/style/painted_chart.h"
#include "views/style/text_scale.h"

#include <QImage>

#include <cstdint>
#include <vector>

namespace warpline {

/// The whole report in one strip: busy share of the GPUs above, CUDA API calls below, and the shown range as
/// a window that can be moved and resized. A click outside moves the window there, a drag outside shows its
/// range. Ticks mark search hits.
class Overview : public PaintedChart {
    Q_OBJECT
public:
    Overview(Session& session, const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme) override;
    std::vector<PaintedItem> paintedItems() override; ///< the shown and the selected range
    QString paintedValue() const override; ///< the shown range
    QSize sizeHint() const override { return {100, inTextSize(34)}; }
    /// False while the strip is being worked out.
    bool isReady() const { return !m_job.isBusy() && !m_searching.isBusy(); }
    /// For each pixel 1 where the search finds something; empty while nothing is searched for.
    const std::vector<std::uint8_t>& found() const { return m_found; }

signals:
    void updated();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    enum class Drag : std::uint8_t { None, Move, Left, Right, Outside, New };
    Drag dragAt(double x) const;
    /// Busy share of each pixel of the whole report.
    struct Bands {
        std::vector<float> gpu;
        std::vector<float> api;
    };
    static Bands bandsOf(const Workspace& workspace, int pixels, const std::stop_token& stop);
    void workOut();
    void search();
    void paintFound(QPainter& painter) const;
    void draw();
    int pixels() const;

    Session& m_session;
    Bands m_bands;
    std::vector<std::uint8_t> m_found;
    LatestJob m_searching;
    LatestJob m_job; ///< a report of many threads takes too long for the thread that paints
    QImage m_strip; ///< the bands in the theme's colours
    Drag m_drag = Drag::None;
    double m_dragFrom = 0;
    double m_dragTo = 0; ///< of a new window
    TimeRange m_dragShown;
};

} // namespace warpline
