#pragma once

#include "core/compare/comparison.h"
#include "views/style/painted_chart.h"

#include <memory>
#include <optional>
#include <vector>

namespace warpline {

/// One line of a waterfall: a bar from `from` to `to`.
struct WaterfallLine {
    enum class Kind : std::uint8_t { SideA, Part, Rest, SideB };
    Kind kind = Kind::Part;
    std::size_t place = 0; ///< of a part: in Comparison::budget
    Ns from = 0; ///< of a side 0
    Ns to = 0;
    std::size_t parts = 1; ///< how many it joins
    bool beyondNoise = true;
    Ns delta() const { return to - from; }
};

/// From A's step over the parts that changed most to B's step; at most `most` lines, including both sides.
/// Each begins where the previous ends, so they add up exactly; parts without a line, or shorter than a
/// pixel, are joined in one. Empty: there is no budget.
std::vector<WaterfallLine> waterfallOf(const Comparison& comparison, std::size_t most);

/// Where the time of a step went from A to B, as bars that begin where the one before ends.
class CompareWaterfall : public PaintedChart {
    Q_OBJECT
public:
    explicit CompareWaterfall(const Theme& theme, QWidget* parent = nullptr);

    void setComparison(std::shared_ptr<const Comparison> comparison); ///< nullptr: none
    const std::vector<WaterfallLine>& lines() const { return m_lines; }
    /// The line at `y`; nothing outside of lines.
    std::optional<std::size_t> lineAt(int y) const;

    /// The height of `lines` lines where titles stand above the bars.
    static int heightOf(std::size_t lines);

    QSize sizeHint() const override { return {460, 200}; }
    QSize minimumSizeHint() const override { return {200, 80}; }
    std::vector<PaintedItem> paintedItems() override; ///< the lines
    QAccessible::Role paintedRole() const override { return QAccessible::Chart; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    bool isNarrow() const; ///< titles stand above the bars, not to the left
    int lineHeight() const;
    QString titleOf(const WaterfallLine& line) const;
    static QString figureOf(const WaterfallLine& line);
    int figureWidth() const; ///< the room for the widest of them
    QString tipOf(const WaterfallLine& line) const; ///< empty: nothing more than is drawn
    int titleWidth() const; ///< the width of the longest title, limited to a share of the width
    void make();
    void paintLine(QPainter& painter, std::size_t line, double begin, double perNs);

    std::shared_ptr<const Comparison> m_comparison;
    std::vector<WaterfallLine> m_lines;
};

} // namespace warpline
