#pragma once

#include "core/timetree/compare_trees.h"
#include "core/timetree/time_tree_source.h"
#include "views/session/source_editor.h"
#include "views/style/painted_chart.h"

#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace warpline {

class Trace;

/// The content of a flame graph. Immutable; made off the GUI thread.
struct FlameContent {
    std::shared_ptr<const Trace> trace;
    TimeTree tree;
    TimeTreeUnit unit = TimeTreeUnit::Samples;
    std::vector<std::vector<std::uint32_t>> children; ///< of each node, the largest first
    std::vector<QString> names; ///< by node; the root's is a title for all
    /// By node: the totals in the compared run; empty: no comparison.
    std::vector<ComparedNode> compared;
    std::int64_t otherTotal = 0; ///< of that run
};

/// Makes the content from `tree`.
std::shared_ptr<FlameContent> flameContent(
    std::shared_ptr<const Trace> trace, TimeTree tree, TimeTreeUnit unit, const std::stop_token& stop);

/// "12,843 samples", "1.204 s".
QString amountText(TimeTreeUnit unit, std::int64_t amount);

/// `name` elided in the middle for a box of `width` pixels; empty when only a few letters would remain.
QString boxText(const QString& name, const QFontMetrics& metrics, int width);

/// Stacks as boxes, callers above callees, each as wide as its share of the time. A click zooms to a box; a
/// click on a box above it, Backspace and Escape zoom out. Boxes that do not match the search are dimmed.
class FlameGraph : public PaintedChart {
    Q_OBJECT
public:
    explicit FlameGraph(const Theme& theme, QWidget* parent = nullptr);

    void setContent(std::shared_ptr<const FlameContent> content);
    const std::shared_ptr<const FlameContent>& content() const { return m_content; }
    /// Marks the boxes whose names contain `text`; returns their joint time, with nested boxes counted once.
    std::int64_t search(const QString& text);
    /// The box that fills the width; 0: everything.
    std::uint32_t zoomed() const { return m_zoomed; }
    void zoomTo(std::uint32_t node);
    /// The node of the box at `position`; noIndex: none.
    std::uint32_t nodeAt(QPoint position) const;
    /// The middle of the box of `node` on this widget; null when it is not drawn.
    QPoint middleOf(std::uint32_t node) const;
    /// How much more of the other run a box takes, see changeOf(); nothing: nothing is compared.
    std::optional<double> changeAt(std::uint32_t node) const;
    /// Name, share, amounts, and the file of a function; where two runs are compared the other's share too.
    QString tipOf(std::uint32_t node) const;
    /// The line of source of a Python function: where it begins, or where a sample was in it.
    SourcePlace sourceOf(std::uint32_t node) const;
    std::vector<PaintedItem> paintedItems() override; ///< the boxes
    QSize sizeHint() const override { return {600, minimumHeight()}; }

signals:
    void zoomChanged();
    void pointedAt(const QString& tip); ///< empty: at nothing
    void hovered(quint32 node); ///< noIndex: none
    void problem(const QString& text); ///< why a line of source does not open

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Box {
        std::uint32_t node; ///< noIndex: boxes too narrow to draw separately
        QRectF place;
        std::size_t others = 0; ///< how many these are
        std::int64_t total = 0; ///< their joint time
    };
    const Box* boxAt(QPoint position) const;
    QString tipOf(const Box& box) const;
    void layOut();
    void paintOthers(QPainter& painter, const Box& box) const;
    void layOutBelow(std::uint32_t node, QRectF place);
    int lineHeight() const { return fontMetrics().height() + 4; }
    QString stackText(std::uint32_t node) const;
    QColor colorOf(std::uint32_t node) const;

    std::shared_ptr<const FlameContent> m_content;
    std::vector<Box> m_boxes; ///< in the order of painting
    std::vector<bool> m_matches; ///< of each node; empty: nothing is searched
    std::uint32_t m_zoomed = 0;
    std::uint32_t m_hovered = noIndex;
};

} // namespace warpline
